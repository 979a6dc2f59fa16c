import { phpNumber } from '#shared/json/php.ts';
import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { cFloat, dotnetFloat, isWhole, javaDouble, jqNumber, phpPrecision, pythonFloat, rubyFloat } from './number-forms.ts';
import { mapValues, membersWithOwnMistakes, type Value } from './value.ts';

const numbers = mistakesOf('numbers');

/** Numbers in another form, or of another kind. */
export const numberMistakes: readonly DataMistake[] = [
  numbers(
    'as-typed',
    2,
    ['python', 'java', 'ruby'],
    [
      'Your backend keeps the digits of numbers: 1.0 stays 1.0.',
      'Python, Java and Ruby write a float with its fraction; PHP writes 1.',
    ],
    {
      style: (style) => ({ ...style, number: (text) => text }),
    },
  ),
  numbers(
    'double',
    1,
    ['node', 'go', 'java'],
    [
      'Your backend reads numbers as 64-bit floats, which changes integers beyond 2^53.',
      'JavaScript and jq do this, and Go and Gson for untyped values.',
    ],
    {
      style: (style) => ({ ...style, number: (text) => phpNumber(String(Number(text)).replace('+', '')) ?? text }),
    },
  ),
  numbers(
    'script',
    3,
    ['node', 'go'],
    [
      'Your backend writes very large and very small numbers as JavaScript and Go do.',
      'They write 1e+22 and 0.00001; PHP writes 1.0e+22 and 1.0e-5.',
    ],
    { style: (style) => ({ ...style, number: (text) => String(Number(text)) }) },
  ),
  numbers(
    'python',
    2,
    ['python'],
    ['Your backend writes floats as Python does: 1.0, 1e+22, 1e-05.', "Python's json module does this."],
    ofFloats(pythonFloat),
  ),
  numbers(
    'ruby',
    3,
    ['ruby'],
    ['Your backend writes floats as Ruby does: 1.0, 1.0e+22, 1.0e-05.', 'PHP writes 1, 1.0e+22 and 1.0e-5.'],
    ofFloats(rubyFloat),
  ),
  numbers(
    'java',
    2,
    ['java'],
    [
      'Your backend writes floats as Java does: 1.0, 1.0E7, 1.0E-5.',
      'Java uses an exponent from ten million up and below 0.001.',
    ],
    ofFloats(javaDouble),
  ),
  numbers(
    'all-floats',
    3,
    ['java'],
    ['Your backend writes all numbers as floats: 10 becomes 10.0.', 'Gson does this when it reads into Object or a Map.'],
    { style: (style) => ({ ...style, number: (text) => javaDouble(Number(text)) }) },
  ),
  numbers(
    'perl',
    4,
    [],
    ['Your backend writes floats with 15 digits.', 'Perl and SQLite do this.'],
    ofFloats((value) => cFloat(value, 15)),
  ),
  numbers(
    'dotnet',
    3,
    ['csharp'],
    ['Your backend writes very large and very small floats as .NET does: 1E+22, 1E-05.', 'System.Text.Json does this.'],
    ofFloats(dotnetFloat),
  ),
  numbers(
    'newtonsoft',
    3,
    ['csharp'],
    ['Your backend writes floats as Newtonsoft.Json does: 1.0, 1E+22, 1E-05.'],
    ofFloats((value) => dotnetFloat(value, '.0')),
  ),
  numbers('lua', 4, [], ['Your backend writes all numbers with at most 14 digits.', 'lua-cjson does this.'], {
    style: (style) => ({ ...style, number: (text) => cFloat(Number(text), 14) }),
  }),
  numbers('jq', 4, [], ['Your backend writes numbers as jq does: 1e+22 and 1e-05, and it changes integers beyond 2^53.'], {
    style: (style) => ({ ...style, number: (text) => jqNumber(Number(text)) }),
  }),
  numbers(
    'whole-with-fraction',
    3,
    ['python', 'java', 'csharp'],
    ['Your backend adds .0 to whole numbers.', 'A float type in Python, Java, C# or Ruby does this.'],
    {
      style: (style) => ({
        ...style,
        number: (text) => (isWhole(phpNumber(text) ?? '') ? `${phpNumber(text)}.0` : (phpNumber(text) ?? text)),
      }),
    },
  ),
  numbers(
    'amounts-with-fraction',
    2,
    ['python', 'java', 'csharp'],
    ['Your backend adds .0 to whole amounts.', 'A float type in Python, Java, C# or Ruby does this.'],
    {
      change: (value) => ofAmounts(value, (text) => (isWhole(text) ? { kind: 'number', text: `${text}.0` } : null)),
      style: (style) => ({ ...style, number: (text) => (/^-?\d+\.0$/.test(text) ? text : style.number(text)) }),
    },
  ),
  numbers(
    'two-decimals',
    2,
    ['java', 'csharp', 'php'],
    ['Your backend writes amounts with two decimals.', 'Decimal types and number_format do this.'],
    {
      change: (value) => ofAmounts(value, (text) => ({ kind: 'number', text: Number(text).toFixed(2) })),
      style: (style) => ({ ...style, number: (text) => (/\.\d\d$/.test(text) ? text : style.number(text)) }),
    },
  ),
  numbers(
    'two-decimals-text',
    3,
    ['java', 'php'],
    ['Your backend writes amounts as strings with two decimals.', "number_format and BigDecimal's toString do this."],
    {
      change: (value) => ofAmounts(value, (text) => ({ kind: 'string', text: Number(text).toFixed(2) })),
    },
  ),
  numbers(
    'amounts-text-float',
    3,
    ['ruby'],
    ['Your backend writes amounts as strings, whole ones with .0.', 'Rails does this for a BigDecimal.'],
    { change: (value) => ofAmounts(value, (text) => ({ kind: 'string', text: decimalText(text) })) },
  ),
  numbers(
    'amounts-text',
    3,
    ['ruby', 'java'],
    ['Your backend writes amounts as strings.', "BigDecimal's toString and databases' number types do this."],
    {
      change: (value) => ofAmounts(value, (text) => ({ kind: 'string', text: phpNumber(text) ?? text })),
    },
  ),
  numbers(
    'precision-17',
    2,
    ['php'],
    ['Your backend writes floats with 17 digits.', 'PHP does this with serialize_precision 17.'],
    withPrecision(17),
  ),
  numbers(
    'precision-14',
    2,
    ['php'],
    ['Your backend writes floats with 14 digits.', 'PHP does this with serialize_precision or precision 14.'],
    withPrecision(14),
  ),
  numbers(
    'as-text',
    2,
    ['php', 'node'],
    ['Your backend writes numbers as strings.', 'Values from forms, URLs and CSV files are strings.'],
    {
      change: (value) =>
        mapValues(value, (one) => (one.kind === 'number' ? { kind: 'string', text: phpNumber(one.text) ?? one.text } : one)),
    },
  ),
  numbers(
    'from-text',
    2,
    ['php', 'node'],
    ['Your backend writes strings that look like numbers as numbers.', "PHP's JSON_NUMERIC_CHECK does this."],
    {
      change: (value) => mapValues(value, (one) => (one.kind === 'string' ? (numericCheck(one.text) ?? one) : one)),
    },
  ),
  numbers('words-as-numbers', 4, ['php'], ['Your backend writes true and false as 1 and 0.'], {
    change: (value) =>
      mapValues(value, (one) =>
        one.kind === 'word' && one.text !== 'null' ? { kind: 'number', text: one.text === 'true' ? '1' : '0' } : one,
      ),
  }),
  numbers('words-as-text', 4, ['php', 'python'], ['Your backend writes true and false as strings.'], {
    change: (value) =>
      mapValues(value, (one) => (one.kind === 'word' && one.text !== 'null' ? { kind: 'string', text: one.text } : one)),
  }),
];

