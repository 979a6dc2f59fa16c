import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { readers, type Kind } from '#shared/model/readers.ts';
import { runProgram, TooMuchOutput } from '../../host/run-program.ts';
import { startDeadline } from '../../host/deadline.ts';
import { replyWithin } from '../../host/within.ts';

/** The user's git gave no reply. Its message is a clause that says why. */
export class GitFailure extends Error {}

type GitKind = Extract<Kind<'program'>, `git.${string}`>;

/** Asks the user's git about a directory. */
export interface Git {
  /**
   * Returns what git prints, null if it ends with status 1, which is how these questions say "there is none". Fails with
   * `GitFailure`, also if that is beyond the limits of its kind.
   */
  ask(directory: string, kind: GitKind, given: readonly string[], input?: string): Promise<Buffer | null>;
}

/**
 * A directory may come from somebody else with its `.git` in it, whose settings name programs. None of these starts one: no file
 * system monitor, no transport that fetches a missing object, and no bare repository that hides among the files. The questions that
 * Croupier asks run no filters and no hooks. Nor do its settings decide how much memory git takes: a large object is never held whole.
 */
const settings = {
  'core.fsmonitor': 'false',
  'safe.bareRepository': 'explicit',
  'core.bigFileThreshold': '16m',
  'core.packedGitWindowSize': '16m',
  'core.packedGitLimit': '256m',
  'core.deltaBaseCacheLimit': '32m',
};
const harmless = [
  '--no-pager',
  '--no-optional-locks',
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];
const harmlessVariables = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

/** Variables that git needs to find its own settings; it gets no others. */
const passed = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'ProgramData',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
];

/** Finds the user's git on the PATH; null if there is none. `limitMs` is in place of its kind's limit. */
export async function findGit(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, limitMs?: number): Promise<Git | null> {
  const program = await gitOn(env, platform);
  if (program === null) return null;
  const variables = { ...Object.fromEntries(passed.map((name) => [name, env[name]])), ...harmlessVariables };
  return {
    async ask(directory, kind, given, input) {
      const limit = limitMs ?? readers[kind].ms;
      const late = new AbortController();
      const deadline = startDeadline(limit, () =>
        late.abort(new GitFailure(`git did not respond within ${limit / 1_000} seconds`)),
      );
      try {
        const { status, killedBy, output, errors } = await runProgram(program, [...harmless, ...given], {
          cwd: directory,
          env: variables,
          input,
          kind,
          signal: late.signal,
        });
        if (status === 0) return output;
        if (status === 1) return null;
        throw new GitFailure(status === null ? `git was killed by ${killedBy ?? 'the system'}` : complaint(errors));
      } catch (error) {
        if (error instanceof GitFailure) throw error;
        if (error instanceof TooMuchOutput) throw new GitFailure(`what git lists ${error.message.replace(/\.$/, '')}`);
        throw new GitFailure(`git could not be started (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, {
          cause: error,
        });
      } finally {
        deadline.clear();
      }
    },
  };
}

/** Returns the absolute path of git: Windows would take a git.exe in the directory itself for that of the PATH. */
async function gitOn(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string | null> {
  const name = platform === 'win32' ? 'git.exe' : 'git';
  const path = Object.entries(env).find(([variable]) => variable.toUpperCase() === 'PATH')?.[1] ?? '';
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = join(folder, name);
    if (!(await isProgram(program))) continue;
    // Without the developer tools, macOS has a git that only asks whether to install them.
    if (platform === 'darwin' && program === '/usr/bin/git' && !(await hasDeveloperTools())) continue;
    return program;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function hasDeveloperTools(): Promise<boolean> {
  const late = new AbortController();
  const asked = runProgram('/usr/bin/xcode-select', ['-p'], { cwd: '/', env: {}, kind: 'tools.path', signal: late.signal }).then(
    ({ status }) => status === 0,
    () => false,
  );
  const has = await replyWithin(readers['tools.path'].ms, asked);
  late.abort();
  return has ?? false;
}

/** Returns the complaint of git, as a clause. */
function complaint(errors: Buffer): string {
  const lines = errors.toString('utf8').trim().split('\n');
  const line = lines.find((one) => /^(?:fatal|error): /.test(one)) ?? lines[0] ?? '';
  return `git says: ${line.replace(/^(?:fatal|error): /, '').slice(0, 300) || 'nothing'}`;
}
