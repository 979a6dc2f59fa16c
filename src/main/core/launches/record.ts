import type { LaunchEntry } from '#shared/ipc/index.ts';
import { maskUrlTokens } from '#shared/provider/tokens.ts';
import { createRedaction } from '../masking/redaction.ts';

/** A note about a launch; the record adds number and time, and masks and truncates texts. */
export type Note = Omit<LaunchEntry, 'seq' | 'at'>;

/** The live record of one launch. */
export interface LaunchRecord {
  readonly add: (note: Note) => void;
  /** Hands over what has not been handed over yet, without waiting. */
  flush(): void;
  readonly count: number;
  readonly dropped: number;
  close(): void;
}

const longestText = 2_000;
const mostEntries = 2_000;
/** The last places are kept for what must not be missed. */
const reserved = 100;
const flushMs = 100;

export interface RecordOptions {
  /** Session tokens, which no entry may show. */
  readonly secrets: readonly string[];
  /** Milliseconds since the launch was prepared. */
  readonly elapsed: () => number;
  /** Gets the entries in order, several at once if a page is busy. */
  readonly onEntries: (entries: readonly LaunchEntry[]) => void;
}

/** A busy page fills the record and nothing else: entries beyond the limit are counted and left out. */
export function createLaunchRecord({ secrets, elapsed, onEntries }: RecordOptions): LaunchRecord {
  const redaction = createRedaction();
  for (const secret of secrets) redaction.protect(secret);
  const longestSecret = Math.max(0, ...secrets.map((secret) => secret.length));
  let waiting: LaunchEntry[] = [];
  let timer: NodeJS.Timeout | null = null;
  let count = 0;
  let dropped = 0;

  function clean(text: string): string {
    // Cut behind the limit first, so that a secret that lies across it is still found whole.
    const near = maskUrlTokens(text.slice(0, longestText + longestSecret * 6));
    const plain = redaction.redact(near);
    return plain.length > longestText ? `${plain.slice(0, longestText - 1)}…` : plain;
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    onEntries(entries);
  }

  return {
    add(note) {
      const important = note.kind === 'exit' || note.kind === 'closed' || note.kind === 'crash' || note.kind === 'opened';
      if (count >= (important ? mostEntries : mostEntries - reserved)) {
        dropped += 1;
        return;
      }
      count += 1;
      waiting.push({ ...note, title: clean(note.title), detail: clean(note.detail), seq: count, at: elapsed() });
      timer ??= setTimeout(flush, flushMs);
    },
    flush,
    get count() {
      return count;
    },
    get dropped() {
      return dropped;
    },
    close: flush,
  };
}
