import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { Environment, type Serialization } from '#shared/ipc/index.ts';
import { prepareRequest } from '#shared/request/envelope.ts';
import { createGenerated } from '#shared/variables/generated.ts';
import { substituteRequest } from '#shared/variables/substitute-request.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import { postmanDocument } from './postman.ts';

const key = 'a key é';
const now = Date.UTC(2026, 10, 20, 10, 15, 30);

interface Script {
  readonly script: { readonly exec: readonly string[] };
}
interface Document {
  readonly event: readonly Script[];
  readonly item: readonly { readonly request: { readonly body: { readonly raw: string } } }[];
}

/** Runs the export's script over a body, with the parts of Postman that the script uses. */
function runScript(document: Document, variables: Record<string, string>): { sent: string | null; failed: string | null } {
  const values: Record<string, string> = { ...variables, privateKey: key };
  const body = { raw: document.item[0]?.request.body.raw ?? '', sent: null as string | null };
  let failed: string | null = null;
  const replaceIn = (text: string) => text.replace(/\{\{([^{}]*)\}\}/g, (all: string, name: string) => values[name] ?? all);
  const test = (_: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      failed = (error as Error).message;
    }
  };
  class Clock extends Date {
    constructor(time = now) {
      super(time);
    }
    static override now(): number {
      return now;
    }
  }
  runInNewContext((document.event[0]?.script.exec ?? []).join('\n'), {
    require: () => ({ SHA256: (text: string) => createHash('sha256').update(text).digest('hex') }),
    Date: Clock,
    pm: {
      info: { iteration: 0 },
      variables: {
        get: (name: string) => values[name],
        has: (name: string) => Object.hasOwn(values, name),
        replaceIn,
        set: (name: string, value: string) => (values[name] = value),
      },
      request: { body: { raw: body.raw, update: ({ raw }: { raw: string }) => (body.sent = raw) } },
      execution: { skipRequest: () => undefined },
      test,
    },
  });
  return { sent: body.sent, failed };
}

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('ab1 "\\/\n\t\u0000\u007f{}:,')),
    fc.constantFrom('ż', '中', '😀', '\u2028', '\u00a0'),
  ),
  maxLength: 12,
});
const number = fc.oneof(
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '0.10',
    '1.50',
    '-0',
    '-0.0',
    '1e3',
    '1E-7',
    '9223372036854775807',
    '9223372036854775808',
    '1e22',
    '123456789012345678',
    '0.00001',
    '100000000000000000.5',
  ),
);

describe('the script of an export for Postman', () => {
  it('sends and hashes the bytes that the workbench would', () => {
    fc.assert(
      fc.property(
        text,
        number,
        text,
        fc.constantFrom<Serialization>('php', 'php-unicode', 'verbatim'),
        fc.constantFrom('UTC', 'Europe/Warsaw', 'America/St_Johns'),
        (inside, outside, fixed, serialization, timeZone) => {
          const environment = Environment.parse({
            id: 'e',
            name: 'e',
            baseUrl: 'https://a.example',
            platform: 7,
            partnerId: 31,
            timeZone,
            serialization,
          });
          const request = CollectionRequest.parse({
            operation: 'getGameRound',
            data: `{ "a" : "x{{inside}}y{{ inside }}", "b": [{{outside}}, {"{{inside}}":1}], "c": ${JSON.stringify(fixed).replaceAll('{{', '{{$braces}}')}, "d": 1.50, "at": "{{$now-2h:ymd}}" }`,
          });
          const collection = { inside, outside };
          const substituted = substituteRequest(
            request,
            createScopes({ collection: {}, run: collection, environment }),
            createGenerated({ environment, now, newId: () => 'id' }),
          );
          if (!substituted.ok) throw new Error(substituted.errors[0]?.message);
          const prepared = prepareRequest({ ...substituted.draft, environmentId: 'e' }, environment, now);
          if (!prepared.ok) return;
          const { time, dataJson } = prepared.request;
          const part = {
            name: 'c',
            notes: '',
            variables: collection,
            around: [],
            unread: [],
            items: [{ kind: 'request' as const, path: 'a.yaml', name: 'a', request, comments: [], folders: [] }],
          };
          const made = postmanDocument(part, { environment, writer: 'test' });
          const { sent, failed } = runScript(JSON.parse(made.text) as Document, {
            ...collection,
            platform: '7',
            partnerId: '31',
            timeZone,
          });
          if ((dataJson ?? '').includes('{{inside}}') || (dataJson ?? '').includes('{{outside}}')) {
            expect(failed).toContain('Postman would replace');
            return;
          }
          expect(failed).toBe(null);
          const hash = createHash('sha256')
            .update(key + time + dataJson)
            .digest('hex');
          expect(sent).toBe(
            `{\n  "action": "getGameRound",\n  "platform": 7,\n  "partnerId": 31,\n  "time": "${time}",\n  "data": ${dataJson},\n  "hash": "${hash}"\n}`,
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});
