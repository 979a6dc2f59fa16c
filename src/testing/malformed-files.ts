import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestForm } from '#core/collections/collection-file.ts';
import { createCollections, type Collections } from '#core/collections/collections.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { FileProblem } from '#shared/ipc/index.ts';
import { inPlaceReader, inPlaceReading } from './in-place-reader.ts';
import { keyOf } from './key-of.ts';

/** Results of malformed files in one collection. */
export interface MalformedFiles {
  readonly tried: number;
  /** Files that were not reported with their position, hid another file, or were written to. */
  readonly wrong: readonly string[];
}

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

/** Returns files with every line spoiled in every way, and files of no such kind; reading decides which of them is malformed. */
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
    if (error instanceof AppError && error.code === 'invalid_input') return true;
    throw error;
  }
}

/**
 * Tries every `step`th of the malformed files, in one directory with a sound one: each is reported with its position, hides no
 * other, and is not written to.
 */
export async function malformedFiles(step: number): Promise<MalformedFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'croupier-malformed-'));
  const directory = join(folder, 'c');
  for (const name of ['c', 'home']) mkdirSync(join(folder, name));
  const files = spoiled()
    .filter((_, at) => at % step === 0)
    .filter(isMalformed);
  files.forEach((bytes, at) => writeFileSync(join(directory, `${at}.yaml`), bytes));
  writeFileSync(join(directory, 'sound.yaml'), sound.join('\n'));
  const faults: unknown[] = [];
  const collections = createCollections({
    run: createSessionLock(join(folder, 'home', 'runs')),
    reader: inPlaceReader,
    reading: inPlaceReading,
    home: join(folder, 'home'),
    pass: keyOf('no key'),
    onChange: () => undefined,
    onCommit: () => undefined,
    onKept: () => undefined,
    onFault: (error) => faults.push(error),
    now: Date.now,
    platform: process.platform,
    env: {},
  });
  const wrong: string[] = [];
  try {
    const { id } = await collections.open({ directory });
    const { nodes } = await collections.tree(id);
    if (nodes.length !== files.length + 1) wrong.push(`${nodes.length} of ${files.length + 1} files are listed`);
    for (const { path, problem } of nodes) {
      const bytes = files[Number(path.replace('.yaml', ''))];
      const look =
        bytes === undefined ? lookAtSound(collections, id, problem) : lookAt(collections, id, { path, problem, bytes });
      await look.catch((error: unknown) => wrong.push(`${path}: ${error instanceof Error ? error.message : String(error)}`));
    }
    for (const [at, bytes] of files.entries())
      if (!readFileSync(join(directory, `${at}.yaml`)).equals(bytes)) wrong.push(`${at}.yaml was written to`);
    if (readdirSync(directory).length !== files.length + 1) wrong.push('there are other files than before');
    return { tried: files.length, wrong: [...wrong, ...faults.map(String)] };
  } finally {
    await collections.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lookAtSound(collections: Collections, id: string, problem: FileProblem | null): Promise<void> {
  deepEqual(problem, null);
  await collections.read(id, 'sound.yaml');
}

interface Malformed {
  readonly path: string;
  readonly problem: FileProblem | null;
  readonly bytes: Buffer;
}

async function lookAt(collections: Collections, id: string, { path, problem, bytes }: Malformed): Promise<void> {
  const { line, column, message } = problem ?? { line: null, column: null, message: '' };
  const lines = bytes.toString('utf8').split('\n').length;
  deepEqual(
    [line !== null && line >= 1 && line <= lines, column !== null && column >= 1],
    [true, true],
    `its place is ${line}:${column}`,
  );
  deepEqual(/^\S[^]{10,}$/.test(message), true, `it is told as ${JSON.stringify(message)}`);
  const unread = await collections.read(id, path).catch((error: unknown) => error as AppError);
  deepEqual(placeIn(unread), { code: 'invalid_input', line, column });
  // Each save looks at the whole directory: some of them stand for all.
  if (Number(path.replace('.yaml', '')) % 15 !== 0) return;
  const request = CollectionRequest.parse({ operation: 'win', notes: 'new' });
  const refused = await collections.save({ id, path, request, revision: '' }).catch((error: unknown) => error as AppError);
  const revision = (refused as { details?: { revision?: string } }).details?.revision ?? '';
  const saved = await collections.save({ id, path, request, revision }).catch((error: unknown) => error);
  deepEqual(saved instanceof AppError, true, 'it was saved');
}

function placeIn(error: unknown): { code: string; line: number | null; column: number | null } {
  const { code = '', details = {} } = error as { code?: string; details?: { line?: number; column?: number } };
  return { code, line: details.line ?? null, column: details.column ?? null };
}
