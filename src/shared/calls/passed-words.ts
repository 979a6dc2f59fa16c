import { listed } from '../listed.ts';
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

/** Minutes from which a bet without its win is worth a word. */
export const lateBetMinutes = 10;

/** Returns `3 bets have had no win or cancel for 10 minutes: calls 1, 2 and 5.`; `isEnded`: of all, at the end. Null if there are none. */
export function openBetsText({ count, late, calls }: NonNullable<GatewayStatus['openBets']>, isEnded: boolean): string | null {
  const number = isEnded ? count : late;
  if (number === 0) return null;
  const bets = `${number.toLocaleString('en')} ${number === 1 ? 'bet' : 'bets'}`;
  const words = isEnded
    ? 'had no win or cancel yet'
    : `${number === 1 ? 'has' : 'have'} had no win or cancel for ${lateBetMinutes} minutes`;
  const named = calls.slice(0, number);
  if (named.length === 0) return `${bets} ${words}.`;
  const which =
    named.length < number
      ? `the oldest are calls ${listed(named.map(String))}`
      : `${named.length === 1 ? 'call' : 'calls'} ${listed(named.map(String))}`;
  return `${bets} ${words}: ${which}.`;
}
