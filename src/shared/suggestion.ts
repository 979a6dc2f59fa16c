/** Writes ` Did you mean x?` if one of the names is similar to the typed one; otherwise an empty string. */
export function suggestion(typed: string, names: readonly string[]): string {
  const lower = typed.toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  const farthest = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3));
  return best !== undefined && best.distance <= farthest ? ` Did you mean ${best.name}?` : '';
}

/**
 * Returns the known name that differs only in case, `-`, `_` and spaces, or in at most one letter of three; otherwise null. Stricter than
 * `suggestion`, because a match here counts as a mistake.
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const key = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, '');
  const wanted = key(typed);
  const ranked = names
    .map((name) => ({ name, distance: editDistance(wanted, key(name)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.floor(wanted.length / 3) ? best.name : null;
}

/** Counts insertions, deletions, replacements and swaps of neighbours between two short texts. */
function editDistance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (rows[row - 1]?.[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (rows[row - 1]?.[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      }
      line.push(best);
    }
    rows.push(line);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
