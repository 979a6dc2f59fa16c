import type { Call, CallSummary } from '#shared/ipc/index.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import { doubtOf } from '#shared/provider/findings.ts';
import { operationByName } from '#shared/provider/operations.ts';
import { excessOf, responseSubject, unread, unreadAdvice } from '../untrusted/measure.ts';

/** Returns the row of the list for a call. */
export function summaryOf(call: Call): CallSummary {
  return {
    id: call.id,
    environmentId: call.environmentId,
    environmentName: call.environmentName,
    operation: call.operation,
    url: call.url,
    sentAt: call.sentAt,
    state: call.state,
    status: call.status,
    code: call.code,
    message: call.message,
    failure: call.failure,
    durationMs: call.durationMs,
    requestBytes: call.requestBytes,
    responseBytes: call.responseBytes,
    run: call.run,
    day: call.day,
    pinned: call.pinned,
    note: call.note,
    repeats: call.repeats,
    collectionRun: call.collectionRun,
    ...(call.maskedKeys === undefined ? {} : { maskedKeys: call.maskedKeys }),
    ...(call.doubt === undefined ? {} : { doubt: call.doubt }),
  };
}

/** Number of characters beyond which no browser opens a URL, and no game has one. */
export const longestAddress = 65_536;

/**
 * Reads a response's body as a tree that keeps the source text of every number; null if it is not JSON in UTF-8. Fails with
 * `refused` if it is too deep or too full to be read.
 */
export function readJsonBody(body: Uint8Array): JsonNode | null {
  const excess = excessOf(body, responseSubject, unreadAdvice);
  if (excess !== null) throw unread(excess);
  const decoded = decodeUtf8(body);
  if (!decoded.ok) return null;
  const parsed = parseJson(decoded.text);
  return parsed.ok ? parsed.root : null;
}

/** Returns why a call brought nothing usable, in words; null for code 0. */
export function refusalOf(call: Call): string | null {
  if (call.failure !== null) return `${call.failure.message} ${call.failure.hint}`;
  if (call.code === 0) return null;
  if (call.code === null) {
    return doubtOf(call.findings) ?? 'The response has no code. Open the call in the history to see the response.';
  }
  const side = operationByName(call.draft.operation).endpoint === 'wallet' ? 'wallet' : 'provider';
  return `The ${side} answered code ${call.code}${call.message === null ? '' : `: ${call.message}`}.`;
}
