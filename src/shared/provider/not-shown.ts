import { actionGapOf } from './answers.ts';
import { requestGaps, responseGaps } from './forms.ts';
import type { GapId, Operation } from './model.ts';

/** One part of an operation that the spec does not show, and the open point that takes the provider's answer. */
export interface NotShown {
  readonly part: 'action name' | 'path or action name' | 'request' | 'response';
  readonly gap: GapId;
}

/** Lists the missing parts of an operation whose request the spec does not show, in the order in which they are needed. */
export function notShownOf(operation: Operation): NotShown[] {
  const action = actionGapOf(operation);
  const request = requestGaps[operation.name];
  const response = responseGaps[operation.name];
  return [
    // Only for the currency list does the spec leave open whether it has an action.
    ...(action === null
      ? []
      : [{ part: operation.name === 'currencyList' ? 'path or action name' : 'action name', gap: action } as const]),
    ...(request === undefined ? [] : [{ part: 'request', gap: request } as const]),
    ...(response === undefined ? [] : [{ part: 'response', gap: response } as const]),
  ];
}
