import { amount } from '#shared/amount.ts';
import type { CatalogueChange, CatalogueComparison, CatalogueGame, CatalogueSnapshot } from '#shared/ipc/index.ts';

/** Kind of a game's change between two lists. */
export type ChangeKind = 'added' | 'removed' | 'renamed' | 'bets' | 'status' | 'thumbnail';

/** One line of a comparison: a game has one for each kind of change. */
export interface ComparisonRow {
  /** Unique within the comparison. */
  readonly key: string;
  readonly kind: ChangeKind;
  readonly id: string;
  readonly name: string;
  /** The change in words. */
  readonly what: string;
  /** The game, if it is in one list only; else null. */
  readonly game: CatalogueGame | null;
  readonly change: CatalogueChange | null;
}

export const changeKinds: readonly ChangeKind[] = ['added', 'removed', 'renamed', 'bets', 'status', 'thumbnail'];

export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  added: 'Added',
  removed: 'Removed',
  renamed: 'Renamed',
  bets: 'Bets',
  status: 'Status',
  thumbnail: 'Thumbnail',
};

/** Returns the lines of a comparison, by kind. */
export function comparisonRows({ added, removed, changed }: CatalogueComparison): readonly ComparisonRow[] {
  const rows: ComparisonRow[] = [];
  for (const [kind, games] of [
    ['added', added],
    ['removed', removed],
  ] as const) {
    for (const game of games) {
      const { id, name } = game;
      rows.push({ key: `${kind} ${id}`, kind, id, name, what: entryWords(game), game, change: null });
    }
  }
  for (const kind of ['renamed', 'bets', 'status', 'thumbnail'] as const) {
    for (const change of changed) {
      const what = changeWords(change, kind);
      if (what === null) continue;
      rows.push({ key: `${kind} ${change.id}`, kind, id: change.id, name: change.name, what, game: null, change });
    }
  }
  return rows;
}

/** Returns the lines of one kind (or all) that hold every word of the text. */
export function filterComparison(
  rows: readonly ComparisonRow[],
  kind: ChangeKind | 'all',
  text: string,
): readonly ComparisonRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (kind !== 'all' && row.kind !== kind) return false;
    const haystack = `${row.id} ${row.name} ${row.what}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** Returns the number of lines of each kind. */
export function countKinds(rows: readonly ComparisonRow[]): Readonly<Record<ChangeKind, number>> {
  const counts = { added: 0, removed: 0, renamed: 0, bets: 0, status: 0, thumbnail: 0 };
  for (const { kind } of rows) counts[kind] += 1;
  return counts;
}

/** Returns the comparison as text for a ticket or an e-mail. `title` names a snapshot. */
export function comparisonText(
  comparison: CatalogueComparison,
  rows: readonly ComparisonRow[],
  title: (snapshot: CatalogueSnapshot) => string,
): string {
  const { from, to, same, betsCompared } = comparison;
  const lines = [`Games of ${to.environmentName}`, `from ${title(from)}`, `to   ${title(to)}`, ''];
  if (rows.length === 0) lines.push('No differences.');
  for (const kind of changeKinds) {
    const of = rows.filter((row) => row.kind === kind);
    if (of.length === 0) continue;
    lines.push(`${changeTitles[kind]} (${of.length})`);
    for (const { id, name, what } of of)
      lines.push(`  ${id}  ${name === '' ? '(no name)' : name}${what === '' ? '' : `: ${what}`}`);
    lines.push('');
  }
  lines.push(`${same} ${same === 1 ? 'game is' : 'games are'} the same in both.`);
  if (!betsCompared) lines.push(`Bets were not compared: ${from.currency} and ${to.currency} are different currencies.`);
  return `${lines.join('\n')}\n`;
}

function changeWords(change: CatalogueChange, kind: 'renamed' | 'bets' | 'status' | 'thumbnail'): string | null {
  if (kind !== 'bets') return change[kind] === null ? null : arrow(change[kind]);
  const { bets } = change;
  return bets === null ? null : bets.levels.map((level) => levelWords(level, bets.from[level], bets.to[level])).join(', ');
}

function levelWords(level: number, from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `betLevel ${level} is new: ${shown(to ?? null)}`;
  if (to === undefined) return `betLevel ${level} is gone: ${shown(from)}`;
  return `betLevel ${level}: ${shown(from)} → ${shown(to)}`;
}

function entryWords({ bets, status }: CatalogueGame): string {
  const levels = amount(bets.length, 'bet');
  return status === null ? levels : `status ${shown(status)}, ${levels}`;
}

function arrow({ from, to }: { from: string | null; to: string | null }): string {
  return `${shown(from)} → ${shown(to)}`;
}

/** Returns a value as it was received, or that there is none. */
export function shown(text: string | null): string {
  if (text === null) return 'none';
  return text === '' ? 'empty' : text;
}
