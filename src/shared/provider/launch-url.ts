import { parseJson, type JsonNode } from '../json/parse.ts';
import { launchParameters } from './operations-launch.ts';
import { isTokenName, markFor } from './tokens.ts';
import type { LaunchParameterRow } from '../model/launch-address.ts';
import type { AddressCheck } from '../model/launch-address.ts';

/** A launch URL beside the request that it answers (spec, Launcher result and Game launch URL parameters). */
export interface LaunchUrlCheck {
  /** The URL as it came. It may carry a session token: it goes to the game's view and nowhere else. */
  readonly url: string;
  /** The documented parameters in the spec's order, then those that are not documented. Tokens are masked. */
  readonly parameters: readonly LaunchParameterRow[];
  readonly checks: readonly AddressCheck[];
}

/** What was asked for, by the name of the parameter; null where the request did not say. */
export type LaunchRequested = (name: string) => string | null;

/** An http(s) address in its parts; values are decoded as a form's are. */
export interface Address {
  readonly scheme: string;
  readonly hasCredentials: boolean;
  readonly host: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly value: string; readonly wellEncoded: boolean }[];
}

/** What the launch URL has to carry (spec, Launcher result). */
const carried: readonly string[] = ['partnerId', 'gameId', 'gameMode', 'lang', 'platform', 'externalToken', 'exitURL'];

/** Compares the launch URL of an answer with the request's body as it was sent; null where the answer has none. */
export function checkLaunchAnswer(requestBody: string, responseBody: string): LaunchUrlCheck | null {
  const url = textAt(rootOf(responseBody), ['data', 'launcherURL']);
  if (url === null) return null;
  const request = rootOf(requestBody);
  return checkLaunchUrl(url, (name) => textAt(request, [name]) ?? textAt(request, ['data', name]));
}

/** Compares a launch URL with what was asked for: every parameter present once and equal, none unexpected, the token in real mode alone. */
export function checkLaunchUrl(url: string, requested: LaunchRequested): LaunchUrlCheck {
  const address = readAddress(url);
  if (address === null) {
    return { url, parameters: [], checks: [check('address', false, 'The launch URL is not a web address.')] };
  }
  const mode = requested('gameMode');
  const names = [
    ...launchParameters.map(({ name }) => name),
    ...new Set(
      address.parameters.map(({ name }) => name).filter((name) => !launchParameters.some((known) => known.name === name)),
    ),
  ];
  const parameters = names.flatMap((name) => rowOf(name, address, requested, mode) ?? []);
  return { url, parameters, checks: checksOf(address, parameters, mode) };
}

/** Checks the replay link of a round: a query with replayToken, tableM and lang (spec, Round replay record), and https by custom. */
export function checkReplayLink(link: string): readonly AddressCheck[] {
  const address = readAddress(link);
  if (address === null) return [check('address', false, 'The replay link is not a web address.')];
  return [
    httpsCheck(address, 'link', 'HTTPS is customary; the spec does not say it of this link.'),
    ...['replayToken', 'tableM', 'lang'].map((name) => {
      const values = address.parameters.filter((parameter) => parameter.name === name);
      const [first] = values;
      if (values.length > 1) return check(name, false, `${name} is there ${values.length} times.`);
      if (first === undefined) return check(name, false, `${name} is missing.`);
      return check(name, first.value !== '', first.value === '' ? `${name} is empty.` : `${name} is present.`);
    }),
    encodingCheck(address),
  ];
}

/** The parts of an http(s) address; null for any other text. Reads what a browser would also read, and nothing that it would repair. */
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

/** The text of a string, or the digits of a number, at a path of members; null where there is none. */
export function textAt(root: JsonNode | null, path: readonly string[]): string | null {
  const node = nodeAt(root, path);
  if (node === null) return null;
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' ? node.text : null;
}

/** The node at a path of members. Of members with one name the last counts, as in PHP and JavaScript. */
export function nodeAt(root: JsonNode | null, path: readonly string[]): JsonNode | null {
  let node = root;
  for (const name of path) {
    if (node?.kind !== 'object') return null;
    node = node.members.findLast((member) => member.key === name)?.value ?? null;
  }
  return node;
}

