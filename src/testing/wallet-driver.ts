import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { Client, Input } from '#shared/ipc/index.ts';

/** Recorded answers by which the cases of /cancel can be made, and whether amounts have decimals is known. */
export const walletAnswers = {
  'cancel.request': {
    value:
      '{"externalToken": "string", "playerId": "string", "gameId?": "string", "transactionId": "string", "amount?": "amount", "currency?": "string"}',
  },
  'amounts.unit': { value: 'whole' },
};

export interface WalletTest {
  readonly runId: string;
  readonly requests: readonly ReportedRequest[];
  /** By the ID of the case. */
  readonly cases: ReadonlyMap<string, CaseOutcome>;
}

/** Tests a wallet to the end. */
export async function testWallet(client: Client, input: Input<'wallet.start'>): Promise<WalletTest> {
  const ended = new Map<string, () => void>();
  const over = new Set<string>();
  const stop = client.on('runs.progressed', ({ runId, state }) => {
    if (state === 'running') return;
    over.add(runId);
    ended.get(runId)?.();
  });
  const { runId } = await client.call('wallet.start', input);
  if (!over.has(runId)) await new Promise<void>((resolve) => ended.set(runId, resolve));
  stop();
  const { requests } = await client.call('runs.requests', { runId, limit: 1_000 });
  const reported = requests.map(({ request }) => request);
  return {
    runId,
    requests: reported,
    cases: new Map(reported.flatMap(({ case: one }) => (one === undefined ? [] : [[one.id, one]]))),
  };
}

/** Describes the cases that did not hold: verdict, ID and what was seen. */
export function troublesOf({ requests }: WalletTest): string[] {
  return requests.flatMap(({ state, reason, path, case: one }) => {
    if (one === undefined) return [`${state} ${path}: ${reason}`];
    return one.verdict === 'fails' || one.verdict === 'warns' ? [`${one.verdict} ${one.id}: ${one.saw}`] : [];
  });
}
