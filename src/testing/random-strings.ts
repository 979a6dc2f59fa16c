import type { Choices } from './seeded-random.ts';

const singles = [
  '/',
  '<',
  '>',
  '&',
  "'",
  '%',
  '\u007f',
  '\u0080',
  '\u0085',
  '\u00a0',
  'é',
  'ß',
  'Ж',
  '中',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u2029',
  '\u202e',
  '\ud7ff',
  '\ue000',
  '\ufeff',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '😀',
  '𝒳',
  '\u{10ffff}',
  '\u{10000}',
  'e\u0301',
];

/** Returns the characters between the quotes of a JSON string: all kinds of characters and escapes, lone surrogates too. */
export function createStringBodies({ below, chance, pick }: Choices): () => string {
  return () => {
    let body = '';
    for (let count = below(chance(0.05) ? 60 : 9); count > 0; count--) {
      switch (below(8)) {
        case 0:
          body += pick(singles);
          break;
        case 1:
          body += pick([
            '\\"',
            '\\\\',
            '\\/',
            '\\b',
            '\\f',
            '\\n',
            '\\r',
            '\\t',
            '\\u0000',
            '\\u0022',
            '\\u005c',
            '\\u002F',
            '\\u007f',
            '\\u001F',
            '\\u2028',
            '\\uFEFF',
          ]);
          break;
        case 2:
          body += `\\u${pick(['00', '04', '20', 'AB', 'fF'])}${below(256).toString(16).padStart(2, '0')}`;
          break;
        case 3:
          body += chance(0.3)
            ? `\\u${pick(['d8', 'DB', 'dC', 'Df'])}${pick(['00', '3D', 'ff'])}`
            : pick(['\\ud83d\\ude00', '\\uD800\\uDC00', '\\uDBFF\\uDFFF', '\\uD835\\udcb3']);
          break;
        case 4:
          body += chance(0.2)
            ? String.fromCodePoint(pick([below(0xd800), 0xe000 + below(0x2000), 0x10000 + below(0x100000)])).replace(
                /[^ !#-[\]-\u{10ffff}]/u,
                '.',
              )
            : 'x';
          break;
        default:
          body += pick(['a', 'B', '7', ' ', 'player', '-', '.', ':', ',', '{', ']', '1e5', 'true']);
      }
    }
    return body;
  };
}
