import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, draftOf, temporaryFolder } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';

const key = 'K3y/of-the-case-42';
const env = { CASE_KEY: key };
let cli: Cli;
let folder: string;
let masked: string;
let kept: string;
/** Calls 7 to 9 of a colleague, and two calls of one's own. */
beforeAll(async () => {
  folder = await temporaryFolder();
  [masked, kept] = [join(folder, 'masked.json'), join(folder, 'kept.json')];
  const theirs = await createCli();
  const their = await createTestApp({ home: theirs.home, sandbox: { key } });
  const [player] = (await their.client.call('sandbox.status', {})).players;
  for (let count = 0; count < 6; count += 1) await their.send(draftOf('sandbox', { operation: 'gameList' }));
  await their.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
  await their.send(
    draftOf('sandbox', { operation: 'getGameRound', text: '{"roundId":1,"logMonth":0}', overrides: { hash: 'wrong' } }),
  );
  const launch = { gameMode: 'real', gameId: '1001', externalToken: player?.externalToken };
  await their.send(draftOf('sandbox', { operation: 'getLauncherURL', text: JSON.stringify(launch) }));
  await their.close();
  for (const [path, more] of [
    [masked, []],
    [kept, ['--keep-tokens']],
  ] as const) {
    const page = path.replace('.json', '.html');
    const written = await theirs.run(['history', 'export', '7', '8', '9', '--as', 'support', '--out', page, ...more]);
    expect(written).toMatchObject({ code: 0 });
  }
  await theirs.close();
  cli = await createCli();
  const own = await createTestApp({ home: cli.home, sandbox: true });
  await own.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"USD"}' }));
  await own.close();
});
afterAll(() => cli.close());

it('says who wrote a pack, what is masked, and lists its calls', async () => {
  const { code, out, err } = await cli.run(['history', 'open', masked]);
  expect(code).toBe(0);
  expect(err).toMatch(
    /^croupier: Masked in 1 of 3 calls: request body, hash input.*\. Values shown as \[token\] or \[secret\] may differ\.\n$/,
  );
  expect(out).toMatch(/^Support pack of 3 calls, written 20\S+Z by Croupier \S+ on Node .+\.\nTokens are masked as/);
  expect(out).toContain('The JSON and the page match their SHA-256.\n');
  expect(out.match(/^ +[789] .*\(in the pack\)/gm)).toHaveLength(3);
  const all = JSON.parse((await cli.run(['history', 'open', kept, '--json'])).out) as object;
  expect(all).toMatchObject({ pack: { calls: 3, maskedCalls: 0 }, calls: [{ id: 9 }, { id: 8 }, { id: 7 }] });
});

it('looks into a pack and keeps nothing of it', async () => {
  const files = async () => (await readdir(cli.home, { recursive: true })).toSorted();
  await cli.run(['history', 'list']);
  const before = await files();
  const inPack = (...args: string[]) => cli.run(['history', ...args, '--pack', masked]);
  const found = await inPack('search', 'logMonth');
  expect({ code: found.code, lines: found.out.trim().split('\n').length }).toEqual({ code: 0, lines: 1 });
  expect((await inPack('list', '--env', 'sandbox', '--operation', 'gameList')).out).toMatch(/^ +7 /);
  const shown = await inPack('show', '9');
  expect(shown.out).toContain('masked in the pack: request body, hash input');
  expect(shown.out).toContain('"externalToken":"[token]"');
  expect(shown.out).not.toContain('removed');
  const rejected = await inPack('show', '8');
  expect(rejected).toMatchObject({ code: 0 });
  expect(rejected.out).not.toContain('removed');
  expect(rejected.out).not.toContain('croupier ');
  expect(await inPack('show', '1')).toMatchObject({ code: 2, err: expect.stringContaining('There is no call 1') });
  expect(await cli.run(['history', 'repeat', '7', '--pack', masked])).toMatchObject({ code: 2 });
  expect(await files()).toEqual(before);
  expect(JSON.parse((await cli.run(['history', 'list', '--json'])).out)).toMatchObject({ total: 1 });
});

it('compares two calls of a pack, and one of a pack with an own one', async () => {
  const both = await cli.run(['history', 'diff', '7', '8', '--pack', kept]);
  expect(both.out).toContain('call 7 to sandbox (in the pack)');
  const masks = await cli.run(['history', 'diff', '9', '9', '--pack', masked]);
  expect(masks.out).toContain('Values shown as [token] or [secret] may differ.\n');
  expect(masks.out).toContain('  data  equal, except for masked parts\n');
  const own = await cli.run(['history', 'diff', '7', '1', '--own', '--pack', kept]);
  expect(own.out).toContain('- currency: "EUR"');
  expect(own.out).toContain('+ currency: "USD"');
  expect(await cli.run(['history', 'diff', '7', '1', '--own'])).toMatchObject({ code: 2 });
});

it('examines the hash of a call with an own key, and says where a mask forbids it', async () => {
  const doctor = (file: string, call: string) => cli.run(['doctor', file, '--call', call, '--key-env', 'CASE_KEY'], { env });
  expect(await doctor(masked, '7')).toMatchObject({ code: 0 });
  expect(await doctor(kept, '9')).toMatchObject({ code: 0 });
  expect(await doctor(masked, '8')).toMatchObject({ code: 1 });
  expect(await doctor(masked, '9')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--keep-tokens') });
});

it('refuses a changed pack, and names a changed page', async () => {
  const text = await readFile(masked, 'utf8');
  const changed = join(folder, 'changed.json');
  await writeFile(changed, text.replace('"roundId\\":1', '"roundId\\":2'));
  expect(await cli.run(['history', 'open', changed])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('SHA-256'),
  });
  await writeFile(changed, text);
  await writeFile(join(folder, 'changed.html'), 'another');
  const { code, out, err } = await cli.run(['history', 'open', changed]);
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining("changed.html doesn't belong to this pack") });
  expect(out).toContain("The page doesn't.");
  expect(await cli.run(['history', 'open', join(folder, 'masked.html')])).toMatchObject({
    code: 2,
    err: expect.stringContaining('the JSON beside it'),
  });
});
