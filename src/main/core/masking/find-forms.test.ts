import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseSeed, seededRandom } from '#testing/seeded-random.ts';
import { createFormFinder, type Edit } from './find-forms.ts';

/** Searches each form by itself at each place. */
function oneByOne(forms: readonly (readonly [string, string])[], text: string, taken: readonly Edit[]): Edit[] {
  const marks: string[] = [];
  const joined: boolean[] = [];
  for (const [form, mark] of forms) {
    for (let start = 0; start + form.length <= text.length; start++) {
      const end = start + form.length;
      if (!small(text.slice(start, end), form)) continue;
      if (form.length < 8 && isInsideWord(text, start, end)) continue;
      marks[start] ??= mark;
      for (let at = start + 1; at < end; at++) joined[at] = true;
    }
  }
  const found: Edit[] = [];
  let [mark, before] = ['', -1];
  for (let at = 0; at < text.length; at++) {
    const begins = joined[at] !== true && marks[at] !== undefined;
    if (begins) mark = marks[at] ?? '';
    const covered = begins || joined[at] === true;
    if (!covered || taken.some(({ start, end }) => start <= at && at < end)) continue;
    const last = found.at(-1);
    if (!begins && last !== undefined && before === at - 1) found[found.length - 1] = { ...last, end: at + 1 };
    else found.push({ start: at, end: at + 1, text: mark });
    before = at;
  }
  return found;
}

const small = (one: string, other: string) => asciiSmall(one) === asciiSmall(other);
const asciiSmall = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function isInsideWord(text: string, start: number, end: number): boolean {
  const before = /\w/.test(text.charAt(start - 1)) && !/%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start));
  return (before && /\w/.test(text.charAt(start))) || (/\w/.test(text.charAt(end)) && /\w/.test(text.charAt(end - 1)));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('forms that are looked for all at once', () => {
  it.each(['ab', 'ab ', 'aB%20/', '0123456789abcdef', 'a\ud83d\ude00\ud800"\\', 'a', 'aA\0'])(
    'stand where each by itself is found, in texts of %j',
    (letters) => {
      const random = seededRandom(chooseSeed() + letters.length);
      const below = (most: number) => Math.floor(random() * most);
      const word = (length: number) => Array.from({ length }, () => letters[below(letters.length)]).join('');
      let places = 0;
      for (let round = 0; round < 400; round++) {
        const made = new Map<string, string>();
        for (let count = 1 + below(12); count > 0; count--) {
          const whole = word(4 + below(14));
          made.set(whole, `[${count}]`);
          // One that begins with another, and one that ends in the middle of it.
          if (below(3) === 0) made.set(whole + word(1 + below(4)), '[longer]');
          if (below(3) === 0) made.set(whole.slice(2) + word(3), '[behind]');
        }
        const forms = [...made].sort(([one], [other]) => other.length - one.length);
        const text = Array.from({ length: below(12) }, () =>
          below(2) === 0 ? word(below(9)) : (forms[below(forms.length)]?.[0] ?? ''),
        ).join(below(2) === 0 ? '' : word(1));
        const taken: Edit[] = [];
        for (let at = below(20); at < text.length; at += 1 + below(25)) {
          const end = at + 1 + below(6);
          taken.push({ start: at, end, text: 't' });
          if (below(3) > 0) at = end;
        }
        const expected = oneByOne(forms, text, taken);
        places += expected.length;
        expect(createFormFinder(forms)(text, taken), JSON.stringify({ forms, text, taken })).toEqual(expected);
      }
      expect(places).toBeGreaterThan(200);
    },
  );

  it('cost what the text costs, however many they are', () => {
    const random = seededRandom(14);
    const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
    const text = hex(5_000);
    const forms = Array.from({ length: 20_000 }, () => [hex(24), '[token]'] as const);
    /** Returns how often units of a text are looked at. */
    const cost = (count: number) => {
      const find = createFormFinder(forms.slice(0, count));
      const searches = [
        vi.spyOn(String.prototype, 'charCodeAt'),
        vi.spyOn(String.prototype, 'startsWith'),
        vi.spyOn(String.prototype, 'indexOf'),
        vi.spyOn(String.prototype, 'includes'),
      ];
      find(text, []);
      const sum = searches.reduce((all, search) => all + search.mock.calls.length, 0);
      vi.restoreAllMocks();
      return sum;
    };
    expect(cost(10)).toBeGreaterThanOrEqual(text.length);
    expect(cost(20_000)).toBeLessThan(2 * cost(10));
  });

  it('are all found where there are 20,000 of them', () => {
    const random = seededRandom(7);
    const word = () => Array.from({ length: 24 }, () => Math.floor(random() * 16).toString(16)).join('');
    const forms = Array.from({ length: 20_000 }, () => [word(), '[token]'] as const);
    const text = forms.map(([form]) => `"${form}"`).join(',');
    expect(createFormFinder(forms)(text, [])).toHaveLength(20_000);
  });
});
