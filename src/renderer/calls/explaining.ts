import { createContext, use } from 'react';
import { AppError } from '#shared/errors.ts';
import type { ExplanationAction } from '#shared/explanation/explanation.ts';
import type { Call, Environment, KeyStatus } from '#shared/ipc/index.ts';
import type { EvidenceStore } from './evidence-store.ts';

/** Parts of the page that an explanation needs. */
export interface Explaining {
  readonly evidence: EvidenceStore;
  /** Returns the environment with that ID as it is now; null if it was removed. */
  readonly useEnvironment: (id: string) => Environment | null;
  /** Returns the state of an environment's keys, and asks for it if nobody did; null until it is known. */
  readonly useKey: (environmentId: string) => KeyStatus | null;
  /**
   * Returns what opens the environment's field for an extra authority; null for an environment that was removed, or whose certificate
   * Croupier sets itself.
   */
  readonly openAuthority: (environmentId: string) => (() => void) | null;
  /** Returns whether the page can do the action for this call; only those are offered. */
  readonly can: (action: ExplanationAction, call: Call) => boolean;
  readonly act: (action: ExplanationAction, call: Call) => void;
}

/** Provides these parts; the shell fills it once, because explanations stand deep inside several features. */
export const ExplainingContext = createContext<Explaining | null>(null);

export function useExplaining(): Explaining {
  const explaining = use(ExplainingContext);
  if (explaining === null) throw new AppError('internal', 'An explanation stands outside of the shell.');
  return explaining;
}
