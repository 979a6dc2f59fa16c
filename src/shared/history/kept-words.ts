import { setAsideCalls, setAsideWhole } from '../model/limits.ts';
import type { Kept } from '../ipc/outputs/history.ts';
import { sizeText } from '../byte-size.ts';
import { dayText } from './retention-words.ts';

const titles: Readonly<Record<Kept['kind'], string>> = {
  gameLists: 'Game lists',
  launches: 'Launches',
  runReports: 'Run reports',
  evidence: 'Launch evidence',
  setAside: 'Damaged histories',
  removedFiles: 'Removed collection files',
  locks: 'Session locks',
};

const rules: Readonly<Record<Kept['kind'], string>> = {
  gameLists: 'The newest 10 per currency, 50 per environment. Those of a removed environment go at the next start.',
  launches: 'The newest 500, or the number set in the launcher.',
  runReports: 'The newest 100, up to 500 MB. Each new run removes older ones.',
  evidence: 'At most 1,000, until you remove them.',
  setAside: `The newest ${setAsideWhole} in full, and only the recovered calls of the ${setAsideCalls} before them. Histories that couldn't be recovered stay until you remove them.`,
  removedFiles: 'Until the session that removed them ends. If it was killed, at least a week.',
  locks: 'One per running session. On start, Croupier removes leftovers that are over a minute old.',
};

/** Returns the title of a kind, such as `Launch evidence`. */
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
