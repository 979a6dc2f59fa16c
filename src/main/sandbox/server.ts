import { withTexts } from '#shared/ipc/verdict-texts.ts';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SandboxPlayer, SandboxSamples, SandboxVerdict } from '#shared/ipc/index.ts';
import { printReason, reasonHeader, type ProviderReason } from '#shared/explanation/provider-reason.ts';
import type { Exclusively } from './certificate.ts';
import { type Judgement, messageOf } from './codes.ts';
import { createControl } from './control/control.ts';
import { openEntrance, type Entrance } from './entrance.ts';
import { createFaults, nothingMet, type Fault } from '#shared/provider/faults-on-demand.ts';
import { createGamePages, type Page } from './game-pages.ts';
import { createGameServer } from './game-server.ts';
import { type Choices, usualChoices } from './choices.ts';
import { createHashJudge } from './hash-judge.ts';
import { byRequest } from './listener.ts';
import { printAmount } from './money.ts';
import { phpDecode, phpEncode, textOf } from './php-json.ts';
import { createMistakeSearches } from './mistake-search.ts';
import { createRequestHandler } from './request-handler.ts';
import { instead, isCut, operationOf, paceOf, withMet } from './on-demand.ts';
import { samplesFor } from './samples.ts';
import { createActions } from './service-actions.ts';
import { createServiceApi, type OpenActionNames, rejected as serviceRejected } from './service-api.ts';
import { whenThere, type Soon } from './soon.ts';
import { usualStart, withTokens, type StartWorld } from './start.ts';
import { createTimeRule } from './time-rule.ts';
import type { WalletFault } from './wallet-faults.ts';
import { createWalletApi, rejected as walletRejected, walletPaths } from './wallet-api.ts';
import { createWorld, type World, type WorldDeps } from './world.ts';

