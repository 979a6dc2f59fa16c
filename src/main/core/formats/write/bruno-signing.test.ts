import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatTime } from '#shared/signing/time.ts';
import { createCollections } from '#testing/random-collections.ts';
import { seededRandom } from '#testing/seeded-random.ts';
import { brunoFiles } from './bruno.ts';
import { brunoModule } from './bruno-module.ts';
import { requestsOf } from './collection-part.ts';

const bruno = createRequire(import.meta.url)('@usebruno/lang') as {
  bruToJsonV2: (text: string) => { http: { url: string }; body?: { json: string }; tests: string; docs?: string };
  collectionBruToJson: (text: string) => { vars?: { req: { name: string; value: string }[] } };
  bruToEnvJsonV2: (text: string) => { variables: { name: string; secret: boolean }[] };
};

interface Module {
  sign(bru: object, req: object): void;
}
const missing = { getRequestVar: none, getFolderVar: none, getCollectionVar: none, getGlobalEnvVar: none, getVar: none };
function none(): undefined {
  return undefined;
}

/** Runs the module as the safe mode of Bruno does, which has no Intl; returns the body that is sent. */
function signed(code: string, raw: string, timeZone: string, now: number): string {
  class Clock extends Date {
    static override now(): number {
      return now;
    }
  }
  const module = { exports: {} as Module };
  runInNewContext(code, {
    module,
    Date: Clock,
    Intl: undefined,
    require: () => ({ SHA256: (text: string) => createHash('sha256').update(text).digest('hex') }),
  });
  let sent = '';
  const values: Record<string, string> = { timeZone, privateKey: 'k' };
  const bru = { ...missing, runner: {}, getEnvVar: (name: string) => values[name], interpolate: (text: string) => text };
  const req = { disableParsingResponseJson: none, getBody: () => raw, setBody: (text: string) => (sent = text) };
  module.exports.sign(bru, req);
  return sent;
}

it('the module writes the time of a zone as the workbench does, without Intl', () => {
  const random = seededRandom(1);
  for (const timeZone of [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
  ]) {
    const code = brunoModule('php', { timeZone, writer: 'Croupier 1' });
    for (let round = 0; round < 40; round++) {
      const now = Date.UTC(2025, 0, 2) + Math.floor(random() * 19 * 365) * 86_400_000 + Math.floor(random() * 86_400_000);
      const body = signed(code, '{"time": "{{$time}}", "data": {"a":0.10}, "hash": "{{$hash}}"}', timeZone, now);
      const time = formatTime(now, timeZone, 'dmy');
      const hash = createHash('sha256').update(`k${time}{"a":0.10}`).digest('hex');
      expect(body, timeZone).toBe(`{"time": "${time}", "data": {"a":0.10}, "hash": "${hash}"}`);
    }
  }
});

it('another zone than that of the export is refused where there is no Intl', () => {
  const code = brunoModule('php', { timeZone: 'UTC', writer: 'Croupier 1' });
  expect(() => signed(code, '{"time": "{{$time}}"}', 'Asia/Tokyo', 0)).toThrow('knows no time zone but UTC');
});

it("Bruno's own parser reads every file, and the bodies as they were written", () => {
  const create = createCollections(seededRandom(7));
  let requests = 0;
  for (let round = 0; round < 10; round++) {
    const { files } = brunoFiles(create(), {
      form: 'bruno',
      environment: null,
      environmentName: 'Provider',
      writer: 'Croupier 1',
    });
    for (const { name, text } of files) {
      if (name.startsWith('environments/'))
        expect(bruno.bruToEnvJsonV2(text).variables).toContainEqual(
          expect.objectContaining({ name: 'privateKey', secret: true }),
        );
      else if (/(?:^|\/)(?:collection|folder)\.bru$/.test(name)) bruno.collectionBruToJson(text);
      else if (name.endsWith('.bru')) {
        const read = bruno.bruToJsonV2(text);
        requests += 1;
        expect(read.http.url, name).toMatch(/^\{\{(?:base|wallet)Url\}\}\//);
        expect(read.tests, name).toContain("require('./croupier.js')");
        const body = /\nbody:json \{\n([^]*?)\n\}\n/.exec(text)?.[1]?.replace(/^ {2}/gm, '') ?? '';
        if (body.startsWith('{\n  "')) expect(read.body?.json.trim(), name).toBe(body.trim());
      }
    }
  }
  expect(requests).toBeGreaterThan(20);
});

it('every reader of YAML reads the files of OpenCollection, each text as it was', () => {
  const create = createCollections(seededRandom(7));
  let requests = 0;
  for (let round = 0; round < 60; round++) {
    const part = create();
    const { files } = brunoFiles(part, {
      form: 'opencollection',
      environment: null,
      environmentName: 'Provider',
      writer: 'Croupier 1',
    });
    const read = new Map(files.flatMap(({ name, text }) => (name.endsWith('.yml') ? [[name, parse(text) as Parsed]] : [])));
    expect(read.get('opencollection.yml')?.request?.variables ?? []).toEqual(
      Object.entries(part.variables).map(([name, value]) => ({ name, value })),
    );
    expect(read.get('environments/Provider.yml')?.variables).toContainEqual({ name: 'privateKey', secret: true });
    for (const { path, name, request } of requestsOf(part.items)) {
      const file = read.get(path.replace(/yaml$/, 'yml'));
      requests += 1;
      expect(file?.info?.name).toBe(name);
      expect(typeof file?.http?.body.data).toBe('string');
      expect(file?.http?.url, name).toMatch(/^\{\{(?:base|wallet)Url\}\}\//);
      expect(file?.runtime?.scripts[0]?.code, name).toContain("require('./croupier.js')");
      expect(file?.docs ?? '').toBe(request.notes);
      expect((file?.examples ?? []).map(({ response }) => response.body.data)).toEqual(request.examples.map(({ body }) => body));
    }
  }
  expect(requests).toBeGreaterThan(20);
});

/** Parts of a file of OpenCollection. */
interface Parsed {
  readonly info?: { readonly name: unknown };
  readonly http?: { readonly url: string; readonly body: { readonly data: unknown } };
  readonly docs?: unknown;
  readonly request?: { readonly variables?: unknown };
  readonly variables?: unknown;
  readonly runtime?: { readonly scripts: readonly { readonly code: string }[] };
  readonly examples?: readonly { readonly response: { readonly body: { readonly data: unknown } } }[];
}
