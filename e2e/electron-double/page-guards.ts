import { followAutoplay } from './autoplay.ts';
import type { CdpSession } from './cdp.ts';
import { followConsole } from './console-events.ts';
import { followInput } from './input.ts';
import { observeNetwork } from './network-events.ts';
import { followPermissions } from './permissions.ts';
import { followPreconnects } from './preconnects.ts';
import { record } from './record.ts';
import { interceptRequests } from './requests.ts';
import type { WebContentsDouble } from './web-contents.ts';

/**
 * Puts the session's guards on a page and on every frame and worker of it that has a process of its own. `frameId`: the outermost frame of
 * the target; null for a worker.
 */
export async function guardPage(cdp: CdpSession, contents: WebContentsDouble, frameId: string | null): Promise<void> {
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const child = cdp.child(sessionId);
    // The browser's own line has the workers that belong to no page.
    const shared = targetInfo.type === 'service_worker' || targetInfo.type === 'shared_worker';
    (shared ? Promise.resolve() : guardPage(child, contents, targetInfo.type === 'iframe' ? targetInfo.targetId : null))
      .catch((error: unknown) => record('not-guarded', { type: targetInfo.type, error: String(error) }))
      .finally(() => void child.send('Runtime.runIfWaitingForDebugger').catch(() => undefined));
  });
  followConsole(cdp, contents);
  if (frameId !== null) contents.navigations.follow(cdp, frameId);
  await Promise.all([
    observeNetwork(cdp, contents),
    interceptRequests(cdp, contents),
    ...(frameId !== null
      ? [
          cdp.send('Page.enable'),
          followPermissions(cdp, contents),
          followPreconnects(cdp, contents.session),
          contents.visibility.follow(cdp),
          followAutoplay(cdp, contents.preferences),
          followInput(cdp, contents),
        ]
      : []),
    cdp.send('Runtime.enable'),
    cdp.send('Log.enable'),
    cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
  ]);
  if (frameId !== null) contents.navigations.present((await cdp.send('Page.getFrameTree')).frameTree.frame);
}
