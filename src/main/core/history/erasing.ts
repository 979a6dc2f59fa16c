import type { Search } from './search.ts';
import type { Erased, EraseExtent } from './erase.ts';

export interface ErasingDeps {
  readonly search: Pick<Search, 'erase'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns when the last call was sent, by the same clock. */
  readonly lastSent: () => number;
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Other logs are blocked now. */
  readonly onBlocked: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Takes removed calls out of the files, so that no call that is sent waits for it. */
export type Erasing = ReturnType<typeof createErasing>;

/** Until a log that another program holds is truncated again. */
const againMs = 60_000;
/** A file is rewritten only after so long without a call: one that is sent meanwhile would wait. */
const quietMs = 10_000;

export function createErasing({ search, now, lastSent, later, onBlocked, onFault }: ErasingDeps) {
  let closed = false;
  let blocked: readonly string[] = [];
  let again: (() => void) | null = null;
  let owed: (() => void) | null = null;

  /** Does it now, and again by itself while another program keeps it from that. Fails with `storage`. */
  async function erase(extent: EraseExtent, stop?: AbortSignal): Promise<Erased> {
    const erased = await search.erase(extent, { stop });
    if (erased.stopped) return erased;
    const before = blocked;
    ({ blocked } = erased);
    again?.();
    again = blocked.length === 0 || closed ? null : later(() => inBackground('much'), againMs);
    if (before.length !== blocked.length) onBlocked();
    return erased;
  }

  /** Writes the file again once no call was sent for a while. */
  function rewriteLater(): void {
    owed ??= later(() => {
      owed = null;
      if (isQuiet()) inBackground('copies');
      else rewriteLater();
    }, quietMs);
  }

  function isQuiet(): boolean {
    return now() - lastSent() >= quietMs;
  }

  /** Begins it. While calls are sent, the words go now and the rest when none was sent for a while. */
  function inBackground(extent: EraseExtent): void {
    if (closed) return;
    const late = extent === 'all' && !isQuiet();
    if (late) rewriteLater();
    erase(late ? 'words' : extent).catch((error: unknown) => {
      if (!closed) onFault(error);
    });
  }

  return {
    erase,
    inBackground,
    /** Logs that were to be truncated and could not be. */
    blocked: (): readonly string[] => blocked,
    close(): void {
      closed = true;
      again?.();
      owed?.();
    },
  };
}