function rootOf(text: string): JsonNode | null {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.root : null;
}

function readParameter(part: string): Address['parameters'][number] {
  const equals = part.indexOf('=');
  const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  const [decodedName, decodedValue] = [decode(name), decode(value)];
  // A space, a quote or a character outside ASCII has to be encoded; some clients drop what follows it.
  const clean = /^[\x21\x23-\x3b\x3d\x3f-\x7e]*$/.test(part);
  return {
    name: decodedName ?? name,
    value: decodedValue ?? value,
    wellEncoded: clean && decodedName !== null && decodedValue !== null,
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function rowOf(name: string, address: Address, requested: LaunchRequested, mode: string | null): LaunchParameterRow | null {
  const values = address.parameters.filter((parameter) => parameter.name === name).map(({ value }) => value);
  const [returned = null] = values;
  const isCarried = carried.includes(name);
  const known = launchParameters.some((parameter) => parameter.name === name);
  if (!known) return row(name, 'unexpected', null, values.join(', '));
  const wanted = requested(name);
  if (values.length > 1) return row(name, 'duplicated', wanted, values.join(', '));
  if (name === 'externalToken' && mode === 'fun') return returned === null ? null : row(name, 'unexpected', wanted, returned);
  if (returned === null) {
    if (!isCarried || wanted === null) return null;
    const absent = wanted === '' && name !== 'externalToken';
    return row(name, absent ? 'equal' : 'missing', wanted, null);
  }
  if (wanted !== returned) return row(name, 'different', wanted, returned);
  return row(name, hasForm(name, returned) ? 'equal' : 'malformed', wanted, returned);
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

function hasForm(name: string, value: string): boolean {
  const parameter = launchParameters.find((candidate) => candidate.name === name);
  if (parameter === undefined) return true;
  if (parameter.type === 'number' && !/^-?\d+$/.test(value)) return false;
  if (parameter.values !== undefined && !parameter.values.includes(value)) return false;
  const length = Array.from(value).length;
  if (parameter.exactLength !== undefined && length !== parameter.exactLength) return false;
  return parameter.maxLength === undefined || length <= parameter.maxLength;
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
    httpsCheck(address, 'URL', 'The spec: all communication uses HTTPS.'),
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
      malformed.length === 0 ? 'Lengths and forms as documented' : `Not of the documented form: ${list(malformed)}`,
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

/** The spec has a token in real mode and none in fun mode; of a request with another mode, or none, it says nothing. */
function tokenCheck({ parameters }: Address, mode: string | null): AddressCheck[] {
  const values = parameters.filter(({ name }) => name === 'externalToken').map(({ value }) => value);
  if (mode === 'fun') {
    const none = values.length === 0;
    return [check('token', none, none ? 'No token in fun mode' : 'externalToken is there in fun mode')];
  }
  if (mode !== 'real') return [];
  const present = values.some((value) => value !== '');
  return [check('token', present, present ? 'The token is there in real mode' : 'externalToken is missing in real mode')];
}

/** `whose` says where it comes from that an address should be https. */
function httpsCheck({ scheme, hasCredentials }: Address, what: string, whose: string): AddressCheck {
  if (hasCredentials) {
    const message = `The ${what} holds a user name or a password. Croupier does not open such a ${what}; the spec does not speak of it.`;
    return check('https', false, message);
  }
  return check('https', scheme === 'https', scheme === 'https' ? 'https' : `The ${what} is ${scheme}. ${whose}`);
}

function encodingCheck({ parameters }: Address): AddressCheck {
  const wrong = parameters.filter(({ wellEncoded }) => !wellEncoded).map(({ name }) => name);
  return check(
    'encoding',
    wrong.length === 0,
    wrong.length === 0 ? 'Values are encoded' : `Not percent-encoded as RFC 3986 asks: ${wrong.join(', ')}`,
  );
}

function check(rule: string, passed: boolean, message: string): AddressCheck {
  return { rule, passed, message };
}
