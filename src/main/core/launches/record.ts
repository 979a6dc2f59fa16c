import type { LaunchEntry } from '#shared/ipc/index.ts';
import { createLaunchTexts } from '../masking/launch-texts.ts';

/** A note about a launch; the record adds number, time and count, and masks and truncates texts. */
export type Note = Pick<LaunchEntry, 'kind' | 'group' | 'level' | 'title' | 'detail'> & {
  readonly signal?: LaunchEntry['signal'];
  /** Its time, where its text or another entry states the same; the present one otherwise. */
  readonly at?: number;
};

/** The live record of one launch. */
export type LaunchRecord = ReturnType<typeof createLaunchRecord>;

const longestText = 2_000;
const flushMs = 100;

/** Number of entries of each kind: a game that fills one room loses nothing of another. Errors of the console have their own. */
const rooms: Readonly<Partial<Record<string, number>>> = { console: 1_000, 'console error': 500, request: 1_000, wallet: 500 };
const usualRoom = 300;

/** Lines on the console after which the rules hear of it. */
const manyLines = 1_000;

/** Kinds whose order tells something: no two of them become one entry. */
const inOrder: ReadonlySet<LaunchEntry['kind']> = new Set([
  'call',
  'opened',
  'unopened',
  'navigation',
  'redirect',
  'loaded',
  'wallet',
  'exit',
  'ready',
  'picture',
  'page',
  'hang',
  'crash',
  'closed',
  'note',
]);

export interface RecordOptions {
  /** Session tokens, which no entry may show. */
  readonly secrets: readonly string[];
  /** Milliseconds since the launch was prepared. */
  readonly elapsed: () => number;
  /** Gets new entries in order, several at once if a page is busy, and those whose count rose, again. */
  readonly onEntries: (entries: readonly LaunchEntry[]) => void;
}

/** Equal lines become one entry with a count. What has no room is counted and left out. */
export function createLaunchRecord({ secrets, elapsed, onEntries }: RecordOptions) {
  const texts = createLaunchTexts(secrets);
  const longestSecret = Math.max(0, ...secrets.map((secret) => secret.length));
  const waiting = new Map<number, LaunchEntry>();
  const taken = new Map<string, number>();
  /** The entries of the present opening by what makes lines equal. */
  const equals = new Map<string, LaunchEntry>();
  let timer: NodeJS.Timeout | null = null;
  let count = 0;
  let dropped = 0;
  let lines = 0;

  function clean(text: string): string {
    // Cut behind the limit first, so that a secret that lies across it is still found whole.
    const plain = texts.clean(text.slice(0, longestText + longestSecret * 6));
    return plain.length > longestText ? `${plain.slice(0, longestText - 1)}…` : plain;
  }

  /** A signal may quote a page or a wallet call. */
  function cleanSignal(signal: LaunchEntry['signal']): LaunchEntry['signal'] {
    const text = JSON.stringify(signal, (_, value: unknown) => (typeof value === 'string' ? clean(value) : value));
    return JSON.parse(text) as LaunchEntry['signal'];
  }

  /** Hands over what has not been handed over yet, without waiting. */
  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.size === 0) return;
    const entries = [...waiting.values()].toSorted((a, b) => a.seq - b.seq);
    waiting.clear();
    onEntries(entries);
  }

  function put(entry: LaunchEntry): LaunchEntry {
    waiting.set(entry.seq, entry);
    timer ??= setTimeout(flush, flushMs);
    return entry;
  }

  /** Takes a place in the room of a kind; returns false if it is full. */
  function take({ kind, level }: Note): boolean {
    const room = kind === 'console' && level === 'error' ? 'console error' : kind;
    const before = taken.get(room) ?? 0;
    if (before >= (rooms[room] ?? usualRoom)) return false;
    taken.set(room, before + 1);
    return true;
  }

  function countLine(): void {
    lines += 1;
    if (lines !== manyLines) return;
    const title = `The console has ${manyLines.toLocaleString('en')} lines`;
    add({ kind: 'note', group: 'console', level: 'warning', title, detail: '', signal: { type: 'many lines' } });
  }

  function add(note: Note): void {
    const at = note.at ?? elapsed();
    const [title, detail] = [clean(note.title), clean(note.detail)];
    if (note.kind === 'opened') {
      equals.clear();
      lines = 0;
    }
    const same = inOrder.has(note.kind) ? null : JSON.stringify([note.kind, note.level, title, detail]);
    const known = same === null ? undefined : equals.get(same);
    if (known !== undefined) equals.set(same ?? '', put({ ...known, count: known.count + 1, lastAt: at }));
    else if (!take(note)) dropped += 1;
    else {
      count += 1;
      const { kind, group, level } = note;
      const signal = cleanSignal(note.signal ?? null);
      const entry = put({ seq: count, at, count: 1, lastAt: at, kind, group, level, title, detail, signal });
      if (same !== null) equals.set(same, entry);
    }
    if (note.kind === 'console') countLine();
  }

  return {
    add,
    /** Milliseconds since the launch was prepared. */
    now: elapsed,
    flush,
    get count(): number {
      return count;
    },
    get dropped(): number {
      return dropped;
    },
    close: flush,
  };
}
