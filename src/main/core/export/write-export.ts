import type { Environment, ExportedFile, ExportFormat, ParsedInput } from '#shared/ipc/index.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
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
export const languages = { curl: curlScript, php: phpProgram, node: nodeProgram, python: pythonProgram } as const;

export function isProgram(format: ExportFormat): format is keyof typeof languages {
  return Object.hasOwn(languages, format);
}

/** What an export is written from, as plain data: a thread writes it. */
export interface ExportSource {
  readonly request: ParsedInput<'exports.create'>;
  readonly calls: readonly RecordedCall[];
  readonly environments: readonly Environment[];
  readonly version: string;
  readonly runtime: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface WrittenExport {
  readonly files: ExportedFile[];
  /** Places that were masked. */
  readonly masked: number;
  /** Which calls have responses that are no text: they stand in the files in base64, where a form of a key would be hidden once more. */
  readonly hidden: readonly number[];
}

/** Writes the files of an export, with tokens masked unless they are to be kept. */
export function writeExport(source: ExportSource): WrittenExport {
  const { request, calls } = source;
  const mask = request.keepTokens ? keepTokens() : maskFor(calls, source.environments);
  const files = write(calls, mask, source);
  const hidden = calls.flatMap(({ answer }, at) => (decodeUtf8Leniently(answer).firstFault === null ? [] : [at]));
  return { files, masked: mask.masked(), hidden };
}

function write(
  calls: readonly RecordedCall[],
  mask: TokenMask,
  { request, environments: all, version, runtime, now }: ExportSource,
): ExportedFile[] {
  const name = nameOf(calls);
  const program = `Croupier ${version}`;
  switch (request.format) {
    case 'curl':
    case 'php':
    case 'node':
    case 'python': {
      const { extension, mediaType, write } = languages[request.format];
      const environments = new Map(all.map((environment) => [environment.id, environment]));
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
      const text = harDocument(calls, mask, { name: 'Croupier', version });
      return [{ name: `${name}.har`, mediaType: 'application/json', text }];
    }
    case 'jsonl':
      return [{ name: `${name}.jsonl`, mediaType: 'application/jsonl', text: jsonLines(calls, mask) }];
    case 'support': {
      const madeAt = new Date(now).toISOString();
      const pack = supportPack(calls, mask, { madeAt, program, runtime });
      return [
        { name: `${name}-support.html`, mediaType: 'text/html', text: supportPage(pack) },
        { name: `${name}-support.json`, mediaType: 'application/json', text: `${JSON.stringify(pack, null, 2)}\n` },
      ];
    }
  }
}

function maskFor(calls: readonly RecordedCall[], environments: readonly Environment[]): TokenMask {
  const sentTo = new Set(calls.map(({ call }) => call.environmentId));
  const answers = environments.flatMap(({ id, answers }) => (sentTo.has(id) ? [answers] : []));
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
