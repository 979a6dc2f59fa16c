import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programOf } from '../scripts/program-of.mjs';

/** One printed figure: the measured value, its baseline, and the goal it is judged by. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  /** Absent if the value is judged by itself. */
  readonly baseline?: number;
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

/** Returns a measured value as its goal and its budget judge it: a ratio if there is a baseline. */
export function judged({ ours, baseline }: Figure): number {
  return baseline === undefined ? ours : ours / baseline;
}

/** Returns of figures with one goal the one that comes nearest to it, or is farthest beyond, under a name for all. */
export function worstOf(name: string, figures: readonly Figure[]): Figure {
  const worst = figures.reduce((one, other) => (judged(other) > judged(one) ? other : one));
  return { ...worst, name: `${name}: ${figures.length > 1 ? `the worst of ${figures.length}, ` : ''}${worst.name}` };
}

/** Returns a Markdown table, ratios first: absolute figures belong to the machine, ratios carry over. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { name, ours, baseline, unit, goal, atLeast, reason } = figure;
    const reached = atLeast ? judged(figure) >= goal : judged(figure) <= goal;
    const ratio = baseline === undefined ? '' : `${judged(figure).toFixed(2)}x`;
    const aim = `${atLeast ? '≥' : '≤'} ${goal}${baseline === undefined ? ` ${unit}` : 'x'}`;
    return [
      name,
      `${short(ours)} ${unit}`,
      baseline === undefined ? '' : `${short(baseline)} ${unit}`,
      ratio,
      aim,
      reached ? 'reached' : `**not reached**${reason ? `: ${reason}` : ''}`,
    ];
  });
  return [['measure', 'ours', 'baseline', 'ratio', 'goal', ''], ['---', '---', '---', '---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const root = path.resolve(import.meta.dirname, '..');
const page = path.join(root, 'docs/figures.md');
const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** Puts the table of one benchmark between its two marks in `docs/figures.md`, with what it was measured on. Fails for sources that no commit has. */
export function writeTable(name: string, table: string, machine: string): void {
  if (git('status', '--porcelain', 'src', 'bench') !== '')
    throw new Error('Commit src and bench first: the table names the commit it is of.');
  const [begin, end] = [`<!-- bench ${name} -->`, '<!-- end -->'];
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (before === undefined || after === undefined) throw new Error(`docs/figures.md has no ${begin}.`);
  const day = new Date().toISOString().slice(0, 10);
  const source = `\`npm run bench -- ${name}\` at ${git('rev-parse', '--short=8', 'HEAD')}, ${day}, on ${machine}:`;
  writeFileSync(page, `${before}${begin}\n\n${source}\n\n${table}\n\n${after}`);
  execFileSync(...programOf('oxfmt', [page]));
}
