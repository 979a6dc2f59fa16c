import { Buffer, isUtf8 } from 'node:buffer';
import type { DoctorReport, Environment, Finding, PassedCall } from '#shared/ipc/index.ts';
import { passedHashRule as hashRule } from '#shared/explanation/hand-hash.ts';
import type { Language } from '#shared/doctor/model.ts';
import type { PassedFrom } from '#shared/ipc/calls.ts';
import type { PassedVerdict } from '#shared/ipc/gateway.ts';
import type { OperationName } from '#shared/model/operations.ts';
import { metText, nothingMet, type Met } from '#shared/provider/faults-on-demand.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { operationByName, routeOf, type Operation } from '#shared/provider/index.ts';
import { subjectText } from '#shared/calls/subject-words.ts';
import { createCancellation } from '../calls/cancellation.ts';
import { findAsBytes, maskHeaders, maskRequest, maskResponse, textOf } from '../calls/held-keys.ts';
import { toOutcome } from '../calls/outcome.ts';
import type { ResponseReader } from '../calls/read-response.ts';
import { maskOf } from '../collections/checks/evaluate-response.ts';
import { readExchange, type Exchange } from '../calls/transmit.ts';
import type { Outcome, OutgoingCall, Recorder } from '../history/record.ts';
import { recordedSubject } from '../history/rows.ts';
import type { HeaderList } from '../network/http-message.ts';
import type { HeldKey } from '../keys/keys.ts';
import type { createAgreement } from './agreement.ts';
import { joined, mostKept, type Decision, type KeptBytes, type PassedExchange } from './exchange.ts';
import { unreadRequest, type CameRequest, type ReadRequest } from './read-request.ts';

export interface PassedRecorderDeps {
  readonly from: PassedFrom;
  readonly environment: Environment;
  /** The URL of the far side; only its origin counts. */
  readonly url: URL;
  /** Passes requests of other platforms and partners, too. */
  readonly anyPartner: boolean;
  /** Memory of what was accepted before, in both directions. */
  readonly agreement: ReturnType<typeof createAgreement>;
  readonly keys: {
    /** Returns the digest of key and parts, and the keys in `text`. */
    sign(
      environmentId: string,
      parts: readonly Uint8Array[],
      text: Uint8Array,
    ): Promise<{ readonly digest: string; readonly held: readonly HeldKey[] }>;
    find(text: Uint8Array): Promise<readonly HeldKey[]>;
  };
  readonly recorder: Recorder;
  readonly readRequest: (request: CameRequest) => ReadRequest | Promise<ReadRequest>;
  readonly readResponse: ResponseReader;
  readonly nameOf: (environmentId: string) => string;
  /** Finds the mistake in a hash. Rejects if it cannot search. */
  readonly explain: (request: NonNullable<ReadRequest['hashed']>['request'], language: Language | null) => Promise<DoctorReport>;
  /** Hears of an exchange that is in the history. */
  readonly onRecorded: (id: number) => void;
  /** Hears of an exchange that could not be recorded. */
  readonly onMissing: (error: unknown) => void;
  /** Counts a request, and returns the faults on demand that it meets. */
  readonly meet: (operation: OperationName | null) => Met;
  /** Sends a recorded request again, after so many milliseconds. */
  readonly repeat: (id: number, ms: number) => void;
  /** Hears of each exchange; `search` resolves to more of a wrong hash, once its mistake is found. */
  readonly onPassed: (call: Omit<PassedCall, 'number' | 'searching'>, search: Promise<Explained> | null) => void;
}

/** Reason for a verdict, and a fix if one is known. */
export type Explained = Pick<PassedCall, 'why' | 'fix'>;

