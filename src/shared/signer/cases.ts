import { phpJson } from '../json/php.ts';
import { defaultEnvironment } from '../model/default-environment.ts';
import { minifyJson } from '../json/format.ts';
import { operations, type Operation } from '../provider/index.ts';
import { templateText } from '../provider/templates.ts';

/** One case for a signer: what goes in, and what has to be hashed after the key. */
export interface SignerCase {
  /** Such as `getLauncherURL/real: a slash`. */
  readonly id: string;
  readonly action: string;
  readonly time: string;
  /** As JSON text; null for an operation without data. */
  readonly data: string | null;
  /** The text of data that the rule demands. */
  readonly dataJson: string | null;
  /** A value that some languages cannot read or write so: a whole number beyond 2^53, a decimal that is whole, U+007F. */
  readonly edge: boolean;
}

/** The key of the cases, which is public and signs nothing else. */
export const throwAwayKey = 'throw-away-key-for-tests-0123456789';

/**
 * Values that tell encoders apart, as JSON text, each with what it shows. Letters are not escaped: Go's json.RawMessage would hand the escapes on,
 * and a program without any of its own would pass. U+2028 is, because Node reads it as the end of a line.
 */
const telling: readonly (readonly [string, string])[] = [
  ['a slash', '"https://casino.example/lobby"'],
  ['a URL with a query', '"https://casino.example/?a=1&b=2"'],
  ['a plus and equals signs', '"tok/En+9=="'],
  ['a letter with an accent', '"José"'],
  ['Cyrillic letters', '"Игра"'],
  ['an emoji', '"🎰"'],
  ['angle brackets and an ampersand', '"<b>&</b>"'],
  ['quotes', '"it\'s \\"so\\""'],
  ['a backslash', '"C:\\\\games"'],
  ['a line break and a tab', '"a\\nb\\tc"'],
  ['U+2028', '"a\\u2028b"'],
  ['U+007F', '"a\\u007fb"'],
  ['an empty text', '""'],
  ['spaces at the ends', '" a "'],
  ['a text of digits', '"007"'],
  ['zero', '0'],
  ['a negative number', '-5'],
  ['a decimal', '12.5'],
  ['a decimal that is whole', '1.0'],
  ['a small decimal', '0.1'],
  ['a whole number beyond 2^53', '9007199254740993'],
  ['true', 'true'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['an empty list', '[]'],
  ['an object out of order', '{"z":1,"a":{"y":2,"b":3}}'],
  ['a list', '["a/b",1,{"c":"d"}]'],
];

const edges: readonly string[] = ['U+007F', 'a decimal that is whole', 'a whole number beyond 2^53'];

/** Times that tell patterns apart: the afternoon, midnight, single digits, the last week of a year. */
const times = ['20-11-2026 10:15:30', '05-03-2026 17:08:09', '01-01-2027 00:00:00', '28-12-2026 23:59:59', '09-08-2026 12:01:02'];

/** Makes the cases: every documented form of every signed operation, each as it is and with one more member of each telling value. */
export function signerCases(): SignerCase[] {
  const made: SignerCase[] = [];
  const add = (name: string, action: string, data: string | null, edge = false) => {
    const written = data === null ? null : phpJson(data, { unicode: false, assoc: false });
    if (written?.ok === false) throw new Error(`${name}: ${written.error.message}`);
    const time = times[made.length % times.length] ?? '';
    made.push({ id: name, action, time, data, dataJson: written?.json ?? null, edge });
  };
  for (const { operation, form, text } of documentedForms()) {
    const action = operation.action ?? operation.name;
    const name = `${operation.name}/${form}`;
    const small = text === null ? null : withSmallNumbers(text);
    add(`${name}: as documented`, action, text, small !== text);
    if (small === null) continue;
    if (small !== text) add(`${name}: as documented, with smaller numbers`, action, small);
    const open = `${small.slice(0, -1)}${small === '{}' ? '' : ','}`;
    for (const [what, value] of telling) add(`${name}: ${what}`, action, `${open}"extra":${value}}`, edges.includes(what));
  }
  return made;
}

/** Replaces whole numbers beyond 2^53, which JavaScript changes: one case is about them, and the others are not. */
function withSmallNumbers(text: string): string {
  return text.replaceAll(/(?<=[:,[])\d{16,}(?=[,}\]])/g, '1001');
}

interface DocumentedForm {
  readonly operation: Operation;
  readonly form: string;
  readonly text: string | null;
}

function documentedForms(): DocumentedForm[] {
  return operations
    .filter(({ endpoint }) => endpoint === 'service')
    .flatMap((operation) =>
      operation.payload === 'envelope'
        ? [{ operation, form: 'no data', text: null }]
        : operation.forms.map(({ id, open }) => ({
            operation,
            form: id,
            text:
              open === true
                ? null
                : minifyJson(templateText(operation, id, defaultEnvironment.defaults, { now: Date.UTC(2026, 10, 20) })),
          })),
    )
    .filter(({ operation, text }) => text !== null || operation.payload === 'envelope');
}
