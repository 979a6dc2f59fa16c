import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxPlayer, SandboxSamples, SandboxVerdict } from '#shared/ipc/index.ts';
import { printReason, reasonHeader, type ProviderReason } from '#shared/explanation/provider-reason.ts';
import { withTexts } from '#shared/ipc/verdict-texts.ts';
import type { Exclusively } from './certificate.ts';
import { type Judgement, messageOf } from './codes.ts';
import { createFreeRoundBook } from './free-rounds.ts';
import { createGamePages, type Page } from './game-pages.ts';
import { createGameServer } from './game-server.ts';
import { createHashCheck } from './hash-check.ts';
import type { HashMode } from './hash-comparison.ts';
import { createLedger } from './ledger.ts';
import { type Handler, listen, type Listening } from './listener.ts';
import { printAmount } from './money.ts';
import { phpDecode, phpEncode, textOf } from './php-json.ts';
import { readBody } from './request-body.ts';
import { keepCertificate } from './renewal.ts';
import { createRoundBook } from './rounds.ts';
import { samplesFor } from './samples.ts';
import { createActions } from './service-actions.ts';
import { createServiceApi, type OpenActionNames, rejected as serviceRejected } from './service-api.ts';
import { addStartStock } from './start-stock.ts';
import { createWalletApi, rejected as walletRejected, walletPaths } from './wallet-api.ts';

export interface SandboxOptions {
  /** The key the provider checks hashes with. */
  readonly privateKey: string;
  readonly platform: number;
  readonly partnerId: number;
  /** Directory that keeps its certificate. */
  readonly directory: string;
  /** Ensures that only one process of a home makes its certificate. */
  readonly exclusively: Exclusively;
  /** 0 for any free one. */
  readonly port: number;
  readonly onVerdict: (verdict: SandboxVerdict) => void;
  /** Called with the authority (PEM) of each new certificate. */
  readonly onRenewed?: (ca: string) => void;
  /** Called once with the reason why there is no new certificate. */
  readonly onFault?: (error: unknown) => void;
  /** Hashed form of `data`: decoded and encoded again (default), or its text as received. */
  readonly mode?: HashMode;
  /** Names for the two actions whose names the spec does not show, read at each request; without one, the action does not exist. */
  readonly actions?: () => OpenActionNames;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** From 0 up to but not including 1; decides where the demo game's reels stop. */
  readonly random?: () => number;
}

export interface RunningSandbox {
  /** `https://localhost:<port>`: serves both /serviceApi.php and the wallet methods. */
  readonly baseUrl: string;
  /** PEM of the present certificate's authority, made for this machine. */
  readonly ca: string;
  readonly caFile: string;
  /** PEM of its certificate, for clients that pin that instead of the authority. */
  readonly certificate: string;
  /** Checks whether the certificate must be replaced: null if not, otherwise resolves after that. Never fails. */
  renew(): Promise<void> | null;
  players(): SandboxPlayer[];
  /** Returns values with which each operation succeeds now, for this player, or for the first one if it is unknown. */
  samples(playerId: string): SandboxSamples;
  close(): Promise<void>;
}

const maxBodyBytes = 4 * 1_024 * 1_024;
/** Most requests whose body is being read; a further one gets HTTP 503. */
const maxInFlight = 256;
const servicePath = '/serviceApi.php';
/** Path outside the API, on which another program of the same home, which has the key, reads players and samples. Never logged as a call. */
const statePath = '/croupier/state';

