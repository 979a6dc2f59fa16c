import { readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { copyOldData, digestsOf, type OldData } from '#testing/old-data.ts';
import { createKeyIndex } from '../keys/key-index.ts';

// The real application on a copy of what commit e30ae8c wrote.
let folder: string;
let old: OldData;
beforeEach(async () => {
  folder = await temporaryFolder();
  old = copyOldData(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await createTestApp({ home: old.home });
  try {
    const result = await work(app);
    expect(app.faults).toEqual([]);
    return result;
  } finally {
    await app.close();
  }
}

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(old.home, ...path), 'utf8'));
const text = (value: unknown) => JSON.stringify(value);

/** The rows of a table as the earlier program wrote them; read before any application opens the file. */
function rowsOf(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(old.home, 'history.sqlite'), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Operation, state, HTTP status, code, and the request of the collection whose run sent it. */
const calls: readonly (readonly [string, string, number | null, number | null, string | null])[] = [
  ['gameList', 'answered', 200, 0, null],
  ['getLauncherURL', 'answered', 200, 404, null],
  ['playerInfo', 'answered', 200, 404, null],
  ['bet', 'answered', 200, 404, null],
  ['gameList', 'answered', 200, 8, null],
  ['getGameRound', 'answered', 400, 9, null],
  ['gameList', 'failed', null, null, null],
  ['gameList', 'answered', 200, 0, 'games'],
  ['bet', 'answered', 200, 404, 'wallet/bet'],
  ['playerInfo', 'answered', 200, 404, 'wallet/wrong hash'],
  ['getLauncherURL', 'answered', 200, 404, 'launch'],
  ['gameList', 'answered', 200, 0, 'games'],
  ['bet', 'answered', 200, 404, 'wallet/bet'],
  ['playerInfo', 'answered', 200, 404, 'wallet/wrong hash'],
  ['getLauncherURL', 'answered', 200, 0, 'launch'],
  ['bet', 'answered', 200, 404, 'wallet/bet'],
  ['playerInfo', 'answered', 200, 404, 'wallet/wrong hash'],
  ['bet', 'answered', 200, 404, 'wallet/bet'],
  ['playerInfo', 'answered', 200, 404, 'wallet/wrong hash'],
  ['gameList', 'answered', 200, 0, null],
];

/** Everything of the collection that the earlier program could save. */
const requests: Readonly<Record<string, object>> = {
  'games.yaml': {
    operation: 'gameList',
    data: '{\n  "currency": "{{currency}}"\n}\n',
    take: { firstGame: '$.data.slots[0].id' },
    expect: [
      { code: '0' },
      { status: '200' },
      { withinMs: '60000' },
      { shape: 'documented' },
      { path: '$.data.slots[*].id', present: true, type: 'string' },
    ],
    notes: 'All games.\nSecond line.',
    examples: [{ name: 'a launch', status: '200', body: '{\n  "code": 404,\n  "message": "Invalid Token",\n  "data": null\n}' }],
  },
  'launch.yaml': {
    operation: 'getLauncherURL',
    data: '{"gameMode":"{{mode}}","gameId":"{{firstGame}}","lang":"en","externalToken":"","playerId":"{{player}}","country":"DE","ip":"203.0.113.9","exitURL":"https://casino.example/"}',
    expect: [{ code: '0' }],
  },
  'wallet/bet.yaml': {
    operation: 'bet',
    data: '{\n  "externalToken": "none",\n  "playerId": "{{player}}",\n  "gameId": "1042",\n  "transactionId": "{{$uniqueId:bet}}",\n  "roundId": 9007199254740993,\n  "amount": {{amount}},\n  "currency": "EUR"\n}\n',
    expect: [{ code: '0' }, { path: '/code', not: '8' }],
    notes: 'Fails: the token is unknown.',
  },
  'wallet/wrong hash.yaml': {
    operation: 'playerInfo',
    data: '{"externalToken":"none","playerId":"{{player}}"}',
    overrides: { hash: 'wrong', time: '20-11-2026 10:15:30', omit: ['platform'] },
    expect: [{ code: '8' }],
  },
  'wallet/odd – ünïcode/no.yaml': {
    operation: 'getGameRound',
    data: '{"roundId": 1e400, "text": "\\u2028"}\r\n',
    overrides: { platform: '1.0', partnerId: '"x"' },
  },
};

describe('a home and a collection of commit e30ae8c', () => {
  it('open with every call as it was recorded, to the byte', async () => {
    const written = rowsOf(
      `SELECT calls.*, draft, call_requests.headers AS request_headers, call_requests.body AS request_body, time, data_offset, data_length, hash,
         key_fingerprint, call_responses.headers AS response_headers, call_responses.body AS response_body, truncated, timings, clock_offset_ms, findings
       FROM calls JOIN call_requests ON call_requests.call_id = calls.id JOIN call_responses ON call_responses.call_id = calls.id ORDER BY calls.id`,
    );
    expect(written).toHaveLength(calls.length);
    await withApp(async ({ app, client }) => {
      const listed = (await client.call('calls.list', { limit: 500 })).calls.toReversed();
      expect(
        listed.map(({ operation, state, status, code, collectionRun }) => [
          operation,
          state,
          status,
          code,
          collectionRun?.path ?? null,
        ]),
      ).toEqual(calls);
      for (const row of written) {
        const id = Number(row['id']);
        const call = await client.call('calls.get', { id });
        expect(call).toMatchObject({
          id,
          environmentId: row['environment_id'],
          environmentName: row['environment_name'],
          operation: row['operation'],
          url: row['url'],
          sentAt: row['sent_at'],
          state: row['state'],
          status: row['status'],
          code: row['code'],
          message: row['message'],
          failure: JSON.parse(String(row['failure'])) as unknown,
          durationMs: row['duration_ms'],
          requestBytes: row['request_bytes'],
          responseBytes: row['response_bytes'],
          run: row['run'],
          pinned: row['pinned'] === 1,
          note: row['note'],
          repeats: row['repeats'],
          draft: JSON.parse(String(row['draft'])) as object,
          timings: JSON.parse(String(row['timings'])) as unknown,
          clockOffsetMs: row['clock_offset_ms'],
          findings: JSON.parse(String(row['findings'])) as object[],
        });
        expect(text(call.request.headers)).toBe(row['request_headers']);
        expect(Buffer.from(call.request.bodyText)).toEqual(Buffer.from(row['request_body'] as Uint8Array));
        expect(call.request.hash).toBe(row['hash']);
        expect(call.request.keyFingerprint).toBe(row['key_fingerprint']);
        const { hashInput, bodyText } = call.request;
        const length = Number(row['data_length'] ?? 0);
        const slice = Buffer.from(bodyText)
          .subarray(Number(row['data_offset'] ?? 0))
          .subarray(0, length)
          .toString();
        expect(hashInput).toEqual(
          row['hash'] === null
            ? null
            : {
                time: row['time'],
                dataJson: row['data_length'] === null ? null : slice,
                dataOffset: Number(row['data_offset'] ?? 0),
                dataLength: length,
              },
        );
        expect(call.response === null ? null : text(call.response.headers)).toBe(row['response_headers']);
        if (call.response === null) continue;
        expect(Buffer.from(await app.body(id))).toEqual(Buffer.from(row['response_body'] as Uint8Array));
      }
      expect(listed.filter(({ pinned }) => pinned).map(({ id }) => id)).toEqual([2]);
      expect(listed.filter(({ note }) => note !== '').map(({ note }) => note)).toEqual(['The first list. Größe: 60 games.']);
      // What an earlier index found, and by its codes.
      expect((await client.call('calls.list', { text: 'Lucky Compass' })).calls.map(({ id }) => id)).toEqual([20, 12, 8, 1]);
      expect((await client.call('calls.list', { filter: { codes: [8, 9] } })).calls.map(({ id }) => id)).toEqual([6, 5]);
    });
  });

  it('open with the game list and the launch that came of calls', async () => {
    const games = rowsOf('SELECT * FROM catalogue_games ORDER BY snapshot_id, position');
    const launches = rowsOf('SELECT * FROM launches');
    expect([games.length, launches.length]).toEqual([60, 1]);
    await withApp(async ({ client }) => {
      const { snapshots } = await client.call('catalogue.snapshots', {});
      expect(snapshots).toMatchObject([{ environmentId: 'sandbox', currency: 'EUR', callId: 20, games: 60, problems: [] }]);
      const found = await client.call('catalogue.games', { snapshotId: snapshots[0]?.id ?? 0 });
      expect(found.games.map(({ id, name, status }) => [id, name, status])).toEqual(
        games.map((row) => [row['game_id'], row['name'], row['status']]),
      );
      const listed = await client.call('launches.list', {});
      const stored = JSON.parse(String(launches[0]?.['launch'])) as Record<string, unknown>;
      expect(listed.launches).toMatchObject([{ gameName: 'Lucky Compass', id: stored['id'], url: stored['url'] }]);
    });
  });

  it('open with every environment, expected key and setting', async () => {
    const files = readdirSync(join(old.home, 'environments')).sort();
    const environments = files.map((name) => ({ id: name.replace(/\.json$/, ''), ...(json('environments', name) as object) }));
    const settings = json('settings.json') as Record<string, string>;
    const keys = json('keys.json') as { accounts: Record<string, object> };
    expect(environments.map(({ id }) => id.replace(/-[0-9a-f]{6}$/, ''))).toEqual(['closed-port', 'sandbox', 'staging']);
    expect(Object.keys(settings)).toEqual(['collections', 'layout', 'workspace']);
    await withApp(async ({ client }) => {
      const found = (await client.call('environments.list', {})).environments;
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject(environments);
      const { values, unknown } = await client.call('settings.read', {});
      expect([values, unknown]).toEqual([settings, []]);
    });
    const index = createKeyIndex({
      path: join(old.home, 'keys.json'),
      report: (message) => {
        throw new Error(message);
      },
    });
    const accounts = index.accounts();
    expect(accounts).toHaveLength(3);
    expect(Object.fromEntries(accounts.map((account) => [account, index.entry(account)]))).toEqual(keys.accounts);
  });

  it('open with every tab and what was typed into it, which leaves the settings for a workspace of its own', async () => {
    const settings = json('settings.json') as Record<string, string>;
    const { tabs, active } = JSON.parse(settings['workspace'] ?? '') as { tabs: object[]; active: number };
    expect(tabs.map((tab) => ('file' in tab ? tab.file : null))).toMatchObject([
      null,
      null,
      null,
      { collectionId: old.collectionId, path: 'games.yaml' },
      { collectionId: old.collectionId, path: 'wallet/bet.yaml' },
    ]);
    expect(text(tabs)).toContain('{\\"roundId\\": 9007199254740993, \\"half\\"}');
    await withApp(async ({ client }) => {
      const opened = await client.call('workspaces.open', { page: 'p', line: null, mine: null, begin: false });
      expect(opened.tabs.map((tab) => JSON.parse(tab.text ?? '') as unknown)).toEqual(tabs);
      expect(opened).toMatchObject({ left: [], newer: [], problem: null });
      const list = JSON.parse(opened.list ?? '') as { active: string; tabs: { unsaved: boolean }[]; hashPane: boolean };
      expect(list.active).toBe(opened.tabs[active]?.id);
      expect(list.tabs.map(({ unsaved }) => unsaved)).toEqual([false, true, true, false, true]);
      expect(list.hashPane).toBe(true);
      const { workspace: _moved, ...others } = settings;
      expect((await client.call('settings.read', {})).values).toEqual(others);
    });
  });

  it('open with the report of each run', async () => {
    const files = readdirSync(join(old.home, 'collection-runs')).sort().reverse();
    const lines = files.map((name) =>
      readFileSync(join(old.home, 'collection-runs', name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { start?: object; end?: object; request?: object; index?: number }),
    );
    await withApp(async ({ client }) => {
      const { runs } = await client.call('runs.list', { collectionId: old.collectionId });
      expect(
        runs.map(({ collection, path, state, planned, totals }) => [collection, path, state, planned, totals]),
      ).toMatchObject([
        ['team/wallet', 'wallet', 'finished', 6, { requests: 6, passed: 0, failed: 4, errored: 2, checks: 6, checksFailed: 4 }],
        ['team', '', 'finished', 10, { requests: 10, passed: 1, failed: 7, errored: 2, checks: 20, checksFailed: 7 }],
      ]);
      for (const [at, { runId }] of runs.entries()) {
        const { requests: done, unknown } = await client.call('runs.requests', { runId, from: 0, limit: 500 });
        const written = (lines[at] ?? []).flatMap(({ index, request }) => (request === undefined ? [] : [{ ...request, index }]));
        expect(done).toMatchObject(written);
        expect([done.length, unknown]).toEqual([runs[at]?.planned, false]);
      }
    });
  });

  it('open with the collection: its folders, order, variables, notes, and all of each request', async () => {
    await withApp(async ({ client }) => {
      const id = old.collectionId;
      expect((await client.call('collections.list', {})).collections).toEqual([
        { id, directory: old.directory, name: 'team', problem: null },
      ]);
      const tree = await client.call('collections.tree', { id });
      expect(tree).toMatchObject({ problem: null, notices: [] });
      expect(tree.nodes.map(({ path, problem, warnings }) => [path, problem, warnings])).toEqual(
        [
          'games.yaml',
          'launch.yaml',
          'wallet',
          'wallet/bet.yaml',
          'wallet/odd – ünïcode',
          'wallet/odd – ünïcode/no.yaml',
          'wallet/wrong hash.yaml',
        ].map((path) => [path, null, []]),
      );
      expect(await client.call('collections.readFolder', { id, path: '' })).toMatchObject({
        settings: {
          variables: { player: 'player-1', amount: '0.10', currency: 'EUR', big: '9007199254740993', word: 'no' },
          order: ['games.yaml', 'launch.yaml', 'wallet'],
          notes: 'What everybody should know: ä.',
        },
        unknown: [],
        warnings: [],
      });
      expect((await client.call('collections.readFolder', { id, path: 'wallet' })).settings).toEqual({
        variables: { amount: '1.50' },
        order: [],
        notes: '',
      });
      const nothing = { form: '', data: '', overrides: {}, take: {}, expect: [], notes: '', examples: [], tags: [] };
      for (const [path, request] of Object.entries(requests)) {
        const read = await client.call('collections.read', { id, path });
        expect(read).toMatchObject({ unknown: [], warnings: [] });
        expect(read.request).toEqual({ ...nothing, ...request });
      }
    });
  });

  it('are changed by a first start where they have to be, and by a second one nowhere', async () => {
    const start = async () => {
      await withApp(async ({ client }) => {
        await client.call('workspaces.open', { page: 'p', line: null, mine: null, begin: false });
        await client.call('collections.tree', { id: old.collectionId });
        for (const path of Object.keys(requests)) await client.call('collections.read', { id: old.collectionId, path });
        await client.call('calls.list', { text: 'Lucky Compass' });
        await client.call('environments.list', {});
        await client.call('settings.read', {});
        await client.call('runs.list', {});
        await client.call('history.status', {});
      });
      return { home: digestsOf(old.home), team: digestsOf(old.directory) };
    };
    const before = { home: digestsOf(old.home), team: digestsOf(old.directory) };
    const first = await start();
    const second = await start();
    const changed = (from: Record<string, string>, to: Record<string, string>) =>
      Object.keys({ ...from, ...to }).filter((name) => from[name] !== to[name]);
    // Opening writes nothing into a collection: it is in git.
    expect([changed(before.team, first.team), changed(first.team, second.team)]).toEqual([[], []]);
    const names = changed(before.home, first.home).map((name) => name.replace(/[0-9a-f]{24}/, 'ID'));
    expect(names.filter((name) => !name.startsWith('locks/') && !name.startsWith('runs/')).sort()).toEqual([
      // Its tables are brought to this version's.
      'history.sqlite',
      // The open tabs leave it for a workspace.
      'settings.json',
      ...['holder.json', 'list.json', ...[1, 2, 3, 4, 5].map((tab) => `tab-${tab}.tab.json`)].map(
        (name) => `workspaces/ID/${name}`,
      ),
    ]);
    // Which program has the tabs is written at each start.
    expect(changed(first.home, second.home).map((name) => name.replace(/[0-9a-f]{24}/, 'ID'))).toEqual([
      'workspaces/ID/holder.json',
    ]);
  });
});
