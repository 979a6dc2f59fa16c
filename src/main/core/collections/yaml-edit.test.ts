import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import type { FolderSettings } from '#shared/collections/model.ts';
import { requestForm, settingsForm } from './collection-file.ts';

type Request = CollectionRequest;
type Field = keyof Request;

const lines = (...all: string[]) => `${all.join('\n')}\n`;

/** Edits a source's request and returns the result. */
function edit(source: string, change: (request: Request) => Partial<Request>): string {
  const { value } = requestForm.read(source);
  const next = CollectionRequest.parse({ ...value, ...change(value) });
  const edited = requestForm.edit(source, next);
  expect(requestForm.read(edited).value).toEqual(next);
  return edited;
}

function editSettings(source: string, change: Partial<FolderSettings>): string {
  const next = { ...settingsForm.read(source).value, ...change };
  const edited = settingsForm.edit(source, next);
  expect(settingsForm.read(edited).value).toEqual(next);
  return edited;
}

const commented = lines(
  '# The first call of all',
  '',
  'notes: Asks for the games   # short',
  'owner: "team-a"   # not ours',
  "operation: 'gameList'",
  'take: # for the next call',
  '  # the first game',
  '  game: /data/0/id',
  '  round:   "/data/0/round"   # spaced',
  '',
  'expect:',
  '- code: 0',
  '  # the games are there',
  '- path: $.data[*]',
  '  present: true # always',
  '- {status: 200}',
  'data: |- # as the spec has it',
  '  {"currency": "EUR"}',
  '',
  '# the end',
);

