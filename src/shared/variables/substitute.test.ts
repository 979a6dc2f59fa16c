import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { createGenerated } from './generated.ts';
import { createResolver } from './resolver.ts';
import { createScopes, type ScopeParts } from './scopes.ts';
import { inputPlace, inputRange, substitute, type SubstitutionRules } from './substitute.ts';

function run(text: string, scopes: ScopeParts, rules: Partial<SubstitutionRules> = {}) {
  let count = 0;
  const generated = createGenerated({
    environment: { timeZone: 'UTC', answers: {} },
    now: Date.UTC(2026, 10, 20, 10, 15, 30),
    newId: () => `id-${++count}`,
  });
  return substitute(text, createResolver(createScopes(scopes), generated), { kind: 'json', limit: 1_000_000, ...rules });
}

function json(text: string, values: Record<string, string>): string {
  const result = run(text, { run: values });
  return result.ok ? result.text : result.errors.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n');
}

function nested(collection: Record<string, string>, text = '{{a}}'): string {
  const result = run(text, { collection, run: { row: '{{a}}' } }, { kind: 'plain' });
  return result.ok ? result.text : result.errors.map(({ message }) => message).join('\n');
}

describe('inside a JSON string', () => {
  it('escapes what must be and nothing else', () => {
    expect(json('{"a": "<{{x}}>"}', { x: 'a/b "c" \\ \n\t\u0001 é 😀 \u2028' })).toBe(
      '{"a": "<a/b \\"c\\" \\\\ \\n\\t\\u0001 é 😀 \u2028>"}',
    );
    expect(json('"{{x}}"', { x: '\ud83d' })).toBe('"\\ud83d"');
    expect(json('"{{x}}"', { x: '' })).toBe('""');
    expect(json('{"{{x}}": 1}', { x: 'a"b' })).toBe('{"a\\"b": 1}');
  });

  it('puts a value in once', () => {
    expect(json('"{{x}}{{y}}"', { x: '{{y}}', y: '{{x}}' })).toBe('"{{y}}{{x}}"');
    expect(json('"{{x}}y}}"', { x: '{{', y: '!' })).toBe('"{{y}}"');
    expect(json('"{{$braces}}x}}"', { x: '!' })).toBe('"{{x}}"');
  });
});

describe('outside of JSON strings', () => {
  it('takes JSON over as it is', () => {
    const values = { a: '9007199254740993', b: '0.10', c: '"é/"', d: '{"z": [1e5, -0]}', e: ' true ', f: '-12.5E+3' };
    expect(json('[{{a}},{{b}},{{c}},{{d}},{{e}},{{f}}]', values)).toBe(
      '[9007199254740993,0.10,"é/",{"z": [1e5, -0]}, true ,-12.5E+3]',
    );
    expect(json('{ {{c}}: -{{b}} }', values)).toBe('{ "é/": -0.10 }');
  });

  it('refuses a text, so that no value can bring members in', () => {
    expect(json('{"a": {{x}}}', { x: 'abc' })).toBe('1:7 The value of x is not JSON. Put it in double quotes: "{{x}}".');
    expect(json('{"a": {{ x }}}', { x: '' })).toBe(
      '1:7 The value of x is empty, which is not JSON. Put it in double quotes: "{{ x }}".',
    );
    for (const x of ['1, "b": 2', '1}', '01', '.5', 'NaN', '1 2', '"a', '// a', '1;']) {
      expect(json('{"a": {{x}}}', { x }), x).toContain('is not JSON');
    }
    expect(json('{"a": {{$time}}}', {})).toContain('Put it in double quotes: "{{$time}}".');
  });
});

describe('plain text', () => {
  it('takes any value as it is', () => {
    expect(run('a"{{x}}"1{{x}}', { run: { x: 'q"\\\n' } }, { kind: 'plain' })).toMatchObject({ text: 'a"q"\\\n"1q"\\\n' });
  });

  it('writes times in the order that it is given', () => {
    expect(run('{{$now-1h}}', {}, { kind: 'plain', timeOrder: 'ymd' })).toMatchObject({ text: '2026-11-20 09:15:30' });
  });
});

