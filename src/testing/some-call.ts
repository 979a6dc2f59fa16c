import type { Call, CallSummary } from '#shared/ipc/outputs/calls.ts';

/** Returns a row of the history: an accepted call of `gameList`. */
export function someSummary(change: Partial<CallSummary> = {}): CallSummary {
  return {
    id: 1,
    environmentId: 'e',
    environmentName: 'e',
    operation: 'gameList',
    url: 'https://provider.example/serviceApi.php',
    sentAt: 0,
    state: 'answered',
    status: 200,
    code: 0,
    message: 'ok',
    failure: null,
    durationMs: 12,
    requestBytes: 100,
    responseBytes: 40,
    run: 'r',
    day: '2026-11-20',
    pinned: false,
    note: '',
    repeats: null,
    collectionRun: null,
    ...change,
  };
}

/** Returns a recorded call with a documented response. */
export function someCall(change: Partial<Call> = {}): Call {
  const operation = change.operation ?? 'gameList';
  return {
    ...someSummary(),
    draft: { environmentId: 'e', operation, form: '', text: '', overrides: {} },
    request: { headers: [], bodyText: '', hashInput: null, hash: null, keyFingerprint: null },
    response: { status: 200, headers: [], bodyBytes: 40, truncated: false },
    timings: null,
    clockOffsetMs: null,
    findings: [],
    ...change,
  };
}
