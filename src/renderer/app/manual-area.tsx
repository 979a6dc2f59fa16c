import { Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { isPageName } from '#renderer/features/manual/contents.ts';
import { manualPlaces } from './manual-places.ts';
import type { Workbench } from './workbench.ts';

const ManualDialog = lazyPage(async () => (await import('#renderer/features/manual/manual-dialog.tsx')).ManualDialog);
const ManualView = lazyPage(async () => (await import('#renderer/features/manual/manual-view.tsx')).ManualView);

/** The help, over everything else. */
export function ManualArea({ workbench }: { workbench: Workbench }) {
  const { manual, shell } = workbench;
  const open = useStore(shell, (state) => state.overlay === 'manual');
  const asks = useStore(shell, (state) => state.info?.capabilities.openOutside === true);
  const before = useRef<Element | null>(null);
  const [opened, setOpened] = useState(false);
  if (open && !opened) setOpened(true);
  useEffect(
    () =>
      shell.subscribe(({ overlay }, { overlay: earlier }) => {
        // Before anything of the help is drawn and takes the focus.
        if (overlay === 'manual' && earlier !== 'manual') before.current = document.activeElement;
      }),
    [shell],
  );

  function returnFocus(): void {
    // If the palette opened the help, its field is gone.
    const there = before.current instanceof HTMLElement && before.current.isConnected && before.current !== document.body;
    const goal = there ? before.current : document.getElementById('content');
    if (goal instanceof HTMLElement) goal.focus();
  }

  // Nothing of it is fetched at a start.
  if (!opened) return null;
  return (
    <Suspense fallback={null}>
      <ManualDialog open={open} store={manual} onClose={() => shell.getState().setOverlay('none')} onClosed={returnFocus}>
        <Suspense fallback={<Skeleton rows={12} label="Loading the help" />}>
          <ManualView store={manual} onOutside={asks ? (url) => startWork(openOutside(workbench, url)) : null} />
        </Suspense>
      </ManualDialog>
    </Suspense>
  );
}

/** Opens the page of the screen in sight, or closes the help. */
export function toggleManual({ manual, shell }: Workbench): void {
  const { area, overlay, setOverlay } = shell.getState();
  if (overlay !== 'manual') manual.getState().go(manualPlaces[area]);
  setOverlay('manual');
}

/** Opens the help at a heading of a page; at its begin if that is null. */
export function openManualAt({ manual, shell }: Workbench, page: string, heading: string | null): void {
  if (!isPageName(page)) return;
  manual.getState().go({ page, heading });
  shell.getState().setOverlay('manual');
}

/** Opens a URL in the user's browser after the host's question, and says why it could not. */
export async function openOutside({ client, shell }: Workbench, url: string): Promise<void> {
  const { message } = await client.call('app.openOutside', { url });
  if (message !== null) shell.getState().notify({ tone: 'warn', text: message });
}