export interface SandboxOptions {
  /** The key by which the provider checks hashes. */
  readonly privateKey: string;
  readonly platform: number;
  readonly partnerId: number;
  /** A host name under which other machines reach it, too; absent for this machine alone. */
  readonly host?: string;
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
  /** Replaces usual choices about signing. */
  readonly choices?: Partial<Choices>;
  /** Names for the two actions whose names the spec does not show, read at each request; without one, the action does not exist. */
  readonly actions?: () => OpenActionNames;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Milliseconds for which the response to a wrong hash waits at most, until its mistake is found. */
  readonly explainMs?: number;
  /** Players and currencies of the start. */
  readonly start?: StartWorld;
  /** Creates the world as it was saved; absent to begin with that of the start. */
  readonly restore?: ((deps: WorldDeps) => World) | undefined;
  /** Keeps the world. Fails with `storage`. */
  readonly save?: ((world: World) => Promise<void>) | undefined;
  /** Faults that it begins with. */
  readonly faults?: readonly Omit<Fault, 'id'>[];
  /** Planted fault of its wallet. */
  readonly walletFault?: WalletFault | undefined;
  /** From 0 up to but not including 1; decides where the demo game's reels stop. */
  readonly random?: () => number;
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Shorter than any client waits for a response. */
const usualExplainMs = 2_000;

const servicePath = '/serviceApi.php';
/** Path outside the API, on which another program of the same home, which has the key, reads players and samples. Never logged as a call. */
const statePath = '/croupier/state';

/** Path of its certificate's authority, for clients on other machines. */
const authorityPath = '/croupier/ca.pem';

/** Starts the built-in provider, over HTTPS, with all its data in memory. */
export async function startSandbox(options: SandboxOptions) {
  const now = options.now ?? Date.now;
  let entrance: Entrance | null = null;
  const { host = 'localhost' } = options;
  const names = [...new Set(['localhost', host])];
  let baseUrl = '';
  /** URL for the games and pictures that a response names. */
  let publicUrl = '';
  const worldDeps = { now, newToken: randomUUID, secret: randomBytes(32), walletFault: options.walletFault };
  const start = withTokens(options.start ?? usualStart, randomUUID);
  const faults = createFaults(options.faults);
  const choices = { ...usualChoices, ...options.choices };
  const searches = createMistakeSearches(options.privateKey, { waitMs: options.explainMs ?? usualExplainMs });
  const hashJudge = createHashJudge(options.privateKey, choices, searches);
  const actionNames = options.actions ?? (() => ({}));
  const report = createReporter(options.privateKey, options.onVerdict, now);
  const timeRule = createTimeRule(choices, now);
  const { platform, partnerId } = options;
  let walletDelayMs = 0;

  /** Creates everything that answers from a world. */
  function over(world: World) {
    const actions = createActions({ ...options, ...world, baseUrl: () => publicUrl });
    const walletApi = createWalletApi(world.ledger);
    return {
      world,
      serviceApi: createServiceApi({ platform, partnerId, hashJudge, timeRule, choices, actions, names: actionNames }),
      walletApi,
      pages: createGamePages(world),
      gameServer: createGameServer({
        ...options,
        ...world,
        random: options.random ?? (() => randomInt(2 ** 32) / 2 ** 32),
        callWallet(path, body) {
          const bodyText = phpEncode(body) ?? '';
          const met = faults.meet(operationOf(path, bodyText, actionNames()));
          walletDelayMs += met.delayMs;
          const judged =
            instead(path, met) ?? withMet(walletApi(path, bodyText) ?? walletRejected('There is no such method.'), met);
          report(path, judged, bodyText, null);
          return { ...judged, isFault: met.effect !== null };
        },
      }),
    };
  }

  let current = over(options.restore?.(worldDeps) ?? createWorld(start, worldDeps));
  const save = async () => options.save?.(current.world);
  const control = createControl({
    baseUrl: () => baseUrl,
    platform,
    partnerId,
    faults,
    players: () => current.world.ledger.players(),
    reset() {
      current = over(createWorld(start, worldDeps));
    },
    save: options.save === undefined ? null : save,
  });

  function players(): SandboxPlayer[] {
    return current.world.ledger.players().map((player) => ({
      playerId: player.playerId,
      externalToken: player.token,
      currency: player.currency.code,
      country: player.country,
      balance: Number(printAmount(player.balance, player.currency.digits)),
    }));
  }

  function statePage(text: string | null): Page {
    const decoded = phpDecode(text ?? '');
    const question = decoded.ok && decoded.value instanceof Map ? decoded.value : null;
    const [time, hash] = [question?.get('time'), question?.get('hash')];
    const isOurs = typeof time === 'string' && hashJudge.isRight({ time, dataText: null, data: undefined, hash });
    if (!isOurs) return jsonPage(403, '{"problem":"hash"}');
    const samples = samplesFor(textOf(question?.get('playerId')), current.world);
    return jsonPage(200, JSON.stringify({ players: players(), samples }));
  }

  function postPage(path: string, request: IncomingMessage, body: Uint8Array): Soon<Page> {
    const { headers, rawHeaders, socket } = request;
    const isJson = /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
    const text = decodeUtf8(body);
    if (path.startsWith('/game-api/')) {
      walletDelayMs = 0;
      const page = isJson && text !== null ? current.gameServer(path, text) : null;
      if (page === null) return jsonPage(404, '{"problem":"request"}');
      return { ...page, headers: jsonHeaders, waitMs: (page.waitMs ?? 0) + walletDelayMs };
    }
    const controlled = control.post(path, headers, isJson ? text : null);
    if (controlled !== null) return controlled;
    if (path === statePath) return statePage(isJson ? text : null);
    const reject = path === servicePath ? serviceRejectedAs : walletRejected;
    const met = isCall(path) ? faults.meet(text === null ? null : operationOf(path, text, actionNames())) : nothingMet;
    const fault = instead(path, met);
    let judged: Soon<Judgement> | null;
    if (fault !== null) judged = fault;
    else if (!isJson) judged = withStatus(415, reject('Content-Type must be application/json.'));
    else if (text === null) judged = reject('The body is not UTF-8.');
    else judged = path === servicePath ? current.serviceApi(text, () => !socket.writable) : current.walletApi(path, text);
    judged ??= withStatus(404, walletRejected(`There is no ${path}.`));
    return whenThere(judged, (found) => {
      const told = found === fault ? found : withMet(found, met);
      const page = judgedPage(told, report(path, told, text ?? Buffer.from(body).toString('latin1'), headerPairs(rawHeaders)));
      return { ...page, waitMs: met.delayMs, isCut: isCut(met), ...paceOf(met) };
    });
  }

  function refusePost(path: string, { rawHeaders }: IncomingMessage, status: number, why: string): Page {
    const judged = withStatus(status, path === servicePath ? serviceRejectedAs(why) : walletRejected(why));
    return judgedPage(judged, report(path, judged, '', headerPairs(rawHeaders)));
  }

  const handle = createRequestHandler(
    {
      isCall,
      page: (path, query) =>
        path === authorityPath
          ? { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: entrance?.certificate.ca ?? '' }
          : safely(() => control.get(path) ?? current.pages(path, query)),
      post: (path, request, body) => safely(() => postPage(path, request, body)),
      refuse: refusePost,
      hold: (socket) => entrance?.hold(socket),
    },
    names,
  );
  const opened = await openEntrance(
    {
      ...options,
      name: 'built-in provider',
      names,
      now,
      reach: options.host === undefined ? 'loopback' : 'network',
      onRenewed: ({ ca }) => options.onRenewed?.(ca),
    },
    byRequest(handle),
  );
  entrance = opened;
  baseUrl = `https://localhost:${opened.port}`;
  publicUrl = `https://${host}:${opened.port}`;
  return {
    /** `https://localhost:<port>`: serves both /serviceApi.php and the wallet methods. */
    baseUrl,
    /** PEM of the present certificate's authority, made for this machine. */
    get ca(): string {
      return opened.certificate.ca;
    },
    caFile: opened.certificate.caFile,
    /** PEM of its certificate, for clients that pin that instead of the authority. */
    get certificate(): string {
      return opened.certificate.cert;
    },
    /** Checks whether the certificate must be replaced: null if not, otherwise resolves after that. Never fails. */
    renew: opened.renew,
    players,
    /** Returns the exact balances, in the order of `players`. */
    balances: () => current.world.ledger.players().map(({ balance, currency }) => printAmount(balance, currency.digits)),
    /** Returns values with which each operation succeeds now, for this player, or for the first one if it is unknown. */
    samples: (playerId: string): SandboxSamples => samplesFor(playerId, current.world),
    /** URL of the page that changes faults and state. Whoever knows it may use it. */
    controlUrl: `${baseUrl}${control.path}`,
    /** Keeps the world, if the provider was given a place for it. Fails with `storage`. */
    save,
    async close(): Promise<void> {
      await searches.close();
      await opened.close();
    },
  };
}

function isCall(path: string): boolean {
  return path === servicePath || walletPaths.has(path);
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
function safely(make: () => Soon<Page>): Soon<Page> {
  try {
    const page = make();
    return page instanceof Promise ? page.catch(failedPage) : page;
  } catch {
    return failedPage();
  }
}

function failedPage(): Page {
  const page = jsonPage(500, phpEncode({ code: 9, message: messageOf(9), data: null }) ?? '');
  const why = 'The built-in provider failed: this is a fault in Croupier.';
  return withReason(page, { why, standsIn: true, byte: null, isReason: false, mistake: false });
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

const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' };

function jsonPage(status: number, body: string): Page {
  return { status, headers: jsonHeaders, body };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Reports a verdict to the host and returns it as reported. Never passes the private key on, even if a request carries it
 * in clear.
 */
function createReporter(privateKey: string, onVerdict: (verdict: SandboxVerdict) => void, now: () => number) {
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
    const warned = (text: string) => `${text} The request contains the private key, which must never be sent.`.trim();
    const cleaned = { ...clean.verdict, why: warned(clean.verdict.why), reason: warned(clean.verdict.reason) };
    onVerdict({ ...clean, verdict: cleaned });
    return cleaned;
  };
}
