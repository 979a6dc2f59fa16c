import { useStore } from 'zustand';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { formatTime } from '#shared/signing/time.ts';
import { keyLine, keyWords } from '#renderer/features/environments/key-words.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { toggleHiddenTokens, useHiddenTokens } from '#renderer/ui/hidden-tokens.ts';
import { useConnection } from './use-connection.ts';
import type { Workbench } from './workbench.ts';
import styles from './status-bar.module.css';

const lineWords = { lost: 'No connection', silent: 'Workbench does not respond', ended: 'Session ended' };

/** The facts at the foot: key, built-in provider, history, host, and whether the host responds. */
export function StatusBar({ workbench }: { workbench: Workbench }) {
  const currentId = useStore(workbench.environments, (state) => state.currentId);
  const key = useStore(workbench.environments, (state) => (currentId === null ? undefined : state.keys[currentId]));
  const info = useStore(workbench.shell, (state) => state.info);
  const sandbox = useStore(workbench.shell, (state) => state.sandbox);
  const connection = useConnection(workbench.connection);
  const { show } = workbench.shell.getState();
  const words = keyWords(key);
  const bad = words.tone === 'warn' || words.tone === 'bad';
  return (
    <footer className={styles.bar}>
      {currentId === null ? null : (
        <button
          type="button"
          className={classNames(styles.fact, bad && 'warn')}
          title={words.detail ?? undefined}
          onClick={() => {
            workbench.environments.getState().open(currentId);
            show('environments');
          }}
        >
          {keyLine(key)}
        </button>
      )}
      {sandbox === null ? null : (
        <span
          className={classNames(styles.more, !sandbox.running && 'faint')}
          title={sandbox.message ?? (sandbox.baseUrl === null ? undefined : `Running at ${sandbox.baseUrl}`)}
        >
          {sandbox.running ? 'Built-in provider' : 'Built-in provider not running'}
        </span>
      )}
      <OpenGateway workbench={workbench} />
      <FrozenTime workbench={workbench} />
      <HiddenTokens />
      <span className="grow" />
      {info === null ? null : (
        <button type="button" className={classNames(styles.fact, styles.more)} onClick={() => show('history')}>
          {info.calls.toLocaleString('en')} {info.calls === 1 ? 'call' : 'calls'}
        </button>
      )}
      {info === null ? null : (
        <span className={styles.more} title={`Version ${info.version}, home ${info.home}`}>
          {info.host}
        </span>
      )}
      {connection.state === 'open' ? null : <span className={styles.bad}>{lineWords[connection.state]}</span>}
    </footer>
  );
}

/** Says that other computers reach the gateway, while they do. */
function OpenGateway({ workbench }: { workbench: Workbench }) {
  const allow = useStore(workbench.gateway, (state) => state.status?.allow ?? null);
  if (allow === null) return null;
  return (
    <button
      type="button"
      className={classNames(styles.fact, 'warn')}
      title={`${allow.join(', ')} can connect.`}
      onClick={() => workbench.shell.getState().show('gateway')}
    >
      Gateway open to the network
    </button>
  );
}

/** Says that what is on the screen has covered places, until they are shown. */
function HiddenTokens() {
  if (!useHiddenTokens()) return null;
  return (
    <button type="button" className={classNames(styles.fact, 'warn')} title="Press to show them." onClick={toggleHiddenTokens}>
      Session tokens hidden
    </button>
  );
}

/** The moment at which time stands for requests, until it is released. */
function FrozenTime({ workbench }: { workbench: Workbench }) {
  const frozenAt = useStore(workbench.clock, (state) => state.frozenAt);
  const timeZone = useStore(workbench.environments, (state) => currentEnvironment(state)?.timeZone ?? 'UTC');
  if (frozenAt === null) return null;
  return (
    <button
      type="button"
      className={classNames(styles.fact, 'warn')}
      title="Requests in tabs use this time; runs, launches and lists do not. Press to unfreeze it."
      onClick={workbench.clock.getState().release}
    >
      Time frozen at {formatTime(frozenAt, timeZone, 'dmy')}
    </button>
  );
}
