import { createContext, use } from 'react';

/** ID, description and validity that a Field gives to its control. */
export interface FieldContextValue {
  /** Undefined in a group: each of its controls has its own. */
  readonly id: string | undefined;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

export const FieldContext = createContext<FieldContextValue | null>(null);

/** Returns the IDs of the surrounding Field, or null for a control that stands alone, which then needs an aria-label. */
export function useField(): FieldContextValue | null {
  return use(FieldContext);
}
