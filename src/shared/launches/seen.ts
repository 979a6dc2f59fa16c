import type { Launch, LaunchEntry, LaunchRules } from '../ipc/index.ts';
import type { LaunchSignal } from '../model/launch-verdict.ts';

type Type = LaunchSignal['type'];
type Of<T extends Type> = Extract<LaunchSignal, { type: T }>;

/** An entry of a record with its signal. */
export interface Signalled<S extends LaunchSignal = LaunchSignal> {
  readonly entry: LaunchEntry;
  readonly signal: S;
}

/** The parts of a launch that the rules compare with what its page states. */
export type JudgedLaunch = Pick<
  Launch,
  'source' | 'call' | 'gameId' | 'gameName' | 'gameMode' | 'lang' | 'exitURL' | 'url' | 'problem' | 'checks' | 'parameters'
>;

/** A launch and its record since it was last opened, as the rules look at them. */
export interface Seen {
  readonly launch: JudgedLaunch;
  readonly limits: Pick<LaunchRules, 'slowAfter' | 'readySigns'>;
  /** Null before it is opened, and if it could not be. */
  readonly opened: Signalled<Of<'opened'>> | null;
  /** The host reports everything of the page; a frame in a browser hides nearly all of it. */
  readonly whole: boolean;
  readonly closed: Signalled<Of<'closed'>> | null;
  /** Returns the entries with signals of one type, in their order; those of the page end at the exit, whose page is not the game's. */
  all<T extends Type>(type: T): readonly Signalled<Of<T>>[];
  first<T extends Type>(type: T): Signalled<Of<T>> | null;
  last<T extends Type>(type: T): Signalled<Of<T>> | null;
}

/** Signals that come from elsewhere than the page: they count after the exit, too. */
const beyondThePage: readonly Type[] = ['wallet', 'closed', 'exit'];

/** Signals that a known noise takes from the rules. */
const mayBeNoise: readonly Type[] = ['request', 'blocked', 'mixed content', 'policy', 'uncaught error', 'error text', 'window'];

/** Returns whether an entry is one that the user knows and that means nothing. */
function isNoise({ signal, title, detail }: LaunchEntry, noise: readonly string[]): boolean {
  return signal !== null && mayBeNoise.includes(signal.type) && noise.some((text) => `${title}\n${detail}`.includes(text));
}

/** Sorts the record of a launch for the rules. */
export function seenOf(launch: JudgedLaunch, entries: readonly LaunchEntry[], rules: LaunchRules): Seen {
  const all = entries.flatMap((entry): Signalled[] =>
    entry.signal === null || isNoise(entry, rules.noise) ? [] : [{ entry, signal: entry.signal }],
  );
  const start = all.findLastIndex(({ signal }) => signal.type === 'opened' || signal.type === 'unopened');
  const since = start < 0 ? [] : all.slice(start);
  const exit = since.findIndex(({ signal }) => signal.type === 'exit');
  const byType = new Map<Type, Signalled[]>();
  since.forEach((one, at) => {
    const { type } = one.signal;
    if (exit >= 0 && at > exit && !beyondThePage.includes(type)) return;
    const others = byType.get(type);
    if (others === undefined) byType.set(type, [one]);
    else others.push(one);
  });
  const every = <T extends Type>(type: T) => (byType.get(type) ?? []) as unknown as readonly Signalled<Of<T>>[];
  const [opened = null] = every('opened');
  return {
    launch,
    limits: rules,
    opened,
    whole: opened?.signal.host === 'view',
    closed: every('closed')[0] ?? null,
    all: every,
    first: (type) => every(type)[0] ?? null,
    last: (type) => every(type).at(-1) ?? null,
  };
}
