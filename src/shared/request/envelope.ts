import { AppError } from '../errors.ts';
import type { Overrides, RequestDraft } from '../model/draft.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import { isBlank, parseJson, syntaxErrorAt, type JsonSyntaxError } from '../json/parse.ts';
import { escapeUnpaired } from '../json/string-escapes.ts';
import {
  actionPointOf,
  contextOf,
  operationByName,
  recordedAnswer,
  routeOf,
  timeOrderOf,
  type Answers,
  type Operation,
  type RequestContext,
} from '../provider/index.ts';
import { payloadExcess } from '../provider/payload-limits.ts';
import { flipLastDigit } from '../signing/fingerprint.ts';
import { serializeData } from '../signing/serialize.ts';
import { formatTime } from '../signing/time.ts';

/**
 * A request that lacks only the hash. The body is `before + (dataJson ?? '') + between + hash + after`; the hash
 * input is key + `time` + `dataJson`: the same text, so that what is hashed is what is sent.
 */
export interface PreparedRequest {
  readonly operation: Operation;
  readonly url: string;
  /** The hashed text of `time`, even if an override leaves it out of the body; null for an unsigned request. */
  readonly time: string | null;
  /** The text of `data`, or the whole body of a wallet method as typed; null if there is none. */
  readonly dataJson: string | null;
  /** The serialization of `dataJson`: the environment's, unless a recorded answer replaces it. Null for a wallet method, which is sent as typed. */
  readonly serialization: Serialization | null;
  readonly signed: boolean;
  readonly before: string;
  readonly between: string;
  readonly after: string;
  /** `wrong` means the right hash with one digit changed; any other text is sent unchanged; null for the right hash. */
  readonly hashOverride: string | null;
  /** True if the body has no `hash`; `between` and `after` then join without it. */
  readonly omitHash: boolean;
}

/** Reason why a request cannot be prepared; line and column count from 1 in the draft's text. */
export interface PrepareError {
  readonly message: string;
  readonly offset?: number;
  readonly line?: number;
  readonly column?: number;
}

export type PrepareResult = { ok: true; request: PreparedRequest } | { ok: false; error: PrepareError };

/**
 * Prepares everything but the hash, from the typed payload, in the spec's field order (Request envelope); extra envelope fields
 * (gameList) come last, as typed. A blank text means no payload: `data` is absent and key + time is hashed, and a
 * wallet method's body is empty. A wallet method's body is not signed: any other text is sent as typed, JSON or not.
 * `now` is in milliseconds since the epoch.
 */
export function prepareRequest(draft: RequestDraft, environment: Environment, now: number): PrepareResult {
  return preparation(draft, environment)(now);
}

/** Reads a draft once and returns a function that makes its request for a moment, at a cost independent of the payload's length. */
export function preparation(draft: RequestDraft, environment: Environment): (now: number) => PrepareResult {
  const operation = operationByName(draft.operation);
  const excess = payloadExcess(draft.text);
  if (excess !== null) return always(refuse(excess));
  return routeOf(operation, environment.answers)?.signed === false
    ? always(preparePlain(operation, draft, environment))
    : prepareService(operation, draft, environment);
}

function always(result: PrepareResult): () => PrepareResult {
  return () => result;
}

/** Returns the body with the hash; `hash` is null if the request has none. The caller applies an override of the hash. */
export function assembleBody(request: PreparedRequest, hash: string | null): string {
  const hashText = !request.signed || request.omitHash || hash === null ? '' : quoted(hash).slice(1, -1);
  return request.before + (request.dataJson ?? '') + request.between + hashText + request.after;
}

/** Returns the hash to send, after the draft's override; null if it is left out. */
export function hashToSend(request: PreparedRequest, digest: string): string | null {
  if (!request.signed || request.omitHash) return null;
  if (request.hashOverride !== 'wrong') return request.hashOverride ?? digest;
  return flipLastDigit(digest);
}

/** Returns the URL of an environment's calls of an operation: base or wallet URL with the operation's path, or the recorded one. */
export function addressOf(
  operation: Operation,
  { baseUrl, walletUrl, answers }: Pick<Environment, 'baseUrl' | 'walletUrl' | 'answers'>,
): string {
  const base = operation.endpoint === 'wallet' && walletUrl !== '' ? walletUrl : baseUrl;
  return (base.endsWith('/') ? base.slice(0, -1) : base) + (routeOf(operation, answers)?.path ?? operation.path);
}

// No flag u, so that each UTF-16 unit is one character.
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Prepares a wallet method, or an operation whose recorded path takes plain JSON: the payload is sent as typed. */
function preparePlain(operation: Operation, { text, overrides }: RequestDraft, environment: Environment): PrepareResult {
  if (operation.endpoint === 'service' && Object.keys(overrides).length > 0) {
    return refuse(`${operation.name} goes to its own path as plain JSON, without an envelope. Remove the overrides.`);
  }
  const lone = text.search(loneSurrogate);
  if (lone !== -1) return refuseAt(syntaxErrorAt(text, lone, escapeUnpaired(text.charCodeAt(lone))));
  const body = { dataJson: isBlank(text) ? null : text, serialization: null, before: '', between: '', after: '' };
  const unsigned = { time: null, signed: false, hashOverride: null, omitHash: true };
  return { ok: true, request: { operation, url: addressOf(operation, environment), ...body, ...unsigned } };
}

