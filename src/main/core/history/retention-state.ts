import type { DatabaseSync } from 'node:sqlite';
import type { Retention } from '#shared/ipc/history.ts';
import type { WaitingRemoval } from '#shared/ipc/outputs/history.ts';

export const keepsAll: Retention = { maxAgeDays: null, maxCalls: null, maxBytes: null };

/** The row of limits that all programs on the home share: when they were last kept, and which removal waits. */
export interface RetentionState {
  readonly seenAt: number | null;
  readonly seenCall: number;
  readonly limits: string | null;
  readonly allowed: number;
  readonly waiting: (WaitingRemoval & { readonly limits: string }) | null;
}

export function readState(connection: DatabaseSync): RetentionState {
  const row = connection.prepare('SELECT seen_at, seen_call, limits, allowed, waiting FROM history_retention').get() ?? {};
  const waiting = row['waiting'];
  return {
    seenAt: row['seen_at'] as number | null,
    seenCall: Number(row['seen_call']),
    limits: row['limits'] as string | null,
    allowed: Number(row['allowed']),
    waiting: typeof waiting === 'string' ? (JSON.parse(waiting) as RetentionState['waiting']) : null,
  };
}

/** Writes which removal waits for a person; null for none. */
export function writeWaiting(connection: DatabaseSync, waiting: RetentionState['waiting']): void {
  connection.prepare('UPDATE history_retention SET waiting = ?').run(waiting === null ? null : JSON.stringify(waiting));
}
