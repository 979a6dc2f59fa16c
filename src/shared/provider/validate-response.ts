import { describeSyntaxError, parseJson, type JsonNode } from '../json/parse.ts';
import { pointerStep } from '../json/pointer.ts';
import { listed } from '../listed.ts';
import { providerCodes } from './codes.ts';
import { createFindingList, shown } from './findings.ts';
import { isTokenName, maskUrlTokens } from './tokens.ts';
import { answerOf, codesOf, routeOf } from './wire-form.ts';
import { validateDigits } from './validate-digits.ts';
import { validateRecordedValues } from './validate-recorded-values.ts';
import { responseShape } from './forms.ts';
import { valueOf } from './recorded-answers.ts';
import {
  validateShape,
  validateWhole,
  describeValue,
  isObject,
  recordedRoot,
  reportUndocumented,
  root,
  type Members,
} from './response-shapes.ts';
import type { Finding } from '../model/finding.ts';
import type { FindingList, Rule } from './findings.ts';
import type { Answers, Operation } from './model.ts';

/**
 * The code and message of a response. Null if the body has no such field, or one that is not an integer or a string. Two codes with different
 * values are none; of two messages it is the last one.
 */
export interface ValidatedResponse {
  /** Exact in a double. */
  readonly code: number | null;
  readonly message: string | null;
  readonly findings: Finding[];
  /** Result of JSON.parse; undefined if the text is not JSON. */
  readonly body: unknown;
}

/** Facts for the validation of a response, beside its text. */
export interface ResponseContext {
  readonly answers: Answers;
  /** HTTP status; without it, the status is not checked. */
  readonly status?: number;
}

/**
 * Reads a response and compares it with its documented shape: fields that are missing, of another type, or not documented, each with its
 * path. If the spec does not show the shape, a note says so. The form selects the response of freeRounds; without it the
 * first form's is expected. Repetitions within an array are one finding with a count.
 */
export function validateResponse(
  operation: Operation,
  bodyText: string,
  formId?: string,
  context: ResponseContext = { answers: {} },
): ValidatedResponse {
  const list = createFindingList();
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    addSyntaxError(list, bodyText);
    return { code: null, message: null, findings: list.all(), body: undefined };
  }
  const { answers } = context;
  const duplicates = duplicateFindings(bodyText, body, answers);
  // Which of two codes a reader takes also says which shape the rest must have.
  if (duplicates.codesDiffer) return { code: null, message: null, findings: [...duplicates.findings], body };
  const validated = validateBody(list, operation, body, bodyText, formId, context);
  return { code: validated.code, message: validated.message, findings: [...duplicates.findings, ...list.all()], body };
}

function validateBody(
  list: FindingList,
  operation: Operation,
  body: unknown,
  bodyText: string,
  formId: string | undefined,
  { answers, status }: ResponseContext,
): Pick<ValidatedResponse, 'code' | 'message'> {
  const plain = operation.endpoint === 'service' && routeOf(operation, answers)?.signed === false;
  if (plain) {
    validatePlain(list, operation, body, answers);
    const { code = null, message = null } = isObject(body) ? body : {};
    return { code: wholeOf(code), message: typeof message === 'string' ? message : null };
  }
  if (!isObject(body)) {
    const expected = operation.endpoint === 'service' ? 'an object with code, message and data' : 'an object';
    add(list, 'error', 'envelope', '', `The response is ${describeValue(body)}; the spec has ${expected}.`);
    return { code: null, message: null };
  }
  if (operation.endpoint === 'service') validateService(list, operation, body, formId, answers);
  else validateWallet(list, operation, body, answers);
  const { message } = body;
  const code = wholeOf(body['code']);
  const known = code === 0 ? responseShape(operation, formId, answers) : null;
  if (known !== null) validateDigits(list, known.shape, bodyText, operation.endpoint === 'service' ? ['data'] : []);
  if (status !== undefined) validateStatus(list, operation, code, status, answers);
  return { code, message: typeof message === 'string' ? message : null };
}

function wholeOf(code: unknown): number | null {
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
}

