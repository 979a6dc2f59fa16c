// Mutants that change nothing that anybody could see, with the reason. One that no source has any more is an error.

const spellings = 'src/main/core/masking/character-spellings.ts';
const places = 'src/main/core/masking/secret-places.ts';
const reading = 'src/main/loopback/read-json.ts';

/** `line` is the source line, without the blanks around it; `change` is what the mutation test prints of a survivor. */
export const equivalent = [
  {
    file: places,
    line: 'if (unit === backslash) {',
    change: 'unit === backslash → false',
    why: 'Every form is then tried at a backslash, in place of those that can begin there: slower, the same places.',
  },
  {
    file: places,
    line: 'if (next === point || next === otherwise(kind, point) || isSpecial(next) || next === zero) break;',
    change: 'next === point || next === otherwise(kind, point) || isSpecial(next) → true',
    why: 'The slower loop then says that nothing is there, in place of the faster one.',
  },
  {
    file: spellings,
    line: 'return -1;',
    change: 'return -1; → return;',
    why: 'In `otherwise`: undefined is the code of no character either, and writes into no place of an array of numbers.',
  },
  {
    file: spellings,
    line: 'if (!each(((0xf0 << (3 - more)) & 0xff) | (point >> (6 * more)))) return false;',
    change: 'return false; → return;',
    why: 'Both are asked only whether they are true.',
  },
  ...['unit === 0x58', 'unit === 0x78'].map((part) => ({
    file: places,
    line: 'if (unit === 0x75 || unit === 0x55 || unit === 0x78 || unit === 0x58 || (unit >= 0x30 && unit <= 0x33))',
    change: `${part} → true`,
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  })),
  {
    file: places,
    line: 'return unit === 0x62 || unit === 0x74 || unit === 0x6e || unit === 0x76 || unit === 0x66 || unit === 0x72;',
    change: 'unit === 0x74 → true',
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  },
  {
    file: places,
    line: 'return unit === 0x62 || unit === 0x74 || unit === 0x6e || unit === 0x76 || unit === 0x66 || unit === 0x72;',
    change: 'unit === 0x62 || unit === 0x74 || unit === 0x6e || unit === 0x76 → true',
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  },
  {
    file: places,
    line: 'return isShortLetter(unit) ? own | (starts[nowShort] ?? 0) : own;',
    change: 'isShortLetter(unit) → true',
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  },
  {
    file: places,
    line: 'wanted = code === -1 ? (starts[nowPercent] ?? 0) : (starts[Math.min(code, 128)] ?? 0) | (starts[nowPercent] ?? 0);',
    change: 'code === -1 → false',
    why: 'An array has nothing at -1, so what is added is 0.',
  },
  {
    file: places,
    line: 'return unit === backslash || unit === percent || unit === ampersand || unit === plus || unit === quote;',
    change: 'unit === backslash → true',
    why: 'Every character is then looked at in the slower loop, which finds the same.',
  },
  {
    file: places,
    line: 'return unit === backslash || unit === percent || unit === ampersand || unit === plus || unit === quote;',
    change: 'unit === quote → true',
    why: 'Every character is then looked at in the slower loop, which finds the same.',
  },
  {
    file: places,
    line: 'return code === -1 ? own : own | (starts[Math.min(code, nowOther)] ?? 0);',
    change: 'return code === -1 ? own : own | (starts[Math.min(code, nowOther)] ... → ;',
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  },
  {
    file: places,
    line: 'if (unit === 0x75 || unit === 0x55 || unit === 0x78 || unit === 0x58 || (unit >= 0x30 && unit <= 0x33))',
    change: 'unit === 0x75 || unit === 0x55 || unit === 0x78 || unit === 0x58 ||... → true',
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  },
  {
    file: places,
    line: 'if (other !== -1) mark(other, bit);',
    change: 'other !== -1 → true',
    why: 'An array of numbers takes nothing at -1.',
  },
  {
    file: places,
    line: 'if (index === 0 || kind === plain) continue;',
    change: 'index === 0 → false',
    why: 'Nothing is looked for at a separator: no form begins with one.',
  },
  ...['unit >= 0x30 && unit <= 0x33 → true', '&& → ||', 'unit === 0x75 || unit === 0x55 → true'].map((change) => ({
    file: places,
    line: 'if (unit === 0x75 || unit === 0x55 || unit === 0x78 || unit === 0x58 || (unit >= 0x30 && unit <= 0x33))',
    change,
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  })),
  {
    file: places,
    line: 'if (next === point || next === otherwise(kind, point) || isSpecial(next) || next === zero) break;',
    change: 'next === otherwise(kind, point) → true',
    why: 'The slower loop then says that nothing is there, in place of the faster one.',
  },
  {
    file: places,
    line: 'if (unit >= 0xd800 && unit <= 0xdbff) break;',
    change: '&& → ||',
    why: 'The slower loop then says that nothing is there, in place of the faster one.',
  },
  {
    file: places,
    line: 'if (first === space) mark(plus, bit);',
    change: 'first === space → true',
    why: 'More forms are then tried at a plus than can begin there: slower, the same places.',
  },
  {
    file: 'src/main/core/masking/token-mask.ts',
    line: 'if (at < end) part += text.slice(at, end);',
    change: 'at < end → true',
    why: 'A slice that ends before it begins is empty.',
  },
  {
    file: places,
    line: 'if (first === percent) mark(nowPercent, bit);',
    change: 'first === percent → true',
    why: 'More forms are then tried at a percent sign than can begin there: slower, the same places.',
  },
  {
    file: places,
    line: 'let wanted = starts[unit < 128 ? unit : 128] ?? 0;',
    change: '< → <=',
    why: 'Both are 128.',
  },
  {
    file: places,
    line: 'return unit === backslash || unit === percent || unit === ampersand || unit === plus || unit === quote;',
    change: 'unit === ampersand → true',
    why: 'Every character is then looked at in the slower loop, which finds the same.',
  },
  {
    file: places,
    line: 'if (next === point || next === otherwise(kind, point) || isSpecial(next) || next === zero) break;',
    change: 'next === point || next === otherwise(kind, point) → true',
    why: 'The slower loop then says that nothing is there, in place of the faster one.',
  },
  {
    file: places,
    line: 'for (let start = from; start < text.length; start++) {',
    change: '< → <=',
    why: 'Nothing begins behind the end of a text.',
  },
  {
    file: 'src/main/core/masking/token-mask.ts',
    line: "const [start, end] = indices?.groups?.['value'] ?? [0, 0];",
    change: '[0, 0] → []',
    why: 'A match of an expression with indices and this group has them; only its type says otherwise.',
  },
  {
    file: 'src/main/core/masking/mask-places.ts',
    line: 'while (end < length && isOfNumber(unitAt(end))) end++;',
    change: '< → <=',
    why: 'Behind the end of a text stands nothing of a number.',
  },
  {
    file: 'src/main/core/masking/token-mask.ts',
    line: 'if (text.length > mostValues && /^\\s*[[{]/.test(text)) {',
    change: '> → >=',
    why: 'A text of as many characters as values are read cannot have more of them.',
  },
  {
    file: spellings,
    line: "return point >= 0x08 && point <= 0x0d ? 'btnvfr'.charCodeAt(point - 0x08) : -1;",
    change: '&& → ||',
    why: 'Beside its six letters the text has NaN, which is not a character.',
  },
  {
    file: places,
    line: 'return unit === backslash || unit === percent || unit === ampersand || unit === plus || unit === quote;',
    change: 'unit === backslash || unit === percent || unit === ampersand || uni... → true',
    why: 'Every character is then looked at in the slower loop, which finds the same.',
  },
  {
    file: places,
    line: 'let afterRun = -1;',
    change: '-1 → +1',
    why: 'A run of backslashes at the very start of a text is then not measured: its forms are looked for at each of them, and are the same.',
  },
  {
    file: places,
    line: 'if (unit === 0x75 && text.charCodeAt(after + 1) !== 0x7b) {',
    change: 'text.charCodeAt(after + 1) !== 0x7b → false',
    why: 'More forms are then tried behind backslashes than can stand there: slower, the same places.',
  },
  {
    file: 'src/main/core/masking/token-mask.ts',
    line: "const masked = parts(text, [text.length])[0] ?? '';",
    change: "'' → 'mutated'",
    why: 'One end gives one part; only its type says otherwise.',
  },
  {
    file: 'src/main/core/masking/token-mask.ts',
    line: "values.set(unquoted(groups?.['value'] ?? ''), markFor(groups?.['name'] ?? ''));",
    change: '?. → (nothing)',
    why: 'A match of an expression with named groups has them; only its type says otherwise.',
  },
  {
    file: reading,
    line: 'const isLong = bytes.length > longBytes;',
    change: 'bytes.length > longBytes → true',
    why: 'Short texts then wait for other work too.',
  },
  {
    file: reading,
    line: 'if (at > 0) await setImmediate();',
    change: 'at > 0 → true',
    why: 'The first part then waits for other work too.',
  },
  {
    file: reading,
    line: 'let bytes: Buffer = Buffer.alloc(announced > 0 ? announced : 4_096);',
    change: 'announced > 0 → true',
    why: 'It grows when something comes.',
  },
  {
    file: 'src/shared/signing/hash-input.ts',
    line: 'if (!notable.test(text)) return found;',
    change: '!notable.test(text) → false',
    why: 'A shortcut for texts in which the loop finds nothing.',
  },
  {
    file: 'src/shared/signing/time.ts',
    line: "return timeZone === 'UTC' || formatterOf(timeZone) !== null;",
    change: "timeZone === 'UTC' → false",
    why: 'A shortcut: every program knows UTC.',
  },
];
