import { classNames } from './class-names.ts';
import { isApplePlatform, keyText } from './key-label.ts';
import styles from './kbd.module.css';

/** A shortcut such as `Mod+Enter`, written as this platform writes it; hidden from screen readers, who hear the control's name. */
export function Kbd({ keys, quiet = false }: { keys: string; quiet?: boolean }) {
  return (
    <kbd className={classNames(styles.kbd, quiet && styles.quiet)} aria-hidden="true">
      {keyText(keys, isApplePlatform(navigator.platform))}
    </kbd>
  );
}
