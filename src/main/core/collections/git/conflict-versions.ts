import type { FileVersion } from '#shared/ipc/index.ts';

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
  let part: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split(/(?<=\n)/)) {
    const bare = line.replace(/\r?\n$/, '');
    const start = part === 'both' ? marks.ours.exec(bare) : null;
    const end = part === 'theirs' ? marks.theirs.exec(bare) : null;
    if (start !== null) {
      names.ours ??= start[1] ?? '';
      part = 'ours';
    } else if (part === 'ours' && marks.base.test(bare)) part = 'base';
    else if ((part === 'ours' || part === 'base') && marks.middle.test(bare)) part = 'theirs';
    else if (end !== null) {
      names.theirs ??= end[1] ?? '';
      part = 'both';
    } else {
      if (part === 'both' || part === 'ours') ours.push(line);
      if (part === 'both' || part === 'theirs') theirs.push(line);
    }
  }
  if (part !== 'both' || names.theirs === null) return null;
  return {
    left: { label: named('Ours', names.ours), text: ours.join('') },
    right: { label: named('Theirs', names.theirs), text: theirs.join('') },
  };
}

/** Adds the name that git wrote behind its mark, such as a branch. */
function named(side: string, name: string | null): string {
  return name === null || name === '' ? side : `${side}, ${name.slice(0, 100)}`;
}
