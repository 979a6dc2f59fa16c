import { classNames } from './class-names.ts';
import { useKeys, type Keys } from './command-keys.ts';
import { isApplePlatform, keyText } from './key-label.ts';
import styles from './kbd.module.css';

/**
 * A shortcut such as `Mod+Enter`, or that of a command, written as this platform writes it; nothing without one. Hidden from screen
 * readers, who hear the control's name.
 */
export function Kbd({ quiet = false, ...given }: Keys & { quiet?: boolean }) {
  const keys = useKeys(given);
  if (keys === undefined) return null;
  return (
    <kbd className={classNames(styles.kbd, quiet && styles.quiet)} aria-hidden="true">
      {keyText(keys, isApplePlatform(navigator.platform))}
    </kbd>
  );
}
