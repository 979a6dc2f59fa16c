import { variableName } from '#shared/collections/file-limits.ts';
import { readTags } from '#shared/collections/tag-list.ts';
import type { Input, RunSummary } from '#shared/ipc/index.ts';

/** A variable of the run as typed. */
interface VariableLine {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** Contents of the run dialog; numbers as typed. */
export interface RunForm {
  /** Empty if a directory is given instead. */
  readonly collectionId: string;
  readonly directory: string;
  readonly path: string;
  /** Tags as typed: only requests with one of them run, and none with one of the others. */
  readonly tags: string;
  readonly excludeTags: string;
  readonly environmentId: string;
  readonly repeat: string;
  readonly delay: string;
  readonly parallel: string;
  readonly bail: boolean;
  readonly reportUnreadable: boolean;
  readonly skipUnknownChecks: boolean;
  readonly variables: readonly VariableLine[];
  readonly data: 'none' | 'file' | 'text';
  readonly format: 'csv' | 'jsonl';
  readonly dataFile: string;
  readonly dataText: string;
  /** The run of which only the requests that did not pass run again; null for all. */
  readonly failedOf: { readonly runId: string; readonly title: string } | null;
}

/** Problems of the form, by field; a variable's by its ID. Empty if it can run. */
export type FormProblems = Partial<
  Record<'collection' | 'tags' | 'excludeTags' | 'environment' | 'repeat' | 'delay' | 'parallel' | 'data', string> &
    Record<`variable ${number}`, string>
>;

export type RunInput = Input<'runs.start'>;

/** Returns a form that says only what to run and where. */
export function emptyForm(environmentId: string, what: { collectionId?: string; path?: string } = {}): RunForm {
  return {
    collectionId: what.collectionId ?? '',
    directory: '',
    path: what.path ?? '',
    tags: '',
    excludeTags: '',
    environmentId,
    repeat: '1',
    delay: '0',
    parallel: '1',
    bail: false,
    reportUnreadable: false,
    skipUnknownChecks: false,
    variables: [],
    data: 'none',
    format: 'csv',
    dataFile: '',
    dataText: '',
    failedOf: null,
  };
}

/** Returns the form that would start a run again, as far as its summary shows. */
export function formOf(run: RunSummary, failedOnly: boolean): RunForm {
  return {
    ...emptyForm(run.environmentId, { collectionId: run.collectionId, path: run.path }),
    failedOf: failedOnly ? { runId: run.runId, title: run.collection } : null,
  };
}

/** Returns the problems that keep the form from running. */
export function problemsOf(form: RunForm): FormProblems {
  const problems: FormProblems = {};
  if (form.collectionId === '' && form.directory.trim() === '') {
    problems.collection = "Enter the absolute path of the collection's folder.";
  }
  for (const name of ['tags', 'excludeTags'] as const) {
    const { problem } = readTags(form[name]);
    if (problem !== null) problems[name] = problem;
  }
  if (form.environmentId === '') problems.environment = 'Choose an environment.';
  const repeat = numberProblem(form.repeat, 1, 1_000_000);
  if (repeat !== null) problems.repeat = repeat;
  const delay = numberProblem(form.delay, 0, 3_600_000);
  if (delay !== null) problems.delay = delay;
  const parallel = numberProblem(form.parallel, 1, 100);
  if (parallel !== null) problems.parallel = parallel;
  if (form.data === 'file' && form.dataFile.trim() === '') problems.data = 'Enter the absolute path of the file.';
  if (form.data === 'text' && form.dataText.trim() === '') problems.data = 'Paste the rows.';
  const names = new Set<string>();
  for (const { id, name, value } of form.variables) {
    if (name === '' && value === '') continue;
    if (!variableName.pattern.test(name)) problems[`variable ${id}`] = variableName.problem;
    else if (names.has(name)) problems[`variable ${id}`] = 'This name is already used.';
    names.add(name);
  }
  return problems;
}

/** Returns the input of `runs.start`; null if the form has a problem. */
export function inputOf(form: RunForm): RunInput | null {
  if (Object.keys(problemsOf(form)).length > 0) return null;
  const { data, format } = form;
  return {
    ...(form.collectionId === '' ? { directory: form.directory.trim() } : { collectionId: form.collectionId }),
    path: form.path.trim(),
    environmentId: form.environmentId,
    options: {
      repeat: Number(form.repeat),
      delayMs: Number(form.delay),
      parallel: Number(form.parallel),
      tags: [...readTags(form.tags).tags],
      excludeTags: [...readTags(form.excludeTags).tags],
      bail: form.bail,
      unreadable: form.reportUnreadable ? 'report' : 'refuse',
      unknownChecks: form.skipUnknownChecks ? 'skip' : 'fail',
      variables: Object.fromEntries(form.variables.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
      data: data === 'none' ? null : data === 'file' ? { format, file: form.dataFile.trim() } : { format, text: form.dataText },
      failedOf: form.failedOf?.runId ?? null,
    },
  };
}

function numberProblem(text: string, least: number, most: number): string | null {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return null;
  return `Enter a whole number from  ${least} to ${most.toLocaleString('en')}.`;
}
