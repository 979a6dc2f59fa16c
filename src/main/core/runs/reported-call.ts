import type { ReportedCall } from '#shared/collections/reported-request.ts';
import { AppError } from '#shared/errors.ts';
import { explainCall } from '#shared/explanation/explain-call.ts';
import { plainText } from '#shared/explanation/sentence.ts';
import type { Call, Environment } from '#shared/ipc/index.ts';
import { unreadFinding } from '#shared/provider/findings.ts';
import { hashInputText } from '#shared/signing/hash-input.ts';
import type { Received } from '../calls/unrecorded-bodies.ts';
import type { EvaluateResponse } from '../collections/checks/response-evaluation.ts';

export interface ReportedCallDeps {
  readonly environment: Environment;
  readonly evaluate: EvaluateResponse;
  /** Aborted when the run is cancelled: reading that still goes on is dropped. */
  readonly stopped: AbortSignal;
}

/** Number of characters of each text in a report. */
const mostCharacters = 16_384;
/** Number of bytes of a response up to which tokens are searched for in it for a report. */
const mostBytes = 1_000_000;

/**
 * Returns what a report says of the call of a request that did not pass. `known` are texts with the values that the request was made of. The
 * response is left out, with the reason in its place, if tokens in it cannot be masked.
 */
export async function reportedCall(
  { environment, evaluate, stopped }: ReportedCallDeps,
  { call, body: decoded, raw, known }: Received & { readonly call: Call; readonly known: readonly string[] },
): Promise<ReportedCall> {
  // What is not a response is shown as it came.
  const body = call.response === null ? raw : decoded;
  const whole = readable(call, body);
  const verdict = verdictOf(call, environment, whole.ok && call.response !== null ? whole.text : null);
  const masked = (responseText: string, bytes: Uint8Array) =>
    // An evaluation without checks masks, in a thread if that takes long.
    evaluate(
      {
        call,
        body: bytes,
        expect: [],
        take: {},
        unresolved: [],
        known,
        answers: environment.answers,
        sentences: [call.url, call.request.bodyText, hashInputOf(call) ?? '', verdict, responseText],
      },
      stopped,
    );
  const { sentences, responseBody } = await (async () => {
    if (!whole.ok) return { ...(await masked('', new Uint8Array())), responseBody: whole.why };
    try {
      const cleaned = await masked(whole.text, body);
      return { ...cleaned, responseBody: cleaned.sentences[4] ?? '' };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ...(await masked('', new Uint8Array())), responseBody: `(not shown: ${error.message})` };
    }
  })();
  const [url = '', requestBody = '', hashInput = '', words = ''] = sentences.map(beginningOf);
  return {
    url,
    requestBody,
    hashInput: call.request.hashInput === null ? null : hashInput,
    hash: call.request.hash,
    responseBody: call.response === null && body.length === 0 ? null : beginningOf(responseBody),
    verdict: words,
  };
}

function readable(
  call: Call,
  body: Uint8Array,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string } {
  const unread = unreadFinding(call.findings);
  if (unread !== null) return { ok: false, why: `(not shown: ${unread.message})` };
  if (body.length > mostBytes)
    return {
      ok: false,
      why: `(not shown: it has ${body.length.toLocaleString('en')} bytes; a report has room for ${mostBytes.toLocaleString('en')})`,
    };
  return { ok: true, text: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8') };
}

function hashInputOf({ request: { hashInput } }: Call): string | null {
  return hashInput === null ? null : hashInputText(hashInput);
}

function verdictOf(call: Call, environment: Environment, responseText: string | null): string {
  const explanation = explainCall({ call, environment, accepted: null, keys: null, finding: null, responseText });
  if (explanation === null) return '';
  const { title, facts, steps } = explanation;
  return [title, ...facts, ...steps.map(({ text }) => text)].map(plainText).join('\n');
}

/** Shortens a masked text: a part of a token is found by no mask. */
function beginningOf(text: string): string {
  if (text.length <= mostCharacters) return text;
  const end = (text.charCodeAt(mostCharacters - 1) & 0xfc00) === 0xd800 ? mostCharacters - 1 : mostCharacters;
  return `${text.slice(0, end)}… (${text.length.toLocaleString('en')} characters)`;
}