describe('uses', () => {
  it('say what stands where', () => {
    const text = '{"a": "{{ name }}", "b": {{n}}, "c": "{{$uniqueId}}"}';
    const result = run(text, { run: { name: 'x"y' }, collection: { n: '10' } });
    if (!result.ok) throw new Error('refused');
    expect(result.text).toBe('{"a": "x\\"y", "b": 10, "c": "id-1"}');
    expect(
      result.uses.map((use) => [
        use.name,
        use.source,
        use.value,
        use.inString,
        text.slice(use.start, use.end),
        result.text.slice(use.outputStart, use.outputEnd),
      ]),
    ).toEqual([
      ['name', 'run', 'x"y', true, '{{ name }}', 'x\\"y'],
      ['n', 'collection', '10', false, '{{n}}', '10'],
      ['$uniqueId', 'generated', 'id-1', true, '{{$uniqueId}}', 'id-1'],
    ]);
  });

  it('are none for a text without variables, which is not copied', () => {
    expect(run('{"a": tru', {})).toEqual({ ok: true, text: '{"a": tru', uses: [] });
  });
});

describe('errors', () => {
  it('are all there, each with its place', () => {
    const text = '{"a": "{{externalTokn}}",\n "😀{{b c}}": {{missing}},\n "d": {{word}} {{';
    const result = run(text, { run: { externalToken: 't', word: 'abc' } });
    expect(result).toEqual({
      ok: false,
      errors: [
        {
          message: 'There is no variable externalTokn. Did you mean externalToken?',
          name: 'externalTokn',
          missing: 'externalTokn',
          start: 7,
          end: 23,
          line: 1,
          column: 8,
        },
        { message: expect.stringContaining('"b c" is not a name.'), name: 'b c', start: 30, end: 37, line: 2, column: 4 },
        {
          message: 'There is no variable missing. Define it in the collection, or set it from an earlier response.',
          name: 'missing',
          missing: 'missing',
          start: 40,
          end: 51,
          line: 2,
          column: 14,
        },
        {
          message: 'The value of word is not JSON. Put it in double quotes: "{{word}}".',
          name: 'word',
          start: 59,
          end: 67,
          line: 3,
          column: 7,
        },
        { message: expect.stringContaining('never closed'), name: '', start: 68, end: 70, line: 3, column: 16 },
      ],
    });
  });

  it('look among generated names too', () => {
    expect(json('"{{uniqueId}}{{$curency}}"', {})).toContain('Did you mean $uniqueId?');
  });

  it('say why the key is not a variable, and never show a value', () => {
    expect(json('"{{privateKey}}"', { privateKey: 'hunter2' })).toBe(
      '1:2 privateKey is not a variable: the private key stays in the keychain. It signs a request and is never part of one.',
    );
    expect(json('{{token}}', { token: 'tok-123' })).not.toContain('tok-123');
  });

  it('stay cheap by the thousand', () => {
    const text = Array.from({ length: 50_000 }, (_, i) => `{{x${i}}}`).join('\n');
    const result = run(
      text,
      { run: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`name${i}`, ''])) },
      { kind: 'plain' },
    );
    expect(result.ok ? [] : result.errors).toHaveLength(50_000);
    expect(result.ok ? null : result.errors.at(-1)).toMatchObject({ line: 50_000, column: 1 });
  });
});

