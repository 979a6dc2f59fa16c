/** A line above some rows of a table that says what they have in common. */
export interface TableHeading {
  /** Index of the row below it. */
  readonly before: number;
  /** 1 is above 2 and drawn stronger. */
  readonly level: 1 | 2;
  readonly title: string;
  /** Number of its rows, as a text. */
  readonly detail: string;
}

/** A heading as a line of its own; a class, so that `instanceof` distinguishes it from a row. */
export class HeadingLine {
  readonly key: string;
  readonly heading: TableHeading;

  constructor(heading: TableHeading, at: number) {
    this.key = `heading ${at}`;
    this.heading = heading;
  }
}

/**
 * Returns the rows with their headings between them, those of one position in the order given; without headings, the rows
 * themselves.
 */
export function withHeadings<R>(rows: readonly R[], headings: readonly TableHeading[]): readonly (R | HeadingLine)[] {
  if (headings.length === 0) return rows;
  const lines: (R | HeadingLine)[] = [];
  let from = 0;
  headings.forEach((heading, at) => {
    for (; from < heading.before; from += 1) lines.push(rows[from] as R);
    lines.push(new HeadingLine(heading, at));
  });
  for (; from < rows.length; from += 1) lines.push(rows[from] as R);
  return lines;
}

/** Returns the line nearest to `target` that is not a heading, first in the direction from `from`; without such a line, `from`. */
export function pastHeadings(lines: readonly unknown[], target: number, from: number): number {
  const step = target < from ? -1 : 1;
  for (let at = target; at >= 0 && at < lines.length; at += step) if (!(lines[at] instanceof HeadingLine)) return at;
  for (let at = target; at >= 0 && at < lines.length; at -= step) if (!(lines[at] instanceof HeadingLine)) return at;
  return from;
}

/** Returns the number of headings right above a line. */
export function headingsAbove(lines: readonly unknown[], line: number): number {
  let count = 0;
  while (lines[line - count - 1] instanceof HeadingLine) count += 1;
  return count;
}
