import { AppError } from '#shared/errors.ts';
import type { Call, Environment } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import { addressOf } from '#shared/request/envelope.ts';
import type { OutgoingCall, SentCall } from '../history/record.ts';

const again = 'Use "Edit and re-sign" to send it as a new request.';

/**
 * Returns a recorded call as it leaves once more: its bytes, headers, URL, time and hash from the history, and everything else from
 * the present environment. Fails with `refused` if that would not be the same call. `now` is in milliseconds since the epoch.
 */
export function repeatOf({ call, body }: SentCall, environment: Environment, now: number): OutgoingCall {
  checkRecord(call, body);
  checkAddressee(call, environment);
  const { hashInput, headers, hash, keyFingerprint } = call.request;
  return {
    environment,
    draft: call.draft,
    url: call.url,
    sentAt: now,
    headers,
    body,
    hashInput:
      hashInput === null
        ? null
        : {
            time: hashInput.time,
            hasData: hashInput.dataJson !== null,
            dataOffset: hashInput.dataOffset,
            dataLength: hashInput.dataLength,
          },
    hash,
    keyFingerprint,
    repeats: call.id,
  };
}

/** Returns the error for a call whose environment was removed. */
export function removedEnvironment(call: Call): AppError {
  return new AppError(
    'refused',
    `The environment of call ${call.id}, ${call.environmentName}, was removed. Restore it, or use "Edit and re-sign" in another environment.`,
    { reason: 'environment_removed', environmentId: call.environmentId },
  );
}

function checkRecord(call: Call, body: Buffer): void {
  const header = (wanted: string) => call.request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (call.operation === null) throw new AppError('refused', `Call ${call.id} fits no operation, so it can't be repeated.`);
  if (call.state === 'pending') {
    throw new AppError('refused', `Call ${call.id} has no outcome yet. Wait for it or cancel it, then repeat the call.`);
  }
  if (call.maskedKeys !== undefined) {
    throw new AppError(
      'refused',
      `Call ${call.id} contained the private key of ${call.maskedKeys.join(' and ')}. The history masks the key, so the call can't be repeated exactly. ${again}`,
    );
  }
  if (header('transfer-encoding') !== undefined) {
    throw new AppError('refused', `Call ${call.id} was sent in chunks, so it can't be repeated exactly. ${again}`);
  }
  const whole = body.length === call.requestBytes && header('content-length') === String(body.length);
  if (call.failure?.kind !== 'unreadable' && whole) return;
  throw new AppError(
    'refused',
    `Call ${call.id} can't be repeated exactly: what was sent is incomplete in the history. Send the request again.`,
  );
}

/**
 * Fails unless the environment would send this operation to the same URL today. Bytes that were signed for one URL are never sent
 * to another, and a URL that the user took out of the environment gets nothing until they put it back.
 */
function checkAddressee(call: Call, environment: Environment): void {
  const today = addressOf(operationByName(call.draft.operation), environment);
  if (today === call.url) return;
  const back = call.instead?.baseUrl
    ? 'That URL was set for this call only.'
    : environment.kind === 'sandbox'
      ? "The built-in provider's URL has changed since."
      : 'To repeat it, set that URL in the environment again.';
  throw new AppError(
    'refused',
    `Call ${call.id} was sent to ${call.url}, but ${environment.name} now sends ${call.operation} to ${today}. Recorded bytes go only to the ` +
      `recorded URL. ${back} ${environment.kind === 'sandbox' ? again : `To send it to the new URL, use "Edit and re-sign".`}`,
    { reason: 'address_changed', environmentId: environment.id, recorded: call.url, now: today },
  );
}
