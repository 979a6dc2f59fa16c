import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { goFloat, isWhole, javaDouble, pythonFloat, rubyFloat } from './number-forms.ts';
import { nullWord, type Value } from './value.ts';

const wrap = mistakesOf('wrap');

const always = (text: string) => ({ after: () => text });
const printedBy = (print: (value: Value) => string) => ({
  // What is not there is not printed: other mistakes name the words that stand for nothing.
  after: (_: string, { value }: { readonly value: Value }) => (value === nullWord ? null : print(value)),
});

/** Data that was never given to a JSON encoder: the texts as which languages print their own values. */
export const printedMistakes: readonly DataMistake[] = [
  wrap(
    'object',
    4,
    ['node'],
    ['Your backend hashes [object Object].', 'JavaScript turns an object into this text; JSON.stringify is missing.'],
    always('[object Object]'),
  ),
  wrap(
    'array',
    4,
    ['php'],
    ['Your backend hashes the word Array.', 'PHP turns an array into this word; json_encode is missing.'],
    always('Array'),
  ),
  wrap('to-string', 4, ['java'], ['Your backend hashes a map as Java prints it: {a=b, c=d}.'], printedBy(javaText)),
  wrap('go-map', 4, ['go'], ['Your backend hashes a map as Go prints it: map[a:b c:d].'], printedBy(goText)),
  wrap('ruby-hash', 4, ['ruby'], ['Your backend hashes a hash as Ruby prints it: {"a"=>1}.'], printedBy(rubyText)),
  wrap(
    'python-dict',
    2,
    ['python'],
    ["Your backend hashes a dict as Python prints it: {'a': 1}.", 'The code calls str() instead of json.dumps().'],
    printedBy(pythonText),
  ),
  wrap(
    'python-dict-quotes',
    3,
    ['python'],
    [
      'Your backend hashes a dict as Python prints it, with double quotes instead of single ones.',
      'The code calls str() and replace() instead of json.dumps().',
    ],
    {
      ...printedBy((value) => pythonText(value).replaceAll("'", '"')),
      unless: ['layout.spaced', 'layout.python', 'layout.python-bare'],
    },
  ),
];

/** Java's toString of a map. */
function javaText(value: Value): string {
  if (value.kind === 'object') return `{${value.members.map((one) => `${one.name}=${javaText(one.value)}`).join(', ')}}`;
  if (value.kind === 'array') return `[${value.items.map(javaText).join(', ')}]`;
  return value.kind === 'number' && !isWhole(value.text) ? javaDouble(Number(value.text)) : value.text;
}

/** Go's fmt of a map that was decoded without types: sorted, all numbers float64. */
function goText(value: Value): string {
  if (value.kind === 'object')
    return `map[${value.members
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((one) => `${one.name}:${goText(one.value)}`)
      .join(' ')}]`;
  if (value.kind === 'array') return `[${value.items.map(goText).join(' ')}]`;
  if (value.kind === 'number') return goFloat(Number(value.text));
  return value.kind === 'word' && value.text === 'null' ? '<nil>' : value.text;
}

/** Ruby's inspect of a hash, before Ruby 3.4. */
export function rubyText(value: Value): string {
  switch (value.kind) {
    case 'object':
      return `{${value.members.map((one) => `${rubyQuoted(one.name)}=>${rubyText(one.value)}`).join(', ')}}`;
    case 'array':
      return `[${value.items.map(rubyText).join(', ')}]`;
    case 'string':
      return rubyQuoted(value.text);
    case 'number':
      return isWhole(value.text) ? value.text : rubyFloat(Number(value.text));
    case 'word':
      return value.text === 'null' ? 'nil' : value.text;
  }
}

/** Python's repr of a value. */
export function pythonText(value: Value): string {
  switch (value.kind) {
    case 'object':
      return `{${value.members.map((one) => `${pythonQuoted(one.name)}: ${pythonText(one.value)}`).join(', ')}}`;
    case 'array':
      return `[${value.items.map(pythonText).join(', ')}]`;
    case 'string':
      return pythonQuoted(value.text);
    case 'number':
      return isWhole(value.text) ? value.text : pythonFloat(Number(value.text));
    case 'word':
      return value.text === 'null' ? 'None' : value.text === 'true' ? 'True' : 'False';
  }
}

/** Characters that print nothing, beside the plain space. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');

/** Python turns to double quotes where a text holds a single one and no double one. */
function pythonQuoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const inner = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(unprintable, (char) => {
      const code = char.codePointAt(0) ?? 0;
      return short[char] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`);
    });
  return quote + inner + quote;
}

function rubyQuoted(text: string): string {
  const short: Readonly<Record<string, string>> = {
    '\u0007': '\\a',
    '\b': '\\b',
    '\t': '\\t',
    '\n': '\\n',
    '\v': '\\v',
    '\f': '\\f',
    '\r': '\\r',
    '\u001b': '\\e',
  };
  const inner = text
    .replaceAll(/["\\]|#(?=[{$@])/g, (char) => `\\${char}`)
    .replaceAll(unprintable, (char) => {
      const code = char.codePointAt(0) ?? 0;
      const digits = hex(code, 4).toUpperCase();
      return short[char] ?? (code < 0x10000 ? `\\u${digits}` : `\\u{${digits}}`);
    });
  return `"${inner}"`;
}
