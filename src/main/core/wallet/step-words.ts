import type { CaseStepOutcome } from '#shared/collections/case-outcome.ts';
import type { Money } from '#shared/wallet/money.ts';
import { effectOf } from '#shared/wallet/terms.ts';
import type { CaseStep } from '#shared/wallet/wallet-case.ts';
import type { Answer } from './answer.ts';
import { expectedText } from './judge.ts';
import type { SentRequest } from './requests.ts';

/** Creates the words for steps. `said`: a response as it may be shown; `text`: an amount. */
export function createStepWords(said: (answer: Answer) => string, text: (money: Money) => string) {
  function cameText(found: readonly Answer[], moved: string, fault: string): string {
    const counts = new Map<string, number>();
    for (const one of found) counts.set(said(one), (counts.get(said(one)) ?? 0) + 1);
    const texts = [...counts].slice(0, 4).map(([words, count]) => (count === 1 ? words : `${count} × ${words}`));
    if (counts.size > texts.length) texts.push(`${counts.size - texts.length} more`);
    return [texts.join('; '), moved, fault === moved || texts.includes(fault) ? '' : fault]
      .filter((part) => part !== '')
      .join(' · ');
  }

  function outcomeOf(
    step: CaseStep,
    sent: readonly SentRequest[],
    found: readonly Answer[],
    moved: string,
    inFlight = 1,
  ): CaseStepOutcome {
    const kinds = new Map<string, number>();
    for (const { method, effect } of sent) {
      const words = `/${method}${effect === 0n ? '' : ` ${text(effectOf(method, effect))}`}`;
      kinds.set(words, (kinds.get(words) ?? 0) + 1);
    }
    const words = [...kinds].map(([what, count]) => (count === 1 ? what : `${count} × ${what}`));
    const how = inFlight > 1 ? `, ${inFlight} at once` : '';
    return {
      sent: `${words.join(', ')}${how}`,
      calls: found.map(({ delivered }) => delivered.call.id),
      expected: expectedText(step),
      came: cameText(found, moved, ''),
      passed: true,
    };
  }

  return { cameText, outcomeOf };
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
