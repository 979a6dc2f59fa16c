import { mostTicking } from './request-clock.ts';
import styles from './shown-moment.module.css';

/** The moment that a long request is shown for, with the button that shows it for the present one. */
export function ShownMoment({ time, renew }: { readonly time: string; readonly renew: () => void }) {
  return (
    <span className={styles.held} title={`Croupier follows the clock up to ${mostTicking.toLocaleString('en')} characters.`}>
      Shown for {time}
      <button type="button" className={styles.renew} onClick={renew}>
        Show for now
      </button>
    </span>
  );
}
