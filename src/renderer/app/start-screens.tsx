import { mostPages } from '#shared/page-socket.ts';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import type { SessionOutcome } from '#renderer/api/session.ts';
import { Brand } from './brand.tsx';
import styles from './start-screens.module.css';

const words: Readonly<Record<Exclude<SessionOutcome['state'], 'open'>, { title: string; text: string; again: boolean }>> = {
  no_token: {
    title: 'Open the address from the terminal',
    text: 'This page needs the one-time part of that address. Copy the whole address from the terminal where Croupier runs, or press Enter there for a new one.',
    again: false,
  },
  expired: {
    title: 'This address no longer works',
    text: 'Each address works once and expires after a minute. Press Enter in the terminal where Croupier runs, then open the new address.',
    again: false,
  },
  full: {
    title: 'Too many pages are open',
    text: `A workbench has at most ${mostPages} pages at a time. Close one, then try again here within a minute.`,
    again: true,
  },
  unreachable: {
    title: 'The workbench does not respond',
    text: 'It may have been closed. Start it again as before, or with croupier serve, and open the address it prints.',
    again: true,
  },
};

/** Replaces a page that a fault kept from starting, or took down. */
export function FailedPage({ details, onRetry }: { details: string; onRetry: () => void }) {
  return (
    <main className={styles.screen} role="alert">
      <Brand />
      <h1>This page stopped</h1>
      <p>
        An error in Croupier stopped it. Your open requests and everything recorded are kept. Try again; if it fails again, copy
        the details and report them.
      </p>
      <Button variant="primary" onClick={onRetry}>
        Try again
      </Button>
      <CopyButton text={details} words="Copy details" />
    </main>
  );
}

/** Shown if the page has no session: what happened and the one step that helps. */
export function StartScreen({ state, onRetry }: { state: Exclude<SessionOutcome['state'], 'open'>; onRetry: () => void }) {
  const { title, text, again } = words[state];
  return (
    <main className={styles.screen}>
      <Brand />
      <h1>{title}</h1>
      <p>{text}</p>
      {again ? (
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </main>
  );
}
