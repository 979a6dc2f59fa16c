import { setAsideCalls, setAsideWhole } from '../model/limits.ts';
import type { Kept } from '../ipc/outputs/history.ts';
import { sizeText } from '../byte-size.ts';
import { dayText } from './retention-words.ts';

const titles: Readonly<Record<Kept['kind'], string>> = {
  gameLists: 'Game lists',
  launches: 'Launches',
  runReports: 'Run reports',
  evidence: 'Evidence of launches',
  setAside: 'Files of damaged histories',
  removedFiles: 'Files removed from collections',
  locks: 'Session locks',
};

const rules: Readonly<Record<Kept['kind'], string>> = {
  gameLists: 'The newest 10 of each currency, 50 in an environment. They go with their environment at the next start.',
  launches: 'The newest 500, unless you set another number in the launcher.',
  runReports: 'The newest 100. When a run begins, older ones beyond 500 MB go.',
  evidence: 'At most 1,000, until you remove them.',
  setAside: `The newest ${setAsideWhole}, and of the ${setAsideCalls} before them the calls that were read out. One that was not read out stays until you remove it.`,
  removedFiles: 'Until the session that removed them ends; for at least a week if it was killed.',
  locks: 'One for each running session. Croupier removes others at the next start after a minute.',
};

/** Returns the title of a kind, such as `Evidence of launches`. */
export function keptTitle({ kind }: Kept): string {
  return titles[kind];
}

/** Says how long a kind is kept. */
export function keptRule({ kind }: Kept): string {
  return rules[kind];
}

/** Writes `12, 3.4 MB, since 2026-11-23`. */
export function keptText({ count, bytes, since }: Kept): string {
  if (count === 0) return 'none';
  const size = bytes === null ? [] : [sizeText(bytes)];
  return [count.toLocaleString('en'), ...size, ...(since === null ? [] : [`since ${dayText(since)}`])].join(', ');
}
