import { createHash } from 'node:crypto';
import { packAdvice, packSubject } from '#shared/calls/pack-words.ts';
import { AppError } from '#shared/errors.ts';
import { textOfFile } from '#shared/json/file-text.ts';
import { CallReplaced, CallState, Failure, PassedFrom, Timings } from '#shared/ipc/calls.ts';
import { OperationName, Overrides, payloadText } from '#shared/model/draft.ts';
import { Finding } from '#shared/model/finding.ts';
import { packEnvironment } from '#shared/model/pack-environment.ts';
import { textUpTo, wholeNumber, z } from '#shared/model/schema.ts';
import { digestsMark, packMark } from '../formats/write/support-pack.ts';
import type { WrittenBytes } from '../formats/write/recorded-call.ts';
import { writeMemoryHistory, type ForeignCall } from '../history/memory-history.ts';
import { excessOf, unread } from '../untrusted/measure.ts';

/** As long as the file. */
const text = z.string();
/** Texts that the list of calls and that of packs hold: the longest that Croupier writes, with room for what a mask adds. */
const short = textUpTo(4_000);
const name = textUpTo(200);
/** Parts of a call that something can be masked in, and environments of one pack. */
const [mostParts, mostEnvironments] = [20, 1_000];
const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);
/** Those of a response have 256 kB together; as JSON, a byte takes six characters at most, and a mask adds some. */
const mostOfHeaders = 4_000_000;
const headers = z.array(z.tuple([text, text])).check(z.maxLength(70_000));
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const moment = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/));

const RawBytes = z.union([z.strictObject({ bytes: count, text }), z.strictObject({ bytes: count, base64: text })]);

const PackedCall = z.strictObject({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  operation: z.nullable(OperationName),
  origin: z.optional(PassedFrom),
  environment: name,
  sentAt: moment,
  masked: z.array(name).check(z.maxLength(mostParts)),
  outcome: z.strictObject({
    state: CallState,
    status: z.nullable(z.int()),
    code: z.nullable(z.int()),
    message: z.nullable(short),
    failure: z.nullable(Failure),
  }),
  repeats: z.nullable(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  instead: z.optional(CallReplaced),
  overrides: Overrides,
  hashInput: z.nullable(
    z.strictObject({
      text,
      time: short,
      data: z.nullable(z.strictObject({ offset: count, length: count })),
      segments: z.array(z.strictObject({ name: z.enum(['time', 'data']), bytes: count, sha256: digest })),
      hash: z.nullable(short),
    }),
  ),
  request: z.strictObject({ url: short, headers, bytes: count, body: text, raw: z.optional(RawBytes) }),
  response: z.nullable(
    z.union([
      z.strictObject({ headers, bytes: count, truncated: z.boolean(), text }),
      z.strictObject({ headers, bytes: count, truncated: z.boolean(), base64: text }),
    ]),
  ),
  raw: z.optional(RawBytes),
  timings: z.nullable(Timings),
  clockOffsetMs: z.nullable(z.number()),
  findings: z.array(Finding).check(z.maxLength(10_000)),
});
type PackedCall = z.infer<typeof PackedCall>;

/** A pack whose calls are not read yet: of many wrong ones, only the first is of interest. */
const PackAround = z.strictObject({
  format: z.literal(packMark.format),
  version: z.literal(packMark.version),
  madeAt: moment,
  program: name,
  runtime: name,
  tokensMasked: z.boolean(),
  calls: z.array(z.unknown()).check(z.minLength(1)),
  sha256: z.strictObject({ page: digest, json: digest }),
});
/** Facts of a pack that was read. */
export interface Pack extends Omit<z.infer<typeof PackAround>, 'calls'> {
  /** The number of each call, ascending, with its masked parts. */
  readonly masked: readonly (readonly [id: number, parts: readonly string[]])[];
  /** Names of the environments of its calls, each once. */
  readonly environments: readonly string[];
  /** Number of calls in which something is masked. */
  readonly maskedCalls: number;
  /** Parts in which something is masked, each once. */
  readonly maskedParts: readonly string[];
}

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'packs.read': typeof readPack;
  }
}

/**
 * Reads the JSON of a support pack into SQLite's memory at an address, so that its texts pass between no threads. Fails with `invalid_input` for
 * another file, for one that is not as Croupier wrote it, and for one that is too large to read.
 */
export function readPack({ bytes, address }: { readonly bytes: Uint8Array; readonly address: string }): Pack {
  const excess = excessOf(bytes, packSubject, packAdvice);
  if (excess !== null) throw new AppError('invalid_input', excess);
  const written = decoded(bytes);
  const value = parsed(written);
  refuseOthers(value);
  const end = written.lastIndexOf(digestsMark);
  const around = inForm(PackAround, value, []);
  const calls = around.calls.map((call, at) => inForm(PackedCall, call, ['calls', at]));
  if (around.sha256.json !== sha256(Buffer.from(written.slice(0, Math.max(end, 0)), 'utf8')))
    throw changed('differs from the SHA-256 at its end');
  // Also names that occur twice in one object, of which JSON.parse keeps the last.
  if (`${JSON.stringify(value, null, 2)}\n` !== written) throw changed('is not written as Croupier writes it');
  refuseOrder(calls);
  for (const call of calls) refuseParts(call);
  const environments = [...new Set(calls.map(({ environment }) => environment))];
  const maskedParts = [...new Set(calls.flatMap(({ masked }) => masked))];
  if (environments.length > mostEnvironments)
    throw unread(
      `The support pack was not opened: its calls come from more than ${mostEnvironments.toLocaleString('en')} environments. ${packAdvice}`,
    );
  if (maskedParts.length > mostParts) throw changed('lists masked parts that none of its calls has');
  writeMemoryHistory(address, calls.map(foreign));
  return {
    ...around,
    masked: calls.map(({ id, masked }) => [id, masked]),
    environments,
    maskedCalls: calls.filter(({ masked }) => masked.length > 0).length,
    maskedParts,
  };
}

