import { byteText } from '#shared/model/byte-text.ts';
import { isUtf8 } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import type { Finding, RequestDraft } from '#shared/ipc/index.ts';
import { topLevelMembers } from '#shared/json/top-level.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import { validateEcho } from '#shared/provider/validate-echo.ts';
import { doubtsOf, unreadRule } from '#shared/provider/findings.ts';
import { operationByName, validateResponse } from '#shared/provider/index.ts';
import type { Answers } from '#shared/provider/index.ts';
import { excessOf, responseSubject, smallBytes, unreadAdvice, unreadWords } from '../untrusted/measure.ts';
import type { Reading } from '../untrusted/jobs.ts';
import type { Cancellation } from './cancellation.ts';

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
  /** Reason why it cannot be read as a whole; absent if nobody has tried. */
  readonly unread?: string;
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
 * Reads a response by the documented shape of the operation, and beside its request. Of one beyond the limits it reads code and message. Pure.
 */
export function readResponse(response: ResponseText): ReadResponse {
  const { operation: name, form, requestBody, body, status, answers } = response;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const excess = response.unread ?? excessOf(body, responseSubject, unreadAdvice);
  if (excess !== null) return readTopLevel(response, excess);
  if (!isUtf8(bytes)) return { code: null, message: null, findings: [notUtf8(body)] };
  const operation = operationByName(name);
  const text = bytes.toString('utf8');
  const { code, message, findings, body: parsed } = validateResponse(operation, text, form, { answers, status });
  const sent = Buffer.from(requestBody.buffer, requestBody.byteOffset, requestBody.byteLength);
  return {
    code,
    message: shortened(message),
    findings: code === 0 ? [...findings, ...validateEcho(operation, form, sent, text, parsed)] : findings,
  };
}

function shortened(message: string | null): string | null {
  return message === null || message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}

/** Reads code and message, which stand at the top level, and nothing else; `excess` says why. */
function readTopLevel({ operation, form, body, answers }: ResponseText, excess: string): ReadResponse {
  const members = topLevelMembers(body, ['code', 'message']);
  const { code: codes = [], message: messages = [] } = members ?? {};
  const text = `{${[...codes.map((code) => `"code":${code}`), ...messages.map((message) => `"message":${message}`)].join()}}`;
  const { code, message, findings } = validateResponse(operationByName(operation), text, form, { answers });
  const doubts = doubtsOf(findings);
  if (code === null && message === null && doubts.length === 0) return unreadResponse(excess);
  const beyond = excess.replace(responseSubject, `${responseSubject} beyond code and message`);
  return {
    code,
    message: shortened(message),
    findings: [...doubts, ...unreadResponse(beyond).findings],
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
export type ResponseReader = (response: ResponseText, cancellation: Cancellation) => ReadResponse | Promise<ReadResponse>;

export function createResponseReader(reading: Pick<Reading, 'run'>, onFault: (error: unknown) => void): ResponseReader {
  function leave(error: unknown): ReadResponse {
    const words = unreadWords(error) ?? stoppedWords(error);
    if (words !== null) return unreadResponse(words);
    // The call was sent: a mistake of ours must not lose its response.
    onFault(error);
    return unreadResponse(`The response was not read because of an error in Croupier. Please report it. ${unreadAdvice}`);
  }
  return (response, cancellation) => {
    const bytes = response.body.length + response.requestBody.length;
    try {
      if (bytes <= smallBytes) return readResponse(response);
    } catch (error) {
      return leave(error);
    }
    const stop = new AbortController();
    cancellation.listen(() => stop.abort());
    const options = { subject: responseSubject, bytes, signal: stop.signal };
    const read = (text: ResponseText) => reading.run('response.read', text, options);
    return read(response)
      .catch((error: unknown) => {
        const unread = unreadWords(error);
        return unread === null ? leave(error) : read({ ...response, unread }).catch(leave);
      })
      .finally(() => cancellation.listen(null));
  };
}

function notUtf8(body: Uint8Array): Finding {
  const decoded = decodeUtf8(body);
  const where = decoded.ok ? '' : `: ${byteText(decoded.offset)} is out of place`;
  return { rule: 'answer.utf8', severity: 'error', path: '', message: `The response is not UTF-8${where}. JSON must be UTF-8.` };
}
