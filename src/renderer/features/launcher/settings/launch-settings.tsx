import { useId, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { BrowserSettings } from './browser-settings.tsx';
import { LaunchChecks } from './launch-checks.tsx';
import { exitHint, fieldText, needsToken, type FieldName } from '../tabs/launch-form.ts';
import type { KnownGames } from '../tabs/launch-choices.ts';
import type { LaunchTab } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { TokenField } from './token-field.tsx';
import styles from './launch-settings.module.css';

/** The settings of a launch, and below them the response. */
export function LaunchSettings({
  store,
  tab,
  environment,
  embeds,
  onOpenPoint,
  onOpenGames,
  onOpenCall,
}: {
  store: LauncherStore;
  tab: LaunchTab;
  environment: Environment;
  /** True if games have a session of their own. */
  embeds: boolean;
  onOpenPoint: (id: string) => void;
  onOpenGames: () => void;
  onOpenCall: (id: number) => void;
}) {
  const games = useStore(store, (state) => (state.games?.environmentId === environment.id ? state.games : null));
  const actions = store.getState();
  const text = (name: FieldName) => fieldText(tab.typed, name, environment);
  const field = (name: FieldName, label: string, hint?: ReactNode) => (
    <Field label={label} layout="stack" hint={hint}>
      <TextField code value={text(name)} onText={(next) => actions.setField(tab.id, name, next)} />
    </Field>
  );
  return (
    <section className={styles.settings} aria-label="Launch settings" data-pane="settings">
      <GameField store={store} tab={tab} games={games} onOpenGames={onOpenGames} />
      {needsToken(tab.mode) ? <TokenField store={store} tab={tab} environment={environment} onOpenPoint={onOpenPoint} /> : null}
      <div className="halves">
        {field('lang', 'lang')}
        {field('country', 'country')}
      </div>
      {field('playerId', 'playerId')}
      {field('ip', 'ip')}
      {field('exitURL', 'exitURL', exitHint(text('exitURL')))}
      <BrowserSettings store={store} tab={tab} environment={environment} embeds={embeds} />
      {tab.slots.map(({ launch }) => (
        <LaunchChecks key={launch.id} launch={launch} named={tab.slots.length > 1} onOpenCall={onOpenCall} />
      ))}
      {tab.slots.every(({ launch }) => launch.url === null) ? null : (
        <p className="faint tiny">
          {embeds ? 'Private session: nothing is kept after you close the game.' : 'Your browser keeps what the game stores.'}
        </p>
      )}
    </section>
  );
}

const mostOffers = 30;

function GameField({
  store,
  tab,
  games,
  onOpenGames,
}: {
  store: LauncherStore;
  tab: LaunchTab;
  games: KnownGames | null;
  onOpenGames: () => void;
}) {
  const list = useId();
  const actions = store.getState();
  const typed = tab.typed.gameId ?? '';
  const name = tab.gameName !== '' ? tab.gameName : (games?.names.get(typed.trim()) ?? '');
  return (
    <Field label="gameId" layout="stack" error={tab.problems.gameId} hint={gameHint(typed, name, games, onOpenGames)}>
      <TextField
        code
        list={list}
        inputMode="numeric"
        placeholder="Number or name"
        value={typed}
        onText={(next) => actions.setField(tab.id, 'gameId', idOf(next, games))}
      />
      <datalist id={list}>
        {offersFor(typed, games).map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </datalist>
    </Field>
  );
}

/** Returns the number of a game whose whole name was typed; any other text stays. */
function idOf(text: string, games: KnownGames | null): string {
  if (/^\d*$/.test(text)) return text;
  for (const [id, name] of games?.names ?? []) if (name === text) return id;
  return text;
}

function offersFor(typed: string, games: KnownGames | null): readonly (readonly [string, string])[] {
  if (games === null || games.names.has(typed)) return [];
  const wanted = typed.trim().toLowerCase();
  const found: (readonly [string, string])[] = [];
  for (const [id, name] of games.names) {
    if (found.length >= mostOffers) break;
    if (wanted === '' || id.startsWith(wanted) || name.toLowerCase().includes(wanted)) found.push([id, name]);
  }
  return found;
}

function gameHint(typed: string, name: string, games: KnownGames | null, onOpenGames: () => void): ReactNode {
  if (name !== '') return name;
  if (games?.state === 'none') {
    return (
      <>
        No game list yet.
        <button type="button" className="link" onClick={onOpenGames}>
          Open games
        </button>
      </>
    );
  }
  return typed !== '' && games?.state === 'ready' ? 'Not in the newest game list.' : undefined;
}
