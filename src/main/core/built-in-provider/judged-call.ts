import { AppError } from '#shared/errors.ts';
import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { toBuffer } from '../history/rows.ts';
import type { Database } from '../database/database.ts';

/** Most joined calls to remember. They wait for a response, so few are needed. */
const mostRemembered = 10_000;
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the ID of the history's call that a verdict is about; null if that is not certain. To be called before the response
 * leaves.
 */
export type FindJudgedCall = (verdict: SandboxVerdict, providerUrl: string) => number | null;

/**
 * Joins verdicts to the history without a mark in the request. A call is recorded before it is sent and has no outcome until its
 * response comes, so the judged one is among those that wait: with these bytes, these headers, and this URL. It is taken if it is
 * the only one. Of several that wait with the same bytes at the same time none is taken, then or later: which came first is not
 * known. Identical calls in sequence differ: the earlier is no longer pending.
 */
export function createJudgedCallFinder(database: Pick<Database, 'run'>): FindJudgedCall {
  const settled = new Set<number>();

  function settle(ids: readonly number[]): void {
    for (const id of ids) settled.add(id);
    for (const id of settled) {
      if (settled.size <= mostRemembered) return;
      settled.delete(id);
    }
  }

  function waiting({ path, bodyText, headers }: SandboxVerdict, port: string): number[] {
    const body = Buffer.from(bodyText);
    return database.run((connection) =>
      connection
        .prepare(
          'SELECT c.id, c.url, q.headers, q.body FROM calls c INDEXED BY calls_pending JOIN call_requests q ON q.call_id = c.id ' +
            "WHERE c.state = 'pending' AND c.request_bytes = ? ORDER BY c.id",
        )
        .all(body.length)
        .filter((row) => leadsTo(String(row['url']), port, path) && toBuffer(row['body']).equals(body))
        .filter((row) => row['headers'] === JSON.stringify(headers))
        .map((row) => Number(row['id'])),
    );
  }

  return (verdict, providerUrl) => {
    // The demo game asks the wallet without a request.
    if (verdict.headers === null) return null;
    try {
      const found = waiting(verdict, new URL(providerUrl).port).filter((id) => !settled.has(id));
      settle(found);
      return found.length === 1 ? (found[0] ?? null) : null;
    } catch (error) {
      // A history that cannot be read is reported where it is asked for.
      if (error instanceof AppError) return null;
      throw error;
    }
  };
}

function leadsTo(url: string, port: string, path: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && ownNames.has(parsed.hostname) && parsed.port === port && parsed.pathname === path;
}
