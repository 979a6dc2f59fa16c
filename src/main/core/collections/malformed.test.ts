import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { requestForm } from './collection-file.ts';
import { hostileFiles } from '#testing/hostile-files.ts';
import { inPlaceReader } from '#testing/in-place-reader.ts';
import { createCollections } from './collections.ts';

const sound = [
  '# a comment',
  'operation: bet',
  'form: "short"',
  'data: |-',
  '  {"amount": 0.10}',
  'overrides:',
  '  hash: wrong',
  '  omit: [time, hash]',
  'take:',
  '  id: /data/0/id',
  'expect:',
  '  - code: 0',
  '  - path: $.data[*]',
  '    present: true',
  '    count: 3',
  '  - {balance: {before: 5, change: "-1"}}',
  "notes: 'n'",
  'owner: me',
];

/** Every line spoiled in every way, and files that are nothing of the kind; which of them is malformed is told by reading. */
function spoiled(): Buffer[] {
  const marks = [
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '&a ',
    '*a',
    '!!int ',
    '!x ',
    '|',
    '>',
    '? ',
    '- ',
    ': ',
    '\t',
    '%',
    '@',
    '`',
    '\u0000',
    '\u0007',
    '\r',
    '<<: ',
    '---\n',
    '...\n',
  ];
  const lines = sound.flatMap((line, at) => {
    const put = (...others: string[]) => [...sound.slice(0, at), ...others, ...sound.slice(at + 1)].join('\n');
    const value = line.indexOf(':') + 2;
    return [
      ...marks.flatMap((mark) => [put(mark + line), put(line + mark), put(line.slice(0, value) + mark + line.slice(value))]),
      put(line, line),
      put(` ${line}`),
      put(`   ${line}`),
      put(line.trimStart()),
      put(line.replace(':', '')),
      put(line.replace(': ', ':')),
      put(line.replace(/: .*/, ': [1, {a: b}]')),
      put(line.replace(/: .*/, ': {a: [b]}')),
      put(line.replace(/(\w+):/, '$1x:')),
      put(`${line}\ud800`),
    ];
  });
  const whole = sound.join('\n');
  const cut = Array.from({ length: whole.length }, (_, at) => whole.slice(0, at));
  const bytes = [0x80, 0xff, 0xc0, 0xed].flatMap((byte) => {
    const text = Buffer.from(whole);
    return [0, 20, 60, text.length].map((at) => Buffer.concat([text.subarray(0, at), Buffer.from([byte]), text.subarray(at)]));
  });
  const others = [
    'null',
    '[]',
    '{}',
    '0',
    '"text"',
    '<html></html>',
    '{"operation": "bet"}',
    `${'['.repeat(100_000)}`,
    `${'- '.repeat(100_000)}`,
    `a: ${'{a: '.repeat(20_000)}`,
    `operation: bet\nform: ${'x'.repeat(101)}`,
    `operation: bet\nexpect:\n${'  - code: 0\n'.repeat(1_001)}`,
    'operation: bet\n__proto__: {a: 1}',
    'operation: bet\ntake: {__proto__: /a}',
    'operation: bet\ntake: {a b: /a}',
    'operation: ""',
    'operation:',
    'operation: Bet',
    'operation: [bet]',
    '\ufeff\ufeffoperation: bet',
    'operation: bet\n\u0085form: x: y',
  ];
  const texts = [...new Set([...lines, ...cut, ...others])].map((text) => Buffer.from(text));
  return [...texts, ...bytes, Buffer.from(whole, 'utf16le'), Buffer.alloc(1_000), Buffer.from([0x89, 0x50, 0x4e, 0x47])];
}

function isMalformed(bytes: Buffer): boolean {
  try {
    requestForm.read(bytes.toString('utf8'));
    return !Buffer.from(bytes.toString('utf8')).equals(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_input');
    return true;
  }
}

it('at least 300 malformed files are each told with their place, hide no other, and are not written to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'croupier-malformed-'));
  const directory = join(folder, 'c');
  mkdirSync(directory);
  mkdirSync(join(folder, 'home'));
  const files = spoiled().filter(isMalformed);
  expect(files.length).toBeGreaterThanOrEqual(300);
  files.forEach((bytes, at) => writeFileSync(join(directory, `${at}.yaml`), bytes));
  writeFileSync(join(directory, 'sound.yaml'), sound.join('\n'));
  const collections = createCollections({
    reader: inPlaceReader,
    home: join(folder, 'home'),
    holdsKey: async () => false,
    onChange: () => undefined,
    onFault(error) {
      throw error;
    },
    now: Date.now,
    platform: process.platform,
  });
  try {
    const { id } = await collections.open({ directory });
    const { nodes } = await collections.tree(id);
    expect(nodes).toHaveLength(files.length + 1);
    const request = CollectionRequest.parse({ operation: 'win', notes: 'new' });
    for (const { path, problem } of nodes) {
      if (path === 'sound.yaml') {
        expect(problem).toBeNull();
        await collections.read(id, path);
        continue;
      }
      const source = files[Number(path.replace('.yaml', ''))]?.toString('utf8') ?? '';
      expect(problem, path).not.toBeNull();
      const lines = source.split('\n').length;
      expect(problem?.line, `${path}: ${problem?.message}`).toBeGreaterThanOrEqual(1);
      expect(problem?.line).toBeLessThanOrEqual(lines);
      expect(problem?.column).toBeGreaterThanOrEqual(1);
      expect(problem?.message).toMatch(/^\S[^]{10,}$/);
      await expect(collections.read(id, path)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { line: problem?.line, column: problem?.column },
      });
      // Each save looks at the whole directory: some of them stand for all.
      if (Number(path.replace('.yaml', '')) % 15 !== 0) continue;
      const refused = await collections.save({ id, path, request, revision: '' }).catch((error: unknown) => error);
      const revision = (refused as AppError & { details: { revision?: string } }).details.revision ?? '';
      await expect(collections.save({ id, path, request, revision })).rejects.toBeInstanceOf(AppError);
    }
    files.forEach((bytes, at) => expect(readFileSync(join(directory, `${at}.yaml`)).equals(bytes), `${at}.yaml`).toBe(true));
    expect(readdirSync(directory)).toHaveLength(files.length + 1);
  } finally {
    await collections.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

it('files of pieces of YAML in any order are read or refused with their place, whatever they are', () => {
  const { tried, refused, read, through } = hostileFiles(400);
  expect(through).toEqual([]);
  expect(refused + read).toBe(tried);
  expect(refused).toBeGreaterThan(100);
  expect(read).toBeGreaterThan(5);
});
