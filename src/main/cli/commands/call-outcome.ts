import { randomUUID } from 'node:crypto';
// From here on a thread of Node's reads the public certificates, while the rest of the program is loaded.
import 'node:tls';
import type { NewFile } from '#core/app/app.ts';
import type { Call, Client, Environment, Finding } from '#shared/ipc/index.ts';
import { bidiControlsIn } from '#shared/json/bidi.ts';
import { reasonOf } from '#shared/explanation/provider-reason.ts';
import type { Explanation } from '#shared/explanation/explanation.ts';
import { doubtsOf } from '#shared/provider/findings.ts';
import { findingText, unreadFinding } from '#shared/provider/index.ts';
import { bodyTextOf, rawMember, rawOf } from '../body-text.ts';
import { replacedText } from '#shared/calls/replaced.ts';
import { hashInputText } from '#shared/signing/hash-input.ts';
import { exits, type Context, type ExitCode } from '../command.ts';
import { explainRecorded, explanationDocument, explanationLines } from '../explain-call.ts';

/** The form in which a call is printed. */
export interface CallOutput {
  readonly json: boolean;
  /** A new file for the body of the response, or for the JSON document, in place of standard output. */
  readonly out?: NewFile | undefined;
  /** Also prints the request, the hash input and the time on standard error. */
  readonly verbose?: boolean;
}

/**
 * Sends a call, which the user can stop, prints the response, findings and explanation, and returns the exit code of the response.
 * `requestFindings` is null if the request was not checked.
 */
export async function sendAndReport(
  client: Client,
  environment: Environment | null,
  requestFindings: readonly Finding[] | null,
  { json, out, verbose = false }: CallOutput,
  { terminal, stop }: Context,
  send: (ticket: string) => Promise<Call>,
): Promise<ExitCode> {
  const ticket = randomUUID();
  const cancel = () => void client.call('calls.cancel', { ticket }).catch(() => undefined);
  stop.addEventListener('abort', cancel);
  const call = await send(ticket);
  stop.removeEventListener('abort', cancel);
  const body = call.response === null ? null : await client.body(call.id);
  const bodyText = body === null ? null : bodyTextOf(body);
  const explanation = await explainRecorded(client, call, bodyText);
  // Findings quote the typed text, which held a key.
  const found = call.maskedKeys === undefined ? requestFindings : null;
  if (verbose) for (const line of sentLines(call)) terminal.note(`croupier: ${line}`);
  const result = json ? JSON.stringify(document(call, found, bodyText, explanation, await rawOf(client, call))) : body;
  if (out !== undefined) await writeResult(out, result, terminal);
  else if (typeof result === 'string') await terminal.result(result);
  else if (result !== null) await terminal.resultBytes(result);
  const controls = json || bodyText === null ? [] : bidiControlsIn(bodyText);
  if (controls.length > 0) {
    const names = controls.join(', ');
    terminal.note(
      `croupier: the response contains bidirectional control characters (${names}), so a terminal may show it in the wrong order.`,
    );
  }
  for (const line of remarks(call, environment, explanation))
    terminal.note(`croupier: ${line}`, [`Code ${call.code ?? ''},`, 'bad']);
  return exitOf(call);
}

async function writeResult(out: NewFile, result: string | Uint8Array | null, terminal: Context['terminal']): Promise<void> {
  if (result === null) {
    await out.discard();
    return terminal.note(`croupier: there is no response, so ${out.path} was not written.`);
  }
  const { vouched } = await import('#core/app/app.ts');
  await out.write(vouched('answer', 'asked', typeof result === 'string' ? `${result}\n` : Buffer.from(result)));
  await out.finish();
  terminal.note(`croupier: wrote ${out.path}`);
}

/** Returns the request as it was sent, from the record, which never holds the key. */
function sentLines({ url, request: { bodyText, hashInput, hash }, status, durationMs }: Call): string[] {
  return [
    `POST ${url}`,
    `request: ${bodyText}`,
    ...(hashInput === null ? [] : [`hash input: ${hashInputText(hashInput)}`, `hash: ${hash ?? 'none'}`]),
    ...(status === null ? [] : [`HTTP ${status}${durationMs === null ? '' : ` after ${Math.round(durationMs)} ms`}`]),
  ];
}

/** Returns the JSON document of a call, from its record, which never holds the key. */
function document(
  call: Call,
  requestFindings: readonly Finding[] | null,
  bodyText: string | null,
  explanation: Explanation | null,
  raw: Uint8Array | null,
) {
  const { hashInput } = call.request;
  return {
    callId: call.id,
    environment: call.environmentName,
    sentAt: call.sentAt,
    operation: call.operation,
    repeats: call.repeats,
    instead: call.instead ?? null,
    // Environments whose private keys were sent with the request and are masked here.
    maskedKeys: call.maskedKeys ?? [],
    request: {
      url: call.url,
      bodyText: call.request.bodyText,
      hashInput: hashInput === null ? null : { time: hashInput.time, dataJson: hashInput.dataJson },
      hash: call.request.hash,
    },
    response:
      call.response === null
        ? null
        : {
            status: call.response.status,
            bodyText: bodyText ?? '',
            code: call.code,
            message: call.message,
            timings: call.timings,
          },
    ...rawMember(raw),
    failure: call.failure,
    requestFindings,
    findings: call.findings,
    explanation: explanationDocument(explanation),
  };
}

function remarks(call: Call, environment: Environment | null, explanation: Explanation | null): string[] {
  const replaced = replacedText(call);
  const lines: string[] = replaced === null ? [] : [replaced];
  if (call.failure !== null) {
    lines.push(`${call.failure.message} ${call.failure.hint}`.trim());
    if (environment?.kind === 'sandbox' && call.failure.kind === 'connect' && call.instead?.baseUrl !== true) {
      lines.push('The built-in provider runs only while "croupier sandbox", "croupier serve" or the workbench is running.');
    }
  }
  if (call.rawBytes !== undefined) {
    lines.push(
      `The response has ${call.rawBytes.toLocaleString('en')} bytes as received. To print them, use "croupier history show ${call.id} --raw".`,
    );
  }
  // A code that is in doubt is not said before the doubt.
  const doubts = doubtsOf(call.findings);
  lines.push(...doubts.map(findingText));
  if (call.code !== null && call.code !== 0) lines.push(`Code ${call.code}, ${call.message ?? 'no message'}`);
  const doubted = doubts.map(({ message }) => message);
  const meaning = explanation === null ? [] : meaningLines(explanation, call).filter((line) => !doubted.includes(line));
  const rest = call.findings.filter((finding) => !doubts.includes(finding) && !meaning.includes(finding.message));
  return [...lines, ...meaning, ...rest.map(findingText)];
}

/** Returns the lines of an explanation. If the call was accepted and the title repeats its first finding, only the built-in provider's reason. */
function meaningLines(explanation: Explanation, call: Call): string[] {
  if (call.code !== 0 || explanation.tone === 'note') return explanationLines(explanation, call);
  const reason = reasonOf(call);
  return reason === null ? [] : [reason.why];
}

/** Returns the exit code of a call. A wallet response may have no code, as the spec shows; then its status and shape decide. */
function exitOf(call: Call): ExitCode {
  if (call.response === null || call.state !== 'answered') return exits.noAnswer;
  if (call.code !== null) return call.code === 0 ? exits.done : exits.otherCode;
  if (unreadFinding(call.findings) !== null) return exits.otherCode;
  const sound = call.response.status < 300 && call.findings.every(({ severity }) => severity !== 'error');
  return call.request.hashInput === null && sound ? exits.done : exits.otherCode;
}
