import { classNames } from '#renderer/ui/class-names.ts';
import styles from './brand.module.css';

/** The name with its chip. */
export function Brand({ className }: { className?: string | undefined }) {
  return (
    <span className={classNames(styles.brand, className)}>
      <i aria-hidden="true" data-own-colors />
      Croupier
    </span>
  );
}
