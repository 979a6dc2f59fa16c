import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';

const key = 'K3y/with"quotes"&=+<42>';
const env = { PROVIDER_KEY: key };
const bruno = fileURLToPath(new URL('../../core/formats/read/fixtures/bruno', import.meta.url));

let cli: Cli;
let root: string;
beforeAll(async () => {
  cli = await createCli();
  root = dirname(cli.home);
  await cli.run([
    'env',
    'set',
    'e',
    '--base-url',
    'https://api.example.com',
    '--platform=7',
    '--partner-id=31',
    '--no-production',
  ]);
});
afterAll(() => cli.close());

const body = (hash: string) =>
  `{"action":"getGameRound","platform":7,"partnerId":31,"time":"20-11-2026 10:15:30","data":{"roundId":1},"hash":"${hash}"}`;

describe('import', () => {
  it('makes requests from standard input, and lists what stayed behind', async () => {
    const into = join(root, 'new');
    const hash = (
      await cli.run(['hash', '--key-env', 'PROVIDER_KEY', '--time', '20-11-2026 10:15:30', '--data', '{"roundId":1}'], { env })
    ).out.trim();
    const input = `curl -k https://api.example.com/serviceApi.php -d '${body(hash)}'`;
    const args = ['import', '-', '--into', into, '--env', 'e', '--key-env', 'PROVIDER_KEY'];
    const dry = await cli.run([...args, '--dry-run'], { env, input });
    expect(dry).toMatchObject({ code: 0, out: 'getGameRound\tgetGameRound.yaml\n' });
    expect(dry.err).toContain('would import 1 request');
    await expect(readdir(into)).rejects.toThrow('ENOENT');
    const { code, out, err } = await cli.run(args, { env, input });
    expect({ code, out }).toEqual({ code: 0, out: 'getGameRound\tgetGameRound.yaml\n' });
    expect(err).toContain('It is signed with the key of e');
    expect(err).toContain('the option -k');
    expect(await readFile(join(into, 'getGameRound.yaml'), 'utf8')).toContain('{"roundId":1}');
    const again = await cli.run(['import', '-', '--into', into, '--json'], { input });
    expect(JSON.parse(again.out)).toMatchObject({
      requests: [{ path: 'getGameRound 2.yaml' }],
      signing: [{ outcome: 'unknown' }],
    });
  });

  it('takes a directory of Bruno, and a folder of a collection', async () => {
    const collection = join(root, 'collection');
    await mkdir(join(collection, 'f'), { recursive: true });
    await writeFile(join(collection, 'collection.yaml'), '');
    const { code, out } = await cli.run(['import', bruno, '--into', join(collection, 'f')]);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'bet\tf/The rounds/bet-first.yaml\ngetGameRound\tf/The rounds/one round.yaml\n',
    });
    expect(await readFile(join(collection, 'collection.yaml'), 'utf8')).toBe('');
    expect(await readFile(join(collection, 'f', 'folder.yaml'), 'utf8')).toContain('baseUrl');
  });

  it('names many losses by reason, and each with --verbose', async () => {
    const header = (at: number) => `-H 'X-${at}: 1' `;
    const headers = Array.from({ length: 30 }, (_, at) => header(at)).join('');
    const input = `curl https://api.example.com/serviceApi.php ${headers}-d '{"action":"gameList","platform":7,"partnerId":31}'`;
    const args = ['import', '-', '--into', join(root, 'many'), '--dry-run'];
    const { err } = await cli.run(args, { input });
    const whole = (await cli.run([...args, '--verbose'], { input })).err;
    const lines = (text: string) => text.split('\n').filter((line) => line.includes('X-'));
    expect(lines(whole)).toHaveLength(30);
    expect(lines(err)).toHaveLength(3);
    expect(err).toMatch(/\n {2}30 parts: Croupier sets the headers itself\.\n/);
    expect(err).toMatch(/\n {4}and 27 more\n/);
    expect(err).toContain('(--verbose lists all)');
  });

  it('ends with 2 if there is nothing to import, says why, and leaves nothing behind', async () => {
    const input = `curl https://api.example.com/other.php -d 'a=b'`;
    for (const more of [[], ['--json'], ['--dry-run']]) {
      const { code, out, err } = await cli.run(['import', '-', '--into', join(root, 'none', 'deep'), ...more], { input });
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining('Croupier found nothing to import in the files.'),
      });
      if (more.includes('--json')) expect(JSON.parse(out)).toMatchObject({ requests: [], notCarried: [{}] });
      else expect(err).toContain('0 requests');
    }
    expect(await readdir(root)).not.toContain('none');
  });

  it('refuses what it cannot read', async () => {
    expect(await cli.run(['import', '-', '--into', join(root, 'x')], { input: 'words' })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('standard input is in an unknown format'),
    });
    expect(await cli.run(['import', join(root, 'nobody'), '--into', join(root, 'x')])).toMatchObject({ code: 2 });
    expect(await cli.run(['import', '-'], { input: '' })).toMatchObject({ code: 2, err: expect.stringContaining('--into') });
  });
});

describe('export', () => {
  it('writes one file, never over another', async () => {
    const path = join(root, 'new');
    const file = join(root, 'out.json');
    const { code, out, err } = await cli.run(['export', path, '--as', 'postman', '--env', 'e', '--out', file]);
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: `croupier: wrote ${file}\n` });
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('item.length', 2);
    expect(await cli.run(['export', path, '--as', 'postman', '--out', file])).toMatchObject({ code: 2 });
    const har = await cli.run(
      ['export', join(path, 'getGameRound.yaml'), '--as', 'har', '--env', 'e', '--key-env', 'PROVIDER_KEY'],
      { env },
    );
    expect(har).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(har.out)).toHaveProperty('log.entries.length', 1);
    const curl = await cli.run(['export', join(path, 'getGameRound.yaml'), '--as', 'curl']);
    expect(curl).toMatchObject({ code: 0, out: expect.stringContaining('https://api.example.com/serviceApi.php') });
  });

  it('writes a directory for Bruno, which comes back, and none over another', async () => {
    const out = join(root, 'for-bruno');
    const path = join(root, 'new');
    expect(await cli.run(['export', path, '--as', 'bruno', '--env', 'e'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--out'),
    });
    expect(await cli.run(['export', path, '--as', 'bruno', '--env', 'e', '--out', out])).toMatchObject({ code: 0 });
    expect(await readdir(out)).toEqual(expect.arrayContaining(['bruno.json', 'collection.bru', 'croupier.js', 'environments']));
    expect(await cli.run(['export', path, '--as', 'bruno', '--out', out])).toMatchObject({
      code: 2,
      err: expect.stringContaining('already exists'),
    });
    const back = join(root, 'from-bruno');
    expect(await cli.run(['import', out, '--into', back])).toMatchObject({ code: 0 });
    const file = 'getGameRound.yaml';
    expect(await readFile(join(back, file), 'utf8')).toBe(await readFile(join(path, file), 'utf8'));
  });

  it('refuses what is not there', async () => {
    expect(await cli.run(['export', join(root, 'nobody'), '--as', 'har'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('No file or folder'),
    });
    expect(await cli.run(['export', root, '--as', 'postmen'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('postman'),
    });
    expect(await cli.run(['export', root])).toMatchObject({ code: 2, err: expect.stringContaining('--as') });
  });
});
