import type { Axis, Language, Mistake, Part, Subject } from './model.ts';
import type { Value } from './value.ts';
import type { Style } from './write.ts';

/** A mistake in `data`: a change of its values, of how they are written, or of the written text. */
export interface DataMistake extends Mistake {
  readonly change?: (value: Value) => Value;
  readonly style?: (style: Style) => Style;
  /** Changes the text once it is written; null where the mistake cannot happen. */
  readonly after?: (text: string, about: { readonly value: Value; readonly subject: Subject }) => Part | null;
  /** Plainer mistakes: where one of them gives the same text, this one says nothing more. */
  readonly unless?: readonly string[];
}

/** The order in which the mistakes of data happen, whatever the order in which they are named. */
export const dataAxes: readonly Axis[] = ['members', 'numbers', 'html', 'order', 'slash', 'unicode', 'layout', 'wrap'];

type Work = Pick<DataMistake, 'change' | 'style' | 'after' | 'unless'>;

/** Creates the function by which a file declares the mistakes of one axis. */
export function mistakesOf(axis: Axis) {
  return (
    name: string,
    rarity: Mistake['rarity'],
    languages: readonly Language[],
    [says, who = '']: readonly [string, string?],
    work: Work,
  ): DataMistake => ({ id: `${axis}.${name}`, axis, rarity, languages, says, who, ...work });
}
