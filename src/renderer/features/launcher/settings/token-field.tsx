import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { SessionTokens } from '#renderer/calls/session-tokens.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { TokenTextField } from '#renderer/ui/token-text-field.tsx';
import { fieldText, playerText } from '../tabs/launch-form.ts';
import type { LaunchTab } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { nextToken, type TokenPool } from './token-pool.ts';
import styles from './launch-settings.module.css';

interface TokenFieldProps {
  readonly store: LauncherStore;
  readonly tab: LaunchTab;
  readonly environment: Environment;
  readonly onOpenPoint: (id: string) => void;
}

/** The session token of a launch in real mode: typed, of the pool, or of the environment's command. */
export function TokenField(props: TokenFieldProps) {
  const { store, tab, environment } = props;
  const known = useStore(store, (state) => state.pool);
  const actions = store.getState();
  useEffect(() => {
    startWork(store.getState().loadPool(environment.id));
  }, [store, environment.id]);
  const pool = known?.environmentId === environment.id ? known : null;
  const left = pool?.tokens.filter(({ state }) => state === 'unused').length ?? 0;
  const offers = (pool?.tokens.length ?? 0) > 0 || (pool?.command ?? '') !== '' || tab.tokenFrom !== 'typed';
  const choice = offers ? (
    <SegmentedChoice
      label="Token source"
      options={[
        { value: 'typed', label: 'typed' },
        { value: 'pool', label: left === 0 ? 'pool' : `pool, ${left.toLocaleString('en')} left` },
        ...((pool?.command ?? '') !== '' || tab.tokenFrom === 'command' ? [{ value: 'command', label: 'command' } as const] : []),
      ]}
      value={tab.tokenFrom}
      onChange={(from) => actions.setTokenFrom(tab.id, from)}
    />
  ) : null;
  const dialog = (
    <button type="button" className="link" onClick={() => actions.openPool(tab.id)}>
      Token pool…
    </button>
  );
  if (tab.tokenFrom === 'typed') return <TypedToken {...props} choice={choice} dialog={dialog} />;
  return (
    <Field label="externalToken" layout="stack" group error={tab.problems.token} hint={<span className="wrap">{dialog}</span>}>
      <div className={styles.token}>
        {choice}
        {tab.tokenFrom === 'pool' && tab.problems.token !== undefined ? null : (
          <p className="quiet small">
            {tab.tokenFrom === 'pool' ? poolWords(pool) : <CommandWords pool={pool} environment={environment} />}
          </p>
        )}
      </div>
    </Field>
  );
}

function poolWords(pool: TokenPool | null): string {
  const next = nextToken(pool);
  if (pool === null) return '';
  if (next === undefined) return pool.tokens.length === 0 ? 'The pool is empty. Add tokens.' : 'The pool has no unused token.';
  const of = next.playerId === '' ? '' : ` of ${next.playerId}`;
  return `Next unused token${of}: ${next.from.replace(/^pool, /, '')}.`;
}

function CommandWords({ pool, environment }: { pool: TokenPool | null; environment: Environment }) {
  if (pool === null) return null;
  if (pool.command === '') return <>{environment.name} has no token command. Set one in the environment.</>;
  return (
    <>
      Command run at launch: <code>{pool.command}</code>
    </>
  );
}

function TypedToken({
  store,
  tab,
  environment,
  onOpenPoint,
  choice,
  dialog,
}: TokenFieldProps & { readonly choice: ReactNode; readonly dialog: ReactNode }) {
  const players = useStore(store, (state) => state.players);
  const actions = store.getState();
  const sandbox = environment.kind === 'sandbox' && players.length > 0;
  const player = sandbox ? players.find((one) => one.externalToken === tab.token) : undefined;
  const renewing = tab.preparing.state === 'sending' && tab.preparing.what === 'renew';
  return (
    <Field
      label="externalToken"
      layout="stack"
      error={tab.problems.token}
      hint={
        <span className="wrap">
          {player !== undefined ? (
            <span>{playerText(player)}</span>
          ) : tab.token === '' ? (
            <span>A player&apos;s session token.</span>
          ) : null}
          {sandbox ? (
            <SessionTokens
              players={players}
              isTaken={(one) => one.externalToken === tab.token}
              onTake={(one) => actions.takeToken(tab.id, one)}
            />
          ) : null}
          {dialog}
          {tab.token === '' ? null : (
            <button
              type="button"
              className="link"
              disabled={renewing}
              title="Calls generateNewToken. The old token may become invalid."
              onClick={() => startWork(actions.renewToken(tab.id, environment.id, fieldText(tab.typed, 'gameId', environment)))}
            >
              {renewing ? 'Renewing' : 'Renew'}
            </button>
          )}
        </span>
      }
      warning={
        tab.renewal === null ? undefined : (
          <>
            {tab.renewal.message}
            {tab.renewal.fields.length === 0 ? null : (
              <>
                {' '}
                The response has these text fields: <span className="code">{tab.renewal.fields.join(', ')}</span>.
              </>
            )}{' '}
            <button type="button" className="link" onClick={() => onOpenPoint('generateNewToken.response')}>
              Record which field is the token
            </button>
          </>
        )
      }
    >
      <div className={styles.token}>
        {choice}
        <TokenTextField code value={tab.token} onText={(next) => actions.setToken(tab.id, next)} />
      </div>
    </Field>
  );
}
