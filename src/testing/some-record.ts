import type { Outcome, OutgoingCall } from '#core/history/record.ts';
import { Environment } from '#shared/ipc/index.ts';

const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://p.example', platform: 1, partnerId: 2 });

/** Returns a call that is about to leave, without a hash. */
export function someOutgoing(change: Partial<OutgoingCall> = {}): OutgoingCall {
  return {
    environment,
    draft: { environmentId: 'e', operation: 'gameList', form: 'default', text: '', overrides: {} },
    url: 'https://p.example/serviceApi.php',
    sentAt: 1,
    headers: [],
    body: Buffer.from('{}'),
    hashInput: null,
    hash: null,
    keyFingerprint: null,
    repeats: null,
    ...change,
  };
}

/** Returns the outcome of an accepted call: a response with this body, or none. */
export function someOutcome(body: string | Buffer | null, change: Partial<Outcome> = {}): Outcome {
  return {
    state: 'answered',
    response: body === null ? null : { status: 200, headers: [], body: Buffer.from(body), truncated: false },
    raw: null,
    failure: null,
    timings: null,
    clockOffsetMs: null,
    code: 0,
    message: 'ok',
    findings: [],
    ...change,
  };
}
