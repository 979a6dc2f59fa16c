import type { FileVersion } from '#shared/ipc/index.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'collections.conflict': typeof conflictVersions;
  }
}

/** Two versions of one file. */
export interface FileVersions {
  readonly left: FileVersion;
  readonly right: FileVersion;
}

const marks = {
  ours: /^<{7}(?: (.*))?$/,
  base: /^\|{7}(?: .*)?$/,
  middle: /^={7}$/,
  theirs: /^>{7}(?: (.*))?$/,
};

/**
 * Returns both versions of a file in which git left a conflict: the text outside of the marks is in both. Null if it holds no
 * whole conflict. The version before both, which some settings of git add, is left out.
 */
export function conflictVersions(text: string): FileVersions | null {
  const ours: string[] = [];
  const theirs: string[] = [];
  const names: { ours: string | null; theirs: string | null } = { ours: null, theirs: null };
  let part = 'both' as 'both' | 'ours' | 'base' | 'theirs';
  let from = 0;
  /** Ends a part at a mark: a text may have as many lines as characters, so that only parts are kept. */
  const end = (next: typeof part, line: number, after: number): void => {
    const lines = text.slice(from, line);
    if (part === 'both' || part === 'ours') ours.push(lines);
    if (part === 'both' || part === 'theirs') theirs.push(lines);
    part = next;
    from = after;
  };
  for (let line = 0, after = 0; line < text.length; line = after) {
    after = text.indexOf('\n', line) + 1 || text.length;
    if (!'<|=>'.includes(text.charAt(line))) continue;
    const bare = text.slice(line, after).replace(/\r?\n$/, '');
    const start = part === 'both' ? marks.ours.exec(bare) : null;
    const last = part === 'theirs' ? marks.theirs.exec(bare) : null;
    if (start !== null) {
      names.ours ??= start[1] ?? '';
      end('ours', line, after);
    } else if (part === 'ours' && marks.base.test(bare)) end('base', line, after);
    else if ((part === 'ours' || part === 'base') && marks.middle.test(bare)) end('theirs', line, after);
    else if (last !== null) {
      names.theirs ??= last[1] ?? '';
      end('both', line, after);
    }
  }
  if (part !== 'both' || names.theirs === null) return null;
  end('both', text.length, text.length);
  return {
    left: { label: named('Ours', names.ours), text: ours.join('') },
    right: { label: named('Theirs', names.theirs), text: theirs.join('') },
  };
}

/** Adds the name that git wrote behind its mark, such as a branch. */
function named(side: string, name: string | null): string {
  return name === null || name === '' ? side : `${side}, ${name.slice(0, 100)}`;
}
