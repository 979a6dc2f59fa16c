import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Input } from '#shared/ipc/index.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import type { GameViewOptions, NetworkStep } from '../host/host.ts';
import { createLosses } from '../formats/read/import-source.ts';
import { membersOf } from '../formats/read/members.ts';
import { readHar } from '../formats/read/har.ts';
import { parseJson } from '#shared/json/parse.ts';
import { verifyPage } from './signature.ts';
import { escapeHtml } from '../files/html.ts';

const key = 'a private/key+with "every" kind & ä of character';
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const jpeg = Buffer.from('ffd8ffe0', 'hex');
const bounds = { x: 0, y: 0, width: 390, height: 844 };

let test: TestApp;
let page: GameViewOptions | null = null;
let picture = png;
beforeEach(async () => {
  picture = png;
  test = await createTestApp({
    sandbox: { key },
    host: {
      engine: 'Chromium 1.2.3, Electron 4.5.6',
      gameViews: {
        open(options) {
          page = options;
          const nothing = () => undefined;
          return Promise.resolve({
            setBounds: nothing,
            setVisible: nothing,
            reload: nothing,
            goBack: nothing,
            setPage: nothing,
            setMuted: nothing,
            focus: nothing,
            snapshot: () => Promise.resolve({ seen: false, replied: null, page: null, png: null }),
            capture: (size) => Promise.resolve({ image: new Uint8Array(size === 'whole' ? picture : jpeg) }),
            close: () => Promise.resolve(),
          });
        },
      },
    },
  });
});
afterEach(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

async function launch(question: Partial<Input<'launches.prepare'>> = {}, opens = true): Promise<{ id: string; token: string }> {
  const token = (await test.client.call('sandbox.status', {})).players[0]?.externalToken ?? '';
  const { id } = await test.client.call('launches.prepare', {
    environmentId: 'sandbox',
    gameMode: 'real',
    gameId: '1001',
    gameName: '<b>Lucky</b> & "Compass"',
    lang: 'en',
    externalToken: token,
    playerId: 'player-1',
    country: 'DE',
    ip: '203.0.113.9',
    exitURL: 'https://casino.example/lobby',
    ticket: 'launch',
    ...question,
  });
  if (opens) await test.client.call('launches.open', { id, bounds });
  return { id, token };
}
const say = (text: string) => page?.onEvent({ type: 'console', level: 'error', text, source: 'https://g.example/a.js', line: 3 });

describe('the evidence of a launch', () => {
  it('is a folder with the record, a page to read it and the screenshot, readable by its owner alone', async () => {
    const { id, token } = await launch();
    say(`hello ${token} <script>alert(1)</script>`);
    await test.client.call('launches.screenshot', { id });
    const made = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    if (made.as !== 'folder') throw new Error('No folder');
    expect(made.folder.startsWith(join(test.home, 'evidence'))).toBe(true);
    expect((await readdir(made.folder)).sort()).toEqual([
      'hashes.txt',
      'launch.html',
      'launch.json',
      'picture-01.png',
      'signature.json',
    ]);
    for (const file of made.files) expect((await stat(file)).mode & 0o077).toBe(0);
    const json = await readFile(join(made.folder, 'launch.json'), 'utf8');
    const html = await readFile(join(made.folder, 'launch.html'), 'utf8');
    expect(await readFile(join(made.folder, 'picture-01.png'))).toEqual(png);
    const evidence = JSON.parse(json) as {
      launch: { url: string; parameters: unknown[]; checks: unknown[] };
      entries: unknown[];
      exchange: { request: string; response: string; timings: object };
    };
    expect(evidence.launch.url).toContain('externalToken=[token]');
    expect(evidence.entries).toHaveLength(3);
    expect(evidence.exchange.timings).toHaveProperty('total');
    expect(evidence.exchange.request).toMatch(/"platform":\d+/);
    expect(evidence.exchange.response).toContain('externalToken=[token]');
    for (const text of [evidence.exchange.request, evidence.exchange.response])
      expect(html).toContain(`<pre>${escapeHtml(text)}</pre>`);
    expect(evidence.launch.parameters).toHaveLength(7);
    for (const text of [json, html]) expect(text).not.toContain(token);
    expect(made.masked).toEqual({ tokens: `${json}${html}`.match(/\[(?:token|hidden)\]/g)?.length, secrets: 0 });
    expect(html).not.toMatch(/<script|<b>Lucky/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain("default-src 'none'");
  });

  it('has the verdict with its rules, and what a person says of it', async () => {
    const { id } = await launch({ playerId: 'player-1', country: 'DE' });
    await test.client.call('launches.overrule', { id, overruling: { state: 'failed', note: 'The reels overlap.' } });
    const made = await test.client.call('launches.export', { ids: [id], as: 'html' });
    if (made.as !== 'file') throw new Error('No page');
    expect(made.text).toMatch(/By a person: failed \([^)]+\)\. By the launch rules: unfinished\. Note: The reels overlap\./);
    for (const cell of ['Ready in time', 'waiting', 'Not ready yet', 'Country', 'DE'])
      expect(made.text).toContain(`<td>${cell}</td>`);
  });

  it('has every picture with its time, the tester, the note, and what showed the game', async () => {
    const { id } = await launch();
    await test.client.call('settings.write', { name: 'tester', value: ' Ann <O’Hara> ' });
    await test.client.call('launches.setNote', { id, note: 'The reels overlap.' });
    for (const content of ['one', 'two', 'three']) {
      picture = Buffer.concat([png, Buffer.from(content)]);
      await test.client.call('launches.screenshot', { id });
    }
    await test.client.call('launches.removePicture', { id, number: 2 });
    page?.onEvent({ type: 'prepared', webgl: 'a graphics card', roundTripMs: null });
    const made = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    if (made.as !== 'folder') throw new Error('No folder');
    expect((await readdir(made.folder)).filter((name) => name.endsWith('.png')).sort()).toEqual([
      'picture-01.png',
      'picture-02.png',
    ]);
    expect(await readFile(join(made.folder, 'picture-02.png'), 'utf8')).toMatch(/three$/);
    const html = await readFile(join(made.folder, 'launch.html'), 'utf8');
    for (const cell of [
      '<td>Tester</td><td>Ann &lt;O’Hara&gt;</td>',
      '<td>Note</td><td>The reels overlap.</td>',
      '<td>Host</td><td>Test, Croupier 0.0.0, the game in its own view</td>',
      '<td>Engine</td><td>Chromium 1.2.3, Electron 4.5.6</td>',
      '<td>Device</td><td>Runs on this computer&#39;s screen, as its own page\nThe user agent is Chrome&#39;s own.\nWebGL a graphics card</td>',
      '<td>Seen by the page</td><td>not observed</td>',
    ])
      expect(html).toContain(cell);
    const time = String.raw`[\d,]+ ms after the page began to load, \d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(html).toMatch(new RegExp(`src="picture-01.png"[^>]*><figcaption>${time}<br>picture-01.png`));
    expect(html).toMatch(new RegExp(`src="picture-02.png"[^>]*><figcaption>${time}<br>picture-02.png`));
  });

  it('has a picture of each moment, whose time is that of the page', async () => {
    const { id } = await launch();
    page?.onEvent({ type: 'crash', reason: 'oom' });
    await test.client.call('launches.get', { id });
    await test.client.call('launches.close', { id });
    const made = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    if (made.as !== 'folder') throw new Error('No folder');
    expect(await readFile(join(made.folder, 'moment-02.jpg'))).toEqual(jpeg);
    const html = await readFile(join(made.folder, 'launch.html'), 'utf8');
    expect(html.match(/<figcaption><b>[^<]+/g)).toEqual(
      ['Failed: No crash', 'Last picture'].map((text) => `<figcaption><b>${text}`),
    );
  });

  it('has the hash of each file, and nothing of an earlier export beside them', async () => {
    const { id } = await launch();
    for (let n = 0; n < 2; n += 1) await test.client.call('launches.screenshot', { id });
    const first = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    await test.client.call('launches.removePicture', { id, number: 1 });
    const made = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    if (made.as !== 'folder' || first.as !== 'folder') throw new Error('No folder');
    expect(made.folder).toBe(first.folder);
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'hashes.txt'], { cwd: made.folder, encoding: 'utf8' });
    expect(checked).toBe('launch.json: OK\nlaunch.html: OK\npicture-01.png: OK\n');
    expect((await readdir(made.folder)).sort()).toEqual([
      'hashes.txt',
      'launch.html',
      'launch.json',
      'picture-01.png',
      'signature.json',
    ]);
  });

  it('of two launches is one folder with a folder for each mode, or one page', async () => {
    const [real, fun] = [await launch(), await launch({ gameMode: 'fun', ticket: 'fun' }, false)];
    await test.client.call('launches.screenshot', { id: real.id });
    const ids = [fun.id, real.id];
    const made = await test.client.call('launches.export', { ids, as: 'folder' });
    if (made.as !== 'folder') throw new Error('No folder');
    expect(made.folder).toMatch(/-1001-both-[0-9a-f]{8}$/);
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'hashes.txt'], { cwd: made.folder, encoding: 'utf8' });
    expect(checked.split('\n').map((line) => line.replace(/: OK$/, ''))).toEqual([
      'fun/launch.json',
      'fun/launch.html',
      'real/launch.json',
      'real/launch.html',
      'real/picture-01.png',
      '',
    ]);
    for (const file of made.files) expect((await stat(file)).mode & 0o077).toBe(0);
    const one = await test.client.call('launches.export', { ids, as: 'html' });
    if (one.as !== 'file') throw new Error('No page');
    expect(one.text.match(/<h2>.+<\/h2>/g)).toEqual([
      '<h2>&lt;b&gt;Lucky&lt;/b&gt; &amp; &quot;Compass&quot; fun</h2>',
      '<h2>&lt;b&gt;Lucky&lt;/b&gt; &amp; &quot;Compass&quot; real</h2>',
    ]);
    expect(one.text).not.toContain(real.token);
    // Forgetting the player finds it, and removes all of it.
    const found = { player: 'player-1', ticket: 'look' };
    expect(await test.client.call('history.forget', { ...found, dryRun: true })).toMatchObject({ evidence: 1 });
    await test.client.call('history.forget', { ...found, ticket: 'forget', dryRun: false });
    expect(await readdir(join(test.home, 'evidence'))).toEqual([]);
  });

  it('has the network log of the page as HAR, which the import of requests reads; without one, it says so', async () => {
    const { id, token } = await launch({}, false);
    const log = () => test.client.call('launches.networkLog', { id });
    expect(await log()).toEqual({ name: null, har: null, message: 'Croupier saw no requests from the game. Open it first.' });
    await test.client.call('launches.open', { id, bounds });
    const step = (at: number, more: NetworkStep) => page?.onEvent({ type: 'network', id: '1 u', at, ...more });
    const url = `https://g.example/serviceApi.php?externalToken=${token}`;
    step(1_790_000_000_000, { step: 'asked', method: 'POST', url, resourceType: 'xhr' });
    step(1_790_000_000_001, { step: 'sent', headers: [['Authorization', `Basic ${token}`]] });
    step(1_790_000_000_020, { step: 'responded', status: 200, statusLine: 'HTTP/1.1 200 OK', headers: [] });
    step(1_790_000_000_030, { step: 'ended', error: null, fromCache: false, redirectURL: null });
    const { name, har } = await log();
    expect(name).toMatch(/-1001-real-[0-9a-f]{8}\.har$/);
    expect(har).not.toContain(token);
    const made = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    if (made.as !== 'folder') throw new Error('No folder');
    expect(await readFile(join(made.folder, 'network.har'), 'utf8')).toBe(har);
    expect(await readFile(join(made.folder, 'hashes.txt'), 'utf8')).toMatch(/^[0-9a-f]{64} {2}network\.har$/m);
    const html = await readFile(join(made.folder, 'launch.html'), 'utf8');
    expect(html).toContain('<td>Network log</td><td>1 request in network.har</td>');
    // An export of its own reads what the log wrote.
    const root = parseJson(har ?? '');
    const members = root.ok ? membersOf({ node: root.root, at: '' }) : null;
    if (members === null) throw new Error('No JSON');
    expect(readHar(members, 'network.har', createLosses()).requests).toMatchObject([
      { method: 'POST', address: 'https://g.example/serviceApi.php?externalToken=[token]' },
    ]);
  });

  it('is refused where a header of the page is the private key', async () => {
    const { id } = await launch();
    page?.onEvent({
      type: 'network',
      id: '1',
      at: 1,
      step: 'asked',
      method: 'GET',
      url: 'https://g.example/',
      resourceType: 'xhr',
    });
    page?.onEvent({ type: 'network', id: '1', at: 1, step: 'sent', headers: [['x-own', key]] });
    await expect(test.client.call('launches.networkLog', { id })).rejects.toMatchObject({ code: 'refused' });
    await expect(test.client.call('launches.export', { ids: [id], as: 'folder' })).rejects.toMatchObject({ code: 'refused' });
    // One page has no network log.
    expect(await test.client.call('launches.export', { ids: [id], as: 'html' })).toMatchObject({ as: 'file' });
  });

  it('of many launches is one sheet, as HTML or CSV, with the number of each verdict', async () => {
    const named = await launch({ gameName: '=HYPERLINK("https://evil.example")', lang: 'de' });
    await test.client.call('launches.setNote', { id: named.id, note: 'two\nlines, "quoted"' });
    page?.onEvent({ type: 'crash', reason: 'oom' });
    await test.client.call('launches.close', { id: named.id });
    const other = await launch({ gameMode: 'fun', ticket: 'fun' }, false);
    const ids = [named.id, other.id];
    const csv = await test.client.call('launches.export', { ids, as: 'csv' });
    const sheet = await test.client.call('launches.export', { ids, as: 'sheet' });
    if (csv.as !== 'file' || sheet.as !== 'file') throw new Error('No file');
    expect(csv.name).toMatch(/^launches-[\d-]+\.csv$/);
    const rows: string[][] = parse(csv.text);
    expect(rows[0]?.slice(0, 9)).toEqual('Prepared,Environment,Game,Game ID,Mode,Language,Device,Player,Verdict'.split(','));
    expect(rows[1]?.slice(2, 12)).toEqual([
      '\'=HYPERLINK("https://evil.example")',
      '1001',
      'real',
      'de',
      "this computer's screen",
      'player-1',
      'failed',
      'rules',
      'The game page ran out of memory: oom',
      'two\nlines, "quoted"',
    ]);
    expect(rows.slice(3).map((cells) => [cells[0], cells[8]])).toEqual([
      ['1', 'failed'],
      ['1', 'unfinished'],
    ]);
    expect(sheet.text).toContain('<p>2 launches: 1 failed, 1 unfinished.</p>');
    expect(sheet.text.match(/<img src="data:image\/jpeg;base64,/g)).toHaveLength(1);
    const { files, isListSigned } = verifyPage(Buffer.from(sheet.text));
    expect([files.map(({ state }) => state), isListSigned]).toEqual([['as signed'], true]);
    for (const text of [csv.text, sheet.text]) expect(text).not.toContain(named.token);
    const many = Array.from({ length: 9 }, () => randomUUID());
    await expect(test.client.call('launches.export', { ids: many, as: 'folder' })).rejects.toMatchObject({ code: 'refused' });
  });

  it('has the wallet calls with codes and balances; where Croupier cannot see them, it says so', async () => {
    const { id, token } = await launch({}, false);
    const page = async () => {
      const made = await test.client.call('launches.export', { ids: [id], as: 'html' });
      return made.as === 'file' ? made.text : '';
    };
    expect(await page()).toContain('Not observed: the game was not opened.');
    await test.client.call('launches.open', { id, bounds });
    const bet = { externalToken: token, playerId: 'player-1', gameId: '1001', transactionId: 't-1', amount: 2, currency: 'EUR' };
    await test.send(draftOf('sandbox', { operation: 'bet', text: JSON.stringify(bet) }));
    await test.send(
      draftOf('sandbox', { operation: 'bet', text: JSON.stringify({ ...bet, transactionId: token, amount: 9_999 }) }),
    );
    const html = await page();
    expect(html).toContain('<td>/bet</td><td>2</td><td>t-1</td><td>0</td><td>1000 EUR</td><td>998 EUR</td>');
    expect(html).toContain('<td>/bet</td><td>9999</td><td>[hidden]</td><td>404</td><td>998 EUR</td><td>998 EUR</td>');
  });

  it('is one HTML file that holds its picture', async () => {
    const { id } = await launch();
    await test.client.call('launches.screenshot', { id });
    const made = await test.client.call('launches.export', { ids: [id], as: 'html' });
    if (made.as !== 'file') throw new Error('No page');
    expect(made.name).toMatch(/^\d{4}-\d\d-\d\d-\d{6}-1001-real-[0-9a-f]{8}\.html$/);
    expect(made.text).toContain(`data:image/png;base64,${png.toString('base64')}`);
    expect(made.text).not.toMatch(/(?:src|href)="(?!data:)/);
  });

  it.each([
    ['as it is', key],
    ['percent-encoded', encodeURIComponent(key)],
    ['in JSON', JSON.stringify({ key })],
    ['in base64', `x ${Buffer.from(`..${key}..`).toString('base64')}`],
    ['in hexadecimal', `0${Buffer.from(key).toString('hex')}`],
  ])('is refused where the page wrote the private key %s, and nothing is written', async (_, text) => {
    const { id } = await launch();
    say(`leaked: ${text}`);
    for (const as of ['folder', 'html'] as const)
      await expect(test.client.call('launches.export', { ids: [id], as })).rejects.toMatchObject({ code: 'refused' });
    await expect(readdir(join(test.home, 'evidence'))).rejects.toThrow('ENOENT');
  });

  it('is refused where a field of the launch is the key', async () => {
    // Set after the launch: a known key gets into no field.
    const late = 'a later/key+with "every" kind & ö';
    const { id } = await launch({ gameName: late });
    await test.app.useKey('sandbox', late);
    await expect(test.client.call('launches.export', { ids: [id], as: 'html' })).rejects.toMatchObject({
      code: 'refused',
      details: { environmentId: 'sandbox' },
    });
  });

  it('of a launch that the provider refused names no file by what was asked for', async () => {
    const { id } = await launch({ gameId: '../../../etc/passwd', gameMode: 'fun' }, false);
    const made = await test.client.call('launches.export', { ids: [id], as: 'folder' });
    if (made.as !== 'folder') throw new Error('No folder');
    expect(made.folder.slice(join(test.home, 'evidence').length)).toMatch(
      /^\/\d{4}-\d\d-\d\d-\d{6}--etc-passwd-fun-[0-9a-f]{8}$/,
    );
  });

  it('is refused where there is as much as Croupier keeps, which only a person removes', async () => {
    const { id } = await launch();
    const { kept } = await test.client.call('history.kept', {});
    expect(kept).toContainEqual({ kind: 'evidence', count: 0, bytes: 0, since: null });
    for (let n = 0; n < 1_000; n += 1) await mkdir(join(test.home, 'evidence', `old-${n}`), { recursive: true });
    await expect(test.client.call('launches.export', { ids: [id], as: 'folder' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('has 1,000 launches') as string,
    });
    expect(await test.client.call('launches.export', { ids: [id], as: 'html' })).toMatchObject({ as: 'file' });
    await test.client.call('history.removeKept', { kind: 'evidence', count: 1_000 });
    expect(await test.client.call('launches.export', { ids: [id], as: 'folder' })).toMatchObject({ as: 'folder' });
  });
});
