import type { Fidelity, PastedRequest } from '#shared/ipc/index.ts';
import { parseJson, type JsonMember } from '#shared/json/parse.ts';
import { operations, type OperationName } from '#shared/provider/index.ts';
import { languageOf } from './language.ts';
import type { Part, Parts } from './members.ts';

/** Layers, trust and URL of the place where a request was found. */
export interface Origin {
  readonly layers: readonly string[];
  readonly fidelity: Fidelity;
  readonly url: string | null;
}

const digits = /^[0-9a-fA-F]{10,64}$/;
const masked = /^(?:\[[A-Za-z _]{1,30}\]|<[A-Za-z _]{1,30}>|[*•xX.…\u2022-]{3,}|…)$/;

/** Matches a variable of a shell or of a client for HTTP. */
const variable = /^(?:\{\{[^{}]{1,200}\}\}|\$\{?[A-Za-z_]\w{0,80}\}?)$/;

/** Returns whether a value is a mask or a variable, or was truncated. */
function isMasked(value: string): boolean {
  if (variable.test(value.trim())) return true;
  return masked.test(value.trim()) || /\*{3,}|…|\.\.\.$|\[(?:truncated|filtered|redacted)\]/i.test(value);
}

/** Fewest digits that may be all: a hash can lose the zeros in front of it, or of its bytes. */
const shortest = 48;

/** Returns the hash with `…` for the digits that are missing; null if too few are left. Another text than digits stays as it is. */
export function readHash(value: string): string | null {
  const text = value.trim();
  const [, first = '', mark, last = ''] = /^([0-9a-fA-F]*)(…|\.{3,}|\*{3,})([0-9a-fA-F]*)$/.exec(text) ?? [];
  if (mark !== undefined) return Math.max(first.length, last.length) >= 10 ? `${first}…${last}` : null;
  if (digits.test(text)) return text.length < shortest && ![32, 40].includes(text.length) ? `${text}…` : text;
  return text === '' || isMasked(text) || /^[0-9a-f]{1,9}$/i.test(text) ? null : text;
}

/** Matches `time` in one of the two forms of the spec. */
export const timeOfSpec = /^(?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}) \d{2}:\d{2}:\d{2}$/;

/** Returns whether the fields are those of an envelope: its action, or a hash or a time with what they cover. */
export function isEnvelope(parts: Parts): boolean {
  const has = (name: string) => parts.has(name);
  const hash = scalarIn(parts, 'hash');
  const isHash = hash !== null && (readHash(hash) !== null || isMasked(hash));
  const hasAction = scalarIn(parts, 'action') !== null;
  if (hasAction && (has('hash') || has('partnerid') || has('platform') || (has('time') && has('data')))) return true;
  if (isHash && (has('time') || has('data'))) return true;
  return has('data') && has('time') && (has('partnerid') || timeOfSpec.test(scalarIn(parts, 'time') ?? ''));
}

/** Returns the string, the digits or the word that a field holds. */
function scalarIn(parts: Parts, name: string): string | null {
  return parts.get(name)?.scalar ?? null;
}

/** A response's code, if the fields are those of one. */
export function responseCode(parts: Parts): number | null {
  const code = scalarIn(parts, 'code');
  if (code === null || !/^\d{1,6}$/.test(code)) return null;
  return [...parts.keys()].every((name) => ['code', 'message', 'data'].includes(name)) ? Number(code) : null;
}

/**
 * Reads a request from the fields of an envelope. Two results if `data` is a text with an object in it: either the envelope was logged like
 * that, or sent.
 */
