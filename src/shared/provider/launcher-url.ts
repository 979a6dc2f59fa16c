import { parseJson, type JsonNode, type JsonObject } from '../json/parse.ts';
import { countCharacters } from './findings.ts';
import { launchParameters } from './operations-launch.ts';
import { isTokenName, markFor } from './tokens.ts';
import type { LaunchParameterRow } from '../model/launcher-url.ts';
import type { AddressCheck } from '../model/launcher-url.ts';

/** A launcher URL compared with its request (spec, Launcher result and Game launch URL parameters). */
export interface LaunchUrlComparison {
  /** The URL as received. It may carry a session token, so it goes only to the game view. */
  readonly url: string;
  /** The documented parameters in the spec's order, then those that are not documented. Tokens are masked. */
  readonly parameters: readonly LaunchParameterRow[];
  readonly checks: readonly AddressCheck[];
}

/** Returns the requested value of a parameter; null if the request has none. */
export type LaunchRequested = (name: string) => string | null;

/** An http(s) URL in parts; values are decoded as form fields. */
export interface Address {
  readonly scheme: string;
  readonly hasCredentials: boolean;
  readonly host: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly value: string; readonly wellEncoded: boolean }[];
}

/** Parameters that a launcher URL must carry (spec, Launcher result). */
const carried: readonly string[] = ['partnerId', 'gameId', 'gameMode', 'lang', 'platform', 'externalToken', 'exitURL'];

/** Compares the launcher URL of a response with the request's body as sent; null if the response has none. */
export function compareLaunchResponse(requestBody: string, responseBody: string): LaunchUrlComparison | null {
  const url = textAt(rootOf(responseBody), ['data', 'launcherURL']);
  return url === null ? null : compareLaunchUrl(url, requestedIn(requestBody));
}

/** Returns what a request's body asks of each parameter: at its top level, otherwise in its `data`. */
export function requestedIn(requestBody: string): LaunchRequested {
  const root = rootOf(requestBody);
  const [above, inData] = [textsOf(root), textsOf(nodeAt(root, ['data']))];
  return (name) => above.get(name) ?? inData.get(name) ?? null;
}

/** Returns the texts and numbers of an object as `textAt` does, null for other values. */
function textsOf(node: JsonNode | null): ReadonlyMap<string, string | null> {
  const texts = new Map<string, string | null>();
  if (node?.kind === 'object') for (const { key, value } of node.members) texts.set(key, textAt(value, []));
  return texts;
}

/** Compares a launcher URL with its request: every parameter present once and equal, none unexpected, the token only in real mode. */
export function compareLaunchUrl(url: string, requested: LaunchRequested): LaunchUrlComparison {
  const address = readAddress(url);
  if (address === null) {
    return { url, parameters: [], checks: [check('address', false, 'The launcher URL is not a web URL.')] };
  }
  const parameters = launchRows(address, requested);
  return { url, parameters, checks: checksOf(address, parameters, requested('gameMode')) };
}

/** Compares the parameters of a launcher URL with its request. */
export function launchRows(address: Address, requested: LaunchRequested): LaunchParameterRow[] {
  const mode = requested('gameMode');
  const returned = new Map<string, string[]>();
  for (const { name, value } of address.parameters) {
    const values = returned.get(name);
    if (values === undefined) returned.set(name, [value]);
    else values.push(value);
  }
  const rows: LaunchParameterRow[] = [];
  for (const known of launchParameters) {
    const found = rowOf(known, returned.get(known.name) ?? [], requested(known.name), mode);
    if (found !== null) rows.push(found);
    returned.delete(known.name);
  }
  for (const [name, values] of returned) rows.push(row(name, 'unexpected', null, values.join(', ')));
  return rows;
}

/** Checks the replay link of a round: a query with replayToken, tableM and lang (spec, Round replay record), and https, which is customary. */
export function checkReplayLink(link: string): readonly AddressCheck[] {
  const address = readAddress(link);
  if (address === null) return [check('address', false, 'The replay link is not a web URL.')];
  return [
    httpsCheck(address, 'link', "HTTPS is customary, but the spec doesn't require it here."),
    ...['replayToken', 'tableM', 'lang'].map((name) => {
      const values = address.parameters.filter((parameter) => parameter.name === name);
      const [first] = values;
      if (values.length > 1) return check(name, false, `${name} occurs ${values.length} times.`);
      if (first === undefined) return check(name, false, `${name} is missing.`);
      return check(name, first.value !== '', first.value === '' ? `${name} is empty.` : `${name} present`);
    }),
    encodingCheck(address),
  ];
}

