import { describeSyntaxError, isBlank, parseJson } from '../json/parse.ts';
import { tooPrecise } from './amounts.ts';
import { answerOf, routeOf } from './wire-form.ts';
import { validateBetLevel, usesGames } from './bet-level.ts';
import { validateCombined } from './combined-values.ts';
import { createFindingList, shown } from './findings.ts';
import { formWith } from './forms.ts';
import { reportNonAscii } from './non-ascii.ts';
import { describeNode, fieldSpot, report } from './payload-findings.ts';
import { payloadExcess } from './payload-limits.ts';
import { validateValue } from './payload-values.ts';
import { validateSurroundings } from './validate-request-context.ts';
import { keyMark } from '../secrets/key-mark.ts';
import type { Finding } from '../model/finding.ts';
import type { JsonMember, JsonNode, JsonNumber, JsonObject } from '../json/parse.ts';
import type { RequestContext } from './request-context.ts';
import type { FindingList } from './findings.ts';
import type { Field, Operation, RequestForm } from './model.ts';

/**
 * Validates a payload as it is typed: `data`, the body of a wallet method, or gameList's extra fields. No finding blocks sending, except that
 * of a payload beyond the limits, which is not read. Findings carry a JSON Pointer and UTF-16 offsets; repetitions within an array are one
 * finding with a count. Without an environment there is no context, and no finding about bytes, times and recorded answers.
 */
export function validatePayload(operation: Operation, formId: string, text: string, context: RequestContext | null): Finding[] {
  const form = formWith(operation, formId, context?.answers ?? {});
  const list = createFindingList();
  const blank = isBlank(text);
  if (context !== null) validateSurroundings(list, operation, blank, context);
  if (form.open === true && form.recorded !== true) {
    list.add('shape-not-shown', '', () => ({
      severity: 'note',
      path: '',
      message: `The spec doesn't show the request of ${operation.name}, so no field is checked.`,
    }));
    if (blank) return list.all();
  }
  const mark = text.indexOf(keyMark);
  if (mark !== -1) {
    const message = `${keyMark} marks where Croupier removed a private key. It is sent as is; replace it.`;
    report(list, 'warning', 'key-mark', { path: '', group: '', start: mark, end: mark + keyMark.length }, message);
  }
  if (blank && form.fields.length === 0) return list.all();
  if (blank) {
    const names = form.fields.map((field) => field.name).join(', ');
    list.add('missing-payload', '', () => ({
      severity: 'warning',
      path: '',
      message: `The payload is empty. ${operation.name} has these fields: ${names}.`,
    }));
    return list.all();
  }
  const excess = payloadExcess(text);
  if (excess !== null) {
    list.add('too-large', '', () => ({ severity: 'error', path: '', message: excess }));
    return list.all();
  }
  const result = parseJson(text);
  if (!result.ok) {
    const { offset } = result.error;
    const sent = operation.payload !== 'envelope' && leavesAsTyped(operation, context) ? ' It is sent as typed.' : '';
    const message = `Not JSON. ${describeSyntaxError(result.error)}.${sent}`;
    const start = Math.min(offset, text.length);
    report(list, 'error', 'json', { path: '', group: '', start, end: Math.min(start + 1, text.length) }, message);
    return list.all();
  }
  const { root } = result;
  if (root.kind !== 'object') {
    const message = `The payload must be a JSON object in braces; this is ${describeNode(root)}.`;
    report(list, 'error', 'not-object', { path: '', group: '', start: root.start, end: root.end }, message);
    return list.all();
  }
  validateObject(list, operation, form, text, root, context);
  return list.all();
}

function validateObject(
  list: FindingList,
  operation: Operation,
  form: RequestForm,
  text: string,
  root: JsonObject,
  context: RequestContext | null,
): void {
  const members = membersByName(list, root, leavesAsTyped(operation, context));
  const nodeOf = (name: string): JsonNode | null => members.get(name)?.value ?? null;
  for (const field of form.fields) {
    const node = nodeOf(field.name);
    if (node === null) validateMissing(list, form, field, root, nodeOf);
    else {
      validateValue(list, field, node, context);
      validateToken(list, form, field, node, nodeOf);
      if (field.money === true && node.kind === 'number') validateAmount(list, operation, field, node, nodeOf, context);
    }
  }
  if (form.open !== true) validateUnknown(list, operation, form, members);
  if (context !== null) validateBets(list, form, nodeOf, context);
  if (form.combined !== undefined) validateCombined(list, form.combined, nodeOf, context?.answers ?? {});
  if (operation.payload === 'data' && context !== null && !isPlain(operation, context))
    reportNonAscii(list, text, members, context);
}

/**
 * Validates betLevel, unless it is not an integer from 0, which is a finding already, or an override sends another platform or partner, which
 * has other games.
 */