/** State of an exchange that has begun. */
interface Begun {
  readonly id: number | null;
  readonly read: ReadRequest;
  readonly outgoing: OutgoingCall;
  readonly hashIsRight: boolean | null;
  /** The record has all of the request. */
  readonly isWhole: boolean;
  /** Milliseconds from the whole request to its record. */
  readonly heldMs: number;
  readonly agree: ReturnType<ReturnType<typeof createAgreement>['begin']>;
}

const unknownOperation: Pick<Operation, 'effect' | 'endpoint'> = { effect: 'reads', endpoint: 'service' };

/** Records what the gateway passes, and judges it. */
export function createPassedRecorder(deps: PassedRecorderDeps) {
  const { from, environment, url, anyPartner, keys, recorder, readRequest, readResponse, nameOf } = deps;
  const all = new Map<PassedExchange, Begun>();
  const searches = new Set<Promise<Explained>>();

  async function begin(one: PassedExchange): Promise<Decision> {
    const { request } = one;
    const { requestLine, headers } = request.reader;
    const isWhole = request.wholeAt !== null;
    const startedAt = performance.now();
    const body = requestLine === null ? joined(request.came.parts) : joined(request.body);
    const target = requestLine?.target ?? '';
    const path = target.replace(/[?#].*$/s, '');
    const method = requestLine?.method ?? '';
    let read = unreadRequest();
    let outgoing: OutgoingCall | null = null;
    let hashIsRight: boolean | null = null;
    let id: number | null = null;
    try {
      read = await readRequest({ method, path, body, at: request.begunAt.wall, environment, isWallet: from === 'provider' });
      const { hashed } = read;
      const draft = {
        environmentId: environment.id,
        operation: read.operation ?? anyOperation,
        form: read.form,
        text: read.text,
        overrides: {},
      };
      const plain = {
        draft,
        url: target.startsWith('/') ? url.origin + target : url.href,
        body,
        hashInput:
          hashed === null
            ? null
            : {
                time: hashed.request.time,
                hasData: hashed.request.dataText !== null,
                dataOffset: hashed.dataOffset,
                dataLength: hashed.dataLength,
              },
        hash: hashed === null || hashed.request.hash === '' ? null : hashed.request.hash,
      };
      const sent = headers.map(([name, value]): [string, string] => [
        name,
        /^host$/i.test(name) && request.hostBefore !== null ? url.host : value,
      ]);
      // The URL has bytes of the request line in it, as the headers have those of theirs.
      const lines: HeaderList = [...sent, ['', plain.url]];
      const { held, digest } = await inspect(lines, plain, hashed);
      if (hashed !== null && digest !== null) hashIsRight = hashed.request.hash === digest;
      const masked = maskHeaders(lines, held);
      const inRequest = maskRequest(plain, masked.rest, nameOf);
      const isLossy =
        requestLine === null || method !== 'POST' || !isUtf8(body) || request.reader.chunked || request.reader.isLossy();
      outgoing = {
        ...plain,
        environment,
        sentAt: request.begunAt.wall,
        headers: masked.headers.slice(0, -1),
        keyFingerprint: null,
        repeats: null,
        ...(inRequest === null ? {} : { masked: { ...inRequest, url: masked.headers.at(-1)?.[1] ?? '' } }),
        passed: {
          origin: from,
          isOperation: read.operation !== null,
          raw: isLossy && held.length === 0 ? joined(request.came.parts) : null,
        },
      };
      id = await recorder.begin(outgoing);
      deps.onRecorded(id);
    } catch (error) {
      deps.onMissing(error);
    }
    const heldMs = performance.now() - startedAt;
    if (outgoing !== null) all.set(one, { id, read, outgoing, hashIsRight, isWhole, heldMs, agree: deps.agreement.begin(read) });
    const refusal = headers.some(isBrowsers) ? byBrowser : anyPartner ? null : refusalOf(read, environment);
    return { refusal, met: refusal === null ? deps.meet(read.operation) : nothingMet };
  }

  async function inspect(
    lines: HeaderList,
    plain: Pick<OutgoingCall, 'draft' | 'url' | 'body'>,
    hashed: ReadRequest['hashed'],
  ): Promise<{ readonly held: readonly HeldKey[]; readonly digest: string | null }> {
    const head = `${lines.flat().join('\n')}\n`;
    const text = Buffer.concat([Buffer.from(head), textOf(plain)]);
    const asBytes = await findAsBytes(head, (bytes) => keys.find(bytes));
    const all = async () => [...(await keys.find(text)), ...asBytes];
    if (hashed === null || hashed.problem !== null) return { held: await all(), digest: null };
    const parts = [Buffer.from(hashed.request.time), Buffer.from(hashed.ruleText ?? '')];
    try {
      const { held, digest } = await keys.sign(environment.id, parts, text);
      return { held: [...held, ...asBytes], digest };
    } catch {
      // Without its key nobody can judge the hash; what holds the key of another must still not be kept.
      return { held: await all(), digest: null };
    }
  }

  async function finish(one: PassedExchange, ended: Exchange): Promise<void> {
    const begun = all.get(one);
    all.delete(one);
    if (begun === undefined) return;
    try {
      await record(one, ended, begun);
    } catch (error) {
      deps.onMissing(error);
    }
  }

  async function record(one: PassedExchange, ended: Exchange, begun: Begun): Promise<void> {
    const { read, outgoing, id } = begun;
    const { connection } = ended;
    const startedAt = connection.reused || connection.times.startedAt === 0 ? one.request.begunAt.at : connection.times.startedAt;
    const came = await readExchange(ended, startedAt, mostKept, true);
    const never = createCancellation();
    const { transmitted } = await maskResponse(came, (text) => keys.find(text), nameOf, never);
    const { response, failure } = transmitted;
    const { operation, form } = read;
    const { answers } = environment;
    const requestBody = outgoing.masked?.body ?? outgoing.body;
    const answer =
      operation === null || response === null || response.truncated || failure !== null
        ? null
        : await readResponse({ operation, form, requestBody, body: response.body, status: response.status, answers }, never);
    const known = operation === null ? null : operationByName(operation);
    const path = known === null ? undefined : routeOf(known, answers)?.path;
    const judged = toOutcome(transmitted, answer, known ?? unknownOperation, answers, true);
    const asksToContinue = outgoing.headers.some(([name]) => /^expect$/i.test(name));
    const findings = judged.findings.filter(({ rule }) => rule !== 'http.unasked' || !asksToContinue);
    const own = ownFindings(one, begun, judged.failure !== null);
    const linked = begun.agree(judged, id, Date.now());
    const { begunAt, wholeAt } = one.request;
    const gateway = { received: round((wholeAt?.at ?? begunAt.at) - begunAt.at), held: round(begun.heldMs) };
    const timings = judged.timings === null ? null : { ...judged.timings, gateway };
    const outcome = { ...judged, timings, findings: [...own, ...linked, ...findings, ...read.findings] };
    const isKept = await save(id, outcome).catch((error: unknown) => {
      deps.onMissing(error);
      return false;
    });
    const totalMs = performance.now() - one.request.begunAt.at;
    // The log is printed, and a report of it is passed on.
    const { text: masked } = maskOf(
      () => [requestBody.toString()],
      (name) => isTokenName(name, answers),
    );
    const shown = ({ why, fix }: Explained): Explained => ({
      why: masked(why),
      fix: fix === null ? null : { ...fix, lines: fix.lines.map((line) => ({ ...line, text: masked(line.text) })) },
    });
    const verdict = verdictOf(one, begun, outcome);
    const search = verdict === 'wrongHash' ? mistake(begun, one, outcome, isKept).then(shown) : null;
    deps.onPassed(
      {
        callId: id,
        from,
        operation,
        subject: subjectText(recordedSubject(requestBody)),
        // A documented path holds no secret, and looking for one takes as long as the rest of the judgement.
        request: path === undefined ? masked(requestWords(one, outgoing.masked?.url ?? outgoing.url)) : `POST ${path}`,
        sentAt: outgoing.sentAt,
        status: response?.status ?? null,
        code: outcome.code,
        message: outcome.message === null ? null : masked(outcome.message),
        verdict,
        ...shown({ why: reasonOf(one, verdict, outcome, linked), fix: null }),
        hashIsRight: begun.hashIsRight,
        totalMs: round(totalMs),
        addedMs: round(begun.heldMs),
      },
      search,
    );
    if (search !== null) {
      searches.add(search);
      void search.finally(() => searches.delete(search));
    }
    if (one.met.effect?.kind === 'repeat' && id !== null) deps.repeat(id, one.met.effect.ms);
  }

  /** Records how an exchange ended. Returns whether the history has it now. */
  async function save(id: number | null, outcome: Outcome): Promise<boolean> {
    if (id === null) return false;
    await recorder.finish(id, outcome);
    deps.onRecorded(id);
    return true;
  }

  /** Finds the mistake in a wrong hash, which is written into the record, too. Never rejects. */
  async function mistake(
    { id, read: { hashed } }: Begun,
    one: PassedExchange,
    outcome: Outcome,
    isKept: boolean,
  ): Promise<Explained> {
    if (hashed === null) return { why: wrongHash, fix: null };
    const agent = one.request.reader.headers.find(([name]) => /^user-agent$/i.test(name))?.[1] ?? '';
    const language = languageOf(agent);
    const report = await deps.explain(hashed.request, language).catch(() => null);
    const why = report === null ? wrongHash : mistakeWords(report, hashed.request.hash);
    const findings = outcome.findings.map((finding) => (finding.rule === hashRule ? { ...finding, message: why } : finding));
    // If that fails, the record still says that the hash is wrong.
    if (isKept) await save(id, { ...outcome, findings }).catch(() => undefined);
    return { why, fix: report?.fixes.find((fix) => fix.language === language) ?? null };
  }

  return {
    begin,
    finish,
    /** Settles when every mistake is told. */
    told: async (): Promise<void> => void (await Promise.all(searches)),
  };
}

/** Returns why a verdict is not good, or what does not agree with what passed before. */
function reasonOf({ refusal }: PassedExchange, verdict: PassedVerdict, outcome: Outcome, linked: readonly Finding[]): string {
  const { failure, code, message, findings } = outcome;
  if (refusal !== null) return refusal;
  if (failure !== null) return `${failure.message} ${failure.hint}`.trim();
  if (verdict === 'wrongHash') return wrongHash;
  if (code !== null && code !== 0) return `Code ${code}${message === null ? '' : `: ${message}`}.`;
  const found = findings.find(({ severity }) => severity === 'error') ?? linked.find(({ severity }) => severity === 'warning');
  return found?.message ?? '';
}

/** Stands in a draft for the operation of a request that has none; nobody reads it. */
const anyOperation: OperationName = 'gameList';

const wrongHash = "The hash is not that of this environment's key.";

/** Says of a wrong hash what the search found. */
function mistakeWords({ verdict, says, advice }: DoctorReport, hash: string): string {
  switch (verdict) {
    case 'unreadable':
      return hash === ''
        ? 'The request has no hash.'
        : `A hash has 64 hexadecimal digits; this text has ${hash.length} characters.`;
    case 'cancelled':
      return wrongHash;
    case 'rule':
    case 'sent':
    case 'other':
    case 'none':
      return [says, ...advice].join(' ');
  }
}

function ownFindings(
  { request, response, refusal, met, isNearEnded }: PassedExchange,
  { hashIsRight, isWhole, read }: Begun,
  isFailed: boolean,
): Finding[] {
  const found: Finding[] = [];
  const add = (rule: string, severity: Finding['severity'], message: string) => found.push({ rule, severity, path: '', message });
  if (met.delayMs > 0 || met.effect !== null) add('gateway.fault', 'warning', metText(met, 'gateway'));
  else if (refusal !== null) add('gateway.stopped', 'error', `The gateway didn't pass this request on. ${refusal}`);
  if (hashIsRight === false) add(hashRule, 'error', wrongHash);
  if (read.hashed?.problem !== undefined && read.hashed.problem !== null) add('gateway.data', 'error', read.hashed.problem);
  if (request.hostBefore !== null)
    add('gateway.host', 'note', `Host was ${request.hostBefore}. The gateway passed the far side's own name.`);
  if (isNearEnded && !isFailed)
    add(
      'gateway.halfClosed',
      'note',
      'The client had closed its side of the connection before the response came. It may not have read it.',
    );
  if (!isWhole && !isFailed)
    add(
      'gateway.early',
      'warning',
      "The far side responded before the request was complete. What came after that passed and isn't kept.",
    );
  const cut = (what: string, severity: Finding['severity'], { size, kept }: KeptBytes) => {
    if (size > kept)
      add(
        'gateway.cut',
        severity,
        `The ${what} is longer: ${(size - kept).toLocaleString('en')} more bytes passed and weren't kept.`,
      );
  };
  cut('request', 'warning', request.came);
  // Nobody can judge it then.
  if (response !== null) cut('response', 'error', response.came);
  return found;
}

function verdictOf({ refusal }: PassedExchange, { hashIsRight, read }: Begun, outcome: Outcome): PassedVerdict {
  if (refusal !== null) return 'stopped';
  if (outcome.failure !== null) return 'failed';
  if (read.operation === null) return 'other';
  if (hashIsRight === false) return 'wrongHash';
  if (outcome.code !== null && outcome.code !== 0) return 'rejected';
  return outcome.findings.some(({ severity }) => severity === 'error') ? 'unclear' : 'good';
}

/** Returns whether only browsers send this header: any page can send requests to this computer, with the environment's client certificate. */
const isBrowsers = ([name]: HeaderList[number]) => /^sec-fetch-site$/i.test(name);
const byBrowser = 'A page in a browser sent it. The gateway is for backends.';

/** Returns why a request of another operator is not passed on; null if it is this one's, or names nobody. */
function refusalOf({ platform, partnerId }: ReadRequest, environment: Environment): string | null {
  for (const [name, text, own] of [
    ['platform', platform, environment.platform],
    ['partnerId', partnerId, environment.partnerId],
  ] as const) {
    const sent = text.replaceAll('"', '');
    if (text !== '' && sent !== String(own)) {
      return `Its ${name} is ${sent.slice(0, 40)}, that of ${environment.name} is ${own}. To pass it, let the gateway pass other partners, too (--any-partner).`;
    }
  }
  return null;
}

/** `url`: as it is recorded, without a private key. */
function requestWords({ request: { reader } }: PassedExchange, url: string): string {
  const line = reader.requestLine;
  return line === null ? 'not HTTP' : `${line.method} ${url.replace(/^https:\/\/[^/]*/, '').slice(0, 500)}`;
}

const round = (ms: number) => Math.round(ms * 1_000) / 1_000;

/** Words by which clients of HTTP name themselves. */
const agents: readonly (readonly [RegExp, Language])[] = [
  [/php|guzzle|symfony/i, 'php'],
  [/python|aiohttp|httpx/i, 'python'],
  [/go-http-client|fasthttp|resty/i, 'go'],
  [/java|okhttp|apache-httpclient|jersey/i, 'java'],
  [/ruby|faraday|httparty/i, 'ruby'],
  [/\.net|restsharp/i, 'csharp'],
  [/node|axios|undici|got\b/i, 'node'],
];

function languageOf(userAgent: string): Language | null {
  return agents.find(([words]) => words.test(userAgent))?.[1] ?? null;
}
