import { AppError } from '../errors.ts';
import { specGaps } from './gaps.ts';
import { operationNames } from './model.ts';
import { catalogueOperations } from './operations-catalogue.ts';
import { freeRoundOperations } from './operations-free-rounds.ts';
import { launchOperations } from './operations-launch.ts';
import { roundOperations } from './operations-rounds.ts';
import { walletOperations } from './operations-wallet.ts';
import type { Operation, OperationName, RequestForm } from './model.ts';

/** An operation as it stands in the data files; its gaps follow from the list of gaps. */
export type OperationEntry = Omit<Operation, 'gaps'>;

/** Every operation of the spec, in the spec's order. */
export const operations: readonly Operation[] = [
  ...catalogueOperations,
  ...launchOperations,
  ...roundOperations,
  ...freeRoundOperations,
  ...walletOperations,
]
  .map((entry) => ({
    ...entry,
    gaps: specGaps.filter((gap) => gap.operations.includes(entry.name)).map((gap) => gap.id),
  }))
  .sort((a, b) => operationNames.indexOf(a.name) - operationNames.indexOf(b.name));

const byName = new Map<string, Operation>(operations.map((operation) => [operation.name, operation]));

/** The operation of that name; null for a name that is none. */
export function operationByName(name: OperationName): Operation;
export function operationByName(name: string): Operation | null;
export function operationByName(name: string): Operation | null {
  return byName.get(name) ?? null;
}

/** The form of that id; the operation's first one where it has none of that id. */
export function formOf(operation: Operation, formId: string): RequestForm {
  const form = operation.forms.find((candidate) => candidate.id === formId) ?? operation.forms[0];
  if (form === undefined) throw new AppError('internal', `${operation.name} has no form.`);
  return form;
}
