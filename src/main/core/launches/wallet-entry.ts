import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { textAt } from '#shared/provider/launcher-url.ts';
import type { Note } from './record.ts';

/**
 * Returns a wallet call that the built-in provider judged as an entry of the launch whose token it used; null if it used none of
 * them.
 */
export function walletEntry(verdict: SandboxVerdict, secrets: readonly string[]): Note | null {
  if (verdict.action !== null || verdict.path === '/serviceApi.php') return null;
  const parsed = parseJson(verdict.bodyText);
  const field = (name: string) => (parsed.ok ? textAt(parsed.root, [name]) : null);
  if (!secrets.includes(field('externalToken') ?? '')) return null;
  const amount = field('amount');
  const transaction = field('transactionId');
  const { code, message, why } = verdict.verdict;
  return {
    kind: 'wallet',
    group: 'other',
    level: code === 0 ? 'info' : 'warning',
    title: amount === null ? verdict.path : `${verdict.path} ${amount} ${field('currency') ?? ''}`.trim(),
    detail: code !== 0 ? `${code} ${message}: ${why}` : transaction === null ? '' : `transaction ${transaction}`,
  };
}