/** Returns the mistakes that a request can have once for each number or number-like text among its members. */
export function mistakesOfNumbers(value: Value): DataMistake[] {
  return membersWithOwnMistakes(value).flatMap(({ name, value: own }) => {
    const only = (make: (text: string) => Value) => ({
      change: (whole: Value) =>
        mapValues(whole, (one, of) => (of === name && one.kind === own.kind ? make((one as { text: string }).text) : one)),
    });
    if (own.kind === 'number')
      return [
        numbers(
          `as-text:${name}`,
          3,
          [],
          [`Your backend writes ${name} as a string.`],
          only((text) => ({ kind: 'string', text })),
        ),
        numbers(`fraction:${name}`, 3, [], [`Your backend adds .0 to ${name}.`], {
          ...only((text) => ({ kind: 'number', text: isWhole(text) ? `${text}.0` : text })),
          style: (style) => ({ ...style, number: (text) => (/^-?\d+\.0$/.test(text) ? text : style.number(text)) }),
        }),
      ];
    if (own.kind === 'string' && numericCheck(own.text) !== null)
      return [
        numbers(
          `from-text:${name}`,
          3,
          [],
          [`Your backend writes ${name} as a number.`],
          only((text) => numericCheck(text) ?? { kind: 'string', text }),
        ),
      ];
    return [];
  });
}

function ofAmounts(value: Value, change: (text: string) => Value | null): Value {
  return mapValues(value, (one, name) =>
    one.kind === 'number' && name !== null && /amount|balance|win|^bet$|jackpot/i.test(name) ? (change(one.text) ?? one) : one,
  );
}

/** Reads a text as PHP's JSON_NUMERIC_CHECK does; null if it is not a number. */
function numericCheck(text: string): Value | null {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  if (/^[+-]?\d+$/.test(trimmed))
    return { kind: 'number', text: phpNumber(BigInt(trimmed.replace('+', '')).toString()) ?? trimmed };
  return { kind: 'number', text: String(Number(trimmed)) };
}

/** Writes floats as a language does. An amount is a float even where it is whole. */
function ofFloats(write: (value: number) => string): Pick<DataMistake, 'change' | 'style'> {
  return {
    change: (value) => ofAmounts(value, (text) => (isWhole(text) ? { kind: 'number', text: `${text}.0` } : null)),
    style: (style) => ({ ...style, number: (text) => (isWhole(text) ? text : write(Number(text))) }),
  };
}

/** Writes a float with so many digits, as PHP does with that serialize_precision. */
function withPrecision(digits: number): Pick<DataMistake, 'style'> {
  return {
    style: (style) => ({
      ...style,
      number: (text) => (isWhole(text) ? style.number(text) : phpPrecision(Number(text), digits)),
    }),
  };
}

/** Ruby's text of a BigDecimal. */
function decimalText(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const places = fraction.length - Number(exponent);
  const digits = (whole + fraction).padStart(places + 1, '0') + '0'.repeat(Math.max(0, -places));
  const at = digits.length - Math.max(0, places);
  return `${sign}${digits.slice(0, at).replace(/^0+(?=\d)/, '')}.${digits.slice(at).replace(/0+$/, '') || '0'}`;
}
