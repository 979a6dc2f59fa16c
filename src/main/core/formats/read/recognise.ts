import type { CollectionRequest } from '#shared/collections/model.ts';
import { describeSyntaxError, parseJson, type JsonMember, type JsonNode, type JsonObject } from '#shared/json/parse.ts';
import { measureJson } from '#shared/json/measure.ts';
import { formOf, formOfFields, operations, type Operation } from '#shared/provider/index.ts';
import { findPlaceholders, withStandIns } from '#shared/payload-text/placeholders.ts';
import { beyond, readers } from '#shared/model/readers.ts';
import type { SourceRequest } from './import-source.ts';

/** The fields of an envelope without its payload, as JSON text; null for a missing one. */
export interface EnvelopeTexts {
  readonly platform: string | null;
  readonly partnerId: string | null;
  readonly time: string | null;
  readonly hash: string | null;
}

export type Recognised =
  | {
      readonly ok: true;
      readonly operation: Operation;
      readonly form: string;
      /** The text of `data`, of a wallet body or of the extra fields, character by character as in the body. */
      readonly data: string;
      /** Null for a wallet method. */
      readonly envelope: EnvelopeTexts | null;
      /** Fields of the envelope that the operation has no place for. */
      readonly extra: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

export interface RecogniseDeps {
  /** Returns a text with the values of the file's variables, as far as they are known. */
  readonly resolve: (text: string) => string;
  /** Returns the operation of an action; recorded names count, too. */
  readonly byAction: (action: string) => Operation | null;
}

/** The names of the envelope's fields. */
export const envelopeNames: ReadonlySet<string> = new Set(['action', 'platform', 'partnerId', 'time', 'data', 'hash']);
const wallet = operations.filter(({ endpoint }) => endpoint === 'wallet');

/** Returns the operation of a request, and its payload exactly as in the body. */
export function recognise({ method, address, body, unreadBody }: SourceRequest, deps: RecogniseDeps): Recognised {
  const path = pathOf(deps.resolve(address));
  const isService = path.endsWith('/serviceApi.php') || path === 'serviceApi.php';
  const walletOperation = wallet.find((operation) => path.endsWith(operation.path)) ?? null;
  // If variables of the URL have no value here, the body alone decides.
  const mayBeService = isService || (walletOperation === null && path.includes('{{'));
  if (!mayBeService && walletOperation === null) return refuse('Its URL is not part of this API.');
  if (unreadBody !== null) return refuse(unreadBody);
  if (!/^post$/i.test(method))
    return refuse(`It uses ${method === '' ? 'no method' : method}. Every call of this API is a POST.`);
  if (body === null || body.trim() === '') return refuse('It has no body.');
  const { values: mostValues } = readers['imports.plan'];
  const values = body.length > mostValues ? measureJson(Buffer.from(body, 'utf8')).values : 0;
  if (values > mostValues) return refuse(`Its body ${beyond('imports.plan', { values })}`);
  const parsed = parseJson(withStandIns(body));
  if (!parsed.ok) return refuse(`Its body is not JSON: ${describeSyntaxError(parsed.error)}.`);
  if (parsed.root.kind !== 'object') return refuse('Its body is not a JSON object.');
  if (walletOperation !== null) return readWallet(walletOperation, body, parsed.root);
  return readService(body, parsed.root, deps, isService);
}

function refuse(why: string): Recognised {
  return { ok: false, why };
}

/** Returns the path of a URL, between host and query. */
function pathOf(address: string): string {
  return address
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')
    .replace(/\/+$/, '');
}

function readWallet(operation: Operation, body: string, root: JsonObject): Recognised {
  const own = fieldsOf(operation);
  // A method whose fields the spec does not show has those of its neighbours.
  const known = new Set(own.length > 0 ? own : wallet.flatMap(fieldsOf));
  if (!root.members.some(({ key }) => known.has(key))) {
    return refuse(`Its URL ends like that of ${operation.name}, but its body has none of its fields.`);
  }
  return { ok: true, operation, form: formOfFields(operation, namesOf(root)), data: body, envelope: null, extra: [] };
}

function fieldsOf({ forms }: Operation): string[] {
  return forms.flatMap(({ fields }) => fields.map(({ name }) => name));
}

function readService(
  body: string,
  { members }: JsonObject,
  { resolve, byAction }: RecogniseDeps,
  isService: boolean,
): Recognised {
  const slice = slicer(body);
  const member = (name: string) => members.findLast(({ key }) => key === name)?.value;
  const textOf = (name: string) => {
    const node = member(name);
    return node === undefined ? null : slice(node);
  };
  const action = member('action');
  if (action?.kind !== 'string') return refuse(isService ? 'Its body has no action.' : 'Its URL is not part of this API.');
  const name = resolve(slice(action).slice(1, -1));
  const operation = byAction(name);
  if (operation === null)
    return refuse(isService ? `Unknown action ${JSON.stringify(name)}.` : 'Its URL is not part of this API.');
  const envelope = { platform: textOf('platform'), partnerId: textOf('partnerId'), time: textOf('time'), hash: textOf('hash') };
  const inEnvelope = operation.payload === 'envelope';
  const others = members.filter(({ key }) => !envelopeNames.has(key) || (inEnvelope && key === 'data'));
  const data = member('data');
  const seen = members.map(({ key }) => key);
  const twice = seen.filter((key, index) => envelopeNames.has(key) && seen.lastIndexOf(key) !== index);
  return {
    ok: true,
    operation,
    form: inEnvelope ? '' : formOfFields(operation, namesOf(data)),
    data: inEnvelope ? extraFields(body, others, slice) : data === undefined ? '' : slice(data),
    envelope,
    extra: [...(inEnvelope ? [] : others.map(({ key }) => key)), ...twice.map((key) => `an earlier ${key}`)],
  };
}

/** Returns the extra fields of an envelope as an object, with the text between them if they follow one another. */
function extraFields(body: string, members: readonly JsonMember[], slice: (node: JsonNode) => string): string {
  const texts = members.map(({ keyStart, keyEnd, value }) => {
    const text = slice(value);
    return body.slice(keyStart, keyEnd) + body.slice(keyEnd, value.start) + text;
  });
  return texts.length === 0 ? '' : `{${texts.join(', ')}}`;
}

/** Returns a function that cuts out the text of a value; a variable is longer than the value that stands in for it. */
function slicer(body: string): (node: JsonNode) => string {
  const placeholders = findPlaceholders(body, 'json').filter(({ inString }) => !inString);
  return ({ start, end }) => {
    const within = placeholders.find((one) => one.start >= start && one.start < end && one.end > end);
    return body.slice(start, within?.end ?? end);
  };
}

/** Returns the names of a payload's fields. */
export function namesOf(payload: JsonNode | undefined): string[] {
  return payload?.kind === 'object' ? payload.members.map(({ key }) => key) : [];
}

/** Returns the request for the collection, with the form's ID as `CollectionRequest.form` has it. */
export function requestOf(recognised: Extract<Recognised, { ok: true }>): Pick<CollectionRequest, 'operation' | 'form' | 'data'> {
  const { operation, form, data } = recognised;
  return { operation: operation.name, form: form === '' ? '' : formOf(operation, form).id, data };
}
