import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { createHistoryStore, type HistoryStore } from '../history/store.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createJudgedCallFinder, type FindJudgedCall } from './judged-call.ts';

const provider = 'https://localhost:8443';
const body = '{"action":"gameList","note":"ä"}';
let home: string;
let opened: { close(): void }[];
let database: Database;
let history: HistoryStore;
let find: FindJudgedCall;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-judged-'));
  const run = createSessionLock(join(home, 'runs'));
  database = createDatabase(join(home, 'history.sqlite'));
  history = createHistoryStore(database, run);
  find = createJudgedCallFinder(database);
  opened = [run, database, history];
});
afterEach(() => {
  for (const item of opened.reverse()) item.close();
  rmSync(home, { recursive: true, force: true });
});

const environment = Environment.parse({ id: 'sandbox', name: 'sandbox', baseUrl: provider, platform: 1, partnerId: 2 });

const begin = (text = body, url = `${provider}/serviceApi.php`) =>
  history.begin(
    someOutgoing({
      environment,
      draft: draftOf('sandbox', { operation: 'gameList' }),
      url,
      sentAt: 1_795_000_000_000,
      headers: [['content-type', 'application/json']],
      body: Buffer.from(text),
    }),
  );

const finish = (id: number) => history.finish(id, someOutcome(null));

const verdict = (change: Partial<SandboxVerdict> = {}): SandboxVerdict => ({
  time: '2026-11-20T10:15:30.000Z',
  path: '/serviceApi.php',
  action: 'gameList',
  verdict: { code: 0, message: 'ok', why: '', reason: '', standsIn: false },
  bodyText: body,
  headers: [['content-type', 'application/json']],
  ...change,
});

it('finds the one call that waits with these bytes, these headers and at this address', async () => {
  await begin(`${body} `);
  await begin(body, 'https://localhost:9999/serviceApi.php');
  await begin(body, 'https://provider.example:8443/serviceApi.php');
  await begin(body, `${provider}/bet`);
  const id = await begin(body, 'https://127.0.0.1:8443/serviceApi.php');
  expect(find(verdict({ headers: null }), provider)).toBeNull();
  expect(find(verdict({ headers: [['content-type', 'application/json; charset=utf-8']] }), provider)).toBeNull();
  expect(find(verdict({ bodyText: body.replace('ä', 'ö') }), provider)).toBeNull();
  expect(find(verdict({ path: '/win' }), provider)).toBeNull();
  expect(find(verdict(), provider)).toBe(id);
  // Once.
  expect(find(verdict(), provider)).toBeNull();
});

it('tells the same bytes apart where one follows the other', async () => {
  const first = await begin();
  expect(find(verdict(), provider)).toBe(first);
  // Its outcome may be written after the next one was begun.
  const second = await begin();
  expect(find(verdict(), provider)).toBe(second);
  await finish(first);
  await finish(second);
  expect(find(verdict(), provider)).toBeNull();
});

it('takes none of two that wait at the same time, also when one of them is gone', async () => {
  const [one, other] = [await begin(), await begin()];
  expect(find(verdict(), provider)).toBeNull();
  await finish(one);
  expect(find(verdict(), provider)).toBeNull();
  await finish(other);
  const next = await begin();
  expect(find(verdict(), provider)).toBe(next);
});

it('finds none where the history cannot be read, and reads the few rows that wait alone', async () => {
  const plan = database.run((connection) =>
    connection
      .prepare(
        "EXPLAIN QUERY PLAN SELECT c.id FROM calls c INDEXED BY calls_pending WHERE c.state = 'pending' AND c.request_bytes = 1",
      )
      .all(),
  );
  expect(plan.map(({ detail }) => detail)).toEqual(['SCAN c USING INDEX calls_pending']);
  await begin();
  database.reportDamage('is broken');
  expect(find(verdict(), provider)).toBeNull();
});
