import type { Call, Finding, Timings } from '#shared/ipc/index.ts';
import { mayHaveActed, withActing } from '#shared/calls/acting.ts';
import { clockDifference, clockRange, leastDifference } from '#shared/calls/server-clock.ts';
import { doubtOf, unreadRule } from '#shared/provider/findings.ts';
import { answerWords, valueOf } from '#shared/provider/index.ts';
import type { Answers, Operation } from '#shared/provider/index.ts';
import { statusWords } from '#shared/provider/status-words.ts';
import { headerValue } from './transmit.ts';
import type { Transmitted } from './transmit.ts';
import type { Outcome, OutgoingCall } from '../history/record.ts';
import { dayOf, recordedSubject } from '../history/rows.ts';
import type { ReadResponse } from './read-response.ts';

/** Beyond this a difference of the clocks is worth a word, where no tolerance is recorded. */
const clockToleranceMs = 5_000;

/**
 * Returns the outcome of a transmission. `read`: the code and message of its response; null if there is none, or only a part. `passed`: the gateway
 * passed somebody else's request. Pure.
 */
export function toOutcome(
  { response, raw, failure: failed, timings, unseenMs, respondedAt, findings: http }: Transmitted,
  read: ReadResponse | null,
  { effect, endpoint }: Pick<Operation, 'effect' | 'endpoint'>,
  answers: Answers = {},
  passed = false,
): Outcome {
  const to = endpoint === 'wallet' ? ofWallet : (text: string) => text;
  const failure = failed === null ? null : withActing({ ...failed, message: to(failed.message), hint: to(failed.hint) }, effect);
  if (response === null) {
    return {
      state: failure?.kind === 'cancelled' ? 'cancelled' : 'failed',
      response,
      raw,
      failure,
      timings,
      clockOffsetMs: null,
      code: null,
      message: null,
      findings: [...unseenFindings(unseenMs), ...http],
    };
  }
  const clockOffsetMs = clockOffset(headerValue(response.headers, 'date'), respondedAt);
  const findings: Finding[] = [
    ...unseenFindings(unseenMs),
    ...statusFindings(response, read, passed).map((finding) => ({ ...finding, message: to(finding.message) })),
    ...(failure === null && effect !== 'reads' && leavesOpen(response.status, endpoint, read) ? [actingFinding] : []),
    ...http,
    // The `time` of another program says nothing about this machine's clock.
    ...(passed ? [] : clockFindings(clockOffsetMs, timings, answers)),
    ...(read?.findings ?? []),
  ];
  const state = failure === null ? 'answered' : failure.kind === 'cancelled' ? 'cancelled' : 'failed';
  return {
    state,
    response,
    raw,
    failure,
    timings,
    clockOffsetMs,
    code: read?.code ?? null,
    message: read?.message ?? null,
    findings,
  };
}

/** Returns words about the provider's server as they hold for an operator's wallet. */
function ofWallet(text: string): string {
  return text
    .replace(' Send fewer players in one request.', '')
    .replaceAll('base URL', 'wallet URL')
    .replaceAll('The provider', 'The wallet')
    .replaceAll(/(in front of|instead of|sent to) the provider/g, '$1 the wallet')
    .replaceAll('the provider', 'whoever runs the wallet');
}

/** Returns a call as it is recorded, without reading it from the history. `run` is the session that recorded it. */
export function toCall(id: number, run: string, outgoing: OutgoingCall, outcome: Outcome): Call {
  const { environment } = outgoing;
  const { draft, url, body, hashInput, hash } = outgoing.masked ?? outgoing;
  const { response, timings } = outcome;
  const subject = recordedSubject(body);
  const doubt = doubtOf(outcome.findings);
  return {
    id,
    environmentId: environment.id,
    environmentName: environment.name,
    operation: outgoing.passed?.isOperation === false ? null : draft.operation,
    ...(outgoing.passed ? { origin: outgoing.passed.origin } : {}),
    url,
    sentAt: outgoing.sentAt,
    state: outcome.state,
    status: response?.status ?? null,
    code: outcome.code,
    message: outcome.message,
    failure: outcome.failure,
    durationMs: timings?.total ?? null,
    requestBytes: outgoing.body.length,
    responseBytes: response?.body.length ?? null,
    run,
    day: dayOf(outgoing.sentAt) ?? '',
    pinned: false,
    note: '',
    repeats: outgoing.repeats,
    collectionRun: outgoing.collectionRun ?? null,
    ...(outgoing.instead ? { instead: { ...outgoing.instead } } : {}),
    ...(outgoing.masked ? { maskedKeys: [...outgoing.masked.keys] } : {}),
    ...(doubt === null ? {} : { doubt }),
    ...(subject.length === 0 ? {} : { subject }),
    draft,
    request: {
      headers: outgoing.headers,
      bodyText: body.toString('utf8'),
      hashInput:
        hashInput === null
          ? null
          : {
              time: hashInput.time,
              dataJson: hashInput.hasData
                ? body.toString('utf8', hashInput.dataOffset, hashInput.dataOffset + hashInput.dataLength)
                : null,
              dataOffset: hashInput.hasData ? hashInput.dataOffset : 0,
              dataLength: hashInput.dataLength,
            },
      hash,
      ...(outgoing.passed?.raw && !outgoing.masked ? { rawBytes: outgoing.passed.raw.length } : {}),
      keyFingerprint: outgoing.keyFingerprint,
    },
    response:
      response === null
        ? null
        : { status: response.status, headers: response.headers, bodyBytes: response.body.length, truncated: response.truncated },
    ...(outcome.raw === null ? {} : { rawBytes: outcome.raw.length }),
    timings,
    clockOffsetMs: outcome.clockOffsetMs,
    findings: outcome.findings,
  };
}

