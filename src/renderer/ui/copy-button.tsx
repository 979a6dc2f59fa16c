import { useEffect, useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Said } from './announced.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

/** Copies a text and says that it did. `text` may be a function if the text is costly; `words` makes it a full button. */
export function CopyButton({
  text,
  label = 'Copy',
  words,
  small = false,
  side = 'bottom',
  variant = 'plain',
}: {
  text: string | (() => string | Promise<string>);
  label?: string;
  words?: string;
  small?: boolean;
  /** Side of its tooltip. */
  side?: 'bottom' | 'left';
  variant?: 'plain' | 'quiet';
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('copied');
    } catch {
      setState('refused');
    }
  }

  const said = state === 'copied' ? 'Copied' : state === 'refused' ? 'Could not copy' : null;
  const icon = state === 'copied' ? <Check /> : <Copy />;
  return (
    <>
      {words === undefined ? (
        <IconButton small={small} side={side} label={said ?? label} icon={icon} onClick={() => startWork(copy())} />
      ) : (
        <Button variant={variant} icon={icon} onClick={() => startWork(copy())}>
          {said ?? words}
        </Button>
      )}
      <Said text={said ?? ''} />
    </>
  );
}
