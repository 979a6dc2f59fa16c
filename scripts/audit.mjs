// `npm run audit [-- --strict]`: checks that the packages in node_modules are those that the registry signed. It asks the registry
// for each package and Sigstore's host for the registry's keys, which no test may need; so it is a step of its own. If a host does
// not respond, nothing is known: it says so and, without `--strict`, passes.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { programOf } from './program-of.mjs';

/** Matches npm's messages if it cannot reach a host, or if that cannot serve it. */
const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|EPIPE|E?TIMEDOUT|ESOCKETTIMEDOUT|ERR_SOCKET_TIMEOUT|E429|E5\d\d|TUF_[A-Z_]+_ERROR)\b/;

/**
 * Judges the end of `npm audit signatures --json`: `passed`, `failed`, or `skipped` if a host did not respond; with words.
 * @param {{ status: number | null, stdout: string, stderr: string }} ended
 * @returns {{ outcome: 'passed' | 'failed' | 'skipped', words: string }}
 */
export function judgeSignatures({ status, stdout, stderr }) {
  const report = parse(stdout);
  if (Array.isArray(report?.invalid) && Array.isArray(report.missing)) {
    const named = (list) => list.map(({ name, version }) => `${name}@${version}`).join(', ');
    const lines = [
      report.invalid.length > 0 ? `Other bytes or signatures than the registry's: ${named(report.invalid)}` : '',
      report.missing.length > 0 ? `Without a signature: ${named(report.missing)}` : '',
    ].filter(Boolean);
    if (lines.length > 0) return { outcome: 'failed', words: lines.join('\n') };
    if (status === 0) return { outcome: 'passed', words: 'Each installed package has a signature of the registry.' };
  }
  const { code = '', summary = '' } = report?.error ?? {};
  const said = [code, summary, stderr].join(' ').trim();
  const reason = unreachable.exec(said)?.[0];
  if (reason !== undefined)
    return {
      outcome: 'skipped',
      words: `The signatures were not checked: a host did not answer (${reason}). ${String(summary).split('\n')[0]}`.trim(),
    };
  return { outcome: 'failed', words: `npm ended with ${status}: ${said.slice(0, 2_000) || 'nothing was said'}` };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function main(args) {
  const npm = ['audit', 'signatures', '--json', '--fetch-retries=1', '--fetch-timeout=30000'];
  const ended = spawnSync(...programOf('npm', npm), { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { outcome, words } = judgeSignatures({
    status: ended.status,
    stdout: ended.stdout ?? '',
    stderr: `${ended.error?.message ?? ''}${ended.stderr ?? ''}`,
  });
  console.log(`${outcome}: ${words}`);
  if (outcome === 'failed' || (outcome === 'skipped' && args.includes('--strict'))) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
