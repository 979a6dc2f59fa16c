import { setImmediate } from 'node:timers/promises';
import { isSecretField } from '#shared/secrets/secret-names.ts';
import { markFor, marksIn, maskedText } from '#shared/provider/tokens.ts';
import { aroundItems, itemsMark } from '../formats/write/call-writer.ts';
import { harHeaders, harQuery, harTime } from '../formats/write/har-parts.ts';
import type { NetworkLog, NetworkRequest } from '../launches/network-log.ts';
import { createLaunchTexts } from '../masking/launch-texts.ts';
import { createTokenLearner } from '../masking/token-mask.ts';

export interface HarOptions {
  readonly creator: { readonly name: string; readonly version: string };
  /** The engine that showed the game, as `Chromium 140.0.7339.41, Electron 38.1.0`; null if it is not known. */
  readonly engine: string | null;
  /** Session tokens of the launch. */
  readonly secrets: readonly string[];
  readonly isToken: (name: string) => boolean;
}

const missing =
  'Not recorded: bodies and their sizes, messages of WebSockets, protocol versions, addresses of servers and times below those of request and response.';

/** Number of requests that are written without a pause: some milliseconds. */
const block = 100;

/** Returns the network log of a page as HAR 1.2. Its comment says what is not there. */
export async function networkHar(log: Pick<NetworkLog, 'requests' | 'left'>, options: HarOptions): Promise<string> {
  const clean = cleanerOf(log.requests, options);
  const left = log.left === 0 ? '' : ` ${log.left.toLocaleString('en')} later requests were left out because the log was full.`;
  const [, name, version] = /^(\S+) ([^,]+)/.exec(options.engine ?? '') ?? [];
  const entries: string[] = [];
  const headers = new Set(log.requests.flatMap(headersOf).filter(isSecretField));
  for (const request of log.requests) {
    const entry = JSON.stringify(entryOf(request, clean));
    entries.push(entry);
    if (entries.length % block === 0) await setImmediate();
  }
  const whole = headers.size === 0 ? '' : ` The whole value is masked of ${[...headers].sort().join(', ')}.`;
  const [head, tail] = aroundItems({
    log: {
      version: '1.2',
      creator: options.creator,
      ...(name === undefined ? {} : { browser: { name, version } }),
      entries: [itemsMark],
      comment: `${missing} ${maskedText(marksIn(entries))}${whole}${left}`,
    },
  });
  return `${head}${entries.join(',\n')}${tail}`;
}

function headersOf({ sent, response }: NetworkRequest): string[] {
  return [...(sent ?? []), ...(response?.headers ?? [])].map(([name]) => name);
}

/** Masks a text; each text once, because headers repeat. */
function cleanerOf(requests: readonly NetworkRequest[], { secrets, isToken }: HarOptions): (text: string) => string {
  const learner = createTokenLearner(isToken);
  for (const { url, end } of requests) {
    learner.learn(url);
    learner.learn(end?.redirectURL ?? '');
  }
  const mask = learner.mask();
  const launch = createLaunchTexts(secrets);
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const masked = launch.clean(mask.text(text));
    known.set(text, masked);
    return masked;
  };
}

function entryOf(request: NetworkRequest, clean: (text: string) => string) {
  const { startedAt, method, url, resourceType, sent, response, end } = request;
  const headers = (given: NetworkRequest['sent']) =>
    harHeaders(
      (given ?? []).map(([name, value]): [string, string] => [name, isSecretField(name) ? markFor(name) : value]),
      clean,
    );
  const remarks = [
    sent === null ? 'Its headers were not seen.' : '',
    end === null ? 'It was under way when the log was saved.' : '',
    end?.error === 'net::ERR_BLOCKED_BY_CLIENT' ? 'Croupier blocked it.' : '',
    end?.fromCache === true ? 'Read from the cache.' : '',
  ].filter((text) => text !== '');
  const wait = since(startedAt, response?.at ?? end?.at);
  const receive = since(response?.at ?? startedAt, response === null ? undefined : end?.at);
  const header = (name: string) => response?.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: harTime(wait + receive),
    request: {
      method,
      url: clean(url),
      httpVersion: 'unknown',
      cookies: [],
      headers: headers(sent),
      // Each value is cleaned with its name: alone, it would not look like a token.
      queryString: harQuery(clean(url), (value) => value),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusLine.split(' ').slice(2).join(' ') ?? '',
      httpVersion: 'unknown',
      cookies: [],
      headers: headers(response?.headers ?? null),
      content: { size: -1, mimeType: header('content-type') === '' ? 'x-unknown' : header('content-type') },
      redirectURL: clean(end?.redirectURL ?? ''),
      headersSize: -1,
      bodySize: -1,
      ...(end?.error === null || end === null ? {} : { _error: end.error }),
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait, receive, ssl: -1 },
    _resourceType: resourceType,
    ...(remarks.length === 0 ? {} : { comment: remarks.join(' ') }),
  };
}

function since(from: number, to: number | undefined): number {
  return to === undefined ? 0 : harTime(Math.max(0, to - from));
}
