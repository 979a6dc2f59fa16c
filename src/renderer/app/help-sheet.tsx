import { Fragment } from 'react';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { isApplePlatform, spokenKeys } from '#renderer/ui/key-label.ts';
import { keyLines, type Command } from './commands.ts';
import styles from './help-sheet.module.css';

/** Every command with its keys. */
export function HelpSheet({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const lines = keyLines(commands);
  const apple = isApplePlatform(navigator.platform);
  const groups = [...new Set(lines.map((line) => line.group))];
  return (
    <Dialog
      onClose={onClose}
      title="Keyboard shortcuts"
      description="Browsers reserve a few of these. If one does not work, use the one next to it."
      width="large"
    >
      <div
        className={styles.columns}
        role="region"
        aria-label="Keyboard shortcuts"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- in a low window it scrolls, by keys too
        tabIndex={0}
      >
        {groups.map((group) => (
          <section key={group}>
            <h3 className="faint tiny">{group}</h3>
            <dl>
              {lines
                .filter((line) => line.group === group)
                .map((line) => (
                  <div key={line.title}>
                    <dt>{line.title}</dt>
                    <dd className="line-tight rigid">
                      {line.keys.map((keys) => (
                        <Fragment key={keys}>
                          <Kbd keys={keys} />
                          <span className="visually-hidden">{spokenKeys(keys, apple)} </span>
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
