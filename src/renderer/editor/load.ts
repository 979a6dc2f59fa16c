import { startTransition, useEffect, useState } from 'react';
import { reportFault } from '#renderer/faults/faults.ts';
import { isUnfetched, UnfetchedCode } from '#renderer/faults/unfetched-code.ts';
import type * as MonacoModule from './monaco.ts';

/** Everything of Monaco that the workbench uses. It is big, so it comes after the shell has painted. */
export type Monaco = typeof MonacoModule;

const withoutEditor = "The editor couldn't be loaded, so you see plain fields. Reload the page to get it; your text is kept.";

let loaded: Monaco | null = null;

/** Fetches and sets up Monaco; the module system keeps the one copy. */
function loadMonaco(): Promise<Monaco> {
  return import('./monaco.ts');
}

/** Starts Monaco once the shell has been painted; `index.html` has its code fetched from the beginning. */
export function loadMonacoAfterPaint(): void {
  afterPaint(() => {
    loadMonaco().then(
      (ready) => (loaded = ready),
      // Whoever shows an editor asks again and reports the failure.
      () => undefined,
    );
  });
}

function afterPaint(run: () => void): void {
  // A frame's callbacks run before it is painted; a task that they start runs after the painting.
  requestAnimationFrame(() => setTimeout(run));
}

/**
 * Returns Monaco once it is there, null until then; `failed` if it could not be fetched. `later`: the editors that the user writes
 * in are painted first.
 */
export function useMonaco({ later = false }: { readonly later?: boolean } = {}): { monaco: Monaco | null; failed: boolean } {
  const [monaco, setMonaco] = useState(later ? null : loaded);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (monaco !== null) return undefined;
    let wanted = true;
    loadMonaco().then(
      (ready) => {
        if (!wanted) return;
        // Monaco draws an editor in its first frame, and its marks in the next.
        if (later) afterPaint(() => afterPaint(() => startTransition(() => setMonaco(ready))));
        else setMonaco(ready);
      },
      (error: unknown) => {
        if (!wanted) return;
        setFailed(true);
        reportFault(isUnfetched(error) ? new UnfetchedCode(withoutEditor, { cause: error }) : error);
      },
    );
    return () => {
      wanted = false;
    };
  }, [monaco, later]);
  return { monaco, failed };
}
