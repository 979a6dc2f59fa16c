import { AppError } from '../errors.ts';
import { allOpenPoints } from './open-points.ts';
import { operationNames } from '../model/operations.ts';
import { catalogueOperations } from './operations-catalogue.ts';
import { freeRoundOperations } from './operations-free-rounds.ts';
import { launchOperations } from './operations-launch.ts';
import { roundOperations } from './operations-rounds.ts';
import { walletOperations } from './operations-wallet.ts';
import type { Operation, OperationFactsByName, RequestForm } from './model.ts';
import type { OperationName } from '../model/operations.ts';

// A map of all names, so that a missing operation does not compile.
const facts: OperationFactsByName = {
  ...catalogueOperations,
  ...launchOperations,
  ...roundOperations,
  ...freeRoundOperations,
  ...walletOperations,
};

/** Every operation of the spec, in the spec's order. */
export const operations: readonly Operation[] = operationNames.map((name) => ({
  ...facts[name],
  name,
  openPoints: allOpenPoints.filter((point) => point.operations.includes(name)).map((point) => point.id),
}));

const byName = Object.fromEntries(operations.map((operation) => [operation.name, operation])) as Record<OperationName, Operation>;

/** Returns the operation of that name. */
export function operationByName(name: OperationName): Operation {
  return byName[name];
}

/** Title of a request that fits no operation. */
export const otherRequest = 'Other request';

/** Returns an operation's name on the wire: its action, or the path of a wallet method. Null is a request that fits none. */
export function operationTitle(name: OperationName | null): string {
  if (name === null) return otherRequest;
  const operation = byName[name];
  return operation.endpoint === 'wallet' ? operation.path : operation.name;
}

/** Returns whether calls of an operation are signed, as far as its name tells: a recorded path may take plain JSON. */
export function isSigned(name: OperationName | null): boolean {
  return name !== null && byName[name].endpoint === 'service';
}

/** Returns the operation whose name this text is, or null. */
export function findOperation(text: string): Operation | null {
  return operations.find((operation) => operation.name === text) ?? null;
}

/** Returns the form of that ID; the operation's first form if it has none of that ID. */
export function formOf(operation: Operation, formId: string): RequestForm {
  const form = operation.forms.find((candidate) => candidate.id === formId) ?? operation.forms[0];
  if (form === undefined) throw new AppError('internal', `${operation.name} has no form.`);
  return form;
}