function prepareService(operation: Operation, draft: RequestDraft, environment: Environment): (now: number) => PrepareResult {
  const { overrides } = draft;
  const { answers, serialization } = contextOf(environment, overrides, 0);
  const omitted = overrides.omit ?? [];

  const route = routeOf(operation, answers);
  const action = route?.action ?? null;
  if (route === null && !omitted.includes('action')) return always(refuse(noRoute(operation, answers)));
  const platform = readNumberText('platform', overrides, environment);
  if (!platform.ok) return always(platform);
  const partnerId = readNumberText('partnerId', overrides, environment);
  if (!partnerId.ok) return always(partnerId);

  const inEnvelope = operation.payload === 'envelope';
  const data = inEnvelope || omitted.includes('data') ? noData : readData(draft.text, serialization);
  const extra = inEnvelope ? readExtraFields(draft.text) : noFields;
  const parts = { operation, environment, overrides, action, omitted, serialization };

  return (now) => {
    const time = readTime(operation, contextOf(environment, overrides, now));
    if (!time.ok) return time;
    if (!data.ok) return data;
    return extra.ok ? { ok: true, request: joined(parts, { platform, partnerId, time, extra }, data.dataJson) } : extra;
  };
}

/** Parts of a signed request beside its payload. */
interface ServiceParts {
  readonly operation: Operation;
  readonly environment: Environment;
  readonly overrides: Overrides;
  readonly action: string | null;
  readonly omitted: NonNullable<Overrides['omit']>;
  readonly serialization: Serialization;
}

function joined(
  { operation, environment, overrides, action, omitted, serialization }: ServiceParts,
  { platform, partnerId, time, extra }: Readonly<Record<'platform' | 'partnerId' | 'time' | 'extra', { readonly text: string }>>,
  dataJson: string | null,
): PreparedRequest {
  const head: string[] = [];
  if (action !== null && !omitted.includes('action')) head.push(`"action":${quoted(action)}`);
  if (!omitted.includes('platform')) head.push(`"platform":${platform.text}`);
  if (!omitted.includes('partnerId')) head.push(`"partnerId":${partnerId.text}`);
  if (!omitted.includes('time')) head.push(`"time":${quoted(time.text)}`);
  if (dataJson !== null) head.push('"data":');
  const omitHash = omitted.includes('hash');
  const comma = head.length > 0 ? ',' : '';
  const after = extra.text === '' ? '}' : `${omitHash ? comma : ','}${extra.text}}`;

  return {
    operation,
    url: addressOf(operation, environment),
    time: time.text,
    dataJson,
    serialization,
    signed: true,
    before: `{${head.join(',')}`,
    between: omitHash ? '' : `${comma}"hash":"`,
    after: omitHash ? after : `"${after}`,
    hashOverride: overrides.hash ?? null,
    omitHash,
  };
}

/** Says why the operation cannot be sent: no answer about its action or path is recorded, or it is not valid. */
function noRoute(operation: Operation, answers: Answers): string {
  const point = actionPointOf(operation);
  const found = point === null ? null : recordedAnswer(point, answers);
  if (found?.state === 'invalid') return `The recorded answer to ${point} is not valid. ${found.message}`;
  return `The spec doesn't show the action name of ${operation.name}. Record the provider's answer as an open point, or leave the action out.`;
}

type Read = { ok: true; text: string } | { ok: false; error: PrepareError };
type ReadData = { ok: true; dataJson: string | null } | { ok: false; error: PrepareError };

const noData: ReadData = { ok: true, dataJson: null };
const noFields: Read = { ok: true, text: '' };

function refuse(message: string): { ok: false; error: PrepareError } {
  return { ok: false, error: { message } };
}

function refuseAt({ message, offset, line, column }: JsonSyntaxError): { ok: false; error: PrepareError } {
  return { ok: false, error: { message, offset, line, column } };
}

function readData(text: string, serialization: Serialization): ReadData {
  if (isBlank(text)) return noData;
  const result = serializeData(text, serialization);
  return result.ok ? result : refuseAt(result.error);
}

/** Returns the members between the braces, as typed. */
function readExtraFields(text: string): Read {
  if (isBlank(text)) return noFields;
  const parsed = parseJson(text);
  if (!parsed.ok) return refuseAt(parsed.error);
  if (parsed.root.kind !== 'object') {
    return refuse('The extra envelope fields must be a JSON object, such as {"currency": "EUR"}.');
  }
  const first = parsed.root.members[0];
  const last = parsed.root.members.at(-1);
  return { ok: true, text: first === undefined || last === undefined ? '' : text.slice(first.keyStart, last.value.end) };
}

function readNumberText(name: 'platform' | 'partnerId', overrides: Overrides, environment: Environment): Read {
  const text = overrides[name];
  if (text === undefined) return { ok: true, text: String(environment[name]) };
  const parsed = parseJson(text);
  if (parsed.ok) return { ok: true, text: text.slice(parsed.root.start, parsed.root.end) };
  return refuse(
    `The override of ${name} is not JSON: ${parsed.error.message}. Write a number, or a string in double quotes; to leave it out, use that override.`,
  );
}

function readTime(operation: Operation, { overrides, now, timeZone, answers }: RequestContext): Read {
  if (overrides.time !== undefined) return { ok: true, text: overrides.time };
  try {
    return { ok: true, text: formatTime(now, timeZone, timeOrderOf(operation, answers)) };
  } catch (error) {
    if (error instanceof AppError) return refuse(error.message);
    throw error;
  }
}

/** Writes a JSON string, so that any text survives the envelope. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
