import { homedir } from 'node:os';
import { AppError } from '#shared/errors.ts';
import { maskUrlTokens } from '#shared/provider/tokens.ts';
import { readers } from '#shared/model/readers.ts';
import { runProgram, TooMuchOutput } from '../host/run-program.ts';
import { createRedaction } from '../masking/redaction.ts';
import { startDeadline } from '../host/deadline.ts';

/** Characters of standard error that a failure quotes, from the end: there the reason usually is. */
const quotedCharacters = 1_000;

/**
 * Runs a program without a shell and returns what it printed. `env` are its environment variables. Fails with `refused` if it
 * cannot be started, ends with another status than 0, takes too long or prints too much, and with `cancelled`. No message holds
 * what it printed on standard output.
 */
export async function runTokenCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  limitMs: number = readers['tokens.printed'].ms,
): Promise<string> {
  const [program = '', ...given] = words;
  const late = new AbortController();
  const deadline = startDeadline(limitMs, () =>
    late.abort(failed(`did not end within ${limitMs / 1_000} seconds and was stopped. Make it faster, or paste tokens.`)),
  );
  const cancel = () => late.abort(cancelled());
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const ended = await runProgram(program, given, { cwd: homedir(), env, kind: 'tokens.printed', signal: late.signal });
    const output = ended.output.toString('utf8');
    if (ended.status === 0) return output;
    const how =
      ended.status === null ? `was terminated by ${ended.killedBy ?? 'the system'}` : `exited with status ${ended.status}`;
    throw failed(`${how}. ${quotedErrors(ended.errors, output)}`);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof TooMuchOutput) throw failed(`was stopped: its output ${error.message}`);
    throw failed(startWords(error as NodeJS.ErrnoException, program));
  } finally {
    deadline.clear();
    signal.removeEventListener('abort', cancel);
  }
}

/** The error of a launch that was cancelled while its command waited or ran. */
export function cancelled(): AppError {
  return new AppError('cancelled', 'Cancelled while the token command ran. Nothing was sent.');
}

function failed(what: string): AppError {
  return new AppError('refused', `The token command ${what}`, { field: 'externalToken' });
}

function startWords(error: NodeJS.ErrnoException, program: string): string {
  const where = 'Correct it in the environment.';
  if (error.code === 'ENOENT') return `could not be started: program ${program} not found. ${where}`;
  if (error.code === 'EACCES') return `could not be started: ${program} cannot be executed. Check its permissions.`;
  if (error.code === 'EINVAL' && process.platform === 'win32')
    return `could not be started: Windows runs ${program} only in a shell. Enter the program that it calls.`;
  return `could not be started (${error.code ?? 'unknown'}). ${where}`;
}

/** Quotes the end of standard error, without the tokens that were printed. */
function quotedErrors(errors: Buffer, output: string): string {
  const redaction = createRedaction();
  for (const word of new Set(
    output
      .split(/[\s",;]+/)
      .filter((one) => one.length >= 4)
      .slice(0, 100),
  ))
    redaction.protect(word);
  const text = maskUrlTokens(redaction.redact(errors.toString('utf8').trim()));
  if (text === '') return 'It printed nothing on standard error. Run it in a terminal.';
  return `Standard error: ${text.length > quotedCharacters ? `…${text.slice(-quotedCharacters)}` : text}`;
}