function validateBets(
  list: FindingList,
  form: RequestForm,
  nodeOf: (name: string) => JsonNode | null,
  context: RequestContext,
): void {
  if (!usesGames(form)) return;
  const node = nodeOf('betLevel');
  const own = context.overrides.platform === undefined && context.overrides.partnerId === undefined;
  if (node?.kind !== 'number' || !/^\d+$/.test(node.text)) return;
  validateBetLevel(list, node, fieldSpot('betLevel', node), nodeOf('gameIds'), context.answers, own ? context.games : null);
}

/** Returns whether the payload is sent without being rewritten by a serialization. */
function leavesAsTyped(operation: Operation, context: RequestContext | null): boolean {
  return operation.payload !== 'data' || context?.serialization === 'verbatim' || isPlain(operation, context);
}

/** Returns whether the recorded path of an operation takes plain JSON, which is not hashed. */
function isPlain(operation: Operation, context: RequestContext | null): boolean {
  return context !== null && routeOf(operation, context.answers)?.signed === false;
}

/** Returns the members by name; of a duplicate the last, which a decoder keeps. */
function membersByName(list: FindingList, root: JsonObject, asTyped: boolean): Map<string, JsonMember> {
  const members = new Map<string, JsonMember>();
  for (const member of root.members) {
    if (members.has(member.key)) {
      const spot = { ...fieldSpot(member.key, member.value), start: member.keyStart, end: member.keyEnd };
      report(
        list,
        'warning',
        'duplicate-key',
        spot,
        asTyped
          ? `${shown(member.key)} occurs twice, and both are sent: PHP keeps the last value.`
          : `${shown(member.key)} occurs twice: PHP keeps the last value at the first position.`,
      );
    }
    members.set(member.key, member);
  }
  return members;
}

function validateAmount(
  list: FindingList,
  operation: Operation,
  field: Field,
  node: JsonNumber,
  nodeOf: (name: string) => JsonNode | null,
  context: RequestContext | null,
): void {
  const answers = context?.answers ?? {};
  const currency = nodeOf('currency');
  const problem = tooPrecise(node.text, currency?.kind === 'string' ? currency.value : null, answers);
  if (problem !== null) report(list, 'warning', 'amount-precision', fieldSpot(field.name, node), `${field.name} ${problem}.`);
  if (operation.name === 'bet' && Number(node.text) === 0 && answerOf('bet.zero', answers) === 'rejected') {
    report(list, 'warning', 'bet-zero', fieldSpot(field.name, node), 'According to the recorded answer, a bet of 0 is rejected.');
  }
}

function validateMissing(
  list: FindingList,
  form: RequestForm,
  field: Field,
  root: JsonObject,
  nodeOf: (name: string) => JsonNode | null,
): void {
  const spot = { ...fieldSpot(field.name, root), end: root.start + 1 };
  if (field.required === 'yes') {
    const basis = field.recorded === true ? ' according to the recorded answer' : '';
    report(list, 'warning', 'required', spot, `${field.name} is required${basis}.`);
  } else if (field.required === 'realMode') {
    if (isRealMode(form, nodeOf)) report(list, 'warning', 'required', spot, `${field.name} is required in real mode.`);
  } else if (field.required === 'unstated') {
    const message = `${field.name} is left out. The spec lists it but doesn't say whether it is required.`;
    report(list, 'note', 'left-out', spot, message);
  }
}

function validateToken(
  list: FindingList,
  form: RequestForm,
  field: Field,
  node: JsonNode,
  nodeOf: (name: string) => JsonNode | null,
): void {
  if (field.required !== 'realMode' || node.kind !== 'string' || node.value !== '' || !isRealMode(form, nodeOf)) return;
  report(list, 'warning', 'required', fieldSpot(field.name, node), `${field.name} is empty, but required in real mode.`);
}

/** Returns whether the request is in real mode. A form without gameMode is a wallet method's, which always belongs to a player session. */
function isRealMode(form: RequestForm, nodeOf: (name: string) => JsonNode | null): boolean {
  if (!form.fields.some((field) => field.name === 'gameMode')) return true;
  const mode = nodeOf('gameMode');
  return mode?.kind === 'string' && mode.value === 'real';
}

function validateUnknown(list: FindingList, operation: Operation, form: RequestForm, members: Map<string, JsonMember>): void {
  for (const member of members.values()) {
    const { key } = member;
    if (form.fields.some((field) => field.name === key)) continue;
    const spot = { ...fieldSpot(key, member.value), start: member.keyStart, end: member.keyEnd };
    const lacks =
      form.recorded === true
        ? `The recorded request of ${operation.name} has no field ${shown(key)}`
        : `The spec lists no field ${shown(key)} for ${operation.name}`;
    const message = `${lacks}${hint(operation, form, key)}.`;
    report(list, 'warning', 'unknown-field', spot, message);
  }
}

function hint(operation: Operation, form: RequestForm, key: string): string {
  const meant = form.fields.find((field) => field.name.toLowerCase() === key.toLowerCase());
  if (meant !== undefined) return `: write ${meant.name}`;
  const other = operation.forms.find((candidate) => candidate.fields.some((field) => field.name === key));
  return other === undefined ? '' : ` in this form: it belongs to "${other.title}"`;
}
