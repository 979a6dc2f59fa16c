import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import type { CallFilter } from '#shared/ipc/index.ts';
import { migrations } from '../database/migrations.ts';
import { conditionOf } from './list-query.ts';

interface Row {
  id: number;
  code: number | null;
  state: string;
  pinned: number;
  environment_id: string;
  operation: string;
  run: string;
  collection_run: string | null;
  origin: string | null;
  sent_at: number;
  deleted_by: string | null;
}

const states = ['answered', 'failed', 'cancelled', 'interrupted', 'pending'];
/** Every state with every code it may have, in two environments, kept and deleted, by turns. */
const rows = Array.from({ length: 240 }, (_, id): Row => {
  const state = states[id % 5] ?? '';
  return {
    id,
    state,
    code: state === 'answered' ? ([0, 7, 8, null][Math.floor(id / 5) % 4] ?? null) : null,
    pinned: id % 7 === 0 ? 1 : 0,
    environment_id: `e${id % 3}`,
    operation: ['bet', 'win', 'gameList'][Math.floor(id / 3) % 3] ?? '',
    run: `session ${id % 2}`,
    collection_run: id % 4 === 0 ? null : `run ${id % 4}`,
    origin: [null, 'backend', 'provider'][Math.floor(id / 2) % 3] ?? null,
    sent_at: 1_000 * id,
    deleted_by: id % 11 === 0 ? 'removal' : null,
  };
});

const database = new DatabaseSync(':memory:');
afterAll(() => database.close());
for (const step of migrations) database.exec(step);
const columns = [...Object.keys(rows[0] ?? {}), 'environment_name', 'url', 'request_bytes'];
const insert = database.prepare(`INSERT INTO calls (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
for (const row of rows) insert.run(...Object.values(row as unknown as Record<string, string | number | null>), '', '', 0);

const idsWhere = (sql: string, values: readonly (string | number)[]) =>
  database
    .prepare(`SELECT id FROM calls c WHERE 1${sql} ORDER BY id`)
    .all(...values)
    .map(({ id }) => Number(id));

const answered = ({ state }: Row) => state === 'answered';
const outcome = {
  accepted: (row: Row) => answered(row) && row.code === 0,
  refused: (row: Row) => answered(row) && row.code !== null && row.code !== 0,
  uncoded: (row: Row) => answered(row) && row.code === null,
  unanswered: ({ state }: Row) => ['failed', 'cancelled', 'interrupted'].includes(state),
  pending: ({ state }: Row) => state === 'pending',
};

it.each<[filter: CallFilter, keeps: (row: Row) => boolean, index: string | null]>([
  [{}, () => true, null],
  [{ codes: [], outcomes: [], states: [], environmentIds: [], operations: [], runs: [] }, () => true, null],
  [{ pinned: true }, ({ pinned }) => pinned === 1, 'calls_pinned'],
  [{ pinned: false }, ({ pinned }) => pinned === 0, null],
  [{ collectionRun: 'run 2' }, (row) => row.collection_run === 'run 2', 'calls_collection_run'],
  [{ codes: [7] }, ({ code }) => code === 7, 'calls_code'],
  [{ codes: [7, 0] }, ({ code }) => code === 7 || code === 0, null],
  [{ environmentIds: ['e1'] }, (row) => row.environment_id === 'e1', 'calls_environment'],
  [{ environmentIds: ['e1', 'e2'] }, (row) => row.environment_id !== 'e0', null],
  [{ operations: ['bet'] }, ({ operation }) => operation === 'bet', 'calls_operation'],
  [{ operations: ['bet', 'win'] }, ({ operation }) => operation !== 'gameList', null],
  [{ origins: [] }, () => true, null],
  [{ origins: ['croupier'] }, ({ origin }) => origin === null, null],
  [{ origins: ['backend'] }, ({ origin }) => origin === 'backend', 'calls_origin'],
  [{ origins: ['provider', 'backend'] }, ({ origin }) => origin !== null, null],
  [{ origins: ['croupier', 'provider'] }, ({ origin }) => origin !== 'backend', null],
  [{ states: ['answered'] }, answered, null],
  [{ states: ['failed'] }, ({ state }) => state === 'failed', 'calls_unanswered'],
  [{ states: ['pending'] }, outcome.pending, 'calls_pending'],
  [{ states: ['failed', 'pending'] }, ({ state }) => state === 'failed' || state === 'pending', null],
  [{ runs: ['session 1'] }, ({ run }) => run === 'session 1', null],
  [{ since: 20_000.9 }, (row) => row.sent_at >= 20_000, null],
  [{ until: 20_000 }, (row) => row.sent_at < 20_000, null],
  [{ since: 20_000, until: 30_000 }, (row) => row.sent_at >= 20_000 && row.sent_at < 30_000, null],
  [{ since: 1e21 }, () => false, null],
  [{ outcomes: ['accepted'] }, outcome.accepted, null],
  [{ outcomes: ['refused'] }, outcome.refused, 'calls_refused'],
  [{ outcomes: ['uncoded'] }, outcome.uncoded, null],
  [{ outcomes: ['unanswered'] }, outcome.unanswered, 'calls_unanswered'],
  [{ outcomes: ['pending'] }, outcome.pending, 'calls_pending'],
  [{ outcomes: ['accepted', 'pending'] }, (row) => outcome.accepted(row) || outcome.pending(row), null],
  [{ outcomes: ['refused', 'unanswered'] }, (row) => outcome.refused(row) || outcome.unanswered(row), null],
  [
    { pinned: true, codes: [0], environmentIds: ['e0'], operations: ['bet'] },
    (row) => row.pinned === 1 && row.code === 0 && row.environment_id === 'e0' && row.operation === 'bet',
    'calls_pinned',
  ],
  [
    { collectionRun: 'run 1', outcomes: ['refused'] },
    (row) => row.collection_run === 'run 1' && outcome.refused(row),
    'calls_collection_run',
  ],
  [{ codes: [7], operations: ['bet'] }, ({ code, operation }) => code === 7 && operation === 'bet', 'calls_code'],
])('%j keeps what it names, by one index', (filter, keeps, index) => {
  const condition = conditionOf(filter);
  const expected = rows.filter((row) => row.deleted_by === null && keeps(row)).map(({ id }) => id);
  expect(idsWhere(condition.sql, condition.values)).toEqual(expected);
  // The condition of each row is the whole filter by itself.
  expect(idsWhere(condition.rest.sql, condition.rest.values)).toEqual(expected);
  // The index gives all that is wanted, and perhaps more.
  expect(idsWhere(condition.driver.sql, condition.driver.values)).toEqual(expect.arrayContaining(expected));
  if (index === null) expect(condition.driver).toEqual({ sql: '', values: [] });
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN SELECT url FROM calls c WHERE c.id < ?${condition.sql} ORDER BY c.id DESC LIMIT 50`)
    .all(1_000, ...condition.values)
    .map(({ detail }) => String(detail));
  const used = plan.flatMap((detail) => /INDEX (\w+)/.exec(detail)?.[1] ?? []);
  expect(used).toEqual(index === null ? [] : [index]);
});
