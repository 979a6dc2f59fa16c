import { Play } from 'lucide-react';
import type { Launch } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { CallEnvironment } from '#renderer/calls/environment-name.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { launchTitle, modeText } from './launch-words.ts';
import type { LauncherStore } from './launcher-store.ts';
import { VerdictPill } from './verdict-pill.tsx';
import styles from './first-launch.module.css';

const mostShown = 6;

/** The stage before a launch: the first step, and earlier launches. */
export function FirstLaunch({
  store,
  earlier,
  now,
  asking,
  ready,
  onOpenGames,
}: {
  store: LauncherStore;
  earlier: readonly Launch[];
  now: () => number;
  /** True while a launcher URL was requested and has not come. */
  asking: boolean;
  /** True if a game is chosen. */
  ready: boolean;
  onOpenGames: (() => void) | null;
}) {
  const actions = store.getState();
  return (
    <div className={styles.place}>
      <div className={styles.teach}>
        <span className={styles.mark} aria-hidden="true">
          <Play />
        </span>
        <h3>{asking ? 'Asking for the launcher URL' : 'No game is open'}</h3>
        <p>
          {ready
            ? 'Launching asks getLauncherURL, checks the launcher URL that comes back against the request, and opens it here.'
            : 'Say which game, then launch it. Croupier asks getLauncherURL for the launcher URL, checks it against the request, and opens it here. Beside it, the record says what the page does.'}
        </p>
        <div className={styles.actions}>
          {ready ? (
            <Kbd keys="Mod+Enter" />
          ) : onOpenGames === null ? null : (
            <Button variant="primary" onClick={onOpenGames}>
              Pick a game
            </Button>
          )}
        </div>
        {earlier.length === 0 ? null : (
          <section className={styles.earlier} aria-label="Earlier launches">
            <h4>Earlier launches</h4>
            <ul>
              {earlier.slice(0, mostShown).map((launch) => {
                const outcome = outcomeOf(launch.call);
                return (
                  <li key={launch.id}>
                    <button type="button" onClick={() => startWork(actions.openEarlier(launch))}>
                      <span className={styles.name}>{launchTitle(launch)}</span>
                      <Pill size="small">{modeText(launch)}</Pill>
                      <VerdictPill size="small" launch={launch} />
                      {launch.call.code === 0 ? null : (
                        <Pill size="small" tone={outcome.tone}>
                          {outcome.text}
                        </Pill>
                      )}
                      <span className={styles.facts}>
                        {timeText(launch.preparedAt, now())}, <CallEnvironment call={launch} className={styles.environment} />,{' '}
                        {launch.entries} {launch.entries === 1 ? 'entry' : 'entries'}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
