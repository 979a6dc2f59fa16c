/** Entry of a log, counted from 1 in this session. */
interface Numbered {
  readonly number: number;
}

export interface SessionLogOptions<Entry> {
  /** Most entries, and most bytes of their texts in UTF-8; the newest entry stays in any case. */
  readonly entries: number;
  readonly bytes: number;
  readonly sizeOf: (entry: Omit<Entry, 'number'>) => number;
}

/** Creates an empty log, in memory, of the newest entries of this session. */
export function createSessionLog<Entry extends Numbered>({
  entries: mostEntries,
  bytes: mostBytes,
  sizeOf,
}: SessionLogOptions<Entry>) {
  /** Oldest first. */
  const kept: { readonly entry: Entry; readonly bytes: number }[] = [];
  let bytes = 0;
  let number = 0;
  let dropped = 0;
  return {
    /** Keeps it under the next number, and releases the oldest ones if there would be too many. */
    add(told: Omit<Entry, 'number'>): Entry {
      const entry = { ...told, number: ++number } as Entry;
      const size = sizeOf(told);
      kept.push({ entry, bytes: size });
      bytes += size;
      while (kept.length > 1 && (kept.length > mostEntries || bytes > mostBytes)) {
        bytes -= kept.shift()?.bytes ?? 0;
        dropped += 1;
      }
      return entry;
    },
    /** Changes an entry. Returns it; null if it is gone. */
    change(number: number, change: Partial<Omit<Entry, 'number'>>): Entry | null {
      const at = kept.findLastIndex(({ entry }) => entry.number === number);
      const known = kept[at];
      if (known === undefined) return null;
      const entry = { ...known.entry, ...change };
      const size = sizeOf(entry);
      bytes += size - known.bytes;
      kept[at] = { entry, bytes: size };
      return entry;
    },
    /** Takes entries out; their numbers stay free. */
    forget(of: (entry: Entry) => boolean): void {
      const staying = kept.filter(({ entry }) => !of(entry));
      if (staying.length === kept.length) return;
      kept.splice(0, kept.length, ...staying);
      bytes = staying.reduce((sum, one) => sum + one.bytes, 0);
    },
    /** Newest first, from below the number `before`. `dropped`: older ones that are gone. */
    page({ before = Number.POSITIVE_INFINITY, limit }: { before?: number | undefined; limit: number }) {
      const entries: Entry[] = [];
      for (let at = kept.length - 1; at >= 0 && entries.length < limit; at -= 1) {
        const entry = kept[at]?.entry;
        if (entry !== undefined && entry.number < before) entries.push(entry);
      }
      return { entries, total: kept.length, dropped };
    },
  };
}
