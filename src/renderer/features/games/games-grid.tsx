import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '#renderer/ui/class-names.ts';
import { indexesToDraw, slotOf } from '#renderer/ui/table-window.ts';
import {
  gridHeight,
  layoutFor,
  moveTile,
  scrollToTile,
  tileHeight,
  tilePlace,
  tilesInSight,
  type GridLayout,
  type TilesInSight,
} from './grid-layout.ts';
import { betRange, statusText, type ListedGame } from './listed-games.ts';
import type { ThumbnailLoader } from './thumbnail-loader.ts';
import { Thumbnail } from './thumbnail.tsx';
import styles from './games-grid.module.css';

/** How long the grid must rest before pictures are asked for. */
const restMs = 90;
const first: TilesInSight = { drawn: { start: 0, end: 36, slots: 36, turn: 0 }, seen: { start: 0, end: 0 } };

/**
 * Thousands of games as tiles, of which only those in sight are in the page. Arrow keys, Page Up and Down, Home and End move;
 * Enter or a click opens a game's details.
 */
export function GamesGrid({
  games,
  environmentId,
  loader,
  chosen,
  onChoose,
  onFocusGame,
}: {
  games: readonly ListedGame[];
  environmentId: string;
  loader: ThumbnailLoader;
  chosen: ListedGame | null;
  onChoose: (game: ListedGame) => void;
  /** The game that the keyboard is on. */
  onFocusGame: (game: ListedGame) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const focusWanted = useRef(false);
  const [layout, setLayout] = useState<GridLayout>(() => layoutFor(1_000));
  const [sight, setSight] = useState<TilesInSight>(first);
  const [active, setActiveTile] = useState({ games, index: 0 });
  const count = games.length;
  // Another list begins at its top.
  const current = active.games === games ? active.index : 0;
  const setActive = (index: number) => setActiveTile({ games, index });

  const measure = useEffectEvent(() => {
    const box = scroller.current;
    if (box === null || box.clientWidth === 0) return;
    const nextLayout = layoutFor(box.clientWidth);
    setLayout((before) => (sameLayout(before, nextLayout) ? before : nextLayout));
    // A frame of scrolling within the same rows draws nothing.
    setSight((before) => tilesInSight(before, box.scrollTop, box.clientHeight, count, nextLayout));
  });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const box = scroller.current;
    if (box === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rows = Math.max(1, Math.floor(box.clientHeight / tileHeight) - 1);
    const next = moveTile(event.key, current, count, layout.columns, rows);
    const game = next === null ? undefined : games[next];
    if (next === null || game === undefined) return;
    event.preventDefault();
    focusWanted.current = true;
    setActive(next);
    box.scrollTop = scrollToTile(next, box.scrollTop, box.clientHeight, layout);
    focusTile(next);
    onFocusGame(game);
    // Details that are open follow the keyboard.
    if (chosen !== null) onChoose(game);
  });

  const onPress = useEffectEvent((event: MouseEvent) => {
    const index = indexOf(event.target);
    const game = index === null ? undefined : games[index];
    if (index === null || game === undefined) return;
    setActive(index);
    onChoose(game);
  });

  const onFocus = useEffectEvent((event: FocusEvent) => {
    const index = indexOf(event.target);
    const game = index === null ? undefined : games[index];
    if (index === null || game === undefined) return;
    setActive(index);
    onFocusGame(game);
  });

  function focusTile(index: number) {
    const tile = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] > button`);
    if (tile === undefined || tile === null) return;
    focusWanted.current = false;
    tile.focus({ preventScroll: true });
  }

  // One listener for all tiles instead of one a tile.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const handlers = { scroll: measure, keydown: onKey, click: onPress, focusin: onFocus } as const;
    const add = Object.entries(handlers) as [string, EventListener][];
    for (const [type, listener] of add) box.addEventListener(type, listener, { passive: type === 'scroll' });
    const sized = new ResizeObserver(() => measure());
    sized.observe(box);
    return () => {
      for (const [type, listener] of add) box.removeEventListener(type, listener);
      sized.disconnect();
    };
  }, []);

  useLayoutEffect(() => {
    measure();
  }, [count]);

  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [games]);

  // A tile that a key moved to is in the page only after this draw, and one that left has given its element to another.
  useEffect(() => {
    const holder = indexOf(document.activeElement);
    const inside = scroller.current?.contains(document.activeElement) === true;
    if (focusWanted.current || (inside && holder !== null && holder !== current)) focusTile(current);
  });

  // The details beside may be narrower or wider now: keep the chosen tile in sight.
  const chosenAt = chosen === null ? -1 : games.indexOf(chosen);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box !== null && chosenAt >= 0) box.scrollTop = scrollToTile(chosenAt, box.scrollTop, box.clientHeight, layout);
  }, [chosenAt, layout]);

  const { start, end } = sight.seen;
  useEffect(() => {
    const timer = setTimeout(() => {
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
      <ul aria-label="Games" className={styles.list} style={{ height: gridHeight(count, layout) }}>
        {indexesToDraw(sight.drawn, current, count).map((index) => {
          const listed = games[index];
          if (listed === undefined) return null;
          const { x, y } = tilePlace(index, layout);
          return (
            <Tile
              key={slotOf(index, sight.drawn)}
              listed={listed}
              index={index}
              count={count}
              x={x}
              y={y}
              width={layout.tileWidth}
              active={index === current}
              chosen={chosen === listed}
              environmentId={environmentId}
              loader={loader}
            />
          );
        })}
      </ul>
    </div>
  );
}

interface TileProps {
  readonly listed: ListedGame;
  readonly index: number;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly active: boolean;
  readonly chosen: boolean;
  readonly environmentId: string;
  readonly loader: ThumbnailLoader;
}

const Tile = memo(function Tile(props: TileProps) {
  const { listed, index, count, x, y, width, active, chosen, environmentId, loader } = props;
  const { game } = listed;
  return (
    <li
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={styles.place}
      style={{ width, transform: `translate(${x}px, ${y}px)` }}
    >
      <button
        type="button"
        tabIndex={active ? 0 : -1}
        className={classNames(styles.tile, chosen && styles.on)}
        aria-current={chosen || undefined}
      >
        <span className={styles.picture}>
          <Thumbnail loader={loader} environmentId={environmentId} url={game.thumbnail} />
        </span>
        <span className={classNames(styles.name, game.name === '' && styles.nameless)} title={game.name}>
          {game.name === '' ? 'No name' : game.name}
        </span>
        <span className={styles.facts}>
          <span className={styles.id} title={game.id}>
            {game.id}
          </span>
          <span className={styles.status} title={statusText(game.status)}>
            {statusText(game.status)}
          </span>
        </span>
        <span className={styles.bets} title={`${game.bets.length} bets`}>
          {betRange(game)}
        </span>
      </button>
    </li>
  );
});

function indexOf(target: EventTarget | null): number | null {
  const tile = target instanceof Element ? target.closest<HTMLElement>('li[data-index]') : null;
  return tile === null ? null : Number(tile.dataset['index']);
}

function sameLayout(a: GridLayout, b: GridLayout): boolean {
  return a.columns === b.columns && a.tileWidth === b.tileWidth;
}
