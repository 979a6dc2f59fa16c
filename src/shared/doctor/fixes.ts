import { parseJson } from '#shared/json/parse.ts';
import { adviceOn } from './advice.ts';
import type { Language, Mistake, Subject } from './model.ts';
import { go } from './programs-go.ts';
import { java } from './programs-java.ts';
import { node } from './programs-node.ts';
import { php } from './programs-php.ts';
import { python } from './programs-python.ts';
import { ruby } from './programs-ruby.ts';
import { hasCode, pairOf, type About, type Dialect, type Pair } from './programs.ts';
import { sharedLanguages } from './ranking.ts';
import { bareButLines } from './unicode-mistakes.ts';
import { valueOf } from './value.ts';
import { ruleStyle, write } from './write.ts';

/** The languages whose code the tests run. */
export const dialects: readonly Dialect[] = [php, node, python, ruby, go, java];

/** A program that signs, as a change of the program that makes the mistakes. */
export interface Fix {
  readonly language: Language;
  readonly lines: { readonly change: 'same' | 'removed' | 'added'; readonly text: string }[];
}

/** The explanations of a hash, likeliest first, each of all its mistakes. */
type Ways = readonly (readonly Mistake[])[];

/**
 * Returns the fixes of the likeliest explanation, all its mistakes together: in the language of the pasted text first, then in those that usually
 * make them. Where usual code of a language does not make them, an explanation as short that gives the same bytes stands for it.
 */
export function fixesFor(ways: Ways, subject: Subject, pasted: Language | null): Fix[] {
  const [first = []] = ways;
  const order = [pasted, ...sharedLanguages(first), ...first.flatMap(({ languages }) => languages)];
  const rank = (language: Language) => (order.includes(language) ? order.indexOf(language) : order.length);
  return dialects
    .toSorted((one, other) => rank(one.language) - rank(other.language))
    .flatMap((dialect) => {
      const pair = fixIn(dialect, ways, subject);
      return pair === null ? [] : { language: dialect.language, lines: changesOf(pair) };
    });
}

/** Returns the program with the mistakes of one explanation and without them; null if the language has none. */
export function fixIn(dialect: Dialect, ways: Ways, subject: Subject): Pair | null {
  const about = aboutOf(subject);
  if (about === null) return null;
  for (const way of ways) {
    if (way.length > (ways[0]?.length ?? 0)) continue;
    const inCode = way.filter(({ id }) => isInCode(id) || adviceOn({ id }) === null);
    const pair = inCode.length === 0 ? null : pairOf(dialect, inCode, about);
    if (pair !== null) return pair;
  }
  return null;
}

/** Returns whether usual code of a language makes a mistake. */
export function isInCode(id: string): boolean {
  return dialects.some((dialect) => hasCode(dialect, id));
}

/** Returns what to look up because of an explanation's mistakes. */
export function advicesOn(way: readonly Mistake[]): string[] {
  return [...new Set(way.flatMap((mistake) => adviceOn(mistake) ?? []))];
}

/** Returns what code depends on; null if no code writes the text that the rule demands. */
function aboutOf(subject: Subject): Omit<About, 'detail'> | null {
  const { dataText, ruleText, form } = subject;
  if (dataText === null) return { subject, value: null };
  const parsed = parseJson(ruleText ?? '');
  const value = parsed.ok ? valueOf(parsed.root) : null;
  if (value?.kind !== 'object') return null;
  return write(value, form.unicode === 'bare' ? bareButLines(ruleStyle) : ruleStyle) === ruleText ? { subject, value } : null;
}

function changesOf({ before, after }: Pair): Fix['lines'] {
  return after.flatMap((lines, at) => lineChanges(before[at] ?? [], lines));
}

/** Returns the fewest lines to take out and to put in. */
function lineChanges(before: readonly string[], after: readonly string[]): Fix['lines'] {
  // How many lines both have in common from two positions on.
  const common: number[][] = [];
  const commonAt = (at: number, other: number) => common[at]?.[other] ?? 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const row: number[] = [];
    common[at] = row;
    for (let other = after.length - 1; other >= 0; other--)
      row[other] =
        before[at] === after[other]
          ? commonAt(at + 1, other + 1) + 1
          : Math.max(commonAt(at + 1, other), commonAt(at, other + 1));
  }
  const lines: Fix['lines'] = [];
  for (let at = 0, other = 0; at < before.length || other < after.length;) {
    const [old, text = ''] = [before[at], after[other]];
    const isSame = old === text && other < after.length;
    const isRemoved = !isSame && old !== undefined && commonAt(at + 1, other) >= commonAt(at, other + 1);
    lines.push(isRemoved ? { change: 'removed', text: old } : { change: isSame ? 'same' : 'added', text });
    if (isSame || isRemoved) at++;
    if (!isRemoved) other++;
  }
  return lines;
}
