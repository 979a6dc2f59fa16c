import { useState, type FormEvent } from 'react';
import { Download, Unplug } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import type { Connection, ConnectionState } from '#renderer/api/connection.ts';
import { useConnection } from './use-connection.ts';
import styles from './connection-banner.module.css';

/** Number of tries after which the host was not away for a moment only: it may have been started elsewhere. */
const longAway = 3;

/** Says that the host does not respond, that nothing typed is lost, and what to do; it goes when the line is back. */
export function ConnectionBanner({ connection, saveTyped }: { connection: Connection; saveTyped: () => void }) {
  const state = useConnection(connection);
  const words = wordsOf(state, connection.host);
  const asks = state.state === 'ended' || (state.state === 'lost' && state.attempt >= longAway);
  return (
    <div className={words === null ? undefined : styles.banner} data-passing data-connection={state.state}>
      {/* Always in the page, so that a screen reader hears changes in it. */}
      <output aria-live="assertive" className={styles.words}>
        {words === null ? null : (
          <>
            <Unplug />
            <span>
              <strong>{words.title}</strong> {words.text}
            </span>
          </>
        )}
      </output>
      {state.state === 'lost' ? <Tries until={state.nextTryAt} onTry={connection.retry} /> : null}
      {asks ? <Rejoin connection={connection} saveTyped={saveTyped} /> : null}
    </div>
  );
}

function wordsOf({ state }: ConnectionState, host: string): { title: string; text: string } | null {
  const title = `The workbench at ${host} does not respond.`;
  switch (state) {
    case 'open':
      return null;
    case 'lost':
      return {
        title,
        text: 'What you typed is kept. If Croupier has exited, start it again: this page reconnects or asks for the new address.',
      };
    case 'silent':
      return {
        title,
        text: 'It is busy or suspended. What you typed is kept. If you suspended it in its terminal, enter fg there.',
      };
    case 'ended':
      return {
        title: 'Croupier was restarted.',
        text: 'What you typed is kept. Press Enter in its terminal, then paste the new address here or open it in another tab.',
      };
  }
}

/** Takes a new address; if that does not help, saves what was typed as a file. */
function Rejoin({ connection, saveTyped }: { connection: Connection; saveTyped: () => void }) {
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const why = await connection.rejoin(address);
    setBusy(false);
    setProblem(why);
    // The text has a one-time part, which is used or no longer wanted here.
    if (why === null) setAddress('');
  }

  return (
    <form className={styles.rejoin} onSubmit={(event) => startWork(submit(event))}>
      <TextField
        className={styles.address}
        code
        aria-label="New address"
        aria-invalid={problem !== null || undefined}
        aria-describedby="rejoin-problem"
        placeholder="New address from the terminal"
        value={address}
        onText={setAddress}
      />
      <Button variant="primary" type="submit" busy={busy} waits={address.trim() === '' ? 'Paste the address first.' : null}>
        Reconnect
      </Button>
      <Button icon={<Download />} onClick={saveTyped}>
        Save what I typed
      </Button>
      <p id="rejoin-problem" role="alert" className={styles.problem}>
        {problem}
      </p>
    </form>
  );
}

function Tries({ until, onTry }: { until: number; onTry: () => void }) {
  return (
    <div className="line">
      <Countdown until={until} />
      <Button onClick={onTry}>Try now</Button>
    </div>
  );
}

/** Not read out: a screen reader would otherwise hear every second. */
function Countdown({ until }: { until: number }) {
  const seconds = Math.ceil((until - useNow(Date.now, 1_000)) / 1_000);
  return (
    <span className="numbers one-line" aria-hidden="true">
      {seconds > 0 ? `retrying in ${seconds} s` : 'retrying'}
    </span>
  );
}
