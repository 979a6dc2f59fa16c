import type { UpdateStatus } from '#shared/ipc/index.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import { textUpTo, z } from '#shared/model/schema.ts';
import type { GuardedGet } from '../network/guarded-get.ts';
import type { Settings } from './settings.ts';

const names = { url: 'updateUrl', found: 'updateFound', dismissed: 'updateDismissed' } as const satisfies Record<
  string,
  SettingName
>;

const dayMs = 86_400_000;

/** Core of a version of semver.org, its pre-release, and what does not count. */
const versionForm = /^(\d{1,9}\.\d{1,9}\.\d{1,9})(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i;

/** The file that a team or its vendor keeps at the URL. Other fields are theirs. */
const Answer = z.object({
  version: textUpTo(100).check(z.regex(versionForm)),
  url: z.optional(textUpTo(2_048).check(z.refine((text) => URL.parse(text)?.protocol === 'https:'))),
});

/** Result of the last check, of the URL that was asked. */
const Found = z.object({
  from: z.string(),
  at: z.number(),
  version: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});

/** Creates the check for a newer version at the URL that the user gave: without one, nothing is ever asked. */
export function createUpdateCheck({
  get,
  settings,
  version,
  now,
}: {
  get: Pick<GuardedGet, 'get' | 'close'>;
  settings: Pick<Settings, 'read' | 'write'>;
  version: string;
  now: () => number;
}) {
  const stop = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();

  /** Returns what was found at a URL before; null if nothing was, or it can't be read. */
  function foundAt(url: string): z.infer<typeof Found> | null {
    try {
      const found = Found.parse(JSON.parse(settings.read()[names.found] ?? 'null'));
      return found.from === url ? found : null;
    } catch {
      return null;
    }
  }

  async function ask(url: string): Promise<Pick<z.infer<typeof Found>, 'version' | 'notes' | 'problem'>> {
    const trust = { id: 'update', kind: 'provider', baseUrl: url, walletUrl: '', ca: '' } as const;
    const fetched = await get.get(trust, url, stop.signal);
    if (!fetched.ok) return { version: null, notes: null, problem: fetched.message };
    try {
      const { version, url: notes = null } = Answer.parse(JSON.parse(fetched.bytes.toString()));
      return { version, notes, problem: null };
    } catch {
      const problem = 'It is not JSON with a version such as "1.2.0" and, optionally, the https url of its notes.';
      return { version: null, notes: null, problem };
    }
  }

  async function check(atOnce: boolean): Promise<UpdateStatus> {
    const { [names.url]: given = '', [names.dismissed]: dismissed } = settings.read();
    const url = given.trim();
    if (url === '') return { url, checkedAt: null, newer: null, problem: null };
    let found = foundAt(url);
    if (found === null || atOnce || Math.floor(found.at / dayMs) !== Math.floor(now() / dayMs)) {
      found = { from: url, at: now(), ...(await ask(url)) };
      if (!stop.signal.aborted) await settings.write(names.found, JSON.stringify(found));
    }
    const { at: checkedAt, version: newest, notes, problem } = found;
    const isNewer = newest !== null && orderOf(newest, version) > 0;
    return { url, checkedAt, newer: isNewer ? { version: newest, notes, dismissed: dismissed === newest } : null, problem };
  }

  return {
    /** Returns what is known of a newer version; asks at most once a day unless `atOnce`. Several that ask get one answer. */
    check(atOnce: boolean): Promise<UpdateStatus> {
      const checked = turn.then(() => check(atOnce));
      turn = checked.catch(() => undefined);
      return checked;
    },
    /** Ends a check under way. */
    async close(): Promise<void> {
      stop.abort();
      await get.close();
    },
  };
}

/** Returns a number above 0 if a version comes after another by the order of semver.org, below 0 if before; 0 if one is none. */
export function orderOf(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => versionForm.exec(text));
  if (a === null || a === undefined || b === null || b === undefined) return 0;
  const byCore = orderOfParts(a[1] ?? '', b[1] ?? '');
  if (byCore !== 0 || a[2] === b[2]) return byCore;
  // A release comes after its pre-releases.
  if (a[2] === undefined || b[2] === undefined) return a[2] === undefined ? 1 : -1;
  return orderOfParts(a[2], b[2]);
}

function orderOfParts(one: string, other: string): number {
  const [a, b] = [one.split('.'), other.split('.')];
  for (const [at, part] of a.entries()) {
    const beside = b[at];
    if (beside === undefined) return 1;
    if (part === beside) continue;
    const numbers = [part, beside].map((text) => /^\d+$/.test(text));
    if (numbers[0] === true && numbers[1] === true) return Number(part) - Number(beside);
    if (numbers[0] !== numbers[1]) return numbers[0] === true ? -1 : 1;
    return part < beside ? -1 : 1;
  }
  return a.length - b.length;
}
