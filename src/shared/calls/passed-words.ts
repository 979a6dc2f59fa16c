import type { PassedVerdict } from '../ipc/gateway.ts';
import type { GatewayStatus } from '../ipc/outputs/gateway.ts';

/** Names of the gateway's verdicts, in the order in which they hold. */
export const passedWords: Readonly<Record<PassedVerdict, string>> = {
  stopped: 'Not passed on',
  failed: 'No complete response',
  wrongHash: 'Wrong hash',
  rejected: 'Rejected',
  unclear: 'Unclear response',
  other: 'Not this API',
  good: 'OK',
};

/** The verdicts themselves, in the same order. */
const passedVerdicts = Object.keys(passedWords) as readonly PassedVerdict[];

/** Returns the number of exchanges of a verdict. */
function passedCount(counts: GatewayStatus['counts'], verdict: PassedVerdict): number {
  return Object.values(counts).reduce((sum, row) => sum + (row[verdict] ?? 0), 0);
}

/** Returns `37 of 412 rejected, 4 wrong hash`, `412 exchanges, all OK`. */
export function passedText(counts: GatewayStatus['counts']): string {
  const found = passedVerdicts.map((verdict) => ({ verdict, count: passedCount(counts, verdict) }));
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const all = total.toLocaleString('en');
  if (total === 0) return 'No exchanges yet';
  const bad = found.filter(({ verdict, count }) => verdict !== 'good' && count > 0);
  if (bad.length === 0) return total === 1 ? '1 exchange, OK' : `${all} exchanges, all OK`;
  return bad
    .map(({ verdict, count }, at) => {
      const words = passedWords[verdict];
      return `${count.toLocaleString('en')} ${at === 0 ? `of ${all} ` : ''}${words.charAt(0).toLowerCase()}${words.slice(1)}`;
    })
    .join(', ');
}
