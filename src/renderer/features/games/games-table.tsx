import { useEffect, useMemo } from 'react';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import type { GameListProps } from './games-grid.tsx';
import { compareIds, mostLevels, statusText, type ListedGame } from './listed-games.ts';

/** Number of bet levels with a column of their own; the rest share the last one. */
const ownColumns = 12;

/** The games as rows with a column for each bet level; headings sort. */
export function GamesTable({
  games,
  allGames,
  meanings,
  unit,
  chosen,
  onChoose,
  onFocusGame,
}: GameListProps & {
  /** Every game of the snapshot: the columns do not change while the list is filtered. */
  allGames: readonly ListedGame[];
  unit: string;
}) {
  const levels = useMemo(() => mostLevels(allGames), [allGames]);
  const columns = useMemo(() => columnsFor(levels, unit, meanings), [levels, unit, meanings]);
  // The keys act on the details here: the table itself knows which row the keyboard is on.
  useEffect(() => onFocusGame(null), [onFocusGame]);
  return (
    <DataTable
      label="Games"
      columns={columns}
      rows={games}
      rowKey={({ at }) => at}
      selectedKey={chosen?.at ?? null}
      onOpen={onChoose}
      onOpenByClick
    />
  );
}

function columnsFor(levels: number, unit: string, meanings: ReadonlyMap<string, string> | null): readonly Column<ListedGame>[] {
  const inUnit = unit === '' ? '' : ` in ${unit}`;
  const own = Math.min(levels, ownColumns);
  return [
    {
      id: 'id',
      title: 'ID',
      width: '88px',
      code: true,
      sortable: true,
      text: ({ game }) => game.id,
      compare: (a, b) => compareIds(a.game.id, b.game.id),
    },
    { id: 'name', title: 'Name', width: 'minmax(160px, 1fr)', sortable: true, text: ({ game }) => game.name },
    {
      id: 'status',
      title: 'Status',
      width: meanings === null ? '78px' : '150px',
      sortable: true,
      text: ({ game }) => statusCell(game.status, meanings),
    },
    {
      id: 'count',
      title: 'Bets',
      width: '58px',
      align: 'end',
      sortable: true,
      text: ({ game }) => String(game.bets.length),
      compare: (a, b) => a.game.bets.length - b.game.bets.length,
    },
    ...Array.from({ length: own }, (_, level): Column<ListedGame> => ({
      id: `level${level}`,
      title: `betLevel ${level}${level === 0 ? inUnit : ''}`,
      width: level === 0 && unit !== '' ? `${76 + Math.ceil(6.4 * inUnit.length)}px` : '86px',
      align: 'end',
      text: ({ game }) => game.bets[level] ?? '',
    })),
    ...(levels > ownColumns
      ? [
          {
            id: 'more',
            title: `betLevel ${ownColumns}+`,
            width: '260px',
            text: ({ game }: ListedGame) => levelsFrom(game.bets, ownColumns),
          },
        ]
      : []),
  ];
}

/** Returns `12: 1.30, 13: 1.40`; built without lists between, because every row that scrolls into sight asks for it. */
function levelsFrom(bets: readonly string[], first: number): string {
  let text = '';
  for (let level = first; level < bets.length; level += 1) text += `${level === first ? '' : ', '}${level}: ${bets[level] ?? ''}`;
  return text;
}

function statusCell(status: string | null, meanings: ReadonlyMap<string, string> | null): string {
  return status === null ? 'none' : statusText(status, meanings).replace('status ', '');
}
