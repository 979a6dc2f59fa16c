import './styles/base.css';
import { createRoot, type Root } from 'react-dom/client';
import { describeFault, faultDetails } from '#shared/faults.ts';
import { createClient } from '#shared/ipc/client.ts';
import { listenToFaults, startWork, watchFaults } from '#renderer/faults/faults.ts';
import { connect, forgetToken, tokenOf } from './api/connect.ts';
import type { Connection } from './api/connection.ts';
import { createPageWorkspace } from './api/page-workspace.ts';
import { drawPage } from './app/page.tsx';
import { FailedPage, StartScreen } from './app/start-screens.tsx';
import { followTheme } from './app/theme.ts';
import { createWorkbench } from './app/workbench.ts';
import { keepComposition } from './ui/composition.ts';
import { keepFocus, moveFocus } from './ui/focus-rule.ts';
import { gatherFile, saveText } from './ui/save-file.ts';
import { startBodyWorker } from './calls/start-body-worker.ts';
import { loadMonacoAfterPaint } from './editor/load.ts';
import { COMPACT } from './ui/use-media.ts';

keepComposition(window);
const place = document.getElementById('root');
if (place === null) throw new Error('The page has no root.');
// A fault that no boundary of the shell keeps: React takes the page down, notices included.
const root = createRoot(place, { onUncaughtError: showFailedPage });
// Until the workbench is drawn, nothing else could show a fault.
listenToFaults(showFailedPage);
watchFaults(window);
keepFocus(document);
const stopSystemTheme = followTheme(window, {
  get: () => ({ theme: 'system', contrast: 'system' }),
  watch: () => () => undefined,
});
let line: Connection | null = null;
startWork(open(root, tokenOf(window)));
// A new address from the terminal differs from this page's only in its fragment, for which a browser loads nothing by itself.
window.addEventListener('hashchange', () => {
  const token = tokenOf(window);
  if (token === null) return;
  // Nothing was typed yet.
  if (line === null) return window.location.reload();
  forgetToken(window);
  // A page with a line needs no other.
  if (line.get().state !== 'open') startWork(line.rejoin(token));
});

function showFailedPage(error: unknown): void {
  const details = faultDetails(describeFault(error), `Croupier, its whole page, ${navigator.userAgent}`);
  root.render(<FailedPage details={details} onRetry={() => window.location.reload()} />);
}

/** Connects and draws; without a session, says how to get one. */
async function open(page: Root, token: string | null): Promise<void> {
  const connected = await connect(window, token);
  if (connected.state !== 'open') {
    // If there was no room, or no host, the token is still good.
    page.render(<StartScreen state={connected.state} onRetry={() => startWork(open(page, token))} />);
    return;
  }
  line = connected.connection;
  // The desktop has one page, and core knows its predecessor.
  const { hasLine } = connected.connection;
  const pageWorkspace = createPageWorkspace(hasLine ? window.sessionStorage : null, hasLine ? navigator.locks : null);
  const workbench = createWorkbench(createClient(connected.transport), connected.connection, {
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    copy: (text) => navigator.clipboard.writeText(text),
    startBodyWorker,
    openPicture(address) {
      const image = new Image();
      image.src = address;
      return image;
    },
    saveText: (name, text, mediaType) => saveText(document, name, text, mediaType),
    gatherFile: (name, mediaType) => gatherFile(document, name, mediaType),
    place: pageWorkspace,
    onUse(listener) {
      for (const type of ['focus', 'pointerdown', 'keydown']) window.addEventListener(type, listener, { capture: true });
      document.addEventListener('visibilitychange', listener);
    },
    moveFocus: (...selectors) => moveFocus(document, ...selectors),
    narrow: () => matchMedia(COMPACT).matches,
    browser: navigator.userAgent,
  });
  listenToFaults(workbench.showFault);
  stopSystemTheme();
  drawPage(window, workbench, (content) => page.render(content));
  window.addEventListener('pagehide', () => {
    workbench.settings.flush();
    workbench.keeper.left();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) pageWorkspace.take();
  });
  window.addEventListener('beforeunload', (event) => {
    if (workbench.leave()) event.preventDefault();
  });
  loadMonacoAfterPaint();
  await workbench.start();
}
