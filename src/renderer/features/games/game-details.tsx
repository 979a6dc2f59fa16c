import { useEffect, useId } from 'react';
import { useStore } from 'zustand';
import { Gamepad2, Play, Send, X } from 'lucide-react';
import type { CatalogueSnapshot, Environment, RequestDraft } from '#shared/ipc/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { freeRoundsDraft, launcherDraft } from './game-drafts.ts';
import type { GamesStore } from './games-store.ts';
import type { ListedGame } from './listed-games.ts';
import type { ThumbnailLoader } from './thumbnail-loader.ts';
import { Thumbnail } from './thumbnail.tsx';
import styles from './game-details.module.css';

/** Actions on a game, which the shell joins to other features. */
export interface GameActions {
  readonly onLaunch: (launch: { game: ListedGame['game']; mode: 'fun' | 'real' }) => void;
  readonly onOpenDraft: (draft: RequestDraft) => void;
  readonly onOpenPoint: (id: 'gameList.status') => void;
}

/** One game: its picture, its bets by betLevel, and the actions on it. */
export function GameDetails({
  store,
  loader,
  environment,
  listed,
  meanings,
  snapshot,
  unit,
  onLaunch,
  onOpenDraft,
  onOpenPoint,
  onClose,
}: GameActions & {
  store: GamesStore;
  loader: ThumbnailLoader;
  environment: Environment;
  listed: ListedGame;
  /** Meanings of statuses, by the recorded answer; null if none is recorded. */
  meanings: ReadonlyMap<string, string> | null;
  snapshot: CatalogueSnapshot;
  /** Unit of the bets; empty if it is unknown. */
  unit: string;
  onClose: () => void;
}) {
  const { betLevel, setBetLevel } = useStore(store);
  const { game } = listed;
  const { environmentId } = snapshot;
  const group = useId();
  useEffect(() => {
    loader.want('details', environmentId, [game.thumbnail]);
  }, [loader, environmentId, game.thumbnail]);
  useEffect(() => () => loader.want('details', '', []), [loader]);
  const level = Math.min(betLevel, Math.max(game.bets.length - 1, 0));
  return (
    <aside className={styles.details} aria-label="Game" data-pane="game">
      <header className={styles.head}>
        <h2>{game.name === '' ? 'No name' : game.name}</h2>
        <IconButton small label="Close the details" keys="Escape" icon={<X />} onClick={onClose} />
      </header>
      <div className={styles.scroll}>
        <div className={styles.picture}>
          <Thumbnail loader={loader} environmentId={environmentId} url={game.thumbnail} large />
        </div>
        <div className={styles.launch}>
          <Button variant="primary" icon={<Play />} keys="F" onClick={() => onLaunch({ game, mode: 'fun' })}>
            Launch fun
          </Button>
          <Button icon={<Gamepad2 />} keys="R" onClick={() => onLaunch({ game, mode: 'real' })}>
            Launch real
          </Button>
        </div>
        <dl className={styles.facts}>
          <dt>id</dt>
          <dd>
            <code>{game.id}</code>
            <CopyButton small label="Copy the ID" text={game.id} />
          </dd>
          <dt>status</dt>
          <dd>
            {game.status === null ? <span className="quiet">none</span> : <code>{game.status}</code>}
            {meanings === null || game.status === null ? null : <span>{meanings.get(game.status) ?? 'not recorded'}</span>}
            <button type="button" className="link tiny" onClick={() => onOpenPoint('gameList.status')}>
              {meanings === null ? 'Meaning not documented' : 'Recorded answer'}
            </button>
          </dd>
          <dt>thumbnail</dt>
          <dd>
            {game.thumbnail === '' ? (
              <span className="quiet">none</span>
            ) : (
              <>
                <code className="short" title={game.thumbnail}>
                  {game.thumbnail}
                </code>
                <CopyButton small label="Copy the thumbnail URL" text={game.thumbnail} />
              </>
            )}
          </dd>
        </dl>
        {game.bets.length === 0 ? (
          <p className="quiet small">No bets, so free rounds have no betLevel.</p>
        ) : (
          <fieldset className={styles.bets}>
            <legend>
              Bets{unit === '' ? '' : ` in ${unit}`} <span className="quiet">by betLevel</span>
            </legend>
            <div className={styles.levels}>
              {game.bets.map((bet, at) => (
                <label key={at} className={classNames(styles.level, at === level && styles.on)}>
                  <input
                    type="radio"
                    className="visually-hidden"
                    name={group}
                    checked={at === level}
                    aria-label={`betLevel ${at}: ${bet}`}
                    onChange={() => setBetLevel(at)}
                  />
                  <span className="faint tiny" aria-hidden="true">
                    {at}
                  </span>
                  <b aria-hidden="true" title={bet}>
                    {bet === '' ? 'no number' : bet}
                  </b>
                </label>
              ))}
            </div>
          </fieldset>
        )}
        <div className={styles.requests}>
          <h3>Open as request</h3>
          <Button icon={<Send />} onClick={() => onOpenDraft(launcherDraft(game, environment, Date.now()))}>
            getLauncherURL
          </Button>
          <Button
            icon={<Send />}
            waits={game.bets.length === 0 ? 'The game has no bets.' : null}
            onClick={() => onOpenDraft(freeRoundsDraft(game, level, environment, Date.now()))}
          >
            freeRounds, betLevel {level}
          </Button>
        </div>
      </div>
    </aside>
  );
}