/** Validates the response of a recorded path that takes plain JSON, whose shape only a recorded answer shows. */
function validatePlain(list: FindingList, operation: Operation, body: unknown, answers: Answers): void {
  const known = responseShape(operation, undefined, answers);
  if (known === null) {
    add(list, 'note', 'shape-not-shown', '', `The spec doesn't show the response of ${operation.name}, so it isn't checked.`);
  } else if (isObject(body) && known.shape.kind === 'object') {
    validateWhole(list, known.shape, body, recordedRoot, ['code', 'message']);
  } else {
    validateShape(list, known.shape, body, recordedRoot, 'The response');
  }
}

function validateStatus(list: FindingList, { endpoint }: Operation, code: number | null, status: number, answers: Answers): void {
  const statuses = valueOf('statuses', 'http.status', answers)?.statuses;
  if (statuses === undefined) {
    const succeeds = code === 0 || (code === null && endpoint === 'wallet');
    if (!succeeds || (status >= 200 && status < 300)) return;
    const came = code === null ? 'a body without a code' : 'code 0';
    const message = `HTTP ${status} came with ${came}. The spec doesn't show which statuses the provider uses.`;
    add(list, 'warning', 'http-status', '', message);
    return;
  }
  if (code === null) return;
  const expected = statuses.get(String(code)) ?? statuses.get('*');
  if (expected === undefined || expected === status) return;
  add(list, 'warning', 'http-status', '', `HTTP ${status} came with code ${code}; the recorded HTTP status is ${expected}.`);
}

function add(list: FindingList, severity: Finding['severity'], rule: Rule, path: string, message: string): void {
  list.add(rule, path, () => ({ severity, path, message }));
}

function addSyntaxError(list: FindingList, bodyText: string): void {
  const result = parseJson(bodyText);
  if (result.ok) {
    add(list, 'error', 'json', '', 'The response is not JSON.');
    return;
  }
  const start = Math.min(result.error.offset, bodyText.length);
  const message =
    bodyText.trim() === '' ? 'The response is empty.' : `The response is not JSON. ${describeSyntaxError(result.error)}.`;
  list.add('json', '', () => ({ severity: 'error', path: '', message, start, end: Math.min(start + 1, bodyText.length) }));
}

function validateService(
  list: FindingList,
  operation: Operation,
  body: Members,
  formId: string | undefined,
  answers: Answers,
): void {
  for (const name of ['code', 'message'] as const) {
    if (!Object.hasOwn(body, name)) add(list, 'error', 'envelope', `/${name}`, `${name} is missing; every response has it.`);
  }
  const accepted = validateCodeAndMessage(list, body, answers);
  for (const name of Object.keys(body)) {
    if (name !== 'code' && name !== 'message' && name !== 'data') reportUndocumented(list, root, name);
  }
  if (accepted === null) return;
  const data = body['data'];
  if (!accepted) {
    if (data !== undefined && data !== null) {
      add(list, 'warning', 'data-on-rejection', '/data', `data must be null on rejection; here it is ${describeValue(data)}.`);
    }
    // For code 404 the spec shows a response with only code and message.
    const knownCode = providerCodes.find((one) => one.code === body['code'] && one.data === null);
    if (data === undefined && knownCode !== undefined) {
      add(list, 'warning', 'data-on-rejection', '/data', `data is missing; with code ${knownCode.code} the spec has null.`);
    }
    return;
  }
  if (isUnknownRound(operation, data)) {
    const answer = answerOf('rounds.unknown', answers);
    if (answer === 'empty') return;
    if (answer === 'code') {
      const message =
        'According to the recorded answer, an unknown round gets a code other than 0. This response has code 0 and no record.';
      add(list, 'warning', 'unknown-round', '/data', message);
      return;
    }
  }
  const known = responseShape(operation, formId, answers);
  if (known === null) {
    add(
      list,
      'note',
      'shape-not-shown',
      '/data',
      `The spec doesn't show data in this response of ${operation.name}, so it isn't checked.`,
    );
  } else if (data === undefined) {
    add(list, 'warning', 'missing', '/data', 'data is missing.');
  } else {
    validateShape(list, known.shape, data, known.basis === 'spec' ? root : recordedRoot, 'data');
    validateRecordedValues(list, operation, known.shape, data, '/data', answers);
  }
}

