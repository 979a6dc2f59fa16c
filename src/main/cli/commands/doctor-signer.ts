import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { judgeSigner } from '#core/app/tools.ts';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { UsageError, type Arguments, type OptionSpec } from '../arguments.ts';
import { exits, type Context, type ExitCode } from '../command.ts';
import { openTargets } from '../targets.ts';

/** The options of `croupier doctor` that are about the users' own signing code. */
export const signerOptions: Readonly<Record<string, OptionSpec>> = {
  signer: { value: 'COMMAND', help: "Run your signing program on Croupier's test cases and report its mistakes" },
  junit: { value: 'FILE', help: 'With --signer: also write the result as JUnit XML' },
  'write-tests': { value: 'DIR', help: 'Write test cases and tests for PHPUnit, Jest, pytest, JUnit 5, Go and xUnit' },
};

/** Milliseconds without a new line after which a signer is stopped. */
const silentMs = 30_000;
const mostLine = 10_000;

/** Runs the users' own signing program, or writes the ready tests. Ends with 0 if every hash is right, with 1 if not. */
export async function testSigner(args: Arguments, context: Context): Promise<ExitCode> {
  const [command, directory] = [args.value('signer'), args.value('write-tests')];
  if (command !== undefined && directory !== undefined) throw new UsageError('Use --signer or --write-tests, not both.');
  return command === undefined ? writeTests(directory ?? '', context) : runSigner(command, args, context);
}

async function writeTests(directory: string, { terminal }: Context): Promise<ExitCode> {
  const { signerFiles, vouched, writeNewFileDurably } = await import('#core/app/tools.ts');
  const files = signerFiles();
  await mkdir(directory, { recursive: true }).catch((cause: unknown) => {
    throw new AppError('storage', `Croupier can't create ${directory}: ${reasonAndAdvice(cause)}`, undefined, { cause });
  });
  for (const [name, text] of files) {
    await writeNewFileDurably(join(directory, name), vouched('export', 'own', text));
    await terminal.line(join(directory, name));
  }
  return exits.done;
}

async function runSigner(command: string, args: Arguments, context: Context): Promise<ExitCode> {
  const { terminal } = context;
  const core = await import('#core/app/tools.ts');
  const [junit] = await openTargets(args.values('junit'), { new: false });
  const vectors = core.signerVectors();
  const answers = await answersOf(command, vectors.map(core.signerLine), context);
  const result = core.judgeSigner(vectors, answers);
  if (junit !== undefined) {
    await junit.write(core.vouched('report', 'asked', core.signerJunit(vectors, result)));
    await junit.finish();
  }
  if (args.has('json')) {
    const groups = result.groups.map(({ says, cases }) => ({
      says,
      cases: cases.map(({ vector, answer }) => ({ id: vector.id, edge: vector.edge, expected: vector.hash, printed: answer })),
    }));
    await terminal.result(JSON.stringify({ cases: vectors.length, right: result.right, groups }));
  } else await print(result, vectors.length, terminal);
  return result.groups.length === 0 ? exits.done : exits.checksFailed;
}

async function print(
  { right, groups }: ReturnType<typeof judgeSigner>,
  all: number,
  terminal: Context['terminal'],
): Promise<void> {
  await terminal.line(`${right} of ${all} hashes are right.`, [`${right} of ${all}`, right === all ? 'good' : 'bad']);
  for (const { says, cases } of groups) {
    const [first] = cases;
    const missing = first?.answer === null;
    await terminal.line(
      `${String(cases.length).padStart(5)}  ${says ?? (missing ? 'Your program printed no line for these cases.' : 'No known mistake gives these hashes.')}`,
    );
    const edges = cases.every(({ vector }) => vector.edge) ? ", a value that some languages can't write this way" : '';
    await terminal.line(`       such as ${first?.vector.id ?? ''}${edges}`);
  }
}

/** Gives the program all lines and returns what it printed, line by line. Fails with `refused` if it cannot run or prints nothing for long. */
function answersOf(command: string, lines: readonly string[], { stop, terminal }: Context): Promise<string[]> {
  return new Promise((resolve, reject) => {
    // A shell, as its user typed it for one. It gets the caller's environment, in which no key of Croupier's is.
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    const answers: string[] = [];
    let rest = '';
    let errors = '';
    const fail = (error: AppError) => {
      child.kill('SIGKILL');
      reject(error);
    };
    const quiet = () =>
      fail(new AppError('refused', `The signer printed nothing for ${silentMs / 1_000} seconds and was stopped.`));
    let silence = setTimeout(quiet, silentMs);
    const end = () => fail(new AppError('cancelled', 'Stopped before all cases were signed.'));
    stop.addEventListener('abort', end);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      clearTimeout(silence);
      silence = setTimeout(quiet, silentMs);
      const parts = (rest + text).split('\n');
      rest = (parts.pop() ?? '').slice(0, mostLine);
      answers.push(...parts.map((part) => part.replace(/\r$/, '').slice(0, mostLine)));
      terminal.progress(`${answers.length} of ${lines.length}`);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-mostLine)));
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${lines.join('\n')}\n`);
    child.on('error', (error) => reject(new AppError('refused', `The signer could not be started: ${error.message}.`)));
    child.on('close', (status, killedBy) => {
      clearTimeout(silence);
      stop.removeEventListener('abort', end);
      terminal.progress('');
      if (rest !== '') answers.push(rest);
      if (answers.length > 0) return resolve(answers);
      const reason = errors.trim() === '' ? '' : ` It wrote: ${errors.trim().split('\n').at(-1) ?? ''}`;
      const how = status === null ? `was terminated by ${killedBy ?? 'the system'}` : `exited with status ${status}`;
      reject(new AppError('refused', `The signer ${how} without printing a hash.${reason}`));
    });
  });
}
