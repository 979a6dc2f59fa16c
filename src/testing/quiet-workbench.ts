import type { Client } from '#shared/ipc/index.ts';
import { createSteadyConnection } from '#renderer/api/connection.ts';
import type { StoresDeps } from '#renderer/app/stores.ts';
import { createWorkbench, type Workbench } from '#renderer/app/workbench.ts';

/** Creates a workbench over a client, in a page that does nothing by itself. */
export function createQuietWorkbench(client: Client, deps: Partial<StoresDeps> = {}): Workbench {
  return createWorkbench(client, createSteadyConnection(), {
    now: () => 0,
    newId: () => 'id',
    later: () => () => undefined,
    copy: async () => undefined,
    narrow: () => false,
    moveFocus: () => undefined,
    browser: 'Test',
    place: { take: () => null, put: () => undefined, hold: () => undefined, held: async () => [] },
    onUse: () => undefined,
    saveText: () => undefined,
    gatherFile: () => ({ add: () => undefined, save: () => undefined }),
    openPicture: () => null,
    startBodyWorker: () => ({ postMessage: () => undefined, onmessage: null }) as never,
    ...deps,
  });
}
