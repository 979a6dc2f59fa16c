import { randomUUID } from 'node:crypto';
import type { Call, Client, Environment, Finding } from '#shared/ipc/index.ts';
import { bidiControlsIn } from '#shared/json/bidi.ts';
import { reasonOf } from '#shared/explanation/provider-reason.ts';
import type { Explanation } from '#shared/explanation/explanation.ts';
import { findingText, unreadFinding } from '#shared/provider/index.ts';
import { bodyTextOf } from '../body-text.ts';
import type { Context } from '../command.ts';
import { exits, type ExitCode } from '../exit-codes.ts';
import { explainRecorded, explanationDocument, explanationLines } from '../explain-call.ts';

/**
 * Sends a call, which the user can stop, prints the response, findings and explanation, and returns the exit code of the response.
 * `requestFindings` is null if the request was not checked.
 */
export async function sendAndReport(
  client: Client,
  environment: Environment | null,
  requestFindings: readonly Finding[] | null,
  json: boolean,
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
  if (json) await terminal.result(JSON.stringify(document(call, found, bodyText, explanation)));
  else if (body !== null) await terminal.resultBytes(body);
  const controls = json || bodyText === null ? [] : bidiControlsIn(bodyText);
  if (controls.length > 0) {
    const names = controls.join(', ');
    terminal.note(`croupier: the response has bidirectional controls (${names}): a terminal may show it in another order.`);
  }
  for (const line of remarks(call, environment, explanation)) terminal.note(`croupier: ${line}`);
  return exitOf(call);
}

/** Returns the JSON document of a call, from its record, which never holds the key. */
function document(
  call: Call,
  requestFindings: readonly Finding[] | null,
  bodyText: string | null,
  explanation: Explanation | null,
) {
  const { hashInput } = call.request;
  return {
    callId: call.id,
    environment: call.environmentName,
    sentAt: call.sentAt,
    operation: call.operation,
    repeats: call.repeats,
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
    failure: call.failure,
    requestFindings,
    findings: call.findings,
    explanation: explanationDocument(explanation),
  };
}

function remarks(call: Call, environment: Environment | null, explanation: Explanation | null): string[] {
  const lines: string[] = [];
  if (call.failure !== null) {
    lines.push(`${call.failure.message} ${call.failure.hint}`.trim());
    if (environment?.kind === 'sandbox' && call.failure.kind === 'connect') {
      lines.push('The built-in provider runs while "croupier sandbox", "croupier serve" or the workbench does.');
    }
  }
  if (call.code !== null && call.code !== 0) lines.push(`Code ${call.code}, ${call.message ?? 'no message'}`);
  if (explanation !== null) lines.push(...meaningLines(explanation, call));
  lines.push(...call.findings.map(findingText));
  return lines;
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
