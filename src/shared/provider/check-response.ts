import { describeSyntaxError, parseJson } from '../json/parse.ts';
import { providerCodes } from './codes.ts';
import { createFindingList, shown } from './findings.ts';
import { checkShape, checkWhole, describeValue, isObject, reportUndocumented, root } from './response-shapes.ts';
import { formOf } from './operations.ts';
import type { Finding } from '../ipc/calls.ts';
import type { FindingList } from './findings.ts';
import type { Operation } from './model.ts';

/** What an answer says. `code` and `message` are null where the body has no such field of that type: a whole number, a string. */
export interface Answer {
  /** Exact in a double. */
  readonly code: number | null;
  readonly message: string | null;
  readonly findings: Finding[];
}

/**
 * Reads an answer and compares it with its documented shape: what is missing, of another type, or not documented, each named by path.
 * Where the spec does not show the shape, a note says so. The form tells the answers of freeRounds apart; without it the
 * first form's is expected. What repeats within a list is one finding with a count.
 */
export function readAnswer(operation: Operation, bodyText: string, formId?: string): Answer {
  const list = createFindingList();
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    addSyntaxError(list, bodyText);
    return { code: null, message: null, findings: list.all() };
  }
  if (!isObject(body)) {
    const expected = operation.endpoint === 'service' ? 'an object with code, message and data' : 'an object';
    add(list, 'error', 'envelope', '', `The answer is ${describeValue(body)} where the spec has ${expected}.`);
    return { code: null, message: null, findings: list.all() };
  }
  if (operation.endpoint === 'service') checkService(list, operation, body, formId);
  else checkWallet(list, operation, body);
  const { code, message } = body;
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : null,
    message: typeof message === 'string' ? message : null,
    findings: list.all(),
  };
}

function add(list: FindingList, severity: Finding['severity'], rule: string, path: string, message: string): void {
  list.add(rule, path, () => ({ severity, path, message }));
}

function addSyntaxError(list: FindingList, bodyText: string): void {
  const result = parseJson(bodyText);
  if (result.ok) {
    add(list, 'error', 'json', '', 'The answer is not JSON.');
    return;
  }
  const start = Math.min(result.error.offset, bodyText.length);
  const message =
    bodyText.trim() === '' ? 'The answer is empty.' : `The answer is not JSON. ${describeSyntaxError(result.error)}.`;
  list.add('json', '', () => ({ severity: 'error', path: '', message, start, end: Math.min(start + 1, bodyText.length) }));
}

function checkService(list: FindingList, operation: Operation, body: Readonly<Record<string, unknown>>, formId?: string): void {
  for (const name of ['code', 'message'] as const) {
    if (!Object.hasOwn(body, name)) add(list, 'error', 'envelope', `/${name}`, `${name} is missing: every answer carries it.`);
  }
  const accepted = checkCodeAndMessage(list, body);
  for (const name of Object.keys(body)) {
    if (name !== 'code' && name !== 'message' && name !== 'data') reportUndocumented(list, root, name);
  }
  if (accepted === null) return;
  const data = body['data'];
  if (!accepted) {
    if (data !== undefined && data !== null) {
      add(list, 'warning', 'data-on-rejection', '/data', `data is null on rejection; here it is ${describeValue(data)}.`);
    }
    return;
  }
  const shape = formId !== undefined && formOf(operation, formId).responseOpen === true ? null : operation.response;
  if (shape === null) {
    add(
      list,
      'note',
      'shape-not-shown',
      '/data',
      `The spec does not show data of this answer of ${operation.name}: it is not checked.`,
    );
  } else if (data === undefined) {
    add(list, 'warning', 'missing', '/data', 'data is missing.');
  } else {
    checkShape(list, shape, data, root, 'data');
  }
}

/** True for code 0, false for another one, null where there is no readable code. */
function checkCodeAndMessage(list: FindingList, body: Readonly<Record<string, unknown>>): boolean | null {
  const { code, message } = body as { code?: unknown; message?: unknown };
  if (message !== undefined && typeof message !== 'string') {
    add(list, 'warning', 'type', '/message', `message is a text; here it is ${describeValue(message)}.`);
  }
  if (code === undefined) return null;
  if (typeof code !== 'number' || !Number.isInteger(code)) {
    add(list, 'error', 'type', '/code', `code is a whole number; here it is ${describeValue(code)}.`);
    return null;
  }
  const listed = providerCodes.find((candidate) => candidate.code === code);
  if (listed === undefined) {
    add(list, 'note', 'code-not-listed', '/code', `The spec lists no code ${code}.`);
  } else if (typeof message === 'string' && message !== listed.message) {
    const text = `The documented message of code ${code} is "${listed.message}"; here it is "${shown(message)}".`;
    add(list, 'note', 'message', '/message', text);
  }
  return code === 0;
}

function checkWallet(list: FindingList, operation: Operation, body: Readonly<Record<string, unknown>>): void {
  const accepted = checkCodeAndMessage(list, body);
  if (accepted === false) {
    if (!Object.hasOwn(body, 'message')) add(list, 'warning', 'missing', '/message', 'message is missing beside the code.');
    for (const name of Object.keys(body)) {
      if (name !== 'code' && name !== 'message') reportUndocumented(list, root, name);
    }
    return;
  }
  if (operation.response === null) {
    add(list, 'note', 'shape-not-shown', '', `The spec does not show the answer of ${operation.path}: it is not checked.`);
    return;
  }
  checkWhole(list, operation.response, body, ['code', 'message']);
}
