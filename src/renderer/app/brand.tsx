import styles from './brand.module.css';

/** The name with its chip. */
export function Brand() {
  return (
    <span className={styles.brand}>
      <i aria-hidden="true" data-own-colors />
      Croupier
    </span>
  );
}
