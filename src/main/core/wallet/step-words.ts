import type { Money } from '#shared/wallet/money.ts';
import { effectOf } from '#shared/wallet/terms.ts';
import type { Answer } from './answer.ts';
import type { SentRequest } from './requests.ts';

const mostTexts = 4;

/** Counts equal texts: `2 × code 0`. */
function counted(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => (length === 1 ? text : `${length} × ${text}`));
}

/** Says what a step sent; `text` writes an amount, `inFlight` is the most requests at one moment. */
export function sentText(sent: readonly SentRequest[], text: (money: Money) => string, inFlight: number): string {
  const words = sent.map(({ method, effect }) => `/${method}${effect === 0n ? '' : ` ${text(effectOf(method, effect))}`}`);
  return `${counted(words).join(', ')}${inFlight > 1 ? `, ${inFlight} at once` : ''}`;
}

/** Says what came: responses, the money that moved, and what is wrong, unless one of the others says that. */
export function cameText(responses: readonly string[], moved: string, fault: string): string {
  const texts = counted(responses);
  const more = texts.length > mostTexts ? [`${texts.length - mostTexts} more`] : [];
  const shown = [...texts.slice(0, mostTexts), ...more];
  return [shown.join('; '), moved, fault === moved || shown.includes(fault) ? '' : fault]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns the largest number of requests under way at one moment. */
export function mostAtOnce(found: readonly Answer[]): number {
  const moments = found
    .flatMap(({ from, to }) => [[from, 1] as const, [to, -1] as const])
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  let [now, most] = [0, 0];
  for (const [, change] of moments) most = Math.max(most, (now += change));
  return most;
}
