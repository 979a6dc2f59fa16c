import { amount } from '#shared/amount.ts';
import { Fragment, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '#renderer/ui/class-names.ts';
import { useItemWindow } from '#renderer/ui/use-item-window.ts';
import { gapBefore, gridColumns, gridHeight, layoutFor, moveTile, scrollToTile, tileHeight, tileRows } from './grid-layout.ts';
import { betRange, statusText, type ListedGame } from './listed-games.ts';
import type { ThumbnailLoader } from './thumbnail-loader.ts';
import { Thumbnail } from './thumbnail.tsx';
import styles from './games-grid.module.css';

/** The games in sight, as a grid or a table. */
export interface GameListProps {
  readonly games: readonly ListedGame[];
  /** Meanings of statuses, by the recorded answer; null if none is recorded. */
  readonly meanings: ReadonlyMap<string, string> | null;
  readonly chosen: ListedGame | null;
  readonly onChoose: (game: ListedGame) => void;
  /** Called when the keyboard comes to a game; null for none. */
  readonly onFocusGame: (game: ListedGame | null) => void;
}

/** Milliseconds that the grid must rest before it asks for pictures. */
const restMs = 90;

/**
 * Shows thousands of games as tiles; only those in sight are in the page. For a screen reader it is a listbox: its rows are those of
 * the window's width, and mean nothing. Arrow keys, Page Up and Down, Home and End move; Enter or a click opens a game's details.
 */
export function GamesGrid({
  games,
  meanings,
  environmentId,
  loader,
  chosen,
  onChoose,
  onFocusGame,
}: GameListProps & { environmentId: string; loader: ThumbnailLoader }) {
  const { scroller, width, drawn, seen } = useItemWindow({
    items: games,
    layout: (boxWidth) => tileRows(layoutFor(boxWidth)),
    move(event, from, box) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
      const rows = Math.max(1, Math.floor(box.height / tileHeight) - 1);
      return moveTile(event.key, from, games.length, layoutFor(box.width).columns, rows);
    },
    scrollTo: (index, box) => scrollToTile(index, box.scrollTop, box.height, layoutFor(box.width)),
    onActive(index, by) {
      const game = games[index];
      if (game === undefined) return;
      onFocusGame(game);
      // Open details follow the keyboard.
      if (by === 'key' && chosen !== null) onChoose(game);
    },
    // Details beside the grid make it narrower.
    keepInSight: chosen === null ? -1 : games.indexOf(chosen),
    onPress(index, event) {
      const game = games[index];
      if (game !== undefined && event.type === 'click') onChoose(game);
    },
  });
  const count = games.length;
  const layout = useMemo(() => layoutFor(width), [width]);

  const { start, end } = seen;
  const [calm, setCalm] = useState(true);
  const last = useRef(seen);
  // Nobody sees the pictures of tiles that leave in the next frame, and decoding them would hold that frame up.
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { start, end };
    if (before.end > 0 && (start >= before.end || end <= before.start)) setCalm(false);
  }, [start, end]);
  useEffect(() => {
    const timer = setTimeout(() => {
      setCalm(true);
      loader.want(
        'grid',
        environmentId,
        games.slice(start, end).map(({ game }) => game.thumbnail),
      );
    }, restMs);
    return () => clearTimeout(timer);
  }, [loader, environmentId, games, start, end]);
  useEffect(() => () => loader.want('grid', '', []), [loader]);

  return (
    <div className={styles.scroller} ref={scroller}>
      <div
        role="listbox"
        aria-label="Games"
        className={styles.list}
        style={{ height: gridHeight(count, layout), gridTemplateColumns: gridColumns(layout) }}
      >
        {drawn.slots.map(({ key, index }, at) => {
          const listed = games[index];
          if (listed === undefined) return null;
          const missing = gapBefore(drawn.slots[at - 1]?.index ?? null, index, layout);
          return (
            <Fragment key={key}>
              {missing.height > 0 && <div aria-hidden="true" className={styles.gap} style={{ height: missing.height }} />}
              <Tile
                listed={listed}
                index={index}
                count={count}
                column={missing.column}
                active={index === drawn.active}
                chosen={chosen === listed}
                meanings={meanings}
                environmentId={environmentId}
                loader={loader}
                calm={calm}
              />
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

interface TileProps {
  readonly listed: ListedGame;
  readonly index: number;
  readonly count: number;
  /** The column of a tile that does not follow on the one before it, counted from 1. */
  readonly column: number | undefined;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly meanings: ReadonlyMap<string, string> | null;
  readonly environmentId: string;
  readonly loader: ThumbnailLoader;
  /** False while the grid jumps. */
  readonly calm: boolean;
}

// Placed by the tiles before it: a tile with a position of its own in its style would be styled again whenever it moves.
const Tile = memo(function Tile(props: TileProps) {
  const { listed, index, count, column, active, chosen, meanings, environmentId, loader, calm } = props;
  const { game } = listed;
  return (
    <div className={styles.place} style={column === undefined ? undefined : { gridColumnStart: column }}>
      <button
        type="button"
        role="option"
        aria-setsize={count}
        aria-posinset={index + 1}
        data-item={index}
        tabIndex={active ? 0 : -1}
        className={classNames(styles.tile, chosen && styles.on)}
        aria-selected={chosen}
      >
        <span className={styles.picture}>
          <Thumbnail loader={loader} environmentId={environmentId} url={game.thumbnail} calm={calm} />
        </span>
        <span className={classNames(styles.name, game.name === '' && styles.nameless)} title={game.name}>
          {game.name === '' ? 'No name' : game.name}
        </span>
        <span className={styles.facts}>
          <span className={styles.id} title={game.id}>
            {game.id}
          </span>
          <span className={styles.bets} title={amount(game.bets.length, 'bet')}>
            {betRange(game)}
          </span>
        </span>
        {meanings === null ? null : <span className={styles.status}>{statusText(game.status, meanings)}</span>}
      </button>
    </div>
  );
});
