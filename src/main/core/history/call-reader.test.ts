import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createCallReader } from './call-reader.ts';
import { createHistoryStore } from './store.ts';

it('a thread reads calls as they were when it began, with what decides how they are exported', async () => {
  const home = mkdtempSync(join(tmpdir(), 'croupier-reader-'));
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  const history = createHistoryStore(database, run);
  const draft = draftOf('e', { operation: 'bet', text: '{}' });
  const unsigned = someOutgoing({ draft, url: 'https://p.example/bet' });
  const hashInput = { time: '20-11-2026 10:15:30', hasData: false, dataOffset: 0, dataLength: 0 };
  const signed = { ...unsigned, draft: draftOf('e', { operation: 'gameList', text: '{}' }), hashInput, hash: 'x' };
  const masked = { draft: signed.draft, url: 'masked', body: signed.body, hashInput, hash: 'x', keys: ['Live'], where: [] };
  const ids = [await history.begin(unsigned), await history.begin(signed), await history.begin({ ...signed, masked })] as const;
  const answer = someOutcome('an answer', { code: null, message: null });
  await history.finish(ids[0], answer);
  const before = ids.map((id) => history.get(id));
  const reader = createCallReader(database.path);
  expect(ids.map((id) => reader.facts(id))).toEqual([
    { environmentId: 'e', operation: 'bet', signed: false, maskedKeys: null },
    { environmentId: 'e', operation: 'gameList', signed: true, maskedKeys: null },
    { environmentId: 'e', operation: 'gameList', signed: true, maskedKeys: ['Live'] },
  ]);
  await history.finish(ids[1], answer);
  const late = await history.begin(unsigned);
  expect(ids.map((id) => reader.call(id))).toEqual(before);
  expect(ids.map((id) => Buffer.from(reader.part(id, 'body')).toString())).toEqual(['an answer', '', '']);
  const missing = expect.objectContaining({ code: 'not_found' }) as Error;
  for (const read of [reader.call, (id: number) => reader.part(id, 'raw'), reader.facts])
    expect(() => read(late)).toThrow(missing);
  reader.close();
  history.close();
  database.close();
  run.close();
  rmSync(home, { recursive: true });
});
