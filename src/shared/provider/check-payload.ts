import { describeSyntaxError, parseJson } from '../json/parse.ts';
import { answerOf, serializationOf } from './answers.ts';
import { checkCombined } from './combined-values.ts';
import { createFindingList, shown } from './findings.ts';
import { formOf } from './operations.ts';
import { describeNode, fieldSpot, report } from './payload-findings.ts';
import { checkValue } from './payload-values.ts';
import type { Finding } from '../ipc/calls.ts';
import type { JsonMember, JsonNode, JsonObject } from '../json/parse.ts';
import type { FindingList } from './findings.ts';
import type { Field, Operation, RequestForm } from './model.ts';
import type { PayloadContext } from './payload-values.ts';

/**
 * Checks the text of a request while it is typed: data, a wallet method's body, or gameList's extra fields. Nothing found here
 * blocks sending. Findings carry a JSON Pointer and UTF-16 offsets; what repeats within a list is one finding with a count.
 */
export function checkPayload(operation: Operation, formId: string, text: string, context: PayloadContext): Finding[] {
  const form = formOf(operation, formId);
  const list = createFindingList();
  const blank = text.trim() === '';
  if (form.open === true) {
    list.add('shape-not-shown', '', () => ({
      severity: 'note',
      path: '',
      message: `The spec does not show the request of ${operation.name}: no field is checked.`,
    }));
    if (blank) return list.all();
  }
  if (blank) {
    const names = form.fields.map((field) => field.name).join(', ');
    list.add('missing-payload', '', () => ({
      severity: 'warning',
      path: '',
      message: `${operation.name} has these fields: ${names}. Nothing is written yet.`,
    }));
    return list.all();
  }
  const result = parseJson(text);
  if (!result.ok) {
    const { offset } = result.error;
    const message = `Not JSON. ${describeSyntaxError(result.error)}.`;
    const start = Math.min(offset, text.length);
    report(list, 'error', 'json', { path: '', group: '', start, end: Math.min(start + 1, text.length) }, message);
    return list.all();
  }
  const { root } = result;
  if (root.kind !== 'object') {
    const message = `A JSON object in braces is expected; this is ${describeNode(root)}.`;
    report(list, 'error', 'not-object', { path: '', group: '', start: root.start, end: root.end }, message);
    return list.all();
  }
  checkObject(list, operation, form, root, context);
  return list.all();
}

function checkObject(
  list: FindingList,
  operation: Operation,
  form: RequestForm,
  root: JsonObject,
  context: PayloadContext,
): void {
  const members = membersByName(list, root);
  const nodeOf = (name: string): JsonNode | null => members.get(name)?.value ?? null;
  for (const field of form.fields) {
    const node = nodeOf(field.name);
    if (node === null) checkMissing(list, form, field, root, nodeOf);
    else {
      checkValue(list, field, node, context);
      checkToken(list, form, field, node, nodeOf);
    }
  }
  if (form.open !== true) checkUnknown(list, operation, form, members);
  if (form.combined !== undefined) checkCombined(list, form.combined, nodeOf, context.answers);
  if (operation.payload === 'data') {
    for (const member of members.values()) checkNonAscii(list, member, context);
  }
}

/** By name, the last one of each: the one that a decoder keeps. */
function membersByName(list: FindingList, root: JsonObject): Map<string, JsonMember> {
  const members = new Map<string, JsonMember>();
  for (const member of root.members) {
    if (members.has(member.key)) {
      const spot = { ...fieldSpot(member.key, member.value), start: member.keyStart, end: member.keyEnd };
      report(
        list,
        'warning',
        'duplicate-key',
        spot,
        `${shown(member.key)} is there twice: PHP keeps the last value in the first place.`,
      );
    }
    members.set(member.key, member);
  }
  return members;
}

