import { commandTable, type CommandId } from '#shared/commands.ts';
import { use } from 'react';
import { useStore } from 'zustand';
import { CommandKeysContext } from '#renderer/ui/command-keys.ts';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { TextDialog } from '#renderer/ui/text-dialog.tsx';
import { isApplePlatform, spokenKeys } from '#renderer/ui/key-label.ts';
import type { AssistStore } from './assist-store.ts';
import styles from './assist-dialog.module.css';

/** Commands that help everywhere. */
const everywhere: readonly CommandId[] = ['plainText', 'nextPane', 'previousPane', 'palette', 'help', 'manual'];

/** Shows the keys of what has the focus, or its text in a plain field. */
export function AssistDialog({ store }: { store: AssistStore }) {
  const { shown, close } = useStore(store);
  const keysFor = use(CommandKeysContext);
  const apple = isApplePlatform(navigator.platform);
  if (shown === null) return null;
  if (shown.kind === 'text')
    return <TextDialog title={shown.title} text={shown.text} note={shown.note ?? undefined} onClose={close} />;
  const { title, facts, keys } = shown;
  const general = everywhere.flatMap((id) => {
    const chord = keysFor({ command: id });
    return chord === undefined
      ? []
      : [[spokenKeys(chord, apple), commandTable.find((entry) => entry.id === id)?.title ?? ''] as const];
  });
  // All of it is the description: a screen reader says it when the dialog opens.
  const description = (
    <>
      {facts.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
      <dl className={styles.keys}>
        {[...keys, ...general].map(([chord, does]) => (
          <div key={`${chord} ${does}`}>
            <dt>{chord}</dt> <dd>{does}.</dd>
          </div>
        ))}
      </dl>
    </>
  );
  return <Dialog onClose={close} title={title} description={description} />;
}