describe('variables of files that are made of others', () => {
  it('are resolved', () => {
    expect(nested({ a: '<{{b}}|{{ b }}>', b: '{{c}}', c: 'x' })).toBe('<x|x>');
    expect(nested({ a: '{{row}}' })).toBe('{{a}}');
    expect(nested({ a: '{{$braces}}b}}', b: 'x' })).toBe('{{b}}');
  });

  it('have one value in one request', () => {
    expect(nested({ a: 'ref-{{$uniqueId}}' }, '{{a}} {{a}} {{$uniqueId}}')).toBe('ref-id-1 ref-id-1 id-2');
    expect(nested({ a: '{{b}} {{b}}', b: '{{$uniqueId}}' }, '{{a}} {{b}}')).toBe('id-1 id-1 id-1');
  });

  it('are escaped as a whole', () => {
    expect(run('["{{a}}", {{n}}]', { collection: { a: '{{q}}{{q}}', q: '"', n: '1{{m}}', m: '0.50' } })).toMatchObject({
      text: '["\\"\\"", 10.50]',
    });
  });

  it('name the circle that they make', () => {
    const reason = "These variables refer to each other. Change one so that it doesn't use the others.";
    expect(nested({ a: '{{b}}', b: 'x{{a}}' })).toBe(`a → b → a: ${reason}`);
    expect(nested({ a: '{{a}}' })).toBe(`a → a: ${reason}`);
    expect(nested({ a: '{{b}}', b: '{{c}}', c: '{{b}}' })).toBe(`b → c → b: ${reason}`);
  });

  it('name the way to what is missing or malformed', () => {
    expect(nested({ a: '{{b}}', b: '{{lost}}' })).toContain('a → b → lost: There is no variable lost.');
    expect(nested({ a: '{{b}}', b: '{{x y}}' })).toContain('a → b → {{: "x y" is not a name.');
    expect(nested({ a: '{{$tme}}' })).toContain('a → $tme: There is no generated value $tme.');
  });

  it('name the variable inside that has no value, and the requests that take it', () => {
    const text = '{{a}}';
    const takers = (name: string) => (name === 'lost' ? ['w/1.yaml', '2.yaml', '3.yaml', '4.yaml'] : []);
    const found = run(text, { collection: { a: '{{b}}', b: '{{lost}}' }, takers }, { kind: 'plain' });
    expect(found.ok ? [] : found.errors.map(({ name, missing, message }) => [name, missing, message])).toEqual([
      [
        'a',
        'lost',
        'a → b → lost: There is no variable lost yet. These requests set it from their responses: w/1.yaml, 2.yaml, 3.yaml and 1 more. Run one of them first.',
      ],
    ]);
    const circle = run(text, { collection: { a: '{{a}}' }, takers }, { kind: 'plain' });
    expect(circle.ok ? null : circle.errors[0]).not.toHaveProperty('missing');
  });

  it('may be 20 deep from wherever one begins', () => {
    const chain = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`v${i}`, i === 29 ? 'end' : `{{v${i + 1}}}`]));
    expect(nested(chain, '{{v8}}')).toContain('more than 20 levels deep');
    expect(nested(chain, '{{v20}} {{v8}}')).toContain('more than 20 levels deep');
    expect(nested(chain, '{{v9}} {{v20}}')).toBe('end end');
  });

  it('do not grow beyond what a file may hold', () => {
    const laughs = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [`v${i}`, i === 0 ? 'ha' : `{{v${i - 1}}}`.repeat(10)]),
    );
    expect(nested(laughs, '{{v14}}')).toContain('more than 1,000,000 characters');
    expect(nested({ ...laughs, v0: '{{lost}}' }, '{{v14}}')).toContain('There is no variable lost.');
  });
});

describe('the limit', () => {
  it('holds for the result', () => {
    const long = 'x'.repeat(600);
    const message = 'With its values this text has more than 1,000 characters. Shorten it.';
    for (const text of ['{{x}}{{x}}{{x}}', `{{x}}${long}`]) {
      const result = run(text, { run: { x: long } }, { kind: 'plain', limit: 1_000 });
      expect(result).toMatchObject({ ok: false, errors: [{ message, name: 'x' }] });
    }
    expect(run('{{x}}', { run: { x: long } }, { limit: 600, kind: 'plain' }).ok).toBe(true);
  });

  it('stops before memory does', () => {
    const result = run('{{x}} '.repeat(50_000), { run: { x: 'y'.repeat(1_000_000) } }, { kind: 'plain', limit: 33_554_432 });
    expect(result).toMatchObject({ ok: false, errors: [{ start: 33 * 6 }] });
  });
});

describe('places in the result', () => {
  const text = '{"a": "{{x}}", "b": {{y}}, "c": tru}';
  const result = run(text, { run: { x: 'a long value', y: '12' } });
  if (!result.ok) throw new Error('refused');
  const { uses } = result;

  it('lead back to what was typed', () => {
    const parsed = parseJson(result.text);
    if (parsed.ok) throw new Error('read');
    expect(inputPlace(text, uses, parsed.error.offset)).toEqual({ offset: text.indexOf('tru'), line: 1, column: 33 });
  });

  it('lead to all of a variable from inside its value', () => {
    const at = result.text.indexOf('long');
    expect(inputRange(uses, at, at + 4)).toEqual({ start: 7, end: 12 });
    expect(inputRange(uses, at, at)).toEqual({ start: 7, end: 7 });
    const string = result.text.indexOf('"a long');
    expect(inputRange(uses, string, string + 14)).toEqual({ start: 6, end: 13 });
    expect(inputRange(uses, 0, 7)).toEqual({ start: 0, end: 7 });
  });
});
