import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import vectors from '#shared/signing/vectors/signing.json' with { type: 'json' };
import { createCli, linesFrom, type Cli } from '#testing/cli-driver.ts';

const { privateKey, time } = vectors;
const env = { HASH_KEY: privateKey };
const base = ['hash', '--key-env', 'HASH_KEY', '--time', time];

interface BatchLine {
  readonly id: unknown;
  readonly hash?: string;
  readonly dataJsonBase64?: string | null;
  readonly stable?: { readonly php: boolean; readonly phpAssoc: boolean };
  readonly error?: string;
}

let cli: Cli;
let folder: string;
beforeAll(async () => {
  cli = await createCli();
  folder = await mkdtemp(join(tmpdir(), 'croupier-hash-'));
});
afterAll(async () => {
  await cli.close();
  await rm(folder, { recursive: true });
});

async function batch(cases: readonly object[], more: readonly string[] = []): Promise<BatchLine[]> {
  const input = cases.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const { code, out, err } = await cli.run([...base, '--batch', ...more], { env, input });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BatchLine);
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
}

describe('hash', () => {
  it('hashes key and time alone without data', async () => {
    expect(await cli.run(base, { env })).toMatchObject({ code: 0, out: `${vectors.hashNoData}\n`, err: '' });
    const short = await cli.run(base, { env: { HASH_KEY: 'k' } });
    expect(short.err).toBe(
      "croupier: The key has fewer than 4 bytes: Croupier doesn't ask about texts that contain it, and doesn't mask it\n",
    );
    const { out } = await cli.run([...base, '--json'], { env });
    expect(JSON.parse(out)).toEqual({
      hash: vectors.hashNoData,
      time,
      dataJson: null,
      bytes: 0,
      stable: { php: true, phpAssoc: true },
    });
  });

  it('hashes a time in another form as it is typed, and says so', async () => {
    const iso = '2026-11-20T10:15:30Z';
    expect(await cli.run(['hash', '--key-env', 'HASH_KEY', '--time', iso], { env })).toMatchObject({
      code: 0,
      out: `${sha256(privateKey, iso)}\n`,
      err: 'croupier: time is in ISO format. The spec wants dd-mm-yyyy hh:mm:ss. It is hashed as typed.\n',
    });
  });

  it('takes data as an argument, as a file and as standard input, and prints what was hashed', async () => {
    const text = '{ "exitURL": "https:\\/\\/casino.example\\/", "playerId": "Zoë" }';
    const file = join(folder, 'data.json');
    await writeFile(file, text);
    const dataJson = '{"exitURL":"https://casino.example/","playerId":"Zo\\u00eb"}';
    const expected = sha256(privateKey, time, dataJson);
    expect((await cli.run([...base, '--data', text], { env })).out).toBe(`${expected}\n`);
    expect((await cli.run([...base, '--data-file', file], { env })).out).toBe(`${expected}\n`);
    const { out } = await cli.run([...base, '--data-file', '-', '--json'], { env, input: text });
    expect(JSON.parse(out)).toEqual({
      hash: expected,
      time,
      dataJson,
      bytes: dataJson.length,
      stable: { php: true, phpAssoc: true },
    });
  });

  it('counts bytes, not characters', async () => {
    const { out } = await cli.run([...base, '--data', '{"a":"é😀"}', '--serialization', 'php-unicode', '--json'], { env });
    expect(JSON.parse(out)).toMatchObject({ dataJson: '{"a":"é😀"}', bytes: 14 });
  });

  it('hashes bytes that are no text as they are, where verbatim asks for it', async () => {
    const input = Buffer.from([0x7b, 0xff, 0x7d]);
    const { code, out } = await cli.run([...base, '--data-file', '-', '--serialization', 'verbatim'], { env, input });
    expect({ code, out }).toEqual({ code: 0, out: `${sha256(privateKey, time, input)}\n` });
  });

  it.each([
    ['a trailing comma', '{\n  "a": 1,\n}', 'line 2, column 9'],
    ['an empty text', '', 'line 1, column 1'],
    ['malformed UTF-8', Buffer.from([0x22, 0xc3, 0x22]), 'line 1, column 2'],
    ['a byte order mark', '\ufeff{}', 'line 1, column 1'],
  ])('refuses %s with 2 and one line that names the place', async (_name, input, place) => {
    const { code, out, err } = await cli.run([...base, '--data-file', '-', '--json'], { env, input });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toContain(place);
  });

  it.each([
    ['a key that is not set', ['hash', '--key-env', 'NOT_SET', '--time', time], 5],
    ['no name of a key', ['hash', '--time', time], 2],
    ['no time', ['hash', '--key-env', 'HASH_KEY'], 2],
    ['an unknown serialization', [...base, '--serialization', 'phpunicode'], 2],
    ['data twice', [...base, '--data', '{}', '--data-file', '-'], 2],
    ['a batch with data', [...base, '--batch', '--data', '{}'], 2],
    ['a file that is not there', [...base, '--data-file', '/no/such/file'], 2],
    ['an unknown option', [...base, '--serialisation', 'php'], 2],
  ])('refuses %s', async (_name, args, expected) => {
    const { code, out, err } = await cli.run(args, { env });
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(err).not.toContain(privateKey);
  });

  it('opens no home for a key that is given', () => {
    expect(existsSync(cli.home)).toBe(false);
  });

  it('takes the key of an environment instead of one that is given', async () => {
    const { code, out } = await cli.run(['hash', '--env', 'sandbox', '--time', time, '--data', '{"a": 1}', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), dataJson: '{"a":1}' });
    const both = await cli.run([...base, '--env', 'sandbox'], { env });
    expect(both).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Use --env or --key-env, not both.') });
  });
});