function isUnknownRound({ name }: Operation, data: unknown): boolean {
  if (name !== 'getGameRound' && name !== 'roundReplayInfo') return false;
  return data === null || (Array.isArray(data) && data.length === 0);
}

/** Validates code and message. Returns true for code 0, false for another code, null if there is no readable code. */
function validateCodeAndMessage(list: FindingList, body: Members, answers: Answers): boolean | null {
  const { code, message } = body as { code?: unknown; message?: unknown };
  if (message !== undefined && typeof message !== 'string') {
    add(list, 'warning', 'type', '/message', `message must be a string; here it is ${describeValue(message)}.`);
  }
  if (code === undefined) return null;
  if (typeof code !== 'number' || !Number.isInteger(code)) {
    add(list, 'error', 'type', '/code', `code must be an integer; here it is ${describeValue(code)}.`);
    return null;
  }
  const knownCode = providerCodes.find((candidate) => candidate.code === code);
  if (knownCode === undefined) {
    const recorded = codesOf(answers);
    if (recorded === null) add(list, 'note', 'code-not-listed', '/code', `The spec lists no code ${code}.`);
    else if (!recorded.has(code)) {
      add(list, 'warning', 'code-not-listed', '/code', `Code ${code} is neither in the spec nor among the recorded codes.`);
    }
  } else if (typeof message === 'string' && message !== knownCode.message) {
    const text = `The documented message of code ${code} is "${knownCode.message}"; here it is "${shown(message)}".`;
    add(list, 'note', 'message', '/message', text);
  }
  return code === 0;
}

function validateWallet(list: FindingList, operation: Operation, body: Members, answers: Answers): void {
  const accepted = validateCodeAndMessage(list, body, answers);
  if (accepted === false) {
    if (!Object.hasOwn(body, 'message')) add(list, 'warning', 'missing', '/message', 'The response has a code but no message.');
    for (const name of Object.keys(body)) {
      if (name !== 'code' && name !== 'message') reportUndocumented(list, root, name);
    }
    return;
  }
  validateWalletEnvelope(list, body, answers);
  const known = responseShape(operation, undefined, answers);
  if (known === null) {
    add(list, 'note', 'shape-not-shown', '', `The spec doesn't show the response of ${operation.path}, so it isn't checked.`);
    return;
  }
  validateWhole(list, known.shape, body, known.basis === 'spec' ? root : recordedRoot, ['code', 'message']);
  validateRecordedValues(list, operation, known.shape, body, '', answers);
}

function validateWalletEnvelope(list: FindingList, body: Members, answers: Answers): void {
  const answer = answerOf('wallet.codeAndMessage', answers);
  if (answer !== 'always' && answer !== 'never') return;
  for (const name of ['code', 'message']) {
    const present = Object.hasOwn(body, name);
    if (present === (answer === 'always')) continue;
    const words = present
      ? 'is present on success; according to the recorded answer, only a rejection has it'
      : 'is missing; according to the recorded answer, every wallet response has it';
    add(list, 'warning', 'wallet-envelope', `/${name}`, `${name} ${words}.`);
  }
}

/** Number of values that a sentence names. */
const mostNamed = 4;

/** Members of one name in a response. */
interface Duplicates {
  /** One finding for each name and place; an error if the values differ, because parsers then read another response. */
  readonly findings: readonly Finding[];
  /** True if `code` stands at the top level with different values. */
  readonly codesDiffer: boolean;
}

/** Finds members of one name in a response. `parsed` is what JSON.parse made of the text. */
function duplicateFindings(text: string, parsed: unknown, answers: Answers): Duplicates {
  const list = createFindingList();
  let codesDiffer = false;
  findDuplicates(text, parsed, ({ name, at, group, values }) => {
    const differ = values.some(({ start, end }, index) => index > 0 && text.slice(start, end) !== textOf(values[0], text));
    if (differ && at === '' && name === 'code') codesDiffer = true;
    const severity = differ ? 'error' : 'warning';
    list.add('duplicate-key', `${severity} ${group}${pointerStep(name)}`, () => {
      const named = isTokenName(name, answers) ? null : wordsOf(values, text);
      return { severity, path: at + pointerStep(name), message: sentence(name, at, values.length, differ, named) };
    });
  });
  return { findings: list.all(), codesDiffer };
}

