import type { ReactNode } from 'react';
import { startWork } from '#renderer/faults/faults.ts';
import { FailedState } from './failed-state.tsx';
import { Skeleton } from './skeleton.tsx';

/** Fills the place of something until it is loaded, or says why it could not be; nothing in any other state. */
export function NotLoaded({
  of,
  rows,
  label,
  title,
  hint,
  retry,
}: {
  of: { readonly state: 'failed'; readonly message: string } | { readonly state: 'none' | 'loading' | 'ready' | 'gated' };
  /** Number of rows while it loads, and what a screen reader says meanwhile. */
  rows: number;
  label: string;
  /** Says what failed. */
  title: string;
  hint?: ReactNode;
  retry: () => Promise<unknown> | null | void;
}) {
  if (of.state === 'loading') return <Skeleton rows={rows} label={label} />;
  if (of.state !== 'failed') return null;
  return <FailedState title={title} message={of.message} hint={hint} retry={() => startWork(retry() ?? null)} />;
}
