import type { LoggedVerdict, SandboxVerdict, VerdictPage } from '#shared/ipc/index.ts';

const mostEntries = 1_000;
const mostBytes = 16 * 1_024 * 1_024;

/**
 * The newest verdicts of the built-in provider in this session. An empty log. `bytes` bounds the texts that requests brought, in UTF-8;
 * the newest entry stays in any case.
 */
export function createVerdictLog(limits: { entries: number; bytes: number } = { entries: mostEntries, bytes: mostBytes }) {
  /** Oldest first. */
  const kept: { readonly entry: LoggedVerdict; readonly bytes: number }[] = [];
  let bytes = 0;
  let number = 0;
  let dropped = 0;
  return {
    /** Keeps it under the next number, and releases the oldest ones if there would be too many. */
    add(verdict: SandboxVerdict, callId: number | null): LoggedVerdict {
      const entry: LoggedVerdict = { ...verdict, number: ++number, callId };
      const size = sizeOf(verdict);
      kept.push({ entry, bytes: size });
      bytes += size;
      while (kept.length > 1 && (kept.length > limits.entries || bytes > limits.bytes)) {
        bytes -= kept.shift()?.bytes ?? 0;
        dropped += 1;
      }
      return entry;
    },
    /** Takes entries out; their numbers stay free. */
    forget(of: (entry: LoggedVerdict) => boolean): void {
      const staying = kept.filter(({ entry }) => !of(entry));
      if (staying.length === kept.length) return;
      kept.splice(0, kept.length, ...staying);
      bytes = staying.reduce((sum, one) => sum + one.bytes, 0);
    },
    /** Newest first, from below the number `before`. */
    page({ before = Number.POSITIVE_INFINITY, limit }: { before?: number | undefined; limit: number }): VerdictPage {
      const entries: LoggedVerdict[] = [];
      for (let at = kept.length - 1; at >= 0 && entries.length < limit; at -= 1) {
        const entry = kept[at]?.entry;
        if (entry !== undefined && entry.number < before) entries.push(entry);
      }
      return { entries, total: kept.length, dropped };
    },
  };
}

function sizeOf({ path, action, bodyText, headers, verdict }: SandboxVerdict): number {
  const { why, expected, received } = verdict;
  const texts = [path, action, bodyText, why, expected?.input?.time, expected?.input?.data, received?.data, received?.hash];
  return [...texts, ...(headers ?? []).flat()].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}