function foreign(call: PackedCall): ForeignCall {
  const {
    id,
    operation,
    origin,
    environment,
    outcome,
    response,
    raw,
    hashInput,
    request,
    overrides,
    timings,
    clockOffsetMs,
    findings,
  } = call;
  const body = Buffer.from(request.body, 'utf8');
  const environmentId = packEnvironment(environment);
  const data = hashInput?.data ?? null;
  const text = data === null ? '' : body.toString('utf8', data.offset, data.offset + data.length);
  return {
    id,
    environment: { id: environmentId, name: environment },
    draft: { environmentId, operation: operation ?? 'gameList', form: '', text, overrides },
    url: request.url,
    sentAt: Date.parse(call.sentAt),
    headers: request.headers,
    body,
    hashInput:
      hashInput === null
        ? null
        : { time: hashInput.time, hasData: data !== null, dataOffset: data?.offset ?? 0, dataLength: data?.length ?? 0 },
    hash: hashInput?.hash ?? null,
    keyFingerprint: null,
    repeats: call.repeats,
    ...(origin === undefined
      ? {}
      : {
          passed: {
            origin,
            isOperation: operation !== null,
            raw: request.raw === undefined ? null : bytesOf(request.raw),
          },
        }),
    ...(call.instead === undefined ? {} : { instead: call.instead }),
    requestBytes: request.bytes,
    responseBytes: response?.bytes ?? null,
    rawBytes: raw?.bytes ?? null,
    requestRawBytes: request.raw?.bytes ?? null,
    outcome:
      outcome.state === 'pending'
        ? null
        : {
            state: outcome.state,
            response:
              response === null
                ? null
                : {
                    status: outcome.status ?? 0,
                    headers: response.headers,
                    body: bytesOf(response),
                    truncated: response.truncated,
                  },
            raw: raw === undefined ? null : bytesOf(raw),
            failure: outcome.failure,
            timings,
            clockOffsetMs,
            code: outcome.code,
            message: outcome.message,
            findings,
          },
  };
}

function bytesOf(written: WrittenBytes): Buffer {
  return 'text' in written ? Buffer.from(written.text, 'utf8') : Buffer.from(written.base64, 'base64');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function decoded(bytes: Uint8Array): string {
  try {
    return textOfFile(bytes, 'It').text;
  } catch (error) {
    throw error instanceof AppError ? other(error.message) : error;
  }
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw other(written.startsWith('<!doctype html>') ? 'It is an HTML page: open the JSON beside it.' : 'It is not JSON.');
  }
}

function refuseOthers(value: unknown): void {
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (members['format'] === packMark.format) {
    if (members['version'] === packMark.version) return;
    throw other('Another version of Croupier wrote it. Open it with that version, or ask for its page.');
  }
  if ('tokensMasked' in members && 'calls' in members)
    throw other('An older version of Croupier wrote it, without SHA-256 sums. Read its page, or ask for a new pack.');
  throw other('It is other JSON.');
}

/** Returns a part of a pack as its schema reads it, `path` from the whole. Fails with the first thing that is wrong in it. */
function inForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  path: readonly (string | number)[],
): z.infer<Schema> {
  const wrong = (at: readonly PropertyKey[], message: string) => {
    const place = [...path, ...at].map(String).join('.');
    return changed(`has the wrong format${place === '' ? '' : ` at ${place}: ${message}`}`);
  };
  try {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    throw wrong(error.issues[0]?.path ?? [], error.issues[0]?.message ?? '');
  } catch (error) {
    // Hundreds of thousands of wrong items are more than the schema's list of them can take.
    throw error instanceof RangeError ? wrong([], 'It has too many errors.') : error;
  }
}

/** Fails if a number occurs twice: an export writes each call once, in the order of their numbers. */
function refuseOrder(calls: readonly PackedCall[]): void {
  const at = calls.findIndex(({ id }, index) => index > 0 && id <= (calls[index - 1]?.id ?? 0));
  if (at !== -1) throw changed(`has call ${calls[at]?.id ?? ''} twice or out of order`);
}

/** Fails if a part of a call does not fit the others. */
function refuseParts(call: PackedCall): void {
  const { id, outcome, response, hashInput, request, sentAt } = call;
  const wrong = (what: string) => changed(`has ${what} in call ${id}`);
  if ((outcome.status === null) !== (response === null)) throw wrong('a status without a response, or the reverse,');
  if (Number.isNaN(Date.parse(sentAt))) throw wrong('an invalid time');
  const data = hashInput?.data ?? null;
  const end = data === null ? 0 : data.offset + data.length;
  if (end > Buffer.byteLength(request.body, 'utf8')) throw wrong('an invalid position of data');
  if (!payloadText.safeParse(request.body).success) throw wrong('an invalid body');
  if (call.origin === undefined && (call.operation === null || request.raw !== undefined))
    throw wrong('a passed request without its sender');
  // They are shown as a whole.
  if (JSON.stringify([request.headers, response?.headers]).length > mostOfHeaders) throw wrong('invalid headers');
  // The list of calls holds it.
  if (JSON.stringify(outcome).length > 20_000) throw wrong('an invalid outcome');
}

function other(reason: string): AppError {
  return new AppError('invalid_input', `This is not a Croupier support pack. ${reason}`);
}

function changed(how: string): AppError {
  return new AppError(
    'invalid_input',
    `The support pack was not opened: it ${how}. It was changed or damaged after it was written. Ask for it again.`,
  );
}