function checkMissing(
  list: FindingList,
  form: RequestForm,
  field: Field,
  root: JsonObject,
  nodeOf: (name: string) => JsonNode | null,
): void {
  const spot = { ...fieldSpot(field.name, root), end: root.start + 1 };
  if (field.required === 'yes') {
    report(list, 'warning', 'required', spot, `${field.name} is required.`);
  } else if (field.required === 'realMode') {
    if (isRealMode(form, nodeOf)) report(list, 'warning', 'required', spot, `${field.name} is required in real mode.`);
  } else if (field.required === 'unstated') {
    const message = `${field.name} is left out: the spec lists it and does not say whether it is required.`;
    report(list, 'note', 'left-out', spot, message);
  }
}

function checkToken(
  list: FindingList,
  form: RequestForm,
  field: Field,
  node: JsonNode,
  nodeOf: (name: string) => JsonNode | null,
): void {
  if (field.required !== 'realMode' || node.kind !== 'string' || node.value !== '' || !isRealMode(form, nodeOf)) return;
  report(list, 'warning', 'required', fieldSpot(field.name, node), `${field.name} is required in real mode; it is empty.`);
}

/** A form without gameMode is a wallet method's, which always belongs to a session. */
function isRealMode(form: RequestForm, nodeOf: (name: string) => JsonNode | null): boolean {
  if (!form.fields.some((field) => field.name === 'gameMode')) return true;
  const mode = nodeOf('gameMode');
  return mode?.kind === 'string' && mode.value === 'real';
}

function checkUnknown(list: FindingList, operation: Operation, form: RequestForm, members: Map<string, JsonMember>): void {
  for (const member of members.values()) {
    const { key } = member;
    if (form.fields.some((field) => field.name === key)) continue;
    const spot = { ...fieldSpot(key, member.value), start: member.keyStart, end: member.keyEnd };
    report(list, 'warning', 'unknown-field', spot, `${operation.name} has no field ${shown(key)}${hint(operation, form, key)}.`);
  }
}

function hint(operation: Operation, form: RequestForm, key: string): string {
  const meant = form.fields.find((field) => field.name.toLowerCase() === key.toLowerCase());
  if (meant !== undefined) return `: it is written ${meant.name}`;
  const other = operation.forms.find((candidate) => candidate.fields.some((field) => field.name === key));
  return other === undefined ? '' : ` in this form: it belongs to "${other.title}"`;
}

const nonAscii = /[^\0-\x7f]/;

function checkNonAscii(list: FindingList, member: JsonMember, { answers, serialization = 'php' }: PayloadContext): void {
  const text = nonAscii.test(member.key) ? member.key : firstNonAscii(member.value);
  if (text === null) return;
  const used = serializationOf({ serialization, answers });
  const how = {
    php: `hashed as ${shown(escaped(text))}`,
    'php-unicode': 'hashed as the characters themselves, in UTF-8',
    verbatim: 'hashed as it is typed',
  }[used];
  const recorded = answerOf('hash.nonAscii', answers);
  const basis =
    recorded === null
      ? 'Which form the provider hashes is not shown in the spec.'
      : recorded === used || recorded === 'received'
        ? 'This agrees with the recorded answer.'
        : 'This differs from the recorded answer.';
  report(
    list,
    'note',
    'non-ascii',
    fieldSpot(member.key, member.value),
    `Non-ASCII text, ${how} (serialization ${used}). ${basis}`,
  );
}

function firstNonAscii(node: JsonNode): string | null {
  switch (node.kind) {
    case 'string':
      return nonAscii.test(node.value) ? node.value : null;
    case 'array':
      return firstOf(node.items);
    case 'object':
      return node.members.find((member) => nonAscii.test(member.key))?.key ?? firstOf(node.members.map((member) => member.value));
    case 'number':
    case 'true':
    case 'false':
    case 'null':
      return null;
  }
}

function firstOf(nodes: readonly JsonNode[]): string | null {
  for (const node of nodes) {
    const found = firstNonAscii(node);
    if (found !== null) return found;
  }
  return null;
}

function escaped(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