/** Parses an http(s) URL; null for any other text, and for one that a browser would have to repair. */
export function readAddress(url: string): Address | null {
  const match = /^(https?):\/\/(?:([^/?#\s]*)@)?([^/?#\s@]+)([^?#\s]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(url);
  if (match === null) return null;
  const [, scheme = '', credentials, host = '', path = '', query = ''] = match;
  return {
    scheme: scheme.toLowerCase(),
    hasCredentials: credentials !== undefined,
    host: host.toLowerCase(),
    path: path === '' ? '/' : path,
    parameters: query
      .split('&')
      .filter((part) => part !== '')
      .map(readParameter),
  };
}

/** Returns the text of a string, or the digits of a number, at a path of members; null if there is none. */
export function textAt(root: JsonNode | null, path: readonly string[]): string | null {
  const node = nodeAt(root, path);
  if (node === null) return null;
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' ? node.text : null;
}

/** Returns the node at a path of members. The last one of a duplicate counts, as in PHP and JavaScript. */
export function nodeAt(root: JsonNode | null, path: readonly string[]): JsonNode | null {
  let node = root;
  for (const name of path) {
    if (node?.kind !== 'object') return null;
    const { members }: JsonObject = node;
    let at = members.length - 1;
    while (at >= 0 && members[at]?.key !== name) at--;
    node = members[at]?.value ?? null;
  }
  return node;
}

/** Parses JSON; null for any other text. */
export function rootOf(text: string): JsonNode | null {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.root : null;
}

function readParameter(part: string): Address['parameters'][number] {
  const equals = part.indexOf('=');
  const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  const [decodedName, decodedValue] = [decode(name), decode(value)];
  // A space, a quote and a character outside ASCII must be encoded, because some clients drop the rest of the URL.
  const clean = /^[\x21\x23-\x3b\x3d\x3f-\x7e]*$/.test(part);
  return {
    name: decodedName ?? name,
    value: decodedValue ?? value,
    wellEncoded: clean && decodedName !== null && decodedValue !== null,
  };
}

function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function rowOf(
  known: (typeof launchParameters)[number],
  values: readonly string[],
  wanted: string | null,
  mode: string | null,
): LaunchParameterRow | null {
  const { name } = known;
  const [returned = null] = values;
  if (values.length > 1) return row(name, 'duplicated', wanted, values.join(', '));
  if (name === 'externalToken' && mode === 'fun') return returned === null ? null : row(name, 'unexpected', wanted, returned);
  if (returned === null) {
    if (!carried.includes(name) || wanted === null) return null;
    const absent = wanted === '' && name !== 'externalToken';
    return row(name, absent ? 'equal' : 'missing', wanted, null);
  }
  if (wanted !== returned) return row(name, 'different', wanted, returned);
  return row(name, hasForm(known, returned) ? 'equal' : 'malformed', wanted, returned);
}

function row(
  name: string,
  state: LaunchParameterRow['state'],
  requested: string | null,
  returned: string | null,
): LaunchParameterRow {
  if (!isTokenName(name)) return { name, state, requested, returned };
  const other = requested !== null && requested !== '' && requested !== returned;
  const mask = (value: string | null, words: string) => (value === null || value === '' ? value : words);
  const mark = markFor(name);
  return {
    name,
    state,
    requested: mask(requested, mark),
    returned: mask(returned, other ? mark.replace('[', '[another ') : mark),
  };
}

function hasForm({ type, values, exactLength, maxLength }: (typeof launchParameters)[number], value: string): boolean {
  if (type === 'number' && !/^-?\d+$/.test(value)) return false;
  if (values !== undefined && !values.includes(value)) return false;
  const length = countCharacters(value);
  return (exactLength === undefined || length === exactLength) && (maxLength === undefined || length <= maxLength);
}

function checksOf(address: Address, rows: readonly LaunchParameterRow[], mode: string | null): AddressCheck[] {
  const named = (state: LaunchParameterRow['state']) => rows.filter((row) => row.state === state).map(({ name }) => name);
  const wanted = rows.filter(({ name, state }) => carried.includes(name) && state !== 'unexpected');
  const missing = named('missing');
  const unequal = [...named('different'), ...named('duplicated')];
  const malformed = named('malformed');
  const unexpected = named('unexpected').filter((name) => name !== 'externalToken');
  const list = (names: readonly string[]) => names.join(', ');
  return [
    httpsCheck(address, 'URL', 'The spec requires HTTPS.'),
    check(
      'present',
      missing.length === 0,
      missing.length === 0
        ? `${wanted.length} of ${wanted.length} parameters present`
        : `${wanted.length - missing.length} of ${wanted.length} parameters present; missing: ${list(missing)}`,
    ),
    check('equal', unequal.length === 0, unequal.length === 0 ? 'Equal to the request' : `Not as requested: ${list(unequal)}`),
    check(
      'form',
      malformed.length === 0,
      malformed.length === 0 ? 'Lengths and forms as documented' : `Not in the documented form: ${list(malformed)}`,
    ),
    check(
      'unexpected',
      unexpected.length === 0,
      unexpected.length === 0 ? 'No unexpected parameters' : `Not documented: ${list(unexpected)}`,
    ),
    ...tokenCheck(address, mode),
    encodingCheck(address),
  ];
}

/** Checks that the token is present in real mode and absent in fun mode; returns no check for other modes. */
function tokenCheck({ parameters }: Address, mode: string | null): AddressCheck[] {
  const values = parameters.filter(({ name }) => name === 'externalToken').map(({ value }) => value);
  if (mode === 'fun') {
    const none = values.length === 0;
    return [check('token', none, none ? 'No token in fun mode' : 'externalToken is present in fun mode')];
  }
  if (mode !== 'real') return [];
  const present = values.some((value) => value !== '');
  return [check('token', present, present ? 'Token present in real mode' : 'externalToken is missing in real mode')];
}

/** Checks that a URL is https; `whose` is the sentence that says who requires it. */
function httpsCheck({ scheme, hasCredentials }: Address, what: string, whose: string): AddressCheck {
  if (hasCredentials) {
    const message = `The ${what} contains a user name or password. Croupier doesn't open such a ${what}; the spec doesn't mention them.`;
    return check('https', false, message);
  }
  return check('https', scheme === 'https', scheme === 'https' ? 'https' : `The ${what} is ${scheme}. ${whose}`);
}

/** Checks that the parameters of a URL are percent-encoded. */
export function encodingCheck({ parameters }: Address): AddressCheck {
  const wrong = parameters.filter(({ wellEncoded }) => !wellEncoded).map(({ name }) => name);
  return check(
    'encoding',
    wrong.length === 0,
    wrong.length === 0 ? 'Values are encoded' : `Not percent-encoded (RFC 3986): ${wrong.join(', ')}`,
  );
}

function check(rule: string, passed: boolean, message: string): AddressCheck {
  return { rule, passed, message };
}
