import type { Answers } from '#shared/provider/index.ts';
import { isSecretField } from '#shared/secrets/secret-names.ts';
import { isTokenName, markFor, marksIn, maskedText } from '#shared/provider/tokens.ts';
import { harHeaders, harQuery, harTime } from '../formats/write/har-parts.ts';
import type { NetworkLog, NetworkRequest } from '../launches/network-log.ts';
import { createLaunchTexts } from '../masking/launch-texts.ts';
import { createTokenLearner } from '../masking/token-mask.ts';
import { aroundItems, itemsMark } from '../formats/write/recorded-call.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'launch.network': typeof networkHar;
  }
}

/** A network log that is to be written, as plain data: a thread may do it. */
export interface HarSource extends Pick<NetworkLog, 'requests' | 'left'> {
  readonly creator: { readonly name: string; readonly version: string };
  /** The engine that showed the game, as `Chromium 140.0.7339.41, Electron 38.1.0`; null if it is not known. */
  readonly engine: string | null;
  /** Session tokens of the launch. */
  readonly secrets: readonly string[];
  /** The environment's recorded answers: they name tokens. */
  readonly answers: Answers;
}

const missing =
  'Not recorded: bodies and their sizes, WebSocket messages, protocol versions, server addresses, and timings finer than request and response.';

/** Returns the network log of a page as HAR 1.2. Its comment says what is not there. */
export function networkHar(source: HarSource): string {
  const { requests, creator } = source;
  const clean = cleanerOf(source);
  const left =
    source.left === 0 ? '' : ` ${source.left.toLocaleString('en')} later requests were left out because the log was full.`;
  const [, name, version] = /^(\S+) ([^,]+)/.exec(source.engine ?? '') ?? [];
  const headers = new Set(requests.flatMap(headersOf).filter(isSecretField));
  const entries = requests.map((request) => JSON.stringify(entryOf(request, clean)));
  const whole = headers.size === 0 ? '' : ` Values of ${[...headers].sort().join(', ')} are masked whole.`;
  const [head, tail] = aroundItems({
    log: {
      version: '1.2',
      creator,
      ...(name === undefined ? {} : { browser: { name, version } }),
      entries: [itemsMark],
      comment: `${missing} ${maskedText(marksIn(entries))}${whole}${left}`,
    },
  });
  return `${head}${entries.join(',\n')}${tail}`;
}

/** Returns the UTF-16 units of the URLs and headers of requests. */
export function sizeOf(requests: readonly NetworkRequest[]): number {
  const headers = ({ sent, response }: NetworkRequest) => [...(sent ?? []), ...(response?.headers ?? [])].flat();
  return requests.reduce((sum, one) => headers(one).reduce((size, text) => size + text.length, sum + one.url.length), 0);
}

function headersOf({ sent, response }: NetworkRequest): string[] {
  return [...(sent ?? []), ...(response?.headers ?? [])].map(([name]) => name);
}

/** Masks a text; each text once, because headers repeat. */
function cleanerOf({ requests, secrets, answers }: HarSource): (text: string) => string {
  const learner = createTokenLearner((name) => isTokenName(name, answers));
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
    end === null ? 'Still under way when the log was saved.' : '',
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