export function readEnvelope(parts: Parts, envelopeText: string | null, origin: Origin): PastedRequest[] {
  const data = parts.get('data');
  const [time, hash] = [scalarIn(parts, 'time'), scalarIn(parts, 'hash')];
  const fields = {
    action: scalarIn(parts, 'action'),
    platform: jsonOf(parts.get('platform')),
    partnerId: jsonOf(parts.get('partnerid')),
    time: isMasked(time ?? '') ? null : time,
    currency: parts.has('data') ? null : scalarIn(parts, 'currency'),
    hash: readHash(hash ?? ''),
    envelopeText,
  };
  const missing = [
    ...((hash ?? '').trim() !== '' && fields.hash === null ? ['hash'] : []),
    ...(isMasked(time ?? '') ? ['time'] : []),
  ];
  const made = (dataText: string | null, lost: readonly string[] = []) => {
    const request = requestOf({ ...fields, dataText }, origin, missing);
    return { ...request, missing: [...request.missing, ...lost] };
  };
  if (data === undefined || data.kind === 'null') return [made(null)];
  const inner = data.kind === 'string' || data.kind === 'word' ? (data.scalar ?? '').trim() : null;
  if (inner !== null && /^\{[^]*\}$/.test(inner)) {
    const both = [made(inner), made(data.text)];
    // A whole envelope was sent as it stands; a line of a log has the text that was hashed.
    const isWhole = parts.has('action') && parts.has('platform') && parts.has('partnerid') && origin.fidelity === 'exact';
    return isWhole ? both.reverse() : both;
  }
  return [data.kind === 'lost' || isMasked(inner ?? '') ? made(null, ['data']) : made(data.text)];
}

/** A word without quotes is the number it looks like. */
function jsonOf(part: Part | undefined): string | null {
  if (part === undefined || part.scalar === null) return null;
  return part.kind === 'word' && /^\d{1,40}$/.test(part.scalar) ? part.scalar : part.text;
}

const noFields = {
  action: null,
  platform: null,
  partnerId: null,
  time: null,
  currency: null,
  dataText: null,
  envelopeText: null,
  hash: null,
};
type Fields = Pick<PastedRequest, keyof typeof noFields>;

/** Completes a request: its operation by the action or by its data, and the masked fields of data. */
export function requestOf(
  given: Partial<Fields>,
  { layers, fidelity, url }: Origin,
  missing: readonly string[] = [],
): PastedRequest {
  const fields: Fields = { ...noFields, ...given };
  const { action, dataText } = fields;
  const known = operations
    .filter((operation) => operation.action !== null && operation.action === action)
    .map(({ name }) => name);
  const members = membersIn(dataText);
  const masks = members.flatMap(({ key, value }) => (value.kind === 'string' && isMasked(value.value) ? [`data.${key}`] : []));
  const names = members.map(({ key }) => key);
  return {
    ...fields,
    layers: [...layers],
    language: languageOf(layers),
    fidelity,
    url,
    operations: action === null && dataText !== null ? operationsFitting(names, url) : known,
    code: null,
    missing: [...missing, ...masks],
  };
}

function membersIn(dataText: string | null): readonly JsonMember[] {
  const parsed = dataText === null ? null : parseJson(dataText);
  return parsed?.ok === true && parsed.root.kind === 'object' ? parsed.root.members : [];
}

/** Returns the operations whose fields these are, best first alone; several if they fit equally. A wallet method's URL decides. */
export function operationsFitting(names: readonly string[], url: string | null): OperationName[] {
  const path = url?.replace(/[?#].*$/s, '').replace(/\/+$/, '') ?? '';
  let best = 0;
  let found: OperationName[] = [];
  for (const { name, forms, payload, endpoint, path: own } of operations) {
    if (payload === 'envelope') continue;
    const here = endpoint === 'wallet' && path.endsWith(own) ? 100 : 0;
    for (const { fields } of forms) {
      const known = fields.filter((field) => names.includes(field.name)).length;
      const others = names.length - known;
      if (known === 0 || known < fields.length / 2 || others > known / 2) continue;
      const score = here + known - others - (fields.length - known) / 2;
      if (score > best) found = [];
      if (score >= best && !found.includes(name)) found.push(name);
      best = Math.max(best, score);
    }
  }
  return found;
}
