import type { StorePart } from '#renderer/ui/store-part.ts';
import type { CompareSnapshotsState } from './compare-snapshots.ts';
import type { GameOrder, ListedGame, StatusFilter } from './listed-games.ts';

export type GamesView = 'grid' | 'table';

/** The games that are in sight, their order, and the chosen one. */
export interface GameChoiceState {
  readonly view: GamesView;
  readonly order: GameOrder;
  readonly text: string;
  readonly status: StatusFilter;
  /** The game whose details are open. */
  readonly chosen: ListedGame | null;
  /** The bet level picked in the details. */
  readonly betLevel: number;
  readonly setView: (view: GamesView) => void;
  readonly setOrder: (order: GameOrder) => void;
  readonly setText: (text: string) => void;
  readonly setStatus: (status: StatusFilter) => void;
  readonly choose: (game: ListedGame | null) => void;
  readonly setBetLevel: (level: number) => void;
  /** Shows one game with its details among all of them, whatever is searched for or compared now. */
  readonly showGame: (game: ListedGame) => void;
}

/** The parts of the choice that hold for the games of one environment alone, at their start. */
export const noChoice: Pick<GameChoiceState, 'status' | 'chosen' | 'betLevel'> = { status: 'any', chosen: null, betLevel: 0 };

/** Creates the part of the store that holds the choice. */
export function createGameChoice({
  getState,
  setState,
}: StorePart<GameChoiceState & Pick<CompareSnapshotsState, 'comparing'>>): GameChoiceState {
  return {
    view: 'grid',
    order: 'received',
    text: '',
    ...noChoice,
    setView: (view) => setState({ view }),
    setOrder: (order) => setState({ order }),
    setText: (text) => setState({ text }),
    setStatus: (status) => setState({ status }),
    choose(chosen) {
      const sameGame = chosen !== null && chosen.game.id === getState().chosen?.game.id;
      setState({ chosen, ...(sameGame ? {} : { betLevel: 0 }) });
    },
    setBetLevel: (betLevel) => setState({ betLevel }),
    showGame(game) {
      setState({ comparing: null, text: '', status: 'any' });
      getState().choose(game);
    },
  };
}
