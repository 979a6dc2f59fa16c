import { onWorker } from './browser.ts';
import { Navigations } from './navigations.ts';
import { observeNetwork } from './network-events.ts';
import { record } from './record.ts';
import { interceptRequests, type RequestOwner } from './requests.ts';
import { sessionOfContext, type SessionDouble } from './session.ts';

/**
 * Creates the owner of a worker that belongs to a session and to no page: `webRequest` sees its script and its requests, but not
 * its WebSockets.
 */
function ownerIn(session: SessionDouble): RequestOwner {
  const nowhere = {
    mainFrameId: '',
    emit: () => false,
    moved: () => undefined,
    loaded: () => undefined,
    committed: () => undefined,
  };
  return {
    ...nowhere,
    id: undefined,
    session,
    takeExpected: () => false,
    navigations: new Navigations(nowhere),
    ended: new Map(),
  };
}

/** Applies the session's guards to the requests of shared and service workers. */
export function guardWorkers(): void {
  onWorker(async ({ cdp, contextId }) => {
    const session = sessionOfContext(contextId);
    if (session === undefined) return record('not-guarded', { contextId });
    const owner = ownerIn(session);
    await Promise.all([observeNetwork(cdp, owner), interceptRequests(cdp, owner)]);
  });
}
