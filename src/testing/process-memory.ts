import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const pageBytes = 4_096;

/** Returns how often each needle stands in the memory of the children of a process, all of them stopped meanwhile. */
export function dumpChildren(parent: number, needles: readonly Buffer[]): number[] {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    const each = pids.map((pid) => (isStopped(pid) ? findInMemory(pid, needles) : []));
    return needles.map((_, which) => each.reduce((sum, found) => sum + (found[which] ?? 0), 0));
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

/** Waits until it is stopped; returns false if it has ended instead. */
function isStopped(pid: number): boolean {
  for (;;) {
    const state = /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    if (state === 'T') return true;
    if (state === 'Z' || state === 'X') return false;
  }
}

/**
 * Searches the writable memory of another process of this user, as a core dump of this moment would have it. A needle across two
 * mappings is not found.
 */
function findInMemory(pid: number, needles: readonly Buffer[]): number[] {
  const found = needles.map(() => 0);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const pages = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === '') continue;
      for (const [start, bytes] of usedRuns(pages, Number.parseInt(from, 16), Number.parseInt(to, 16))) {
        const run = readAll(memory, start, bytes);
        needles.forEach((needle, which) => {
          for (let at = run.indexOf(needle); at >= 0; at = run.indexOf(needle, at + 1)) found[which] = (found[which] ?? 0) + 1;
        });
        run.fill(0);
      }
    }
  } finally {
    closeSync(pages);
    closeSync(memory);
  }
  return found;
}

/** Finds the parts of a mapping that ever were written to: most of what V8 reserves never is. */
function* usedRuns(pages: number, from: number, to: number): Generator<readonly [start: number, bytes: number]> {
  const entries = readAll(pages, (from / pageBytes) * 8, ((to - from) / pageBytes) * 8);
  let start = -1;
  for (let at = 0; at <= entries.length; at += 8) {
    // The two highest bits: in memory, or swapped out.
    const used = at + 7 < entries.length && ((entries[at + 7] ?? 0) & 0xc0) !== 0;
    const address = from + (at / 8) * pageBytes;
    if (used && start < 0) start = address;
    if (!used && start >= 0) {
      yield [start, address - start];
      start = -1;
    }
  }
}

/** Returns as much of it as can be read; some kinds of mapping have nothing. */
function readAll(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  try {
    while (read < length) {
      const more = readSync(file, bytes, read, length - read, from + read);
      if (more === 0) break;
      read += more;
    }
  } catch {
    // Returns what was read until here.
  }
  return bytes.subarray(0, read);
}
