import { readFileSync } from 'node:fs';
import { fc } from '#testing/fast-check.ts';
import { editorProblems } from '#testing/file-validator.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AppError } from '#shared/errors.ts';
import { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import { collectionForm, requestForm, settingsForm } from './collection-file.ts';
import type { Place } from './yaml-tree.ts';

const requestOf = (fields: Partial<CollectionRequest> = {}) => CollectionRequest.parse({ operation: 'bet', ...fields });
const settingsOf = (fields: Partial<FolderSettings> = {}) => FolderSettings.parse(fields);

const lines = (...all: string[]) => `${all.join('\n')}\n`;

/** Texts that have caused faults before. */
const trapTexts = [
  '',
  ' ',
  '\n',
  '\n\n',
  '\n\n\n',
  ' \n',
  '\n ',
  '\t',
  '\ta',
  ' a',
  '  a\nb',
  'a\n',
  'a\n\n',
  'a\n\n\n',
  'a\n   ',
  'a\n   \n',
  'a \nb\t\n',
  '\n\na',
  '\n  a',
  '   \na',
  '\n \n  a\n',
  'a\r\nb\r\n',
  'a\rb',
  '\r',
  '\r\n',
  '\ufeff',
  '\ufeffa',
  'a\ufeff',
  '\u0000',
  '\u0001\u001f\u007f',
  '\u0085',
  '\u2028',
  'a\u2028b\u2029c\n',
  '\u00a0',
  'a\u00a0',
  '---',
  '---\na\n---\n',
  '...',
  '# c',
  'a # c',
  'a: b',
  'a:',
  ':',
  '- a',
  '-',
  '? a',
  '&a',
  '*a',
  '!a',
  '!!str a',
  '%YAML 1.1',
  '@a',
  '`a',
  '|',
  '>',
  '|-\n a',
  '{',
  '{}',
  '[',
  '[]',
  '"',
  '""',
  "'",
  "it's",
  '\'"',
  '\\',
  '\\n',
  '"\\u0000"',
  '~',
  'null',
  'Null',
  'true',
  'no',
  'NO',
  'y',
  'off',
  '0',
  '-0',
  '+1',
  '01',
  '0.10',
  '1e3',
  '0x1F',
  '0o7',
  '1_000',
  '12:30:45',
  '2026-11-20',
  '9007199254740993',
  '123456789012345',
  '.inf',
  '.5',
  'NaN',
  '<<',
  '=',
  '{{name}}',
  '{{$now+7d}}',
  '$.data[*].id',
  '/data/0',
  'ä',
  '日本\n語',
  '😀',
  '😀\n😀',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '{\n  "amount": 0.10,\n\t"t": "x"  \n}',
  'a'.repeat(20_000),
  `{"a": "${'b '.repeat(10_000)}"}\n`,
  `${' '.repeat(300)}a`,
  '\n'.repeat(50),
  `a${'\n'.repeat(50)}b`,
];
const character = fc.constantFrom(
  ...'\n\n\n \t \r#:-|>"\'\\{}[]&*!%@`~?,=a0ä日\u0000\u0085\u2028\ufeff\u001f'.split(''),
  '😀',
  '---',
  '...',
  '\r\n',
  ': ',
  ' #',
  '\n  ',
);
const anyText = fc.oneof(
  fc.constantFrom(...trapTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(character, { maxLength: 30 }).map((parts) => parts.join('')),
);

describe('a text', () => {
  it.each(trapTexts.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
    '%s comes back as it was, in every field',
    (_, text) => {
      expectRoundTrip(text);
    },
  );

  it('of any characters comes back as it was', () => {
    fc.assert(fc.property(anyText, expectRoundTrip), { numRuns: 1_000 });
  });

  it('means the same to any other reader of YAML', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = parse(requestForm.print(requestOf({ data: text, notes: text })), { version: '1.1' }) as {
          data?: string;
          notes?: string | number;
        };
        const old = parse(settingsForm.print(settingsOf({ variables: { v: text } })), { version: '1.1' }) as {
          variables: { v: unknown };
        };
        expect([read.data ?? '', String(read.notes ?? ''), String(old.variables.v)]).toEqual([text, text, text]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('with half of a surrogate pair is refused in words', () => {
    for (const text of ['\ud800', 'a\udc00\n']) {
      expect(() => requestForm.print(requestOf({ data: text }))).toThrow(/surrogate/);
      expect(() => requestForm.edit('operation: bet\n', requestOf({ notes: text }))).toThrow(/surrogate/);
    }
  });

  it('of data is a literal block, whatever its length', () => {
    expect(requestForm.print(requestOf({ data: '{"a": 0.10}' }))).toBe(lines('operation: bet', 'data: |-', '  {"a": 0.10}'));
    expect(requestForm.print(requestOf({ data: '{\n  "a": 1\n}\n' }))).toBe(
      lines('operation: bet', 'data: |', '  {', '    "a": 1', '  }'),
    );
  });
});

function expectRoundTrip(text: string): void {
  const request = requestOf({
    data: text,
    notes: text,
    form: text.slice(0, 50).toWellFormed(),
    overrides: { hash: text.slice(0, 900).toWellFormed() },
    expect: [{ code: text }, { path: '/a', equals: text, contains: text }],
  });
  const source = requestForm.print(request);
  expect(requestForm.read(source).value).toEqual(request);
  expect(requestForm.read(source.replaceAll('\n', '\r\n')).value).toEqual(request);
  expect(requestForm.read(`\ufeff${source}`).value).toEqual(request);
  expect(editorProblems('request', source)).toEqual([]);
  const settings = settingsOf({
    variables: { a: text, no: text, 'x.y-z': 'after' },
    order: [text.slice(0, 200).toWellFormed(), 'b'],
  });
  expect(settingsForm.read(settingsForm.print(settings)).value).toEqual(settings);
}

describe('a value that stands bare', () => {
  it.each([
    '0.10',
    '9007199254740993',
    'no',
    'true',
    'null',
    '~',
    '0x1F',
    '1e400',
    '012',
    '12:30:45',
    '2026-11-20',
    '.inf',
    '-0',
    '1_000',
  ])('%s is the text that stands there', (text) => {
    expect(settingsForm.read(`variables:\n  v: ${text} # of the file\n`).value.variables).toEqual({ v: text });
    expect(
      requestForm.read(`operation: bet\nexpect:\n  - code: ${text}\n  - {path: /a, equals: ${text}}\n`).value.expect,
    ).toEqual([{ code: text }, { path: '/a', equals: text }]);
  });

  it('is a boolean only where the model wants one', () => {
    const { expect: checks } = requestForm.read('operation: bet\nexpect:\n  - {path: /a, present: false, equals: false}\n').value;
    expect(checks).toEqual([{ path: '/a', present: false, equals: 'false' }]);
    expect(() => requestForm.read('operation: bet\nexpect:\n  - {path: /a, present: "false"}\n')).toThrow(/true or false/);
  });

  it('is empty where nothing stands', () => {
    expect(requestForm.read('operation: bet\ndata:\ntake: # none yet\nexpect:\n').value).toEqual(requestOf());
    for (const nothing of ['', '\n', '# only a comment\n', '---\n', '\ufeff'])
      expect(settingsForm.read(nothing).value).toEqual(settingsOf());
  });
});

it('the examples of the documentation are read with every field, and an edit of them keeps the comments', () => {
  const text = readFileSync(new URL('../../../../docs/collections.md', import.meta.url), 'utf8');
  const [request = '', settings = ''] = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, source]) => source);
  const { value, unknown } = requestForm.read(request);
  expect([editorProblems('request', request), editorProblems('collection', settings)]).toEqual([[], []]);
  expect([unknown, value.data, value.expect.length]).toEqual([
    [],
    '{\n  "playerId": "{{player}}",\n  "amount": 0.10,\n  "roundId": 9007199254740993\n}\n',
    6,
  ]);
  expect(requestForm.edit(request, { ...value, notes: 'Other.' })).toBe(
    request.replace('notes: Takes ten cents.', 'notes: Other.'),
  );
  expect(collectionForm.read(settings)).toMatchObject({
    value: { variables: { player: 'player-1', amount: '0.10' }, order: ['first call.yaml', 'wallet'] },
    unknown: [],
  });
});

/** Faults in YAML itself, which a schema does not see. */
const readerAlone =
  /Anchors|Aliases|U\+0000|Tags|Directives|Merging|one field per line|nested deeper|a name and a colon|carriage return/;

describe('what is wrong is told with its place', () => {
  const cases: [source: string, line: number, column: number, words: RegExp][] = [
    ['', 1, 1, /operation is missing/],
    ['operation: bett\n', 1, 12, /one of gameList/],
    ['operation: bet\noperation: win\n', 2, 1, /appears twice: it is already on line 1/],
    ['operation: bet\ntake:\n  a: /x\n  a: /y\n', 4, 3, /appears twice/],
    ['operation: bet\ndata: {"a": 1}\n', 2, 7, /data must be text. Write `data: \|`/],
    ['operation: bet\nform: &x a\n', 2, 7, /Anchors/],
    ['operation: bet\nform: *x\n', 2, 7, /Aliases/],
    ['operation: bet\nform: !!int 5\n', 2, 7, /Tags/],
    ['operation: bet\nform: !secret 5\n', 2, 7, /Tags/],
    ['operation: bet\nform: !!str 5\n', 2, 7, /Tags/],
    ['operation: bet\nform: ! 5\n', 2, 7, /Tags/],
    ['operation: bet\nform: !!js/function "function () {}"\n', 2, 7, /Tags/],
    ['operation: bet\nform: !!binary aGVsbG8=\n', 2, 7, /Tags/],
    ['operation: bet\nform: !<tag:yaml.org,2002:str> 5\n', 2, 7, /Tags/],
    ['operation: bet\nform: !!null\n', 2, 7, /Tags/],
    ['operation: bet\n!!str form: a\n', 2, 1, /Tags/],
    ['operation: bet\ndata: !!str |\n  {}\n', 2, 7, /Tags/],
    ['operation: bet\nexpect: !!seq\n  - code: 0\n', 2, 9, /Tags/],
    ['operation: bet\nexpect:\n  - !!map\n    code: 0\n', 3, 5, /Tags/],
    ['operation: bet\nexpect: [!!map {code: 0}]\n', 2, 10, /Tags/],
    ['operation: bet\nexpect: [!!map {code: 0}, !!js/undefined ]\n', 2, 10, /Tags/],
    ['!!map\noperation: bet\n', 1, 1, /Tags/],
    ['--- !!map\noperation: bet\n', 1, 5, /Tags/],
    ['%TAG ! tag:example.com,2026:\n---\noperation: bet\n', 1, 1, /Directives/],
    ['operation: bet\n<<: {form: a}\n', 2, 1, /Merging/],
    ['operation: bet\n---\noperation: win\n', 2, 1, /second document/],
    ['%YAML 1.1\n---\noperation: bet\n', 1, 1, /Directives/],
    ['operation: bet\n\tform: a\n', 2, 1, /YAML/],
    ['operation: bet\nform: "a\n', 3, 1, /YAML/],
    ['operation: bet\ntake:\n  9a: /x\n', 3, 3, /is not a variable name/],
    ['operation: bet\ntake:\n  a: x\n', 3, 6, /Begin with \//],
    ['operation: bet\nexpect:\n  - code: 0\n    status: 200\n', 4, 5, /two checks: code and status/],
    ['operation: bet\nexpect:\n  - equals: 0\n', 3, 5, /needs one of code, status/],
    ['operation: bet\nexpect:\n  - pfad: /a\n    equals: 0\n', 3, 5, /needs one of code, status/],
    ['operation: bet\nexpect:\n  - header: 0\n  - code: 0\n    status: 200\n', 5, 5, /two checks: code and status/],
    ['operation: bet\nexpect:\n  - header: 0\n  - shape: other\n', 4, 12, /expect, item 2, shape must be one of documented/],
    ['operation: bet\nexpect:\n  - hash: wrong\n', 3, 5, /hash belongs under overrides/],
    ['operation: bet\nexpect:\n  - balance:\n      befor: 1\n      change: 1\n', 4, 7, /Did you mean before\?/],
    ['operation: bet\noverrides:\n  code: 0\n', 3, 3, /code is part of a check/],
    ['operation: bet\noverrides:\n  variables:\n    a: 1\n', 3, 3, /variables belongs in collection\.yaml/],
    [
      'operation: bet\nexpect:\n  - path: /a\n    equls: 0\n',
      4,
      5,
      /equls is not a field of expect, item 1\. Did you mean equals\?/,
    ],
    ['operation: bet\nexpect:\n  - cod: 0\n', 3, 5, /cod is not a field of expect, item 1\. Did you mean code\?/],
    ['operation: bet\nexpect:\n  - code: 0\n    equals: 0\n', 4, 5, /equals needs a path beside it/],
    ['operation: bet\nexpect:\n  -\n', 3, 4, /Write a check as a field/],
    ['operation: bet\noverrides:\n  expect:\n    - code: 0\n', 3, 3, /expect belongs at the start of a line/],
    ['operation: bet\nexamples:\n  - nmae: a\n    status: 200\n', 3, 5, /nmae|name/],
    ['operation: bet\nexpects:\n  - code: 0\n', 2, 1, /^expects is not a field of a request file\. Did you mean expect\?$/],
    ['operation: bet\nExpect:\n  - code: 0\n', 2, 1, /Did you mean expect\?/],
    ['operation: bet\nchecks:\n  - code: 0\n', 2, 1, /Did you mean expect\?/],
    ['operation: bet\nbody: x\n', 2, 1, /Did you mean data\?/],
    ['operation: bet\ntakes:\n  a: /a\n', 2, 1, /Did you mean take\?/],
    ['opration: bet\n', 1, 1, /Did you mean operation\?/],
    ['operation: bet\n\u200bexpect: []\n', 2, 1, /^\\u200bexpect is not a field.*Did you mean expect\?/],
    ['operation: bet\ncode: 0\n', 2, 1, /code is part of a check. Write it under expect/],
    ['operation: bet\nhash: wrong\n', 2, 1, /hash belongs under overrides/],
    ['operation: bet\nvariables:\n  a: 1\n', 2, 1, /variables belongs in collection\.yaml and folder\.yaml/],
    [
      'operation: bet\nrequest:\n  more:\n    - expect: []\n',
      4,
      7,
      /request is not a field of a request file\. Move expect, which is below it/,
    ],
    [
      'operation: bet\nnote: a\nowner: me\nexpct: []\n',
      2,
      1,
      /Did you mean notes\? Line 4, column 1: expct is not .* Did you mean expect\?/,
    ],
    ['operation: bet\nexpect:\n  - path: a\n', 3, 11, /Begin with \//],
    ['operation: bet\nexpect:\n  - shape: other\n', 3, 12, /documented/],
    ['operation: bet\noverrides:\n  hsh: wrong\n', 3, 3, /hsh is not a field of overrides/],
    ['operation: bet\noverrides: x\n', 2, 12, /must be fields/],
    ['operation: bet\nform: a\u0000b\n', 2, 8, /U\+0000/],
    ['operation: bet\rform: a\n', 1, 15, /carriage return/],
    ['{operation: bet}\n', 1, 1, /one field per line/],
    ['- operation: bet\n', 1, 1, /one field per line/],
    ['just text\n', 1, 1, /one field per line/],
    ['? operation\n: bet\n', 1, 3, /a name and a colon/],
    ['operation\n', 1, 1, /one field per line/],
    ['operation: bet\nform\n', 2, 1, /YAML|no colon/],
    ['operation: bet\n__proto__: x\n', 2, 1, /__proto__/],
    [`operation: bet\nx: ${'['.repeat(5_000)}\n`, 2, 131, /nested deeper/],
    [`operation: bet\nx: ${'{a: '.repeat(70)}${'}'.repeat(70)}\n`, 2, 0, /nested deeper/],
  ];
  it.each(cases.map((one) => [JSON.stringify(one[0]).slice(0, 80), ...one] as const))('%s', (_, source, line, column, words) => {
    const fault = faultOf(() => requestForm.read(source));
    expect(fault.code).toBe('invalid_input');
    expect(fault.message).toMatch(words);
    const place = fault.details as Place;
    expect([place.line, column === 0 ? 0 : place.column]).toEqual([line, column]);
    expect(() => requestForm.edit(source, requestOf())).toThrow(fault.message);
    if (!readerAlone.test(fault.message)) expect(editorProblems('request', source)).not.toEqual([]);
  });

  it('in settings too', () => {
    const wordsOf = (source: string) => faultOf(() => settingsForm.read(source)).message;
    expect(wordsOf('variabels:\n  a: 1\n')).toMatch(/^variabels is not a field of a settings file\. Did you mean variables\?$/);
    expect(wordsOf('vars:\n  a: 1\n')).toMatch(/Did you mean variables\?/);
    expect(wordsOf('expect:\n  - code: 0\n')).toMatch(/expect belongs in a request file/);
    expect(wordsOf('defaults:\n  variables:\n    a: 1\n')).toMatch(
      /defaults is not a field of a settings file\. Move variables, which is below it/,
    );
  });

  it('and a name that is near to none is kept, with a warning that says where it stands', () => {
    const source = 'operation: bet\nteam: [a]\nowner: me\n';
    const { unknown, warnings } = requestForm.read(source);
    expect(unknown).toEqual(['team', 'owner']);
    expect(warnings).toMatchObject([
      {
        line: 2,
        column: 1,
        message: expect.stringMatching(/^team is not a field of a request file, so Croupier ignores it/) as string,
      },
      { line: 3, column: 1 },
    ]);
    for (const name of ['name', 'title', 'description', 'version', 'meta', 'timeout', 'retry', 'id']) {
      expect(requestForm.read(`operation: bet\n${name}: x\n`).warnings, name).toHaveLength(1);
      expect(settingsForm.read(`${name}: x\n`).warnings, name).toHaveLength(1);
    }
  });

  describe('and one inside a part of a request that is near to none is kept too, with a warning', () => {
    const code = { code: '0' };
    const cases: [source: string, line: number, column: number, words: string, parts: Partial<CollectionRequest>][] = [
      [
        'overrides:\n  retries: 3\n  hash: wrong\n',
        3,
        3,
        'retries is not a field of overrides, so Croupier ignores it.',
        { overrides: { hash: 'wrong' } },
      ],
      ['overrides: {retries: 3}\n', 2, 13, 'retries is not a field of overrides, so Croupier ignores it.', {}],
      [
        'examples:\n  - name: a\n    status: 200\n    took: 5\n',
        5,
        5,
        'took is not a field of examples, item 1, so Croupier ignores it.',
        { examples: [{ name: 'a', status: '200', body: '' }] },
      ],
      [
        'expect:\n  - code: 0\n    severity: high\n',
        4,
        5,
        'severity is not a field of expect, item 1, so Croupier ignores it.',
        { expect: [code] },
      ],
      [
        'expect:\n  - balance:\n      before: 1\n      change: 2\n      rounding: up\n',
        6,
        7,
        'rounding is not a field of expect, item 1, balance, so Croupier ignores it.',
        { expect: [{ balance: { before: '1', change: '2' } }] },
      ],
      // What such a check demands is not known, so nothing may pass for it.
      [
        'expect:\n  - header: 0\n  - code: 0\n',
        3,
        5,
        'header is not a field of expect, item 1, so Croupier skips the check.',
        { expect: [code] },
      ],
      [
        'expect:\n  - header: 0\n    contents: x\n',
        3,
        5,
        'header is not a field of expect, item 1, so Croupier skips the check.',
        { expect: [] },
      ],
      [
        'expect:\n  - path: /a\n    startsWith: b\n',
        4,
        5,
        'startsWith is not a field of expect, item 1, so Croupier skips the check.',
        { expect: [] },
      ],
    ];
    it.each(cases)('%j', (text, line, column, words, parts) => {
      const source = `operation: bet\n${text}`;
      const { value, unknown, warnings } = requestForm.read(source);
      expect([unknown, value]).toEqual([[], requestOf(parts)]);
      const message = `${words} A newer version of Croupier may have written it.`;
      expect(warnings.map(({ line, column, message }) => ({ line, column, message }))).toEqual([{ line, column, message }]);
      expect(requestForm.edit(source, { ...value, notes: 'Other.' })).toContain(text);
    });

    it('where nobody reads it, it is never lost by a save', () => {
      const source = 'operation: bet\noverrides:\n  retries: 3\nexpect:\n  - header: 0\n  - code: 0\n    severity: high\n';
      const { value } = requestForm.read(source);
      expect(requestForm.edit(source, { ...value, overrides: { hash: 'wrong' } })).toBe(
        source.replace('retries: 3\n', 'retries: 3\n  hash: wrong\n'),
      );
      const fault = faultOf(() => requestForm.edit(source, { ...value, expect: [] }));
      expect([fault.code, fault.message]).toEqual(['refused', expect.stringContaining('would alter other lines')]);
    });
  });

  it('and an invisible character of a name is written as an escape, beyond U+FFFF too', () => {
    expect(faultOf(() => requestForm.read('operation: bet\nexpe\u{E0041}ct: []\n')).message).toMatch(
      /^expe\\udb40\\udc41ct is not/,
    );
  });

  it('and a hundred names that nothing reads are told one by one, the others by their number', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `zzqx${at}: 1`);
    const { warnings, unknown } = requestForm.read(`operation: bet\n${names.join('\n')}\n`);
    expect(unknown).toHaveLength(3_000);
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toMatchObject({ line: 102, message: '2,900 more unknown names from here on.' });
    const mistaken = Array.from({ length: 30 }, (_, at) => `expect${at}: 1`);
    expect(faultOf(() => requestForm.read(`operation: bet\n${mistaken.join('\n')}\n`)).message).toMatch(
      /10 more names are wrong\.$/,
    );
  });

  it('and thousands of variables are exchanged for thousands of others', () => {
    const variables = (letter: string) =>
      Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`${letter}${at}`, 'x'] as const));
    const source = settingsForm.print({ variables: variables('a'), order: [], notes: '' });
    const edited = settingsForm.edit(source, { variables: { ...variables('b'), a0: 'x' }, order: [], notes: '' });
    expect(Object.keys(settingsForm.read(edited).value.variables)).toHaveLength(4_001);
  });

  it('and a million documents, errors or comments cost no more than a few', () => {
    const million = (text: string) => `operation: bet\n${text.repeat(1_000_000)}`;
    expect(() => requestForm.read(`${'---\n'.repeat(90_000)}`)).toThrow(/second document/);
    expect(() => requestForm.read(million(']'))).toThrow(/YAML: Unexpected flow-seq-end/);
    expect(() => requestForm.read(million('# c\n'))).toThrow(
      /^The file has more than 100,000 lines\. Split it into several files\.$/,
    );
    const { value } = requestForm.read(`operation: bet\nform: | # ${' '.repeat(1_000_000)}x\n  a\n`);
    expect(value.form).toBe('a\n');
  });

  it('and a file that would grow without bound is given up', () => {
    const laughs = ['a: &a [x, x, x, x]', 'b: &b [*a, *a, *a]', 'c: &c [*b, *b, *b]', 'operation: bet'].join('\n');
    expect(() => requestForm.read(laughs)).toThrow(/Anchors/);
    expect(() => requestForm.read(`operation: bet\nx: [${'1,'.repeat(1_000_000)}]\n`)).toThrow(/exceeds 150,000 parts/);
  });
});

function faultOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}
