import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { createGenerated } from './generated.ts';
import { findPlaceholders, withStandIns } from '../payload-text/placeholders.ts';
import { createResolver } from './resolver.ts';
import { createScopes } from './scopes.ts';
import { inputRange, substitute } from './substitute.ts';
import type { TextKind } from '../payload-text/placeholders.ts';

const generated = createGenerated({ environment: { timeZone: 'UTC', answers: {} }, now: 0, newId: () => 'id' });

function run(text: string, values: Record<string, string>, kind: TextKind = 'json') {
  return substitute(text, createResolver(createScopes({ run: values }), generated), { kind, limit: 10_000_000 });
}

/** Any UTF-16, with what is special more often: lone surrogates, quotes, backslashes, line breaks, braces. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\r', '{{', '}}', '{{v0}}', '\u2028', '/', '\ud800', '\udc00', '\0', '\\u', ','),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 20,
});

const digits = (minLength: number) => fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength, maxLength: 25 });
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('0', '9', '17', '9007199254740993'),
    digits(0),
    fc.option(digits(1)),
    fc.option(digits(1)),
  )
  .map(([sign, first, more, fraction, exponent]) => {
    const whole = first === '0' ? '0' : first + more;
    return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e-${exponent}`}`;
  });

describe('for any values', () => {
  it('gives texts back from inside the strings of any tree', () => {
    // Each string of the tree becomes a variable between fixed ends; names of members too.
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.array(anyText, { minLength: 1 }), (tree, texts) => {
        const values: Record<string, string> = {};
        let count = 0;
        function hide(text: string): string {
          const name = `v${count}`;
          values[name] = (texts[count % texts.length] ?? '') + text;
          count++;
          return `<{{${name}}}>`;
        }
        function walk(value: unknown, string: (text: string) => string): unknown {
          if (typeof value === 'string') return string(value);
          if (Array.isArray(value)) return value.map((item) => walk(item, string));
          if (typeof value !== 'object' || value === null) return value;
          return Object.fromEntries(Object.entries(value).map(([key, member]) => [string(key), walk(member, string)]));
        }
        const template = walk(tree, hide);
        const result = run(JSON.stringify(template, null, 1), values);
        const wanted = walk(template, (text) => `<${values[text.slice(3, -3)]}>`);
        expect(JSON.stringify(result.ok && JSON.parse(result.text))).toBe(JSON.stringify(wanted));
      }),
    );
  });

  it('keeps the text of any JSON outside of strings', () => {
    const value = fc.oneof(number, fc.json());
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (items) => {
        const template = `[${items.map((_, i) => `{{v${i}}}`).join(', ')}]`;
        const result = run(template, Object.fromEntries(items.map((item, i) => [`v${i}`, item])));
        expect(result).toMatchObject({ ok: true, text: `[${items.join(', ')}]` });
        expect(parseJson(result.ok ? result.text : '').ok).toBe(true);
      }),
    );
  });

  it('lets no value outside of strings be anything but one value', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.json().map((text) => `${text}, 1`),
        ),
        (value) => {
          const result = run('{"a": {{v}}}', { v: value });
          expect(result.ok).toBe(parseJson(value).ok);
          if (!result.ok) return;
          const parsed = parseJson(result.text);
          expect(parsed.ok && parsed.root.kind === 'object' && parsed.root.members.length).toBe(1);
        },
      ),
    );
  });

  it('puts plain values in as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: fc.constantFrom('a', '"', '\\', '😀', '}') }), anyText)), (pieces) => {
        const template = pieces.map(([before], i) => `${before}{{v${i}}}`).join('');
        const result = run(template, Object.fromEntries(pieces.map(([, value], i) => [`v${i}`, value])), 'plain');
        expect(result).toMatchObject({ ok: true, text: pieces.map(([before, value]) => before + value).join('') });
      }),
    );
  });
});

describe('for any text', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '{{',
    '}}',
    '{{a}}',
    '{{ b }}',
    '{{$time}}',
    '"',
    '\\',
    '\\u00',
    '\n',
    ' ',
    '1',
    '-',
    ':',
    ',',
    '[',
    'tru',
    '😀',
  );
  const anyTemplate = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const values = fc.record({ a: anyText, b: fc.oneof(number, fc.json()) });
  const kinds = fc.constantFrom<TextKind>('json', 'plain');

  it('maps offsets of the result back, in order and within the text', () => {
    fc.assert(
      fc.property(anyTemplate, values, kinds, (text, given, kind) => {
        const result = run(text, given, kind);
        if (!result.ok) return;
        let before = 0;
        for (let offset = 0; offset <= result.text.length; offset++) {
          const { start, end } = inputRange(result.uses, offset, offset);
          expect(start).toBe(end);
          expect(start).toBeGreaterThanOrEqual(before);
          expect(start).toBeLessThanOrEqual(text.length);
          const inside = result.uses.some((use) => use.outputStart <= offset && offset < use.outputEnd);
          if (!inside && offset < result.text.length) expect(text[start]).toBe(result.text[offset]);
          before = start;
        }
        for (const use of result.uses) {
          if (use.outputEnd === use.outputStart) continue;
          expect(inputRange(result.uses, use.outputStart, use.outputEnd)).toEqual({ start: use.start, end: use.end });
        }
      }),
    );
  });

  it('finds places that lie in the text, in order and apart, and says something about each malformed one', () => {
    fc.assert(
      fc.property(anyTemplate, kinds, (text, kind) => {
        let before = 0;
        for (const { start, end, kind: type, message, name } of findPlaceholders(text, kind)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(text.startsWith('{{', start)).toBe(true);
          expect(message === '').toBe(type !== 'malformed');
          if (type !== 'malformed') expect(text.slice(start + 2, end - 2).trim()).toBe(name);
          before = end;
        }
        const standIn = withStandIns(text);
        expect(standIn.length).toBe(text.length);
      }),
    );
  });

  it('never lets a value change what stands around it', () => {
    const inside = fc.constantFrom(
      '{{a}}',
      '{{ b }}',
      '{{$time}}',
      '{{{a}}}',
      '\\\\',
      '\\"',
      '\\u0041',
      '\\n',
      'x',
      '}',
      '}}',
      '/',
      '😀',
    );
    const string = fc.array(inside).map((pieces) => pieces.join(''));
    const strings = fc.array(fc.tuple(string, string), { minLength: 1 });
    fc.assert(
      fc.property(strings, fc.record({ a: anyText, b: anyText }), (members, given) => {
        const text = `{${members.map(([name, value]) => `"${name}": ["${value}", 1]`).join(',\n')}}`;
        const result = run(text, given);
        const parsed = parseJson(result.ok ? result.text : '');
        if (!parsed.ok || parsed.root.kind !== 'object') throw new Error('The text is not an object any more');
        expect(parsed.root.members).toHaveLength(members.length);
        for (const [index, [name, value]] of members.entries()) {
          const member = parsed.root.members[index];
          const [first] = member?.value.kind === 'array' ? member.value.items : [];
          expect([member?.key, first?.kind === 'string' && first.value]).toEqual(
            [name, value].map((half) => plainly(half, given)),
          );
        }
      }),
    );
  });
});

/** Returns the value of a string with variables, computed another way: first its JSON, then the values. */
function plainly(inside: string, given: Record<string, string>): string {
  const spoken: string = JSON.parse(`"${inside}"`);
  return spoken.replaceAll(/\{\{ ?(a|b|\$time) ?\}\}/g, (_, name: string) => given[name] ?? '01-01-1970 00:00:00');
}
