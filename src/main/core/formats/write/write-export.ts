import type { Environment, ExportFormat, ParsedInput } from '#shared/ipc/index.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { isProgram, type ProgramFormat } from '#shared/model/formats.ts';
import { otherRequest } from '#shared/provider/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { curlScript } from './curl.ts';
import { harWriter } from './har.ts';
import { jsonLinesWriter } from './json-lines.ts';
import { nodeProgram } from './node.ts';
import { phpProgram } from './php.ts';
import { programWriter, type Language } from './program.ts';
import { pythonProgram } from './python.ts';
import { isMasked, supportWriter } from './support-pack.ts';
import { createTokenLearner, keepTokens, type TokenMask } from '../../masking/token-mask.ts';
import type { CallWriter, RecordedCall } from './recorded-call.ts';

/** The language of each format that is a program. */
export const languages: Readonly<Record<ProgramFormat, Language>> = {
  curl: curlScript,
  php: phpProgram,
  node: nodeProgram,
  python: pythonProgram,
};

/** Input of an export beside the calls; plain data. */
export interface ExportSource {
  readonly request: ParsedInput<'exports.create'>;
  /** The calls, each once, in the order in which they were sent. */
  readonly ids: readonly number[];
  readonly environments: readonly Environment[];
  readonly version: string;
  readonly runtime: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Facts about the calls before the first is read. */
export interface CallFacts {
  /** The operation of the first one; empty if it fits none. */
  readonly operation: string;
  /** IDs of the environments that they were sent to. */
  readonly environmentIds: readonly string[];
  /** True if one of them was signed. */
  readonly signed: boolean;
}

/** A step of an export. In `read` and `write`, `done` counts the calls that this step has handled. */
export interface ExportStep {
  readonly step: 'read' | 'write';
  readonly done: number;
  /** Next texts of the files, in their order; empty while calls are read. */
  readonly texts: readonly string[];
  /** Bytes that came and are not text: in the file they are in base64, which would hide a form of a key once more. */
  readonly hidden: readonly Uint8Array[];
  /** Number of positions that were masked so far. */
  readonly masked: number;
}

/**
 * Writes the files of an export a call at a time, with tokens masked unless they are to be kept. For masking, every call is read
 * once before the first is written, because any text may repeat the token of any other. It holds one call and the tokens of all.
 */
export function* writeExport(
  source: ExportSource,
  facts: CallFacts,
  read: (id: number) => RecordedCall,
): Generator<ExportStep, void, void> {
  const { request, ids } = source;
  const calls = function* (): Generator<RecordedCall> {
    for (const id of ids) yield read(id);
  };
  const reading = (done: number): ExportStep => ({ step: 'read', done, texts: [], hidden: [], masked: 0 });
  const mask = request.keepTokens ? keepTokens() : yield* learn(source, facts, calls(), reading);
  const tokensMasked = request.format === 'support' && !request.keepTokens ? anyMasked(calls(), mask) : false;
  const before = mask.masked();
  const writer = writerOf(source, facts, mask, tokensMasked);
  const writing = (done: number, texts: readonly string[], hidden: readonly Uint8Array[] = []): ExportStep => ({
    step: 'write',
    done,
    texts,
    hidden,
    masked: mask.masked() - before,
  });
  yield writing(0, writer.head());
  let done = 0;
  for (const recorded of calls()) {
    const texts = writer.call(recorded, done);
    done += 1;
    const { body, raw, sentRaw } = recorded;
    yield writing(
      done,
      texts,
      [body, raw, sentRaw].filter((bytes) => decodeUtf8Leniently(bytes).firstFault !== null),
    );
  }
  yield writing(done, writer.tail());
}

/** Returns the names and types of the files that an export will have. */
export function exportFiles(source: ExportSource, facts: CallFacts): CallWriter['files'] {
  return writerOf(source, facts, keepTokens(), false).files;
}

/** Returns whether a name is that of a token or another secret, by the spec or by the recorded answers of one of these environments. */
export function tokenNamesOf(environments: readonly Environment[]): (name: string) => boolean {
  return (name) => isTokenName(name) || environments.some(({ answers }) => isTokenName(name, answers));
}

function* learn(
  { environments }: ExportSource,
  { environmentIds }: CallFacts,
  calls: Iterable<RecordedCall>,
  step: (done: number) => ExportStep,
): Generator<ExportStep, TokenMask, void> {
  const sentTo = new Set(environmentIds);
  const learner = createTokenLearner(tokenNamesOf(environments.filter(({ id }) => sentTo.has(id))));
  let done = 0;
  for (const { call, body, raw, sentRaw } of calls) {
    learner.learn(call.request.bodyText);
    for (const bytes of [body, raw, sentRaw]) learner.learn(decodeUtf8Leniently(bytes).text);
    learner.learn(call.url);
    for (const [, value] of call.response?.headers ?? []) learner.learn(value);
    done += 1;
    yield step(done);
  }
  return learner.mask();
}

function anyMasked(calls: Iterable<RecordedCall>, mask: TokenMask): boolean {
  for (const recorded of calls) if (isMasked(recorded, mask)) return true;
  return false;
}

function writerOf(
  { request, ids, environments: all, version, runtime, now }: ExportSource,
  { operation, signed }: CallFacts,
  mask: TokenMask,
  tokensMasked: boolean,
): CallWriter {
  const many = ids.length !== 1;
  // A name for every file system.
  const name = many ? `croupier-${ids.length}-calls` : `croupier-${operation || 'request'}-${ids[0] ?? 0}`;
  const program = `Croupier ${version}`;
  if (isProgram(request.format)) {
    const environments = new Map(all.map((environment) => [environment.id, environment]));
    const { form, keyVariable } = request;
    const environment = ({ environmentId }: { environmentId: string }) => environments.get(environmentId) ?? null;
    const options = { form, keyVariable, writer: program, environment, mask };
    return programWriter(name, languages[request.format], { calls: ids.length, signed }, options);
  }
  const records: Readonly<Record<Exclude<ExportFormat, ProgramFormat>, () => CallWriter>> = {
    har: () => harWriter(name, mask, { name: 'Croupier', version }),
    jsonl: () => jsonLinesWriter(name, mask),
    support() {
      const title = many ? `${ids.length} calls` : `${operation || otherRequest}, call ${ids[0] ?? ''}`;
      const pack = { madeAt: new Date(now).toISOString(), program, runtime, tokensMasked };
      return supportWriter(name, title, pack, mask);
    },
  };
  return records[request.format]();
}
