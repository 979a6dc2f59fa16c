import { useEffect } from 'react';
import type { editor } from 'monaco-editor/editor';
import { useInUse } from '#renderer/ui/use-now.ts';

/** Lets the cursor of an editor stand while nobody uses the page: each blink draws a frame. */
export function useRestingCursor(view: editor.ICodeEditor | null): void {
  const inUse = useInUse();
  useEffect(() => view?.updateOptions({ cursorBlinking: inUse ? 'blink' : 'solid' }), [view, inUse]);
}
