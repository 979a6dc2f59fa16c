import { createContext, use } from 'react';

/** What a Field tells the control inside it. */
export interface FieldContextValue {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

export const FieldContext = createContext<FieldContextValue | null>(null);

/** The surrounding Field's ids, or null for a control that stands alone (it then needs an aria-label). */
export function useField(): FieldContextValue | null {
  return use(FieldContext);
}
