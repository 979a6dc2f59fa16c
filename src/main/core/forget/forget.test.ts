import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ForgetReport, Payload } from '#shared/ipc/index.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { launchOf } from '#testing/conformance-cases.ts';
import type { GameView, GameViewOptions } from '../host/host.ts';

const searchWorker = fileURLToPath(new URL('../history/search-worker.ts', import.meta.url));
const player = 'zqxw-7731';
const other = 'other-player';

let folder: string;
let home: string;
let team: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-forget-'));
  [home, team] = [join(folder, 'home'), join(folder, 'team')];
  mkdirSync(team);
  opened = [];
});
afterEach(async () => {
  for (const item of opened.reverse()) await item.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the files below a folder that hold a text, whatever their names. */
function holding(text: string, below = home): string[] {
  return readdirSync(below, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(below, name)).isFile() && readFileSync(join(below, name)).includes(text))
    .sort();
}

async function open(host: 'desktop' | 'command line' = 'desktop'): Promise<TestApp> {
  const test = await createTestApp({ home, sandbox: true, host: host === 'desktop' ? { searchWorker } : {} });
  opened.push(test);
  return test;
}

const freeRounds = (playerId: string, environmentId = 'sandbox') =>
  draftOf(environmentId, {
    operation: 'freeRounds',
    form: 'single',
    text: JSON.stringify({
      playerId,
      externalReferenceId: `r-${playerId}`,
      numberOfFreeRounds: 1,
      betLevel: 0,
      gameIds: ['1001'],
    }),
  });

/** Creates everything that may name a player, of two of them. Returns how many events the page got. */
async function fill({ client, send, home: at, environment }: TestApp): Promise<void> {
  const echo = await startHttpsServer(({ body }, response) => {
    response.end(`{"code":0,"message":"ok","data":${body.toString()}}`);
  });
  opened.push(echo);
  const live = await environment(echo, { name: 'Live', production: true });
  for (const who of [player, other]) {
    await send(freeRounds(who));
    const { id } = await send(freeRounds(who, live.id), true);
    await client.call('calls.pin', { id, pinned: true });
    await client.call('calls.delete', { ids: [(await send(freeRounds(who))).id] });
    await client.call('tokens.add', { environmentId: live.id, text: `token of ${who},${who}`.replaceAll(' ', '-') });
    const launch = await client.call('launches.prepare', { ...launchOf('sandbox', `launch ${who}`), playerId: who });
    await client.call('launches.export', { ids: [launch.id], as: 'folder' });
    const raw = new DatabaseSync(join(at, 'history.sqlite'), { timeout: 5_000 });
    const picture = Buffer.from(`picture of ${who}`.repeat(2_000));
    raw.prepare('INSERT INTO launch_pictures VALUES (?, 1, 5, ?, NULL)').run(launch.id, picture);
    raw.close();
    writeFileSync(
      join(team, `${who === player ? 'one' : 'two'}.yaml`),
      `operation: freeRounds\nform: single\ndata: |\n  {"playerId":"${who}","externalReferenceId":"x","numberOfFreeRounds":1,"betLevel":0,"gameIds":["1001"]}\n` +
        `expect:\n  - path: /data/data/playerId\n    equals: ${who}\n# kept\nexamples:\n  - name: first\n    status: "200"\n    body: |\n      {"playerId": "${who}"}\n  - name: second\n    status: "200"\n    body: "{}"\n`,
    );
  }
  const { id: collectionId } = await client.call('collections.open', { directory: team });
  for (const path of ['one.yaml', 'two.yaml']) {
    const ended = new Promise<void>((resolve) => client.on('runs.progressed', ({ state }) => state === 'running' || resolve()));
    await client.call('runs.start', { collectionId, path, environmentId: live.id, confirmed: true });
    await ended;
  }
  mkdirSync(join(at, 'cache', 'thumbnails'), { recursive: true });
  writeFileSync(join(at, 'cache', 'thumbnails', 'a'.repeat(64)), 'a picture');
}

const counts = ({ calls, production, pinned, byToken, launches, runReports, evidence, examples }: ForgetReport) => ({
  calls,
  production,
  pinned,
  byToken,
  launches,
  runReports,
  evidence,
  examples,
});

describe.each(['desktop', 'command line'] as const)('forgetting a player on the %s', (host) => {
  it('removes everything that names it from every file of the home, after saying what that is', async () => {
    const test = await open(host);
    const { client, faults } = test;
    await fill(test);
    if (host === 'desktop')
      await vi.waitFor(async () => expect((await client.call('history.status', {})).unindexed).toBe(0), { timeout: 30_000 });
    const found = await client.call('history.forget', { player, dryRun: true, ticket: 'look' });
    const all = { calls: 5, production: 2, pinned: 1, byToken: 0, launches: 1, runReports: 1, evidence: 1, examples: 1 };
    expect(counts(found)).toEqual(all);
    expect(found).toMatchObject({ dryRun: true, cancelled: false, exampleFiles: [join(team, 'one.yaml')], remains: null });
    const files = [...holding(player), ...holding('zqxw')].join('\n');
    for (const part of ['history.sqlite', 'collection-runs', ...(host === 'desktop' ? ['history-index.sqlite'] : [])]) {
      expect(files).toContain(part);
    }

    const heard: Payload<'history.forgetting'>[] = [];
    client.on('history.forgetting', (progress) => heard.push(progress));
    const gone: string[][] = [];
    client.on('runs.removed', ({ runIds }) => gone.push(runIds));
    const done = await client.call('history.forget', { player, dryRun: false, ticket: 'do' });
    expect(counts(done)).toEqual(all);
    expect(done).toMatchObject({ dryRun: false, cancelled: false, remains: null });
    expect(gone.map((runIds) => runIds.length)).toEqual([1]);
    expect(new Set(heard.map(({ step }) => step))).toEqual(new Set(['find', 'others', 'remove', 'erase']));
    const [live = ''] = (await client.call('environments.list', {})).environments
      .filter(({ name }) => name === 'Live')
      .map(({ id }) => id);
    const pool = await client.call('tokens.list', { environmentId: live });
    expect(pool.tokens.map(({ playerId }) => playerId)).toEqual([other]);
    expect(holding(player)).toEqual([]);
    // The index has words, and pieces of three characters.
    expect(holding('zqxw')).toEqual([]);
    expect(holding(player, team)).toEqual(['one.yaml']);
    expect(readFileSync(join(team, 'one.yaml'), 'utf8')).not.toContain('name: first');
    expect(readFileSync(join(team, 'one.yaml'), 'utf8')).toContain('# kept');
    expect(done.left.find(({ text }) => text.startsWith('Requests, variables'))?.files).toEqual([join(team, 'one.yaml')]);
    expect(done.left.some(({ text }) => text.startsWith('Git'))).toBe(true);

    // Nothing of the other one is gone.
    expect(counts(await client.call('history.forget', { player: other, dryRun: true, ticket: 'other' }))).toEqual(all);
    expect((await client.call('launches.list', {})).launches).toHaveLength(1);
    expect(counts(await client.call('history.forget', { player, dryRun: true, ticket: 'again' }))).toEqual(
      Object.fromEntries(Object.keys(all).map((name) => [name, 0])),
    );
    expect(faults).toEqual([]);
  });
});

describe('forgetting a player', () => {
  it('closes a game of the player that is open, and hears nothing more of it', async () => {
    const told: GameViewOptions[] = [];
    let closed = 0;
    const ignore = () => undefined;
    const view: GameView = {
      setBounds: ignore,
      setVisible: ignore,
      reload: ignore,
      goBack: ignore,
      setPage: ignore,
      setMuted: ignore,
      focus: ignore,
      snapshot: () => Promise.resolve({ seen: false, replied: null, page: null, png: null }),
      capture: () => Promise.resolve({ failure: 'gone' }),
      close: () => Promise.resolve(void (closed += 1)),
    };
    const gameViews = {
      open(options: GameViewOptions): Promise<GameView> {
        told.push(options);
        return Promise.resolve(view);
      },
    };
    const test = await createTestApp({ home, sandbox: true, host: { searchWorker, gameViews } });
    opened.push(test);
    const { client, faults } = test;
    const quiet = await client.call('launches.prepare', { ...launchOf('sandbox', 'quiet'), playerId: other });
    const { id } = await client.call('launches.prepare', { ...launchOf('sandbox', 'open'), playerId: player });
    await client.call('launches.open', { id, bounds: { x: 0, y: 0, width: 390, height: 844 } });
    const page = told[0];
    page?.onEvent({ type: 'console', level: 'info', text: player, source: '', line: 1 });
    const runsRemoved: unknown[] = [];
    client.on('runs.removed', (removed) => runsRemoved.push(removed));
    const done = await client.call('history.forget', { player, dryRun: false, ticket: 'open' });
    expect(done).toMatchObject({ launches: 1, remains: null });
    expect(runsRemoved).toEqual([]);
    expect(closed).toBe(1);
    page?.onEvent({ type: 'console', level: 'info', text: `${player} again`, source: '', line: 1 });
    expect((await client.call('launches.list', {})).launches.map((launch) => launch.id)).toEqual([quiet.id]);
    await expect(client.call('launches.get', { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(holding('zqxw')).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('leaves what it cannot look into, says so, and removes damaged histories where that is wanted', async () => {
    const test = await open();
    const { client, send } = test;
    const aside = join(home, 'history.sqlite.set-aside-20260101T000000');
    for (const suffix of ['', '-wal', '.recovered.jsonl']) writeFileSync(aside + suffix, `{"playerId":"${player}"}`);
    // Readable calls were read already: nobody begins to read while the files are counted.
    writeFileSync(`${aside}.json`, JSON.stringify({ reason: `holds ${player}`, at: 1, recovered: 1 }));
    const evidence = join(home, 'evidence', 'broken');
    mkdirSync(evidence, { recursive: true });
    writeFileSync(join(team, 'broken.yaml'), 'operation: [');
    writeFileSync(join(team, 'bet.yaml.other-version'), `data: '{"playerId": "${player}"}'`);
    const inTeam = join(team, 'environments');
    mkdirSync(inTeam);
    const staging = 'baseUrl: https://a.example\nplatform: 1\npartnerId: 42\nproduction: false\n';
    for (const [name, exitURL] of [
      ['Named.yaml', `https://casino.example/?playerId=${player}`],
      ['Staging.yaml', 'https://casino.example/'],
    ] as const)
      writeFileSync(join(inTeam, name), `${staging}defaults:\n  exitURL: ${exitURL}\n`);
    writeFileSync(join(inTeam, 'Broken.yaml'), 'baseUrl: [');
    writeFileSync(join(inTeam, 'Staging.yaml.other-version'), `{"playerId": "${player}"}`);
    await client.call('collections.open', { directory: team });
    await client.call('settings.write', { name: 'tabs', value: JSON.stringify([{ text: `{"playerId": "${player}"}` }]) });
    const sandbox = (await client.call('environments.list', {})).environments.find(({ id }) => id === 'sandbox');
    if (sandbox !== undefined) {
      await client.call('environments.save', {
        environment: { ...sandbox, defaults: { ...sandbox.defaults, playerId: player } },
      });
    }
    await send(freeRounds(`${player}-2`));
    await send(draftOf('sandbox', { operation: 'bet', text: JSON.stringify({ playerId: other, transactionId: player }) }));
    const { left, calls } = await client.call('history.forget', { player, dryRun: true, ticket: 'a' });
    expect(calls).toBe(0);
    expect(left.map(({ text, files }) => [text.slice(0, 24), files.length])).toEqual([
      ['1 other call with "zqxw-', 0],
      ['The default player of sa', 0],
      ['Values that the workbenc', 0],
      ['Requests, variables and ', 1],
      ['Versions of collection f', 2],
      ['Collection files that Cr', 2],
      ['Evidence that Croupier c', 1],
      ['Damaged histories that w', 4],
      ['Git keeps earlier versio', 0],
      ['Files exported, saved or', 0],
      ['Backups, disk snapshots,', 0],
    ]);
    expect(await client.call('history.forget', { player, dryRun: false, setAside: true, ticket: 'b' })).toMatchObject({
      setAside: 4,
    });
    expect(readdirSync(home).filter((name) => name.includes('set-aside'))).toEqual([]);
  });

  it('can be stopped, takes one at a time, and goes on where it was stopped', async () => {
    const test = await open();
    const { client, send } = test;
    for (let n = 0; n < 3; n += 1) await send(freeRounds(player));
    const stopped = client.call('history.forget', { player, dryRun: false, ticket: 'a' });
    await expect(client.call('history.forget', { player, dryRun: true, ticket: 'b' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await client.call('history.cancelForget', { ticket: 'b' })).toEqual({ cancelled: false });
    expect(await client.call('history.cancelForget', { ticket: 'a' })).toEqual({ cancelled: true });
    expect(await stopped).toMatchObject({ cancelled: true, calls: 0 });
    expect(await client.call('history.cancelForget', { ticket: 'a' })).toEqual({ cancelled: false });
    expect(await client.call('history.forget', { player, dryRun: false, ticket: 'c' })).toMatchObject({
      calls: 3,
      cancelled: false,
    });
  });
});

it('a deleted call is in no file once Croupier has ended', async () => {
  const test = await open();
  const { client, send } = test;
  const { id } = await send(freeRounds(player));
  await vi.waitFor(async () => expect((await client.call('history.status', {})).unindexed).toBe(0), { timeout: 30_000 });
  await client.call('calls.delete', { ids: [id] });
  expect(holding(player)).not.toEqual([]);
  await test.app.close();
  expect(holding('zqxw')).toEqual([]);
});
