import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { createDatabase } from './database.ts';
import { recoverCalls } from './recover.ts';
import { recoveredPath } from './set-aside.ts';

let folder: string;
let path: string;
let aside: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-recover-'));
  path = join(folder, 'history.sqlite');
  aside = `${path}.set-aside-20261123T000000`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every call of the history that `fill` made, as it should be read. */
const expected = new Map<number, Record<string, unknown>>();
const longBytes = 30_000;

/**
 * Creates a history of so many calls; `url` and some bodies are so long that the tree of the calls has three levels, and rows that
 * continue in other pages.
 */
function fill(count: number, url = 'https://p.example/serviceApi.php'): DatabaseSync {
  expected.clear();
  const connection = createDatabase(path).connection();
  const call = connection.prepare(
    "INSERT INTO calls (id, environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) VALUES (?, 'e', 'é', 'bet', ?, ?, 'answered', 'r', 3)",
  );
  const request = connection.prepare("INSERT INTO call_requests (call_id, draft, headers, body) VALUES (?, '{}', '[]', ?)");
  const response = connection.prepare(
    "INSERT INTO call_responses (call_id, headers, body, truncated, findings, clock_offset_ms) VALUES (?, '[]', ?, 0, '[]', ?)",
  );
  connection.exec('BEGIN');
  for (let id = 1; id <= count; id++) {
    const body = id % 50 === 0 ? `${id} ${'x'.repeat(longBytes)}` : `body ${id}`;
    call.run(id, url, 1_790_000_000_000 + id);
    request.run(id, Buffer.from(body));
    response.run(id, id % 7 === 0 ? Buffer.from([0xff, id & 0xff]) : Buffer.from(`answer ${id}`), -id * 1_000_003);
    expected.set(id, {
      id,
      url,
      sent_at: 1_790_000_000_000 + id,
      body,
      answer: id % 7 === 0 ? { base64: Buffer.from([0xff, id & 0xff]).toString('base64') } : `answer ${id}`,
      offset: -id * 1_000_003,
    });
  }
  connection.exec('COMMIT');
  return connection;
}

interface Line {
  readonly id: number;
  readonly url?: string;
  readonly sent_at?: number;
  readonly request?: { readonly call_id: number; readonly body: unknown };
  readonly response?: { readonly call_id: number; readonly body: unknown; readonly clock_offset_ms: number };
}

function recover() {
  const recovered = recoverCalls(aside);
  const file = recoveredPath(aside);
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
    : [];
  expect(recovered.calls).toBe(lines.length);
  for (const { id, url, sent_at, request, response } of lines) {
    const whole = expected.get(id);
    expect(whole).toBeDefined();
    if (url !== undefined)
      expect({ id, url, sent_at }).toEqual({ id: whole?.['id'], url: whole?.['url'], sent_at: whole?.['sent_at'] });
    if (request !== undefined) expect(request).toMatchObject({ call_id: id, body: whole?.['body'] });
    if (response !== undefined) {
      expect(response).toMatchObject({ call_id: id, body: whole?.['answer'], clock_offset_ms: whole?.['offset'] });
    }
  }
  const whole = lines.filter(({ url, request, response }) => url && request && response).length;
  expect(recovered.partial).toBe(lines.length - whole);
  return { ...recovered, lines, whole };
}

describe('what is read out of a broken history', () => {
  it('is all of a sound one, with what stands in its write-ahead log alone, and nothing of what was deleted', () => {
    const connection = fill(300);
    for (let id = 3; id <= 300; id += 3) {
      connection.exec(`DELETE FROM calls WHERE id = ${id}`);
      expected.delete(id);
    }
    for (const suffix of ['', '-wal']) cpSync(path + suffix, aside + suffix);
    expect(statSync(`${aside}-wal`).size).toBeGreaterThan(0);
    connection.close();
    expect(recover()).toMatchObject({ calls: 200, whole: 200, partial: 0, about: null });
  });

  it('is nothing of pages that an earlier version freed, which did not overwrite them', () => {
    const connection = fill(300);
    connection.exec('PRAGMA secure_delete = OFF; DELETE FROM calls WHERE id > 100');
    for (let id = 101; id <= 300; id++) expected.delete(id);
    expect(Number(connection.prepare('PRAGMA freelist_count').get()?.['freelist_count'])).toBeGreaterThan(3);
    connection.close();
    cpSync(path, aside);
    expect(recover()).toMatchObject({ calls: 100, whole: 100 });
  });

  it('of a file cut in half is each row that is there, though no way leads to it, and about how many there were', () => {
    const count = 3_500;
    fill(count, `https://p.example/${'x'.repeat(2_000)}`).close();
    cpSync(path, aside);
    truncateSync(aside, Math.floor(statSync(path).size / 2));
    const { calls, whole, about } = recover();
    // What no tree leads to is most of it: SQLite itself gives none of these calls.
    const connection = new DatabaseSync(aside, { readOnly: true });
    connection.exec('PRAGMA writable_schema = ON');
    expect(() => connection.prepare('SELECT count(url) FROM calls').get()).toThrow();
    connection.close();
    expect(calls).toBeGreaterThan(count * 0.45);
    expect(whole).toBeGreaterThan(count * 0.45);
    expect(about).toBeGreaterThan(count * 0.9);
    expect(about).toBeLessThanOrEqual(count);
  });

  // The second is that of earlier versions.
  it.each([2_048, 8_192])('is everything but what stood in a page of %i B that is overwritten, of the first one too', (size) => {
    const connection = fill(100);
    connection.exec(`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${size}; VACUUM`);
    connection.close();
    const bytes = readFileSync(path);
    // The first page, and each third one of the others.
    const read = Array.from({ length: Math.ceil(bytes.length / size / 3) }, (_, at) => {
      const damaged = Buffer.from(bytes);
      damaged.subarray(at * 3 * size, (at * 3 + 1) * size).fill(0xa5);
      writeFileSync(aside, damaged);
      return recover().whole;
    });
    expect(read[0]).toBe(100);
    // Each row is in one page, and two of them continue in others.
    expect(read.reduce((sum, whole) => sum + 100 - whole, 0)).toBeLessThan(3 * 100 + 2 * (longBytes / size));
  });

  it('is right in every row, wherever the file is cut, and whichever of its pages are overwritten, the first one too', () => {
    fill(400).close();
    const size = statSync(path).size;
    const bytes = readFileSync(path);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: size }),
        fc.array(fc.integer({ min: 0, max: Math.floor(size / 2_048) - 1 }), { maxLength: 3 }),
        (end, pages) => {
          const damaged = Buffer.from(bytes);
          for (const page of pages) damaged.fill(0xa5, page * 2_048, (page + 1) * 2_048);
          rmSync(recoveredPath(aside), { force: true });
          writeFileSync(aside, damaged.subarray(0, end));
          const { calls, about } = recover();
          expect(about ?? calls).toBeGreaterThanOrEqual(calls);
        },
      ),
      { numRuns: 60 },
    );
  });
});
