import { actionPointOf } from './wire-form.ts';
import { requestPoints, responsePoints } from './forms.ts';
import type { OpenPointId, Operation } from './model.ts';

/** One part of an operation that the spec does not show, and the open point that takes the provider's answer. */
export interface NotShown {
  readonly part: 'action name' | 'path or action name' | 'request' | 'response';
  readonly point: OpenPointId;
}

/** Lists the missing parts of an operation whose request the spec does not show, in the order in which they are needed. */
export function notShownOf(operation: Operation): NotShown[] {
  const action = actionPointOf(operation);
  const request = requestPoints[operation.name];
  const response = responsePoints[operation.name];
  return [
    // Only for the currency list does the spec leave open whether it has an action.
    ...(action === null
      ? []
      : [{ part: operation.name === 'currencyList' ? 'path or action name' : 'action name', point: action } as const]),
    ...(request === undefined ? [] : [{ part: 'request', point: request } as const]),
    ...(response === undefined ? [] : [{ part: 'response', point: response } as const]),
  ];
}
