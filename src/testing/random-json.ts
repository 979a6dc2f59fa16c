import { createDamage } from './damaged-json.ts';
import { createNumbers } from './random-numbers.ts';
import { createStringBodies } from './random-strings.ts';
import { createChoices } from './seeded-random.ts';

const names = [
  'a',
  'b',
  'playerId',
  'gameIds',
  '',
  '0',
  '1',
  '2',
  '7',
  '-1',
  '-0',
  '01',
  '00',
  '1.0',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '\\u0030',
  '\\u0000',
  '\\u0000a',
  'a\\u0000',
  '__proto__',
  'é',
  '\\u00e9',
  'a\\/b',
  'constructor',
];

/**
 * Creates random JSON texts and bytes: numbers of every form, all kinds of characters and escapes, duplicate and numeric names,
 * deep nesting; about a third of the bytes damaged, by an edit or by malformed UTF-8.
 */
export function createJsonGenerator(random: () => number) {
  const choices = createChoices(random);
  const { below, chance, pick } = choices;
  const number = createNumbers(choices);
  const stringBody = createStringBodies(choices);
  const damage = createDamage(choices);

  function space(): string {
    return chance(0.8) ? '' : pick([' ', '\n', '\t', '\r\n', '  ', '\n  ']);
  }

  function listed(open: string, close: string, items: string[]): string {
    return open + space() + items.map((item) => space() + item + space()).join(',') + space() + close;
  }

  function value(depth: number): string {
    const kind = depth <= 0 ? below(6) : below(10);
    if (kind < 2) return number();
    if (kind < 4) return `"${stringBody()}"`;
    if (kind === 4) return pick(['true', 'false', 'null']);
    if (kind === 5) return pick(['{}', '[]', '[ ]', '{\n}', '""', '0']);
    const items: string[] = [];
    const count = below(chance(0.05) ? 40 : 5);
    if (kind < 7) {
      for (let i = 0; i < count; i++) items.push(value(depth - 1));
      return listed('[', ']', items);
    }
    const numeric = chance(0.2);
    for (let i = 0; i < count; i++) {
      const name = numeric ? String(chance(0.95) ? i : below(5)) : chance(0.6) ? pick(names) : stringBody();
      items.push(`"${name}"${space()}:${space()}${value(depth - 1)}`);
    }
    return listed('{', '}', items);
  }

  function deep(): string {
    const levels = 505 + below(12);
    const opened: string[] = [];
    for (let i = 0; i < levels; i++) opened.push(pick(['[', '{"a":']));
    const inner = pick(['', '1', '{}']);
    const closed = opened.map((open) => (open === '[' ? ']' : '}')).reverse();
    const lastOpen = opened.at(-1);
    return opened.join('') + (inner === '' && lastOpen !== '[' ? 'null' : inner) + closed.join('');
  }

  return {
    /** Returns a well-formed text (its strings may hold lone surrogate escapes, its numbers may overflow). */
    text(): string {
      return chance(0.01) ? deep() : space() + value(chance(0.1) ? 7 : 3) + space();
    },
    /** Returns a text as bytes, in about a third of all cases damaged. */
    bytes(): Buffer {
      const text = this.text();
      return chance(0.35) ? damage(text) : Buffer.from(text);
    },
    number,
  };
}
