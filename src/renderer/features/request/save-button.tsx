import { Save } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { useAriaKeys } from '#renderer/ui/command-keys.ts';
import { Tooltip } from '#renderer/ui/tooltip.tsx';
import type { SaveState } from './save-state.ts';
import styles from './request-line.module.css';

/** Saves the request, and says whether it is saved. It keeps the keyboard while there is nothing to save, and says why it waits. */
export function SaveButton({ saving, onSave }: { readonly saving: SaveState; readonly onSave: () => Promise<void> }) {
  const { state, words, title } = saving;
  const ariaKeys = useAriaKeys({ command: 'save' });
  const acts = state === 'new' || state === 'unsaved';
  return (
    <Tooltip content={title} command="save">
      <Button
        icon={<Save />}
        aria-keyshortcuts={ariaKeys}
        aria-disabled={!acts || undefined}
        className={classNames(styles.save, !acts && styles.idle)}
        onClick={() => {
          if (acts) startWork(onSave());
          else announcer.say(title);
        }}
      >
        {state === 'new' ? 'Save…' : 'Save'}{' '}
        <span className={classNames(styles.saveState, state === 'unsaved' && styles.unsaved, state === 'waits' && styles.waits)}>
          {words}
        </span>
      </Button>
    </Tooltip>
  );
}
