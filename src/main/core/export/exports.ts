import { AppError } from '#shared/errors.ts';
import type { Call, Environment, ExportedFile, ExportFormat, Output, ParsedInput } from '#shared/ipc/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { curlScript } from './curl.ts';
import { harDocument } from './har.ts';
import { jsonLines } from './json-lines.ts';
import { nodeProgram } from './node.ts';
import { phpProgram } from './php.ts';
import { programOf } from './program.ts';
import { pythonProgram } from './python.ts';
import type { RecordedCall } from './recorded-call.ts';
import { supportPack } from './support-pack.ts';
import { supportPage } from './support-page.ts';
import { createTokenMask, keepTokens, type TokenMask } from './token-mask.ts';

/** The formats that are programs. */
const languages = { curl: curlScript, php: phpProgram, node: nodeProgram, python: pythonProgram } as const;

function isProgram(format: ExportFormat): format is keyof typeof languages {
  return Object.hasOwn(languages, format);
}

/** An export is held in memory as a whole, more than once. */
const mostBytes = 64 * 1_048_576;

export interface ExportsDeps {
  /** Fails with `not_found`. */
  readonly call: (id: number) => Call;
  /** The body of the answer, empty where there is none. */
  readonly body: (id: number) => Uint8Array;
  readonly environments: () => readonly Environment[];
  /** Whether a text holds the key of an environment; fails where there is one that cannot be asked for now. */
  readonly holdsKey: (environmentId: string, text: Uint8Array) => Promise<boolean>;
  readonly version: string;
  /** What the program runs on: `Node 24.21.0, linux x64`. */
  readonly runtime: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

type Request = ParsedInput<'exports.create'>;

/**
 * Writes recorded calls as other programs read them. Nothing is handed out before it was searched for the key of every environment there is and of
 * those that the calls were sent to. Fails with `not_found`, `refused`, `invalid_input`, `key_missing` and `key_unavailable`.
 */
export function createExports(deps: ExportsDeps): (request: Request) => Promise<Output<'exports.create'>> {
  function read(request: Request): RecordedCall[] {
    const ids = [...new Set(request.callIds)].sort((one, other) => one - other);
    const withAnswers = !isProgram(request.format);
    let size = 0;
    return ids.map((id) => {
      const call = deps.call(id);
      size += call.requestBytes + (withAnswers ? (call.responseBytes ?? 0) : 0);
      if (size > mostBytes)
        throw new AppError('invalid_input', 'These calls are more than 64 MB together. Export fewer of them at once.');
      return { call, answer: withAnswers ? deps.body(id) : new Uint8Array() };
    });
  }

  function write(calls: readonly RecordedCall[], mask: TokenMask, request: Request): ExportedFile[] {
    const name = nameOf(calls);
    const program = `Croupier ${deps.version}`;
    switch (request.format) {
      case 'curl':
      case 'php':
      case 'node':
      case 'python': {
        const { extension, mediaType, write } = languages[request.format];
        const environments = new Map(deps.environments().map((environment) => [environment.id, environment]));
        const text = write(
          programOf(
            calls.map(({ call }) => call),
            {
              form: request.form,
              keyVariable: request.keyVariable,
              writer: program,
              environment: ({ environmentId }) => environments.get(environmentId) ?? null,
              mask,
            },
          ),
        );
        return [{ name: `${name}${request.form === 'resigning' ? '-resigning' : ''}.${extension}`, mediaType, text }];
      }
      case 'har': {
        const text = harDocument(calls, mask, { name: 'Croupier', version: deps.version });
        return [{ name: `${name}.har`, mediaType: 'application/json', text }];
      }
      case 'jsonl':
        return [{ name: `${name}.jsonl`, mediaType: 'application/jsonl', text: jsonLines(calls, mask) }];
      case 'support': {
        const madeAt = new Date(deps.now()).toISOString();
        const pack = supportPack(calls, mask, { madeAt, program, runtime: deps.runtime });
        return [
          { name: `${name}-support.html`, mediaType: 'text/html', text: supportPage(pack) },
          { name: `${name}-support.json`, mediaType: 'application/json', text: `${JSON.stringify(pack, null, 2)}\n` },
        ];
      }
    }
  }

  async function refuseKeys(files: readonly ExportedFile[], calls: readonly RecordedCall[]): Promise<void> {
    const ids = new Set([...deps.environments().map(({ id }) => id), ...calls.map(({ call }) => call.environmentId)]);
    // An answer that is no UTF-8 stands in the file in base64, where a form of the key would be hidden once more.
    const hidden = calls.map(({ answer }) => answer).filter((answer) => decodeUtf8Leniently(answer).firstFault !== null);
    for (const bytes of [...files.map(({ text }) => Buffer.from(text, 'utf8')), ...hidden]) {
      for (const environmentId of ids) {
        if (!(await deps.holdsKey(environmentId, bytes))) continue;
        throw new AppError(
          'refused',
          'Nothing was exported: the private key of an environment is in what was sent or received. Replace that key, and export other calls.',
          { environmentId },
        );
      }
    }
  }

  return async (request) => {
    if (request.form === 'resigning' && !isProgram(request.format)) {
      throw new AppError('invalid_input', `Only a program can sign anew: ${Object.keys(languages).join(', ')}.`);
    }
    const calls = read(request);
    const mask = request.keepTokens ? keepTokens() : maskFor(calls, deps);
    const files = write(calls, mask, request);
    await refuseKeys(files, calls);
    return { files, masked: mask.masked() };
  };
}

function maskFor(calls: readonly RecordedCall[], deps: ExportsDeps): TokenMask {
  const sentTo = new Set(calls.map(({ call }) => call.environmentId));
  const answers = deps.environments().flatMap(({ id, answers }) => (sentTo.has(id) ? [answers] : []));
  const isToken = (name: string) => isTokenName(name) || answers.some((recorded) => isTokenName(name, recorded));
  const texts = calls.flatMap(({ call, answer }) => [
    call.request.bodyText,
    decodeUtf8Leniently(answer).text,
    call.url,
    ...(call.response?.headers.map(([, value]) => value) ?? []),
  ]);
  return createTokenMask(texts, isToken);
}

/** `croupier-bet-12` or `croupier-3-calls`: fit for every file system. */
function nameOf(calls: readonly RecordedCall[]): string {
  const [first] = calls;
  return calls.length === 1 && first !== undefined
    ? `croupier-${first.call.operation}-${first.call.id}`
    : `croupier-${calls.length}-calls`;
}
