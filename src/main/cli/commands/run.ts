import { relative, sep } from 'node:path';
import { failedCheckText } from '#shared/collections/run-words.ts';
import type { Confirmed, Input, FinishedRequest } from '#shared/ipc/index.ts';
import { answerOf } from '#shared/provider/index.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import { chosenEnvironment, envHelp } from '../chosen-environment.ts';
import { exits, type Command, type Context } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { checkTarget, confirmProduction, productionNote } from '../production.ts';
import { readyEnvironment, startSandbox } from '../sandbox-environment.ts';
import { withWorkbench, type Workbench } from '../workbench.ts';
import { createSkipped, finalLine, linesOf, tonedState, tonedTotals } from './run-lines.ts';
import { readOptions } from './run-options.ts';
import {
  blobFile,
  createRunPack,
  reportFiles,
  reportOptions,
  writeReports,
  type ReportFile,
  type RunPack,
} from './run-output.ts';
import { environmentForRun } from '../collection-environment.ts';
import { locateRun } from '../collection-path.ts';
import { runNamed, runToEnd, type RunView } from './run-to-end.ts';

export const runCommand: Command = {
  spec: {
    name: 'run',
    summary: 'Run a collection, a folder or a request, and check the responses. Exits with 0 if everything passed.',
    positionals: ['PATH'],
    options: {
      env: { value: 'NAME', help: envHelp },
      'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
      var: { value: 'NAME=VALUE', multiple: true, help: 'Set a variable of the run' },
      'var-env': {
        value: 'NAME=VAR',
        multiple: true,
        help: 'Set a variable from the environment variable VAR, for secrets',
      },
      data: {
        value: 'FILE',
        help: 'Run once per row of a .csv, .json (array) or .jsonl file',
      },
      delimiter: { value: 'CHAR', help: 'Split .csv columns at , ; | or tab (default: detected)' },
      repeat: { value: 'N', help: 'Run N times (with --data: all rows N times)' },
      delay: { value: 'MS', help: 'Wait this many milliseconds between requests' },
      shard: { value: 'I/N', help: 'Run only part I of N: every N-th row or iteration' },
      blob: { value: 'DIR', help: 'With --shard: write the part into this folder, for "report merge"' },
      tag: { value: 'TAG', multiple: true, help: 'Run only requests with this tag, and requests whose values these need' },
      'exclude-tag': { value: 'TAG', multiple: true, help: 'Leave out requests with this tag' },
      'only-failed': {
        value: 'RUN',
        help: 'Run only the requests that did not pass in this run (an ID, or "last")',
      },
      parallel: { value: 'N', help: "Send up to N requests in parallel; those that need another's response wait" },
      bail: { help: 'Stop at the first request that does not pass' },
      'require-checks': { help: 'Refuse to run if a request file has no check that Croupier can read' },
      'skip-unknown-checks': { help: "Skip checks that this version doesn't know (default: refuse to run)" },
      'keep-going': { help: 'Report unreadable files as errors, and run the others' },
      ...reportOptions,
      'code-quality': { value: 'FILE', help: 'Write failures as a GitLab code quality report' },
      annotations: { value: 'CI', help: 'Annotate failures in the files of this CI system: github' },
      'support-pack': { value: 'DIR', help: 'Write a support pack to DIR, with the calls that did not pass' },
      ...confirmProduction,
      verbose: { help: 'Print a line per skipped request, not per reason' },
      json: { help: 'Print a JSON line per request, then one for the run' },
    },
    notes: [
      'PATH is a collection (a folder with collection.yaml), a folder or request file in it, or any folder of request files.',
      "With the built-in provider's environment and without --key-env, this command starts its own built-in provider and stops it at the end.",
      productionNote,
      "If only the collection has the environment (environments/NAME.yaml), Croupier adds it to this home; in a terminal, it asks first. If this home's environment has another base or wallet URL, certificate authority or production mark, Croupier asks in a terminal and otherwise exits with 2.",
      'Ctrl+C stops the requests under way, skips the rest, and still writes the reports.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const target = await locateRun(args.positionals[0] ?? '');
    const options = await readOptions(args, context);
    const annotate = createAnnotations(args, target.directory);
    const blob = await blobFile(args, options.shard ?? null);
    const outputs = { files: [...(await reportFiles(args)), ...blob], pack: await createRunPack(args, context), annotate };
    const key = givenKey(args, terminal);
    return withWorkbench(context, { keys: { given: key }, startSandbox }, async (workbench) => {
      const named = await chosenEnvironment(workbench.client, args.value('env'), terminal);
      const name = await environmentForRun(workbench.client, target.directory, named, context);
      const asked = { name, keyVariable: args.value('key-env'), key, own: true };
      const environment = await readyEnvironment(workbench, asked, context);
      await checkTarget(workbench.client, environment, args, context);
      const limit = answerOf('rate.limits', environment.answers);
      if (limit !== null) {
        terminal.note(`croupier: the recorded rate limit is ${limit}; a run does not enforce it. Use --delay.`);
      }
      const earlier = args.has('only-failed') ? (await workbench.client.call('runs.list', {})).runs : [];
      const failedOf = runNamed(args.value('only-failed'), earlier);
      const input = { ...target, environmentId: environment.id, options: { ...options, failedOf } };
      const start = async (confirmed: Confirmed) => {
        const begun = await workbench.client.call('runs.start', { ...input, confirmed });
        if (begun.planned === 0) terminal.note('croupier: this part has no requests: the run has fewer iterations than parts.');
        return begun;
      };
      const view = viewOf(workbench, input, args, outputs, context);
      const code = await runToEnd(workbench.client, start, view, args, context);
      if (environment.kind === 'sandbox' && key !== null && code === exits.noAnswer && !context.stop.aborted) {
        terminal.note('croupier: with --key-env, start the built-in provider first: "croupier sandbox --key-env VAR".');
      }
      return code;
    });
  },
};

interface Outputs {
  readonly files: readonly ReportFile[];
  readonly pack: RunPack | null;
  readonly annotate: Annotate | null;
}

/** Shows the requests of a run, a line for each and one at the end, and writes what its options name. */
function viewOf(
  workbench: Workbench,
  input: Input<'runs.start'>,
  args: Arguments,
  { files, pack, annotate }: Outputs,
  { terminal }: Context,
): RunView {
  const several = (input.options?.repeat ?? 1) > 1 || (input.options?.data ?? null) !== null;
  const told = new Set<string>();
  const annotated: string[] = [];
  const skipped = createSkipped();
  return {
    finished(finished) {
      pack?.add(finished);
      const annotation = annotate?.(finished) ?? null;
      if (annotation !== null) annotated.push(annotation);
      const { path, state, reason } = finished.request;
      if (state !== 'skipped' || args.has('verbose'))
        return linesOf(finished, several, told).map((line) => [line, tonedState(line, finished)]);
      skipped.add(state, `${path}.yaml`, reason);
      return [];
    },
    ended: async (run) => [...skipped.lines(), [finalLine(run), tonedTotals(run)]],
    async write(runId) {
      const written = async (as: ReportFile['as']) => {
        const { text } = await workbench.client.call('runs.export', { runId, as });
        // GitLab looks for files from the working directory on.
        return as === 'gitlab' ? filesFromHere(text, input.directory ?? '') : text;
      };
      await writeReports(files, written, terminal);
      for (const line of annotated) terminal.note(line);
      await pack?.write(workbench, runId);
    },
  };
}

/** Most annotations of a run: GitHub shows ten of a step, and the report has them all. */
const mostAnnotations = 50;

/** Returns the line about a request; null if it needs none. */
type Annotate = (finished: FinishedRequest) => string | null;

/** Reads `--annotations`; null without it. `directory` is that of the collection. Fails with `invalid_input` for another CI. */
export function createAnnotations(args: Arguments, directory: string): Annotate | null {
  const given = args.value('annotations');
  if (given === undefined) return null;
  if (given !== 'github') throw new UsageError('--annotations must be github.');
  const fileOf = fromHere(directory);
  let count = 0;
  return ({ row, iteration, request: { path, state, reason, checks } }) => {
    if ((state !== 'failed' && state !== 'error') || ++count > mostAnnotations) return null;
    const [first] = state === 'failed' ? checks.filter(({ passed }) => !passed) : [];
    const where = row === null ? (iteration === 1 ? '' : ` in iteration ${iteration}`) : ` in row ${row}`;
    const title = `${path} ${state === 'failed' ? 'failed' : 'had an error'}${where}`;
    return `::error file=${property(fileOf(`${path}.yaml`))},title=${property(title)}::${data(first === undefined ? reason : failedCheckText(first))}`;
  };
}

/** Returns a code quality report whose files are named from the working directory on, in place of the collection's. */
function filesFromHere(report: string, directory: string): string {
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