describe('an edit', () => {
  it('of a list on one line leaves it on one line', () => {
    const source = lines('operation: bet', 'tags: [smoke, "1.0" ]  # since May', 'mine: kept');
    const edited = lines('operation: bet', 'tags: [quick, "1.0"]  # since May', 'mine: kept');
    expect(edit(source, () => ({ tags: ['quick', '1.0'] }))).toBe(edited);
    expect(edit(edited, () => ({ tags: [] }))).toBe(lines('operation: bet', 'mine: kept'));
  });

  it('of nothing changes nothing', () => expect(edit(commented, () => ({}))).toBe(commented));

  it.each<[what: string, change: (request: Request) => Partial<Request>, from: string, to: string]>([
    ['of a text', () => ({ notes: 'All games' }), 'notes: Asks for the games   #', 'notes: All games   #'],
    ['that takes a block', () => ({ notes: 'a\nb' }), 'notes: Asks for the games   # short\n', 'notes: |-   # short\n  a\n  b\n'],
    [
      'of one of the names',
      ({ take }) => ({ take: { ...take, game: '/data/1/id' } }),
      '  game: /data/0/id',
      '  game: /data/1/id',
    ],
    ['that adds a name', ({ take }) => ({ take: { ...take, x: '' } }), 'spaced\n', 'spaced\n  x: ""\n'],
    ['that removes a name', () => ({ take: { game: '/data/0/id' } }), '  round:   "/data/0/round"   # spaced\n', ''],
    ['of one check', ({ expect: [a, b] }) => ({ expect: [a!, b!, { status: '201' }] }), '- {status: 200}', '- status: 201'],
    [
      'within a check',
      ({ expect: [a, , c] }) => ({ expect: [a!, { path: '$.data[*]', present: true, count: '3' }, c!] }),
      ' # always\n',
      ' # always\n  count: 3\n',
    ],
    [
      'that removes the second check',
      ({ expect: [a, , c] }) => ({ expect: [a!, c!] }),
      '  # the games are there\n- path: $.data[*]\n  present: true # always\n',
      '',
    ],
    [
      'that puts a check between',
      ({ expect: [a, ...o] }) => ({ expect: [a!, { withinMs: '500' }, ...o] }),
      '- code: 0\n',
      '- code: 0\n- withinMs: 500\n',
    ],
    ['of data', () => ({ data: '{\n}' }), '  {"currency": "EUR"}\n', '  {\n  }\n'],
    ['of data to none', () => ({ data: '' }), 'data: |- # as the spec has it\n  {"currency": "EUR"}\n', ''],
    [
      'that adds a field, behind the one before it in the order',
      () => ({ overrides: { hash: 'wrong', omit: ['time'] } }),
      '  {"currency": "EUR"}\n',
      '  {"currency": "EUR"}\noverrides:\n  hash: wrong\n  omit:\n    - time\n',
    ],
    ['to the default', () => ({ expect: [] }), commented.slice(commented.indexOf('expect:'), commented.indexOf('data:')), ''],
  ])('%s changes its lines alone', (_, change, from, to) => {
    expect(commented.split(from)).toHaveLength(2);
    const wanted = commented.replace(from, () => to);
    expect(edit(commented, change)).toBe(wanted);
    const crlf = commented.replaceAll('\n', '\r\n');
    expect(edit(crlf, change)).toBe(wanted.replaceAll('\n', '\r\n'));
  });

  it('that moves a check takes its lines and its comment along', () => {
    expect(edit(commented, ({ expect: [a, b, c] }) => ({ expect: [a!, c!, b!] }))).toBe(
      commented.replace(/( {2}# the games[^]*?always\n)(- \{status: 200\}\n)/, '$2$1'),
    );
  });

  it('of an order moves one line', () => {
    const source = lines('order:', '  - b.yaml # second', '  - "a.yaml"', '  - wallet', 'x: 1');
    expect(editSettings(source, { order: ['a.yaml', 'b.yaml', 'wallet'] })).toBe(
      lines('order:', '  - "a.yaml"', '  - b.yaml # second', '  - wallet', 'x: 1'),
    );
    expect(editSettings(source, { order: ['b.yaml', 'c.yaml', 'wallet'] })).toBe(source.replace('"a.yaml"', 'c.yaml'));
    expect(editSettings(source, { order: [] })).toBe('x: 1\n');
    expect(editSettings('order: [a, b] # short\n', { order: ['b'] })).toBe('order: [b] # short\n');
    const long = Array.from({ length: 30 }, (_, at) => `item-${at}`);
    expect(editSettings('order: [a, b] # short\n', { order: long })).toBe(
      `order: # short\n${long.map((item) => `  - ${item}\n`).join('')}`,
    );
  });

  it('keeps what the file ends with', () => {
    expect(edit('operation: bet', () => ({ notes: 'words' }))).toBe('operation: bet\nnotes: words');
    expect(edit('operation: bet', () => ({ operation: 'win' }))).toBe('operation: win');
    expect(edit('operation: bet\r\n', () => ({ data: 'a\nb' }))).toBe('operation: bet\r\ndata: |-\r\n  a\r\n  b\r\n');
    expect(edit('\ufeffoperation: bet\n', () => ({ operation: 'win', form: 'x' }))).toBe('\ufeffoperation: win\nform: x\n');
    expect(editSettings('# only words\n', { notes: 'words' })).toBe('# only words\nnotes: words\n');
    expect(editSettings('', { variables: { v: '0.10' } })).toBe('variables:\n  v: "0.10"\n');
    expect(editSettings('---\nnotes: a\n', { notes: '' })).toBe('---\n');
  });

  it('keeps empty lines out of data, and data’s own empty lines in it', () => {
    const source = lines('operation: bet', 'data: |+', '  a', '', '', 'form: x', '', 'notes: y');
    expect(edit(source, () => ({ form: '' }))).toBe(lines('operation: bet', 'data: |+', '  a', '', '', 'notes: y'));
    // Two that go, one below the other.
    const two = lines('notes: |+', '  end', '', 'form: x', 'data: |-', '  a', '', '', '# far', 'operation: bet');
    expect(edit(two, () => ({ form: '', data: '' }))).toBe(lines('notes: |+', '  end', '', '# far', 'operation: bet'));
    expect(edit(source, () => ({ data: 'a' }))).toBe(lines('operation: bet', 'data: |-', '  a', 'form: x', '', 'notes: y'));
    const example = (status: number, ...body: string[]) => ['  - name: ok', `    status: ${status}`, ...body];
    const first = ['operation: bet', 'examples:', ...example(404, '    body: |+', '      end', '')];
    const examples = lines(...first, ...example(200, '    body: ""'), '', '', '# far');
    expect(edit(examples, (before) => ({ examples: before.examples.slice(0, 1) }))).toBe(lines(...first, '# far'));
    const plain = lines('operation: bet', 'data: |', '  a', '', '# c', 'notes: y');
    expect(edit(plain, () => ({ data: 'a\n\n' }))).toBe(lines('operation: bet', 'data: |+', '  a', '', '# c', 'notes: y'));
    expect(edit(plain, () => ({ data: 'b\n' }))).toBe(plain.replace('  a', '  b'));
  });

  it('takes no comment into data', () => {
    const source = lines('operation: bet', 'data: x', '  # indented', 'notes: y');
    expect(edit(source, () => ({ data: 'a\nb' }))).toBe(lines('operation: bet', 'data: "a\\nb"', '  # indented', 'notes: y'));
    const below = lines('operation: bet', 'data: |', '  x', 'take:', '  a: /a', '  # of take', 'notes: y');
    expect(edit(below, () => ({ take: {} }))).toBe(lines('operation: bet', 'data: |', '  x', 'notes: y'));
  });
});

const text = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    '0.10',
    'a: b',
    '# c',
    'a\nb',
    'a\n\nb\n',
    ' lead',
    'end\n\n',
    '\n\n x\n',
    'tab\t',
    'a\r\nb',
    '{"a": "b"}',
    '{\n  "a": 1.50\n}\n',
  ),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', '#', ':', '-', '"', 'ä', '\t'), maxLength: 12 }),
);
const pointer = fc.constantFrom('', '/a', '/a/0', '$.a[*]');
const names = fc.constantFrom('a', 'b', 'no', 'x.y', '_z', 'round');
const check = fc.oneof(
  fc.record({ code: text }),
  fc.record({ status: text }),
  fc.constant({ shape: 'documented' as const }),
  fc.record({ balance: fc.record({ before: text, change: text }) }),
  fc.record({ path: pointer, present: fc.boolean(), equals: text, contains: text }, { requiredKeys: ['path'] }),
);
const values: { [F in Field]: fc.Arbitrary<Request[F]> } = {
  operation: fc.constantFrom('bet', 'win', 'gameList'),
  form: fc.constantFrom('', 'short', 'a b'),
  tags: fc.array(fc.constantFrom('smoke', 'a-b', '1'), { maxLength: 3 }),
  data: text,
  overrides: fc.record(
    { hash: text, time: text, omit: fc.constantFrom(['time' as const], ['hash' as const, 'data' as const]) },
    { requiredKeys: [] },
  ),
  take: fc.dictionary(names, pointer, { maxKeys: 4 }).map((record) => ({ ...record })),
  expect: fc.array(check, { maxLength: 4 }) as fc.Arbitrary<Request['expect']>,
  notes: text,
  examples: fc.array(
    fc.record({ name: fc.constantFrom('ok', 'no: #', ' a '), status: fc.constantFrom('200', '404'), body: text }),
    {
      maxLength: 3,
    },
  ),
};
const fields = Object.keys(values) as Field[];

