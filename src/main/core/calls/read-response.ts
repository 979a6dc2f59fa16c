import { byteText } from '#shared/model/byte-text.ts';
import { isUtf8 } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import type { Finding, RequestDraft } from '#shared/ipc/index.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import { checkEcho } from '#shared/provider/check-echo.ts';
import { unreadRule } from '#shared/provider/findings.ts';
import { operationByName, readAnswer } from '#shared/provider/index.ts';
import type { Answers } from '#shared/provider/index.ts';
import { mostBytes } from '#shared/json/measure.ts';
import { excessOf, responseSubject, smallBytes, unreadAdvice, unreadWords } from '../untrusted/measure.ts';
import type { Reading } from '../untrusted/jobs.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'response.read': typeof readResponse;
  }
}

/** A whole response with its request. */
export interface ResponseText {
  readonly operation: RequestDraft['operation'];
  readonly form: string;
  readonly requestBody: Uint8Array;
  readonly body: Uint8Array;
  readonly status: number;
  readonly answers: Answers;
}

/** Code and message of a response; null if it has none that can be read. */
export interface ReadResponse {
  readonly code: number | null;
  readonly message: string | null;
  readonly findings: readonly Finding[];
}

/** Longer messages are shown by their beginning: the list of calls, the history and every notice hold them, and one of controls alone is laid out slowly. */
const longestMessage = 1_000;

/**
 * Reads a response by the documented shape of the operation, and beside its request. Does not judge parts beyond the limits. Pure.
 */
export function readResponse({ operation: name, form, requestBody, body, status, answers }: ResponseText): ReadResponse {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const excess = excessOf(body, responseSubject, unreadAdvice);
  if (excess !== null) return unreadResponse(excess);
  if (!isUtf8(bytes)) return { code: null, message: null, findings: [notUtf8(body)] };
  const operation = operationByName(name);
  const text = bytes.toString('utf8');
  const { code, message, findings } = readAnswer(operation, text, form, { answers, status });
  const sent = Buffer.from(requestBody.buffer, requestBody.byteOffset, requestBody.byteLength);
  return {
    code,
    message: message === null || message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`,
    findings: code === 0 ? [...findings, ...checkEcho(operation, form, sent, text)] : findings,
  };
}

/** Returns the reading of a response that nobody read: it has neither a code nor a known fault. */
function unreadResponse(message: string): ReadResponse {
  return { code: null, message: null, findings: [{ rule: unreadRule, severity: 'warning', path: '', message }] };
}

/** The words of an error for a reading that was stopped; null for any other. */
export function stoppedWords(error: unknown): string | null {
  return error instanceof AppError && error.code === 'cancelled' ? error.message : null;
}

/** Reads short responses at once and long ones in a thread. Never rejects, whatever is in the response. */
export type ResponseReader = (response: ResponseText, signal: AbortSignal) => ReadResponse | Promise<ReadResponse>;

export function createResponseReader(reading: Pick<Reading, 'run'>, onFault: (error: unknown) => void): ResponseReader {
  function leave(error: unknown): ReadResponse {
    const words = unreadWords(error) ?? stoppedWords(error);
    if (words !== null) return unreadResponse(words);
    // The call was sent: a mistake of ours must not lose its response.
    onFault(error);
    return unreadResponse(`The response was not read: Croupier made a mistake. Report it. ${unreadAdvice}`);
  }
  return (response, signal) => {
    const bytes = response.body.length + response.requestBody.length;
    try {
      // One that is too long for any reading is not taken to a thread.
      if (bytes <= smallBytes || response.body.length > mostBytes) return readResponse(response);
    } catch (error) {
      return leave(error);
    }
    return reading.run('response.read', response, { subject: responseSubject, advice: unreadAdvice, bytes, signal }).catch(leave);
  };
}

function notUtf8(body: Uint8Array): Finding {
  const decoded = decodeUtf8(body);
  const where = decoded.ok ? '' : `: ${byteText(decoded.offset)} is out of place`;
  return { rule: 'answer.utf8', severity: 'error', path: '', message: `The response is not UTF-8${where}. JSON must be UTF-8.` };
}
