import { mistakesOf } from './data-mistake.ts';
import type { DataText, DataTexts } from './data-texts.ts';
import { layoutMistakes } from './layout-mistakes.ts';
import { slashMistakes } from './text-mistakes.ts';
import { unicodeMistakes } from './unicode-mistakes.ts';
import type { Member } from './value.ts';
import { ruleStyle, write, writeString, type Style } from './write.ts';

/** Most members whose orders are searched: 8 have 40,320. */
const mostMembers = 8;

const order = mistakesOf('order');

/** The styles in which other orders are tried: the rule's, the most usual mistakes, and both of lua-cjson. */
const styles = [[], ['slash.escaped'], ['unicode.bare'], ['layout.spaced'], ['slash.escaped', 'unicode.bare']].map(
  (ids: readonly string[]) => [...slashMistakes, ...unicodeMistakes, ...layoutMistakes].filter(({ id }) => ids.includes(id)),
);

/** Texts of data in other orders, made one after the other: there are up to 201,595. */
export interface OtherOrders {
  readonly size: number;
  each(): Generator<DataText>;
}

/** Makes the texts of data with its outermost members in any order; none if there are too many. */
export function otherOrders({ value }: DataTexts): OtherOrders {
  const members = value?.kind === 'object' && value.members.length <= mostMembers ? value.members : [];
  const orders = members.reduce((product, _, at) => product * (at + 1), 1) - 1;
  return { size: orders * styles.length, each: () => inOtherOrders(members) };
}

function* inOtherOrders(members: readonly Member[]): Generator<DataText> {
  for (const mistakes of styles) {
    const style = mistakes.reduce<Style>((sum, mistake) => mistake.style?.(sum) ?? sum, ruleStyle);
    const written = members.map((one) => writeString(one.name, style.escapes) + style.layout.colon + write(one.value, style));
    for (const places of permutations(written.length)) {
      const names = places.map((at) => members[at]?.name ?? '');
      yield {
        text: `{${places.map((at) => written[at] ?? '').join(style.layout.comma)}}`,
        ways: [[anyOrder(names), ...mistakes]],
      };
    }
  }
}

function anyOrder(names: readonly string[]) {
  return order('any', 3, [], [`Your backend writes the fields of data in the order ${names.join(', ')}.`], {});
}

/** Yields all orders of the numbers below `count` but their own. */
function* permutations(count: number): Generator<readonly number[]> {
  const places = Array.from({ length: count }, (_, at) => at);
  const swaps = places.map(() => 0);
  for (let at = 0; at < count;) {
    const done = swaps[at] ?? 0;
    if (done >= at) {
      swaps[at] = 0;
      at += 1;
      continue;
    }
    const from = at % 2 === 0 ? 0 : done;
    [places[from], places[at]] = [places[at] ?? 0, places[from] ?? 0];
    swaps[at] = done + 1;
    at = 0;
    yield [...places];
  }
}
