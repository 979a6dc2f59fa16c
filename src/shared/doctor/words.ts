import type { Fidelity } from '../model/fidelity.ts';
import type { Fix } from './fixes.ts';
import type { Language } from './model.ts';
import type { Stage } from './search.ts';

export const fidelityWords: Readonly<Record<Fidelity, string>> = {
  exact: 'exact bytes',
  reencoded: 'rewritten by a program: the order may be original, but escapes and spaces may differ',
  lossy: "lossy: types or characters were lost; Croupier filled in types from the API's fields",
};

export const languageNames: Readonly<Record<Language, string>> = {
  php: 'PHP',
  node: 'Node',
  python: 'Python',
  java: 'Java',
  csharp: 'C#',
  go: 'Go',
  ruby: 'Ruby',
};

/** Names of the stages, in their order. */
export const stageWords: Readonly<Record<Stage, string>> = {
  rule: 'The signing rule',
  singles: 'Single mistakes',
  seconds: 'A clock up to an hour off',
  pairs: 'Pairs of mistakes',
  orders: 'Other field orders',
  usual: 'Three common mistakes at once',
  triples: 'Any three mistakes at once',
  clock: 'A wrong clock and one mistake',
};

/** Said once no single mistake makes a hash. The search goes on. */
export const probablyKey = 'Probably another key, or bytes that changed after the hash was made.';

/** Returns whether no single mistake was found, so that `probablyKey` can be said. */
export function isPastSingles(stages: readonly { readonly stage: Stage }[]): boolean {
  return stages.some(({ stage }) => stage !== 'rule' && stage !== 'singles');
}

/** A report as far as its second line depends on it. */
interface Told {
  readonly verdict: 'rule' | 'sent' | 'other' | 'none' | 'unreadable' | 'cancelled';
  readonly seen: readonly string[];
  readonly ways: readonly (readonly { readonly id: string }[])[];
  readonly digits: number;
}

/** Returns what every host says behind the finding; empty for nothing. */
export function secondLine({ verdict, seen, ways, digits }: Told): string {
  switch (verdict) {
    case 'rule':
      return "It follows the signing rule and uses this environment's key. If the provider still rejects it, the provider has another key, received other bytes or hashes differently: see the open points.";
    case 'sent':
      return seen.length > 0
        ? "With this key, it's right for these bytes."
        : 'The hash matches data as it was sent, but the signing rule requires another form.';
    case 'other':
      if (digits < 63 || seen.length > 0 || ways[0]?.some(({ id }) => id === 'order.unsure') === true) return '';
      return ways[0]?.length === 1
        ? "That's the only mistake. Fix it and the hash is right."
        : 'Those are the only mistakes. Fix them and the hash is right.';
    case 'none':
      return 'No known mistake makes this hash.';
    case 'unreadable':
    case 'cancelled':
      return '';
  }
}

/** Returns the stages that a search would have come to behind these. */
export function stagesAfter(begun: readonly { readonly stage: Stage }[]): Stage[] {
  return (Object.keys(stageWords) as Stage[]).filter((stage) => !begun.some((one) => one.stage === stage));
}

const marks = { same: ' ', removed: '-', added: '+' } as const;

/** Writes a fix as a patch. */
export function fixText({ lines }: Pick<Fix, 'lines'>): string {
  return lines.map(({ change, text }) => `${marks[change]} ${text}`).join('\n');
}
