/** A source of random numbers from 0 to below 1 that gives the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Where random texts begin. The same in each run, so that a failure is there again in the next one;
 * `CROUPIER_SEED=random` tries new texts, `CROUPIER_SEED=NUMBER` those of a run that printed it.
 */
export function chooseSeed(): number {
  const given = process.env['CROUPIER_SEED'] ?? '20261122';
  return given === 'random' ? Math.floor(Math.random() * 0x7fff_ffff) : Number(given);
}

/**
 * Random JSON texts as bytes: numbers of every form, all kinds of characters and escapes, duplicate and numeric names, deep
 * nesting; about a third of them damaged, by an edit or by malformed UTF-8.
 */
export function createJsonGenerator(random: () => number) {
  const below = (limit: number): number => Math.floor(random() * limit);
  const chance = (probability: number): boolean => random() < probability;
  const pick = <T>(options: readonly T[]): T => options[below(options.length)] as T;

  function digits(count: number): string {
    let text = '';
    for (let i = 0; i < count; i++) text += String(below(10));
    return text;
  }

  function integer(count: number): string {
    return count === 1 ? digits(1) : String(1 + below(9)) + digits(count - 1);
  }

  /** A double made of random bits, so that every exponent occurs. */
  function anyDouble(): string {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, below(0x1_0000_0000));
    view.setUint32(4, below(0x1_0000_0000));
    const value = view.getFloat64(0);
    if (!Number.isFinite(value)) return '1.5';
    return pick([String(value), value.toExponential(), value.toPrecision(17), value.toPrecision(1 + below(20))]).replace(
      'e+',
      pick(['e+', 'e', 'E+', 'E0']),
    );
  }

  function number(): string {
    const sign = chance(0.25) ? '-' : '';
    const edge = () =>
      pick([2n ** 53n, 2n ** 63n, 10n ** 15n, 10n ** 16n, 10n ** 17n, 10n ** 18n, 10n ** 19n, 2n ** 64n]) + BigInt(below(7) - 3);
    switch (below(13)) {
      case 0:
        return sign + integer(1 + below(3));
      case 1:
        return sign + integer(1 + below(25));
      case 2:
        return sign + String(edge());
      case 3:
        return `${sign}${edge()}.${digits(1 + below(3))}`;
      case 4:
        return `${sign}${integer(1 + below(6))}.${digits(1 + below(20))}`;
      case 5:
        return `${sign}0.${'0'.repeat(below(8))}${digits(1 + below(18))}`;
      case 6:
        return `${sign}${integer(1 + below(18))}${chance(0.5) ? `.${digits(1 + below(18))}` : ''}${pick(['e', 'E'])}${pick(['', '+', '-'])}${digits(1 + below(2))}`;
      case 7:
        return `${sign}${integer(1)}.${digits(1 + below(17))}e${pick(['+', '-', ''])}${290 + below(45)}`;
      case 8:
        return (
          sign +
          pick([
            '0',
            '0.0',
            '0e1',
            '0E-5',
            '0.000',
            '0e400',
            '1e-400',
            '1.0',
            '1.50',
            '100.00',
            '1e400',
            '5e-324',
            '2e-324',
            '3e-324',
          ])
        );
      case 9:
        return (
          sign +
          pick([
            '1e15',
            '1e16',
            '1e17',
            '1e-4',
            '1e-5',
            '0.0001',
            '0.00001',
            '0.00009999999999999999',
            '99999999999999999',
            '99999999999999992.5',
            '123456789012345678',
            '1.7976931348623157e308',
            '1.7976931348623159e308',
            '2.2250738585072011e-308',
            '0.1e-3',
            '12e22',
          ])
        );
      case 10:
        return `${sign}${integer(300 + below(20))}`;
      default:
        return anyDouble();
    }
  }

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

  function stringBody(): string {
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
  }

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

  const intruders = [
    'NaN',
    'TRUE',
    'Null',
    'Infinity',
    "'",
    ',',
    ',,',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '//',
    '/**/',
    '+',
    '-',
    '.',
    '0',
    '00',
    'e',
    '\u0000',
    '\u0001',
    '\t',
    '\n',
    '\u000b',
    '\u00a0',
    '\ufeff',
    '\\u',
    '\\ud800',
    '\\x',
    'true',
    '1e999',
    ' ',
  ];
  const brokenBytes = [
    [0xff],
    [0xfe],
    [0x80],
    [0xc0, 0xaf],
    [0xc1, 0x81],
    [0xc3],
    [0xe0, 0x80, 0x80],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xed, 0xbf, 0xbf],
    [0xf0, 0x80, 0x80, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xef, 0xbb, 0xbf],
  ];

  function damage(text: string): Buffer {
    const bytes = Buffer.from(text);
    const at = below(bytes.length + 1);
    const insert = (piece: Buffer) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    switch (below(6)) {
      case 0:
        return insert(Buffer.from(pick(intruders)));
      case 1:
        return insert(Buffer.from(pick(brokenBytes)));
      case 2:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(3))]);
      case 3:
        return bytes.subarray(0, at);
      case 4: {
        const copy = Buffer.from(bytes);
        if (copy.length > 0) copy[below(copy.length)] = below(256);
        return copy;
      }
      default:
        return insert(bytes.subarray(below(bytes.length + 1)));
    }
  }

  return {
    /** A well-formed text (its strings may hold lone surrogate escapes, its numbers may overflow). */
    text(): string {
      return chance(0.01) ? deep() : space() + value(chance(0.1) ? 7 : 3) + space();
    },
    /** A text as bytes, in about a third of all cases damaged. */
    bytes(): Buffer {
      const text = this.text();
      return chance(0.35) ? damage(text) : Buffer.from(text);
    },
    number,
  };
}
