import { AppError } from '#shared/errors.ts';
import type { Call } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import { addressKind, addressKindWords, allowWords } from '#shared/network/address-kind.ts';
import { compareLaunchResponse, checkReplayLink, textAt } from '#shared/provider/launcher-url.ts';
import { maskUrlTokens } from '#shared/provider/tokens.ts';
import { longestAddress, readJsonBody, refusalOf } from '../calls/call-response.ts';
import { excessOf, responseSubject, unreadAdvice } from '../untrusted/measure.ts';
import type { StoredLaunch } from './store.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'launch.read': typeof readLaunchJob;
  }
}

/** A launch as a call of the history brought it. */
export interface ReadLaunch {
  /** May carry a session token: for the game's view alone. Null without a URL. */
  readonly url: string | null;
  /** The session tokens in the request and the URL. */
  readonly secrets: readonly string[];
  readonly shown: Pick<
    StoredLaunch,
    | 'source'
    | 'gameId'
    | 'gameMode'
    | 'lang'
    | 'playerId'
    | 'country'
    | 'ip'
    | 'exitURL'
    | 'url'
    | 'origin'
    | 'parameters'
    | 'checks'
    | 'problem'
  >;
}

/**
 * Reads a call of getLauncherURL or roundReplayInfo; what `isOwn` takes may be opened although it is local. Fails with `invalid_input`.
 */
function readLaunch(call: Call, body: Uint8Array | null, isOwn: IsOwn): ReadLaunch {
  if (call.operation !== 'getLauncherURL' && call.operation !== 'roundReplayInfo') {
    throw new AppError(
      'invalid_input',
      `Only getLauncherURL and roundReplayInfo calls can be launched. Call ${call.id} is ${call.operation ?? 'another request'}.`,
    );
  }
  const refused = refusalOf(call) ?? (body === null ? null : excessOf(body, responseSubject, unreadAdvice));
  const decoded = body === null || refused !== null ? null : decodeUtf8(body);
  const text = decoded?.ok === true ? decoded.text : '';
  return call.operation === 'getLauncherURL' ? readGame(call, text, refused, isOwn) : readReplay(text, refused, isOwn);
}

function readGame(call: Call, body: string, refused: string | null, isOwn: IsOwn): ReadLaunch {
  const sent = parseJson(call.request.bodyText);
  const field = (name: string) => (sent.ok ? (textAt(sent.root, ['data', name]) ?? '') : '');
  const mode = field('gameMode');
  const came = compareLaunchResponse(call.request.bodyText, body);
  const check = isTooLong(came?.url) ? null : came;
  const url = check?.url ?? null;
  return {
    url,
    secrets: tokensOf(field('externalToken'), url),
    shown: {
      source: 'launcher',
      gameId: field('gameId'),
      gameMode: mode === 'fun' || mode === 'real' ? mode : null,
      lang: field('lang'),
      playerId: field('playerId'),
      country: field('country'),
      ip: field('ip'),
      exitURL: field('exitURL'),
      ...addressOf(url),
      parameters: [...(check?.parameters ?? [])],
      checks: [...(check?.checks ?? [])],
      problem: refused ?? problemOf(url, isTooLong(came?.url) ? tooLongWords : 'The response has no launcherURL.', isOwn),
    },
  };
}

function readReplay(body: string, refused: string | null, isOwn: IsOwn): ReadLaunch {
  const came = textAt(readJsonBody(Buffer.from(body)), ['data', 'replayLink']);
  const url = isTooLong(came) ? null : came;
  return {
    url,
    secrets: tokensOf('', url),
    shown: {
      source: 'replay',
      gameId: '',
      gameMode: null,
      lang: '',
      playerId: '',
      country: '',
      ip: '',
      exitURL: '',
      ...addressOf(url),
      parameters: [],
      checks: url === null ? [] : [...checkReplayLink(url)],
      problem: refused ?? problemOf(url, isTooLong(came) ? tooLongWords : 'The response has no replayLink.', isOwn),
    },
  };
}

const tooLongWords = `The returned URL is longer than ${longestAddress.toLocaleString('en')} characters, so Croupier doesn't open it.`;

function isTooLong(address: string | null | undefined): boolean {
  return (address?.length ?? 0) > longestAddress;
}

function addressOf(url: string | null): { url: string | null; origin: string | null } {
  return { url: url === null ? null : maskUrlTokens(url), origin: url === null ? null : (URL.parse(url)?.origin ?? null) };
}

/** Returns why a URL is not opened; null if it may be. A name that leads to a local address shows only when it is opened. */
function problemOf(address: string | null, missing: string, isOwn: IsOwn): string | null {
  if (address === null) return missing;
  const url = URL.parse(address);
  if (url === null) return "The returned URL can't be parsed.";
  if (url.protocol !== 'https:') return `The returned URL starts with ${url.protocol.slice(0, 40)}. Croupier opens only https.`;
  if (url.username !== '' || url.password !== '')
    return "The returned URL contains a user name or password, so Croupier doesn't open it.";
  if (isOwn(url)) return null;
  const kind = addressKind(url.hostname);
  return kind === 'public' || kind === 'name'
    ? null
    : `${url.hostname} is ${addressKindWords[kind]}. Croupier doesn't open game pages there.${allowWords(url.hostname, kind)}`;
}

function tokensOf(sent: string, address: string | null): string[] {
  const url = address === null ? null : URL.parse(address);
  const inUrl = [...(url?.searchParams ?? [])].filter(([name]) => /token/i.test(name)).map(([, value]) => value);
  return [...new Set([sent, ...inUrl])].filter((token) => token !== '');
}

type IsOwn = (url: URL) => boolean;

/** Input for reading a launch in a thread. */
export interface LaunchSource {
  readonly call: Call;
  readonly body: Uint8Array | null;
  readonly ownOrigin: string | null;
  /** Hosts that may lead to a private address. */
  readonly privateHosts: readonly string[];
}

export function readLaunchJob({ call, body, ownOrigin, privateHosts }: LaunchSource): ReadLaunch {
  return readLaunch(call, body, (url) => url.origin === ownOrigin || privateHosts.includes(url.hostname));
}
