import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { findPlaceholders, mostPlaceholders, withStandIns, type TextKind } from './placeholders.ts';

function found(text: string, kind: TextKind = 'plain') {
  return findPlaceholders(text, kind).map(({ kind: type, name, start, end }) => [type, name, text.slice(start, end)]);
}

function message(text: string, kind: TextKind = 'plain'): string {
  return findPlaceholders(text, kind)
    .map((placeholder) => placeholder.message)
    .join('');
}

describe('the grammar', () => {
  it('reads variables and generated values, with spaces around them', () => {
    expect(found('a{{x}}b{{ y-1.z_ }}{{\t$now+7d:ymd }}}')).toEqual([
      ['variable', 'x', '{{x}}'],
      ['variable', 'y-1.z_', '{{ y-1.z_ }}'],
      ['generated', '$now+7d:ymd', '{{\t$now+7d:ymd }}'],
    ]);
  });

  it('leaves single braces and closing ones alone', () => {
    expect(found('{x} } }} {"a":{"b":{}}}')).toEqual([]);
  });

  it('takes the last two of three braces', () => {
    expect(found('{{{x}}}')).toEqual([['variable', 'x', '{{x}}']]);
    expect(found('{"a":{{{k}}:1}}', 'json')).toEqual([['variable', 'k', '{{k}}']]);
  });

  it('says what to do about everything else between braces', () => {
    expect(message('{{}}')).toBe('Write the name of a variable between the braces.');
    expect(message('{{ 1st }}')).toBe('"1st" is not a name. Use letters, digits, _, . and - and begin with a letter.');
    expect(message('{{player id}}')).toContain('"player id" is not a name.');
    expect(message('{{é}}')).toContain('"é" is not a name.');
    expect(message('{{ $now + 7d }}')).toBe('Write it without spaces: {{$now+7d}}.');
    expect(message('{{x')).toBe('This {{ is never closed: write }} after the name. To write {{ itself, use {{$braces}}.');
    expect(message('{{x\n}}')).toContain('never closed');
    expect(message('{{{{x}}}}')).toBe('To write {{ itself, use {{$braces}}.');
    expect(message(`{{${'x '.repeat(40)}}}`)).toContain('x …" is not a name.');
  });

  it('goes on behind a malformed one', () => {
    expect(found('{{ {{x}} {{a b}} {{y}}')).toEqual([
      ['malformed', '', '{{'],
      ['variable', 'x', '{{x}}'],
      ['malformed', 'a b', '{{a b}}'],
      ['variable', 'y', '{{y}}'],
    ]);
  });
});

describe('in JSON', () => {
  function strings(text: string): boolean[] {
    return findPlaceholders(text, 'json').map(({ inString }) => inString);
  }

  it('knows strings from what stands between them', () => {
    expect(strings('{"{{a}}": {{b}}, "c\\"{{c}}": ["\\\\", {{d}}, "{{e}}"]}')).toEqual([true, false, true, false, true]);
    expect(strings('"{{a}}{{b}}"')).toEqual([true, true]);
  });

  it('ends an unclosed string at the end of its line', () => {
    expect(strings('{"a": "x {{b}}\n, "c": {{d}}')).toEqual([true, false]);
    expect(strings('{"a": "x\\\n, "c": {{d}}')).toEqual([false]);
    expect(strings('{"a": "{{x", "b": "y"}\n"{{c}}"')).toEqual([true, true]);
  });

  it('refuses to complete an escape with a value', () => {
    for (const text of ['"\\{{x}}"', '"\\u{{x}}"', '"\\u00{{x}}"', '"\\\\\\{{x}}"']) {
      expect(message(text, 'json')).toBe('A backslash escape ends in {{ here. Write \\\\ for a backslash, or remove it.');
    }
    for (const text of ['"\\\\{{x}}"', '"\\u0041{{x}}"', '"\\n{{x}}"', '"\\u12g{{x}}"', '\\{{x}}']) {
      expect(message(text, 'json')).toBe('');
    }
  });

  it('refuses to put digits together outside of strings', () => {
    for (const text of [
      '1{{x}}',
      '{{x}}0',
      '{{x}}.5',
      '{{x}}e5',
      '{{a}}{{b}}',
      '{{a}}-{{b}}',
      '1e-{{x}}',
      '-1-{{x}}',
      'tr{{x}}',
    ]) {
      expect(message(`[${text}]`, 'json'), text).toContain('would merge with');
    }
    for (const text of ['-{{x}}', '"{{a}}{{b}}1"', '{{a}},{{b}}', ' {{a}} ', '{{{k}}:{{v}}}']) {
      expect(message(`[${text}]`, 'json'), text).toBe('');
    }
  });
});

describe('stand-ins', () => {
  it('keep every place', () => {
    const text = '{"{{a}}": {{b}}, {{c}} : "{{d}}", "e": [-{{f}}, {{g h}}], {{{i}}:{}}';
    const standIn = withStandIns(text);
    expect(standIn).toBe('{"{{a}}": 11111, "   " : "{{d}}", "e": [-11111, 1111111], {"   ":{}}');
    expect(standIn).toHaveLength(text.length);
  });

  it('let an error of JSON stand where it is', () => {
    const text = '{"a": {{b}},\n "c": tru, "d": "{{e}}"}';
    expect(parseJson(withStandIns(text))).toMatchObject({
      ok: false,
      error: { offset: text.indexOf('tru,'), line: 2, column: 7 },
    });
    expect(parseJson(withStandIns('{"a": "\\{{x}}"}'))).toMatchObject({ ok: false, error: { offset: 7 } });
  });

  it('leave a text without variables alone', () => {
    expect(withStandIns('{"a": "{{b}}"}')).toBe('{"a": "{{b}}"}');
    expect(withStandIns('{"a": 1}')).toBe('{"a": 1}');
  });
});

describe('hostile texts', () => {
  // Twice the work for twice the text: a quadratic one would not end within the limit of a test.
  const size = 1_000_000;

  it('are read in one pass', () => {
    expect(findPlaceholders('{'.repeat(size), 'json')).toHaveLength(1);
    expect(findPlaceholders('{{ '.repeat(50_000), 'json')).toHaveLength(50_000);
    expect(findPlaceholders(`{{${' '.repeat(size)}`, 'plain')).toHaveLength(1);
    expect(findPlaceholders(`{{${'a'.repeat(size)}`, 'plain')).toHaveLength(1);
    expect(findPlaceholders(`{{${'a'.repeat(size)} }}`, 'plain')).toMatchObject([{ kind: 'variable' }]);
    expect(findPlaceholders('{{a "'.repeat(50_000), 'json')).toHaveLength(50_000);
    expect(findPlaceholders(`${'[{"a":'.repeat(100_000)}{{x}}`, 'json')).toMatchObject([{ kind: 'variable', inString: false }]);
    expect(findPlaceholders(`"${'\\\\'.repeat(size)}{{x}}"`, 'json')).toMatchObject([{ kind: 'variable', inString: true }]);
    expect(withStandIns('{{a}} '.repeat(50_000) + ' '.repeat(size))).toHaveLength(300_000 + size);
  });

  it('are left where they hold more variables than a person writes', () => {
    const all = findPlaceholders('{{a}} '.repeat(mostPlaceholders + 5), 'plain');
    expect(all).toHaveLength(mostPlaceholders + 1);
    expect(all.at(-1)).toMatchObject({ kind: 'malformed', start: mostPlaceholders * 6 });
    expect(all.at(-1)?.message).toContain('more than 100,000 variables');
  });
});
