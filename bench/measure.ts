/** One printed figure: the measured value, its baseline, and the goal it is judged by. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  readonly baseline: number | null;
  readonly unit: string;
  /** Largest (or, with `atLeast`, smallest) acceptable value of ours / baseline, or of ours without a baseline. */
  readonly goal: number;
  readonly atLeast?: boolean;
  /** Reason why it is missed, printed only then. */
  readonly reason?: string;
}

/** Returns the middle value; of an even count, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the value at the given share, 0 to 1, of the sorted list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const short = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3));

/** Prints a Markdown table, ratios first: absolute figures belong to the machine, ratios carry over. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n### ${title}\n\n| measure | ours | baseline | ratio | goal | |\n|---|---|---|---|---|---|`);
  for (const figure of figures) {
    const judged = figure.baseline === null ? figure.ours : figure.ours / figure.baseline;
    const reached = figure.atLeast ? judged >= figure.goal : judged <= figure.goal;
    const sign = figure.atLeast ? '≥' : '≤';
    console.log(
      `| ${figure.name} | ${short(figure.ours)} ${figure.unit} | ${figure.baseline === null ? '' : `${short(figure.baseline)} ${figure.unit}`} | ` +
        `${figure.baseline === null ? '' : `${judged.toFixed(2)}x`} | ${sign} ${figure.goal}${figure.baseline === null ? ` ${figure.unit}` : 'x'} | ` +
        `${reached ? 'reached' : `**not reached**${figure.reason ? `: ${figure.reason}` : ''}`} |`,
    );
  }
}
