import { classNames } from './class-names.ts';
import styles from './color-mark.module.css';

/** An environment's colour as a dot; production is a ring around a square, so that the shape shows it, too. Its colour stays where the system forces others. */
export function ColorMark({ color, production }: { color: string; production: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-own-colors
      className={classNames(styles.mark, production && styles.production)}
      style={{ ['--mark' as string]: `var(--mark-${color})` }}
    />
  );
}
