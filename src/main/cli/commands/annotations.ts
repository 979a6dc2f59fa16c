import { relative, sep } from 'node:path';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { failedCheckText } from '#shared/collections/run-words.ts';
import { usageError, type Arguments, type CommandSpec } from '../arguments.ts';

/** Most annotations of a run: GitHub shows ten of a step, and the report has them all. */
const mostAnnotations = 50;

/** Writes annotations of failed requests. */
export interface Annotations {
  /** Returns the line about a request; null if it needs none. */
  line(finished: FinishedRequest): string | null;
}

/** Reads `--annotations`; null without it. `directory` is that of the collection. Fails with `invalid_input` for another CI. */
export function createAnnotations(spec: CommandSpec, args: Arguments, directory: string): Annotations | null {
  const given = args.value('annotations');
  if (given === undefined) return null;
  if (given !== 'github') throw usageError(spec, '--annotations takes github.');
  const fileOf = fromHere(directory);
  let count = 0;
  return {
    line({ row, iteration, request: { path, state, reason, checks } }) {
      if ((state !== 'failed' && state !== 'error') || ++count > mostAnnotations) return null;
      const [first] = state === 'failed' ? checks.filter(({ passed }) => !passed) : [];
      const where = row === null ? (iteration === 1 ? '' : ` in iteration ${iteration}`) : ` in row ${row}`;
      const title = `${path} ${state === 'failed' ? 'failed' : 'had an error'}${where}`;
      return `::error file=${property(fileOf(`${path}.yaml`))},title=${property(title)}::${data(first === undefined ? reason : failedCheckText(first))}`;
    },
  };
}

/** Returns a code quality report whose files are named from the working directory on, in place of the collection's. */
export function filesFromHere(report: string, directory: string): string {
  const fileOf = fromHere(directory);
  const entries = JSON.parse(report) as { readonly location: { readonly path: string } }[];
  const moved = entries.map((entry) => ({ ...entry, location: { ...entry.location, path: fileOf(entry.location.path) } }));
  return `${JSON.stringify(moved, null, 2)}\n`;
}

function fromHere(directory: string): (path: string) => string {
  const folder = relative(process.cwd(), directory).replaceAll(sep, '/');
  return (path) => (folder === '' ? path : `${folder}/${path}`);
}

/** Escapes the message of a workflow command, so that it ends nowhere but at its end. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