describe('hash --batch', () => {
  it.each([
    ['php', 'php', 'hashPhp'],
    ['php-unicode', 'phpUnescapedUnicode', 'hashPhpUnescapedUnicode'],
  ] as const)('agrees with PHP on every vector as %s', async (serialization, answer, hash) => {
    const lines = await batch(vectors.cases.map(({ id, dataTextBase64 }) => ({ id, dataTextBase64, serialization })));
    expect(lines.map(({ id }) => id)).toEqual(vectors.cases.map(({ id }) => id));
    for (const [index, line] of lines.entries()) {
      const vector = vectors.cases[index] as Record<string, unknown> & { id: string; php: { json?: string }; stable?: object };
      const { json } = vector[answer] as { json?: string };
      if (json === undefined) {
        expect(line, vector.id).toEqual({ id: vector.id, error: expect.stringMatching(/\(line \d+, column \d+\)$/) });
        continue;
      }
      expect(Buffer.from(line.dataJsonBase64 ?? '', 'base64').toString('utf8'), vector.id).toBe(json);
      expect(line.hash, vector.id).toBe(vector[hash]);
      if (serialization === 'php') expect(line.stable, vector.id).toEqual(vector.stable);
    }
  });

  it('gives the hash of every vector’s bytes as verbatim', async () => {
    const lines = await batch(
      vectors.cases.map(({ id, dataTextBase64 }) => ({ id, dataTextBase64 })),
      ['--serialization', 'verbatim'],
    );
    for (const [index, line] of lines.entries()) {
      const vector = vectors.cases[index];
      expect(line.hash, vector?.id).toBe(vector?.hashVerbatim);
      expect(line.dataJsonBase64).toBe(vector?.dataTextBase64);
    }
  });

  it('gives back ids as they came and goes on after every refused case', async () => {
    const input = [
      '{"id":9007199254740993}',
      '{"id":{"a":1.0,"a":2}}',
      '{"id":"é\\u0041","time":"other"}',
      'not json',
      '',
      '{"dataTextBase64":"e30="}',
      '{"id":1,"dataTextBase64":"%%%"}',
      '{"id":2,"serialization":"verbatm"}',
      '{"id":3,"dataTextBase64":7}',
      '{"id":4,"date":"x"}',
      '[5]',
      '{"id":6,"dataTextBase64":"ew=="}',
      '{"id":7,"dataTextBase64":null}\r',
      '{"id":8}',
    ].join('\n');
    const { code, out, err } = await cli.run([...base, '--batch'], { env, input });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n').slice(0, -1);
    const noData = `"hash":"${vectors.hashNoData}","dataJsonBase64":null,"stable":{"php":true,"phpAssoc":true}}`;
    expect(lines[0]).toBe(`{"id":9007199254740993,${noData}`);
    expect(lines[1]).toBe(`{"id":{"a":1.0,"a":2},${noData}`);
    expect(lines[2]).toContain(`{"id":"é\\u0041","hash":"${sha256(privateKey, 'other')}"`);
    expect(lines[4]).toBe(
      `{"id":null,"hash":"${sha256(privateKey, time, '{}')}","dataJsonBase64":"e30=","stable":{"php":true,"phpAssoc":false}}`,
    );
    for (const [line, id] of [
      [3, null],
      [5, 1],
      [6, 2],
      [7, 3],
      [8, 4],
      [9, null],
      [10, 6],
    ] as const) {
      expect(JSON.parse(lines[line] ?? ''), `line ${line}`).toEqual({ id, error: expect.any(String) });
    }
    expect(lines[11]).toBe(`{"id":7,${noData}`);
    expect(lines[12]).toBe(`{"id":8,${noData}`);
    expect(lines).toHaveLength(13);
  });

  it('says of a case without a time that it has none', async () => {
    const { code, out } = await cli.run(['hash', '--key-env', 'HASH_KEY', '--batch'], {
      env,
      input: '{"id":1}\n{"id":2,"time":"t"}',
    });
    expect(code).toBe(0);
    expect(
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { id: 1, error: expect.stringContaining('time') },
      { id: 2, hash: sha256(privateKey, 't') },
    ]);
  });

  it('answers a case before the next one is written', async () => {
    const child = cli.start([...base, '--batch'], { env });
    const lines = linesFrom(child);
    for (const id of [1, 2, 3]) {
      child.stdin.write(`{"id":${id}}\n`);
      expect(await lines.next((line) => line.startsWith(`{"id":${id},`))).toContain(vectors.hashNoData);
    }
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('ends quietly, and not with 0, when its reader goes away', async () => {
    const child = cli.start([...base, '--batch'], { env });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.write('{"id":1}\n');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const feed = setInterval(() => child.stdin.write('{"id":2}\n'.repeat(1_000)), 1);
    const [code] = await once(child, 'close');
    clearInterval(feed);
    expect({ code, err }).toEqual({ code: 4, err: '' });
  });
});

// The peak of a process is written by the kernel; only Linux shows it of another process.
describe.skipIf(process.platform !== 'linux')('the memory of hash --batch', () => {
  async function peakAfter(count: number): Promise<number> {
    const data = Buffer.from('{"playerId":"Zoë","exitURL":"https://casino.example/","roundId":9007199254740993}').toString(
      'base64',
    );
    const child = cli.start([...base, '--batch'], { env });
    let answered = 0;
    const done = Promise.withResolvers<void>();
    child.stdout.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) answered += 1;
      if (answered === count) done.resolve();
    });
    for (let id = 0; id < count; id += 1) {
      if (!child.stdin.write(`{"id":${id},"dataTextBase64":"${data}"}\n`)) await once(child.stdin, 'drain');
    }
    await done.promise;
    // Every case is answered and the process waits for more.
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    child.stdin.end();
    await once(child, 'close');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
  }

  it('does not grow with the number of cases', { timeout: 120_000 }, async () => {
    const [few, many, more] = [await peakAfter(100), await peakAfter(20_000), await peakAfter(100_000)];
    // A young heap grows a little whatever the work, more on a busy machine. 80,000 more cases that were kept would take 48 MB.
    expect(many).toBeLessThan(few * 1.6);
    expect(more).toBeLessThan(many + 36_000);
  });
});