interface Chunk {
  readonly field: string | null;
  readonly text: string;
}

const comment = fc.constantFrom('# a comment\n', '#\n', '# data: |\n', '\n', '\n\n# far\n');
const stranger = fc.constantFrom(
  'x-owner: "t"  # ours\n',
  'x-list:\n- a\n-  b # c\n',
  'x-text: |\n  operation: win\n\n  # in it\n',
  'x-map: {a: 1, b: [2]}\n',
  "'x quoted' :  'y'\n",
);

/** A file as hands and other tools write it: fields in any order, comments, fields of others, several spellings. */
const documents = fc
  .record({
    request: fc.record(values),
    order: fc.shuffledSubarray(fields, { minLength: fields.length }),
    between: fc.array(fc.option(comment, { nil: '' }), { minLength: 9, maxLength: 9 }),
    strangers: fc.uniqueArray(fc.tuple(fc.nat(8), stranger), { maxLength: 2, selector: ([, one]) => one }),
    tail: fc.constantFrom('', '  # behind\n'),
    crlf: fc.boolean(),
    unended: fc.boolean(),
  })
  .map(({ request, order, between, strangers, tail, crlf, unended }) => {
    const whole = CollectionRequest.parse(request);
    const chunks: Chunk[] = [];
    order.forEach((field, at) => {
      for (const [, one] of strangers.filter(([where]) => where === at)) chunks.push({ field: null, text: one });
      if (between[at] !== '' && between[at] !== null) chunks.push({ field: null, text: between[at]! });
      const own = fieldText(whole, field);
      const single = own !== '' && own.indexOf('\n') === own.length - 1;
      if (own !== '') chunks.push({ field, text: single && tail !== '' ? own.replace('\n', tail) : own });
    });
    const eol = (one: string) => (crlf ? one.replaceAll('\n', '\r\n') : one);
    const source = chunks.map((chunk) => eol(chunk.text)).join('');
    const last = chunks.at(-1)?.text ?? '';
    return { source: unended && !last.includes('|') ? source.replace(/\r?\n$/, '') : source, chunks };
  });

function fieldText(request: Request, field: Field): string {
  if (field === 'operation') return `operation: ${request.operation}\n`;
  const whole = requestForm.print(CollectionRequest.parse({ operation: 'bet', [field]: request[field] }));
  return whole.slice('operation: bet\n'.length);
}

/** The lines that belong to none of the fields; empty ones aside, which a block may end with. */
function linesOfOthers(source: string, changed: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  let own = false;
  for (const line of source.replace('\ufeff', '').split('\n')) {
    if (/^\S/.test(line) && !(own && line.startsWith('- '))) own = changed.has(/^(\w+):/.exec(line)?.[1] ?? '');
    if (!own && line.trim() !== '') kept.push(line.replace('\r', ''));
  }
  return kept;
}

describe('over random files and edits', () => {
  it('only the lines of the edited fields differ, and the file says what was meant', () => {
    fc.assert(
      fc.property(documents, fc.record(values, { requiredKeys: [] }), ({ source }, change) => {
        const { value: before, unknown } = requestForm.read(source);
        const next = CollectionRequest.parse({ ...before, ...change });
        const edited = requestForm.edit(source, next);
        const again = requestForm.read(edited);
        expect(again.value).toEqual(next);
        expect(again.unknown).toEqual(unknown);
        const changed = new Set(fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(next[field])));
        expect(linesOfOthers(edited, changed)).toEqual(linesOfOthers(source, changed));
        if (source.includes('\r\n')) expect(/[^\r]\n/.test(edited)).toBe(false);
        else expect(edited.includes('\r')).toBe(false);
        // And back: at most the spelling of the edited parts differs.
        const back = requestForm.edit(edited, before);
        expect(requestForm.read(back).value).toEqual(before);
        expect(linesOfOthers(back, changed)).toEqual(linesOfOthers(source, changed));
      }),
      { numRuns: 1_000 },
    );
  });
});
