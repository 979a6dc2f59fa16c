import { createContext, use } from 'react';
import { AppError } from '#shared/errors.ts';
import type { ExplanationAction } from '#shared/explanation/explanation.ts';
import type { Call, Environment } from '#shared/ipc/index.ts';
import type { EvidenceStore } from './evidence-store.ts';

/** What an explanation needs of the page around it. */
export interface Explaining {
  readonly evidence: EvidenceStore;
  /** The environment of that ID as it is now; null where there is none. */
  readonly useEnvironment: (id: string) => Environment | null;
  /** Whether the page can do that for this call; what it cannot do is not offered. */
  readonly can: (action: ExplanationAction, call: Call) => boolean;
  readonly act: (action: ExplanationAction, call: Call) => void;
}

/** Filled once, by the shell: explanations stand deep inside of several features. */
export const ExplainingContext = createContext<Explaining | null>(null);

export function useExplaining(): Explaining {
  const explaining = use(ExplainingContext);
  if (explaining === null) throw new AppError('internal', 'An explanation stands outside of the shell.');
  return explaining;
}