/**
 * The server's `Date` against our clock in milliseconds, positive where the server is ahead. A `Date` has whole seconds and is cut,
 * not rounded, so the middle of its second is taken: the middle of `clockRange`, and no more than that.
 */
export function clockOffset(date: string | null, respondedAt: number | null): number | null {
  if (date === null || respondedAt === null) return null;
  const server = Date.parse(date);
  return Number.isNaN(server) ? null : withoutSign(Math.round(server + 500 - respondedAt));
}

/** Removes the sign of minus zero, which JSON does not have: what is recorded and what is reported must be the same. */
function withoutSign(value: number): number {
  return value === 0 ? 0 : value;
}

/** Says why the call has no duration. */
function unseenFindings(unseenMs: number): Finding[] {
  if (unseenMs === 0) return [];
  const seconds = Math.round(unseenMs / 1_000).toLocaleString('en');
  return [
    {
      rule: 'call.unseen',
      severity: 'note',
      path: '',
      message:
        `Croupier can't tell how long this call took because it missed about ${seconds} s. Croupier was suspended or busy, the machine slept, or the ` +
        'clock was changed.',
    },
  ];
}

/** Warns if the clocks differ by more than the tolerance at least. */
function clockFindings(clockOffsetMs: number | null, timings: Timings | null, answers: Answers): Finding[] {
  const tolerance = valueOf('quantity', 'time.tolerance', answers);
  const allowed = tolerance === null ? clockToleranceMs : tolerance.inSmallest * 1_000;
  // They differ by no more than what was measured.
  if (clockOffsetMs === null || Math.abs(clockOffsetMs) <= allowed) return [];
  const range = clockRange({ clockOffsetMs, timings });
  if (range === null || leastDifference(range) <= allowed) return [];
  return [
    {
      rule: 'answer.clock',
      severity: 'warning',
      path: '',
      message:
        `The server's clock is ${clockDifference(range, "this machine's")}, which Croupier uses for \`time\`. ` +
        (tolerance === null
          ? "The spec doesn't say how far `time` may be off."
          : `The recorded tolerance is ${answerWords(tolerance)}.`),
    },
  ];
}

/** Statuses that ask to go elsewhere (RFC 9110, 15.4). */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Explains a status of HTTP other than success. One that comes with a code is judged where the response is checked. */
function statusFindings({ status, headers }: Response, read: ReadResponse | null, passed: boolean): Finding[] {
  const location = headerValue(headers, 'location');
  if (redirects.has(status) || (status >= 300 && status < 400 && location !== null)) {
    const where = location === null ? '' : ` to ${location.slice(0, 500)}`;
    return [
      {
        rule: 'answer.redirect',
        severity: 'warning',
        path: '',
        message: `The server redirects${where}. ${passed ? 'The gateway passes a redirect on' : 'Croupier never follows a redirect'}: if the new URL is right, set it in the environment.`,
      },
    ];
  }
  if (status < 300 || (read !== null && read.code !== null)) return [];
  const { says, advice } = statusWords(status, headerValue(headers, 'retry-after'));
  return [{ rule: 'answer.status', severity: 'warning', path: '', message: `HTTP ${status}: ${says} ${advice}`.trim() }];
}

type Response = NonNullable<Transmitted['response']>;

const actingFinding: Finding = { rule: 'answer.acting', severity: 'warning', path: '', message: mayHaveActed };

/** Rules of findings that a response says nothing which counts. */
const unreadable: ReadonlySet<string> = new Set(['json', 'envelope', 'answer.utf8', unreadRule]);
const isUnreadable = ({ rule, path }: Finding) => unreadable.has(rule) || (rule === 'duplicate-key' && path === '/code');

/**
 * Returns whether a response leaves open if the provider acted: it has no code, and neither is it a wallet's, which needs none, nor does its
 * status say that the request was refused.
 */
function leavesOpen(status: number, endpoint: Operation['endpoint'], read: ReadResponse | null): boolean {
  if (read !== null && read.code !== null) return false;
  if (status >= 400) return status >= 500 || status === 408;
  return endpoint === 'service' || (read?.findings ?? []).some(isUnreadable);
}
