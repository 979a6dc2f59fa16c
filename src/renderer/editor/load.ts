import { startTransition, useEffect, useState } from 'react';
import type * as MonacoModule from './monaco.ts';

/** Everything of Monaco that the workbench uses; big, so it comes after the shell has painted. */
export type Monaco = typeof MonacoModule;

/** Fetches and sets up Monaco; the module system keeps the one copy. */
export function loadMonaco(): Promise<Monaco> {
  return import('./monaco.ts');
}

/** Begins to fetch Monaco once the shell has been painted, so that neither waits for the other. */
export function loadMonacoAfterPaint(page: Window): void {
  page.requestAnimationFrame(() => {
    // A frame's callbacks run before it is painted; a task after it runs behind the painting.
    page.setTimeout(() => {
      // Whoever shows an editor asks again and tells of the failure.
      loadMonaco().catch(() => undefined);
    });
  });
}

/** Monaco once it is there, null until then; `failed` where it could not be fetched. `later`: the editors that are written in come first. */
export function useMonaco({ later = false }: { readonly later?: boolean } = {}): { monaco: Monaco | null; failed: boolean } {
  const [monaco, setMonaco] = useState<Monaco | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let wanted = true;
    loadMonaco().then(
      (loaded) => {
        if (!wanted) return;
        if (later) startTransition(() => setMonaco(loaded));
        else setMonaco(loaded);
      },
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [later]);
  return { monaco, failed };
}