/** Starts the built-in provider on loopback, over HTTPS, with all its data in memory. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const now = options.now ?? Date.now;
  let servers: Listening | null = null;
  const certificate = await keepCertificate({
    ...options,
    now,
    onRenewed({ key, cert, ca }) {
      servers?.present({ key, cert });
      options.onRenewed?.(ca);
    },
    onFault: options.onFault ?? (() => undefined),
  });
  let baseUrl = '';
  const rounds = createRoundBook({ now, secret: randomBytes(32) });
  const freeRounds = createFreeRoundBook({ now });
  const ledger = createLedger({ rounds, newToken: randomUUID });
  const world = { rounds, freeRounds, ledger };
  addStartStock({ ...world, now });
  const hashCheck = createHashCheck(options.privateKey, options.mode ?? 'reencode');
  const serviceApi = createServiceApi({
    platform: options.platform,
    partnerId: options.partnerId,
    hashCheck,
    actions: createActions({ ...options, ...world, baseUrl: () => baseUrl }),
    names: options.actions ?? (() => ({})),
  });
  const walletApi = createWalletApi(ledger);
  const report = createReporter(options.privateKey, options.onVerdict, now);
  const gameServer = createGameServer({
    ...options,
    ...world,
    random: options.random ?? (() => randomInt(2 ** 32) / 2 ** 32),
    callWallet(path, body) {
      const bodyText = phpEncode(body) ?? '';
      const judged = walletApi(path, bodyText) ?? walletRejected('There is no such method.');
      report(path, judged, bodyText, null);
      return judged;
    },
  });
  const pages = createGamePages({ rounds });

  function players(): SandboxPlayer[] {
    return ledger.players().map((player) => ({
      playerId: player.playerId,
      externalToken: player.token,
      currency: player.currency.code,
      country: player.country,
      balance: Number(printAmount(player.balance, player.currency.digits)),
    }));
  }

  function answerState(text: string | null): Page {
    const decoded = phpDecode(text ?? '');
    const question = decoded.ok && decoded.value instanceof Map ? decoded.value : null;
    const [time, hash] = [question?.get('time'), question?.get('hash')];
    const isOurs = typeof time === 'string' && hashCheck.judge({ time, dataText: null, data: undefined, hash }).ok;
    if (!isOurs) return jsonPage(403, '{"problem":"hash"}');
    const samples = samplesFor(textOf(question?.get('playerId')), world);
    return jsonPage(200, JSON.stringify({ players: players(), samples }));
  }

  /** Answers a POST whose body arrived whole. */
  function answerPost(path: string, { headers, rawHeaders }: IncomingMessage, body: Uint8Array): Page {
    const isJson = /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
    const text = decodeUtf8(body);
    if (path.startsWith('/game-api/')) {
      const answer = isJson && text !== null ? gameServer(path, text) : null;
      return answer ? jsonPage(answer.status, answer.body) : jsonPage(404, '{"problem":"request"}');
    }
    if (path === statePath) return answerState(isJson ? text : null);
    const reject = path === servicePath ? serviceRejectedAs : walletRejected;
    let judged: Judgement | null;
    if (!isJson) judged = withStatus(415, reject('Content-Type must be application/json.'));
    else if (text === null) judged = reject('The body is not UTF-8.');
    else judged = path === servicePath ? serviceApi(text) : walletApi(path, text);
    judged ??= withStatus(404, walletRejected(`There is no ${path}.`));
    return judgedPage(judged, report(path, judged, text ?? Buffer.from(body).toString('latin1'), headerPairs(rawHeaders)));
  }

  function refusePost(path: string, { rawHeaders }: IncomingMessage, status: number, why: string): Page {
    const judged = withStatus(status, path === servicePath ? serviceRejectedAs(why) : walletRejected(why));
    return judgedPage(judged, report(path, judged, '', headerPairs(rawHeaders)));
  }

  let inFlight = 0;
  const handle: Handler = (request, response) => {
    const path = pathOf(request.url ?? '/');
    const host = request.headers.host ?? '';
    // Refuses a page that reached this port under another name (DNS rebinding).
    if (!/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)) {
      send(request, response, { status: 421, headers: textHeaders, body: 'This provider answers to localhost only.\n' });
      return;
    }
    if (request.method !== 'POST') {
      const isCall = path === servicePath || walletPaths.has(path);
      if (!isCall && (request.method === 'GET' || request.method === 'HEAD'))
        send(
          request,
          response,
          safely(() => pages(path, queryOf(request.url))),
        );
      else
        send(request, response, {
          ...refusePost(path, request, 405, `The method is ${request.method ?? '?'}; only POST is accepted.`),
        });
      return;
    }
    if (inFlight >= maxInFlight) {
      send(request, response, refusePost(path, request, 503, `More than ${maxInFlight} requests are being read at once.`));
      return;
    }
    inFlight += 1;
    readBody(request, maxBodyBytes, (body) => {
      inFlight -= 1;
      if (body === 'broken') return;
      if (body === 'too large') {
        response.setHeader('connection', 'close');
        send(request, response, refusePost(path, request, 413, `The body is larger than ${maxBodyBytes} bytes.`));
        return;
      }
      send(
        request,
        response,
        safely(() => answerPost(path, request, body)),
      );
    });
  };

  const { key, cert } = certificate.current;
  const listening = await listen(options.port, { key, cert, renew: certificate.renew }, handle).catch((error: unknown) => {
    certificate.close();
    throw error;
  });
  servers = listening;
  baseUrl = `https://localhost:${listening.port}`;
  return {
    baseUrl,
    get ca() {
      return certificate.current.ca;
    },
    caFile: certificate.current.caFile,
    get certificate() {
      return certificate.current.cert;
    },
    renew: certificate.renew,
    players,
    samples: (playerId) => samplesFor(playerId, world),
    close() {
      certificate.close();
      return listening.close();
    },
  };
}

