import { join } from 'node:path';
import type { PassedRequest } from '#core/history/record.ts';
import { createHistoryStore } from '#core/history/store.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { Environment } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/provider/index.ts';
import { someOutcome, someOutgoing } from './some-record.ts';

const environment = Environment.parse({
  id: 'sandbox',
  name: 'sandbox',
  baseUrl: 'https://p.example',
  platform: 1,
  partnerId: 42,
});

/**
 * Records calls in a home, which nobody may use meanwhile: the nth has the nth token, and its response quotes the token of the one
 * before, followed by `filling` characters. `last` is at the end of the last one. Returns their IDs.
 */
export function recordCalls(
  home: string,
  count: number,
  { filling = 0, last = '' }: { filling?: number; last?: string } = {},
): Promise<number[]> {
  const bodies = Array.from({ length: count }, (_, at) => ({
    request: JSON.stringify({ externalToken: `token-of-call-${at}-x` }),
    response: Buffer.from(
      `{"n":${at},"was":"token-of-call-${at - 1}-x","filling":"${'. '.repeat(filling / 2)}"}${at === count - 1 ? last : ''}`,
    ),
  }));
  return recordBodies(home, 'playerInfo', bodies);
}

/** Records a call for each of the bodies, in the same way. */
export async function recordBodies(
  home: string,
  operation: OperationName,
  bodies: readonly {
    readonly request: string;
    readonly response: Buffer | null;
    readonly raw?: Buffer;
    readonly passed?: PassedRequest;
  }[],
): Promise<number[]> {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'));
  const history = createHistoryStore(database, run);
  const ids = await Promise.all(
    bodies.map(({ request, passed }, at) =>
      history.begin(
        someOutgoing({
          environment,
          draft: { environmentId: 'sandbox', operation, form: 'data', text: '', overrides: {} },
          url: `https://p.example/${operation}`,
          sentAt: 1_790_000_000_000 + at,
          headers: [['content-type', 'application/json']],
          body: Buffer.from(request),
          ...(passed === undefined ? {} : { passed }),
        }),
      ),
    ),
  );
  await Promise.all(
    ids.map((id, at) => {
      const { response: body = null, raw = null } = bodies[at] ?? {};
      if (body !== null) return history.finish(id, someOutcome(body, { raw }));
      const failure = { kind: 'protocol', phase: 'headers', message: 'The response is not HTTP.', hint: '' } as const;
      return history.finish(id, someOutcome(null, { state: 'failed', raw, failure, code: null, message: null }));
    }),
  );
  history.close();
  database.close();
  run.close();
  return ids;
}