function textOf(node: JsonNode | undefined, text: string): string {
  return node === undefined ? '' : text.slice(node.start, node.end);
}

function sentence(name: string, at: string, count: number, differ: boolean, named: readonly string[] | null): string {
  const place = at === '' ? '' : ` at ${shown(at)}`;
  const times = count === 2 ? 'twice' : `${count} times`;
  if (!differ) {
    const [value] = named ?? [];
    const same = count === 2 ? 'both times' : 'each time';
    return `${shown(name)}${place} occurs ${times}, ${same} ${value ?? 'with the same value'}.`;
  }
  const values = named === null ? ', with different values' : `: ${listOf(named)}`;
  return `${shown(name)}${place} occurs ${times}${values}. Some JSON parsers take the first, others the last.`;
}

/** Returns the values as they stand in the text; null if one of them is an object or a list. */
function wordsOf(values: readonly JsonNode[], text: string): string[] | null {
  if (values.some(({ kind }) => kind === 'object' || kind === 'array')) return null;
  return values.map((node) => (node.kind === 'string' ? `"${shown(maskUrlTokens(node.value))}"` : shown(textOf(node, text))));
}

function listOf(words: readonly string[]): string {
  const more = words.length - mostNamed;
  const parts = more > 0 ? [...words.slice(0, mostNamed), `${more} more`] : words;
  return listed(parts);
}

/** Members of one name in one object, in the order of the text. */
export interface Duplicate {
  readonly name: string;
  /** JSON Pointer of the object. */
  readonly at: string;
  /** The same without positions in arrays. */
  readonly group: string;
  readonly values: readonly JsonNode[];
}

/**
 * Calls `found` for each name that occurs more than once in an object, with its escapes decoded. `parsed` is what JSON.parse made of the
 * text: it has fewer members than the text has names only then, so that nearly every text is counted and not parsed again.
 */
export function findDuplicates(text: string, parsed: unknown, found: (duplicate: Duplicate) => void): void {
  if (countNames(text) === countMembers(parsed)) return;
  const again = parseJson(text);
  if (again.ok) visit(again.root, null, found);
}

/** Counts the colons outside of strings. */
function countNames(text: string): number {
  let names = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) inString = !inString;
    else if (code === 0x5c) i++;
    else if (code === 0x3a && !inString) names++;
  }
  return names;
}

function countMembers(root: unknown): number {
  let members = 0;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) open.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        members++;
        const member = (value as Record<string, unknown>)[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return members;
}

/** Position of an object or array as a chain, so that a pointer is written only for a duplicate. */
interface Place {
  readonly above: Place | null;
  readonly step: string | number;
}

function visit(node: JsonNode, place: Place | null, found: (duplicate: Duplicate) => void): void {
  if (node.kind === 'array') {
    node.items.forEach((item, step) => visit(item, { above: place, step }, found));
  } else if (node.kind === 'object') {
    const values = new Map<string, JsonNode[]>();
    for (const { key, value } of node.members) {
      const same = values.get(key);
      if (same === undefined) values.set(key, [value]);
      else same.push(value);
    }
    if (values.size < node.members.length) {
      for (const [name, same] of values) {
        if (same.length > 1) found({ name, at: pointerOf(place, String), group: pointerOf(place, () => '*'), values: same });
      }
    }
    for (const { key, value } of node.members) visit(value, { above: place, step: key }, found);
  }
}

function pointerOf(place: Place | null, index: (position: number) => string): string {
  let pointer = '';
  for (let one = place; one !== null; one = one.above) {
    pointer = (typeof one.step === 'number' ? `/${index(one.step)}` : pointerStep(one.step)) + pointer;
  }
  return pointer;
}