/**
 * Reports a verdict to the host and returns it as reported. Never passes the private key on, even if a request carries it
 * in clear.
 */
function createReporter(privateKey: string, onVerdict: SandboxOptions['onVerdict'], now: () => number) {
  // A very short key occurs in any text by chance.
  const hidden = privateKey.length >= 6 ? privateKey : null;
  return (
    path: string,
    { action, verdict }: Judgement,
    bodyText: string,
    headers: [string, string][] | null,
  ): SandboxVerdict['verdict'] => {
    const told = { time: new Date(now()).toISOString(), path, action, verdict: { ...verdict }, bodyText, headers };
    const leaked = hidden !== null && [path, bodyText, ...(headers ?? []).flat()].some((text) => text.includes(hidden));
    if (!leaked) {
      onVerdict(told);
      return told.verdict;
    }
    const clean = withTexts(told, (text) => text.replaceAll(hidden, '<PRIVATE_KEY>'));
    const warned = (text: string) => `${text} The request carries the private key, which must never be sent.`.trim();
    const cleaned = { ...clean.verdict, why: warned(clean.verdict.why), reason: warned(clean.verdict.reason) };
    onVerdict({ ...clean, verdict: cleaned });
    return cleaned;
  };
}

/** Headers with names in lower case, in the order received. */
function headerPairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [(raw[2 * at] ?? '').toLowerCase(), raw[2 * at + 1] ?? '']);
}

function serviceRejectedAs(why: string): Judgement {
  return serviceRejected(9, 400, null, why);
}

function withStatus(status: number, judged: Judgement): Judgement {
  return { ...judged, status };
}

/** Runs the work and turns a fault of the provider into a response, so that it never ends Croupier. */
function safely(answer: () => Page): Page {
  try {
    return answer();
  } catch {
    const page = jsonPage(500, phpEncode({ code: 9, message: messageOf(9), data: null }) ?? '');
    const why = 'The built-in provider failed: this is a fault of Croupier.';
    return withReason(page, { why, standsIn: true, byte: null, isReason: false, mistake: false });
  }
}

/** Returns the response to a judged request, with the reason in its header if the code does not say everything. */
function judgedPage({ status, body }: Judgement, { reason, standsIn, difference, mistake }: SandboxVerdict['verdict']): Page {
  const page = jsonPage(status, body);
  if (reason === '') return page;
  const { byte = null, isReason = false } = difference ?? {};
  return withReason(page, { why: reason, standsIn, byte, isReason, mistake: typeof mistake === 'string' });
}

function withReason(page: Page, reason: ProviderReason): Page {
  return { ...page, headers: { ...page.headers, [reasonHeader]: printReason(reason) } };
}

const textHeaders = { 'content-type': 'text/plain; charset=utf-8' };
const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' };

function jsonPage(status: number, body: string): Page {
  return { status, headers: jsonHeaders, body };
}

function send(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const body = Buffer.from(page.body);
  response.writeHead(page.status, {
    ...page.headers,
    'content-length': body.length,
    ...(page.status === 405 ? { allow: 'POST' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function queryOf(url = ''): URLSearchParams {
  const query = url.indexOf('?');
  return new URLSearchParams(query === -1 ? '' : url.slice(query + 1));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
