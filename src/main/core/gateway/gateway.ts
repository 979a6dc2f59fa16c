import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError } from '#shared/errors.ts';
import type { DoctorReport, Environment, ParsedInput, PassedCall, Payload, Output } from '#shared/ipc/index.ts';
import type { RunReport } from '#shared/collections/run-report.ts';
import type { Language } from '#shared/doctor/model.ts';
import { createFaults, printFault, readFault } from '#shared/provider/faults-on-demand.ts';
import type { HashedRequest } from '#shared/request/hash-subject.ts';
import type { PassedFrom } from '#shared/ipc/calls.ts';
import { passedVerdicts } from '#shared/ipc/gateway.ts';
import type { Confirmations } from '../calls/confirmations.ts';
import type { Entrance, Host } from '../host/host.ts';
import { createSessionLog } from '../host/session-log.ts';
import { parseAddress, type Connections } from '../network/connections.ts';
import { createAgreement } from './agreement.ts';
import type { KeptRoom } from './exchange.ts';
import { passAlong, type Passage } from './passage.ts';
import { reportPassed } from './report.ts';
import { createPassedRecorder, type Explained, type PassedRecorderDeps } from './recorder.ts';

type Status = NonNullable<Output<'gateway.status'>>;
type Start = ParsedInput<'gateway.start'>;

export interface GatewayDeps extends Pick<
  PassedRecorderDeps,
  'keys' | 'recorder' | 'readRequest' | 'readResponse' | 'nameOf' | 'onRecorded'
> {
  readonly openEntrance: Host['openEntrance'];
  /** Keeps the certificate. */
  readonly directory: string;
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  readonly connections: Pick<Connections, 'take'>;
  /** Returns connections that ask the name servers, whatever the hosts file says. */
  readonly connectionsByDns: () => Pick<Connections, 'take'>;
  readonly confirmations: Pick<Confirmations, 'requireEach'>;
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  /** Searches for the mistake in a hash; `ticket` names the search. */
  readonly search: (
    environmentId: string,
    ticket: string,
    request: HashedRequest,
    language: Language | null,
  ) => Promise<DoctorReport>;
  /** Sends a recorded request again, as a call of Croupier's own. */
  readonly repeat: (id: number, environment: Environment) => Promise<unknown>;
  readonly now: () => number;
  /** ID of this session. */
  readonly session: string;
  readonly junit: (report: RunReport) => Promise<string>;
  readonly emit: (call: Payload<'gateway.passed'>) => void;
  readonly onFault: (error: unknown) => void;
}

interface Running {
  readonly status: () => Status;
  readonly setFaults: (faults: readonly string[]) => void;
  /** Forgets what earlier exchanges said. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** Most wrong hashes that wait for the search for their mistake. */
const mostSearches = 50;
/** Most bytes that exchanges under way keep together, but for what each always keeps. */
const mostKeptTogether = 67_108_864;

/** Stands between the operator's backend and the provider, and passes what both say. */
export function createGateway(deps: GatewayDeps) {
  const { openEntrance, confirmations, connections, environment: environmentOf, onFault } = deps;
  const log = createSessionLog<PassedCall>({
    entries: 10_000,
    bytes: 16_777_216,
    sizeOf: ({ why, request, subject }) => why.length + request.length + subject.length,
  });
  let running: Running | null = null;
  let last: { readonly environment: string; readonly startedAt: number; readonly after: number } | null = null;
  let starting = false;
  let searches = Promise.resolve();
  let waiting = 0;
  let tickets = 0;

  /** Searches for one mistake after the other: what passes must not wait for them. */
  function explain(environmentId: string, request: HashedRequest, language: Language | null): Promise<DoctorReport> {
    if (waiting >= mostSearches) return Promise.reject(new AppError('refused', 'Too many searches wait.'));
    waiting += 1;
    tickets += 1;
    const ticket = `gateway-${tickets}`;
    const found = searches.then(() => deps.search(environmentId, ticket, request, language));
    searches = found.then(
      () => undefined,
      () => undefined,
    );
    return found.finally(() => (waiting -= 1));
  }

  async function run(start: Start, open: NonNullable<Host['openEntrance']>): Promise<Running> {
    const environment = environmentOf(start.environmentId);
    const allow = start.network === undefined ? null : allowed(start.network.allow);
    const base = addressOf(environment.baseUrl, 'The base URL');
    const wallet = start.walletUrl === undefined ? null : addressOf(start.walletUrl, 'The wallet URL');
    confirmations.requireEach(
      environment,
      () => ({ url: environment.baseUrl, call: null, run: null, gateway: true }),
      start.confirmed,
    );
    let faults = faultsOf(start.faults);
    const agreement = createAgreement(environment.answers);
    const repeats = new Set<NodeJS.Timeout>();
    const passages = new Set<Passage>();
    const room: KeptRoom = { left: mostKeptTogether };
    const counts: Record<string, Record<string, number>> = {};
    let missing: { readonly count: number; readonly why: string | null } = { count: 0, why: null };

    function count(passed: Omit<PassedCall, 'number' | 'searching'>, search: Promise<Explained> | null): void {
      const call = log.add({ ...passed, searching: search !== null });
      const row = (counts[call.operation ?? 'other'] ??= Object.fromEntries(passedVerdicts.map((verdict) => [verdict, 0])));
      row[call.verdict] = (row[call.verdict] ?? 0) + 1;
      deps.emit(call);
      void search?.then((explained) => {
        const changed = log.change(call.number, { ...explained, searching: false });
        if (changed !== null) deps.emit(changed);
      });
    }

    const recorders: { told(): Promise<void> }[] = [];

    function openFor(from: PassedFrom, url: URL, port: number): Promise<Entrance> {
      const recorder = createPassedRecorder({
        ...deps,
        from,
        environment,
        url,
        anyPartner: start.anyPartner,
        agreement,
        explain: (request, language) => explain(environment.id, request, language),
        onMissing(error) {
          missing = { count: missing.count + 1, why: error instanceof Error ? error.message : String(error) };
          // One of the program's own would be hidden in a count.
          if (!(error instanceof AppError)) onFault(error);
        },
        meet: (operation) => faults.meet(operation),
        repeat(id, ms) {
          const timer = setTimeout(() => {
            repeats.delete(timer);
            const far =
              from === 'provider' && start.walletUrl !== undefined ? { ...environment, walletUrl: start.walletUrl } : environment;
            void deps.repeat(id, far).catch(onFault);
          }, ms);
          repeats.add(timer);
        },
        onPassed: count,
      });
      recorders.push(recorder);
      const { timeouts } = environment;
      const take = () => (start.ownNames ? deps.connectionsByDns() : connections).take(environment, url, true);
      const own = start.ownNames ? [base, ...(wallet === null ? [] : [wallet])].map(({ hostname }) => hostname) : [];
      const names = [...new Set(['localhost', ...(start.network === undefined ? [] : [start.network.address]), ...own])];
      const reach = start.network === undefined ? 'loopback' : { address: start.network.address };
      const { directory, exclusively, now } = deps;
      return open({ name: 'gateway', directory, exclusively, now, names, port, reach, onFault }, (socket) => {
        if (allow !== null && !allow(socket.remoteAddress ?? '')) return void socket.destroy();
        const passage = passAlong(socket, { url, timeouts, room, open: take, ...recorder });
        passages.add(passage);
        void passage.over.then(() => passages.delete(passage));
      });
    }

    const entrance = await openFor('backend', base, start.port);
    const other =
      (await (wallet === null ? null : openFor('provider', wallet, 0))?.catch(async (error: unknown) => {
        await entrance.close();
        throw error;
      })) ?? null;
    const host = start.network === undefined ? 'localhost' : bracketed(start.network.address);
    const urlOf = ({ port }: Entrance, { pathname }: URL) => `https://${host}:${port}${pathname.replace(/\/+$/, '')}`;
    return {
      status: () => ({
        environmentId: environment.id,
        baseUrl: urlOf(entrance, base),
        walletUrl: other === null || wallet === null ? null : urlOf(other, wallet),
        caFile: entrance.certificate.caFile,
        allow: start.network?.allow ?? null,
        counts: structuredClone(counts),
        missing: missing.count,
        missingWhy: missing.why,
        openBets: agreement.openBets(deps.now()),
        faults: faults.list().map((fault) => ({ fault: printFault(fault), left: fault.left })),
        connections: passages.size,
        underWay: Array.from(passages).reduce((sum, passage) => sum + passage.underWay(), 0),
      }),
      setFaults(texts) {
        faults = faultsOf(texts);
      },
      forget: agreement.forget,
      async close() {
        for (const timer of repeats) clearTimeout(timer);
        const ending = Array.from(passages, ({ over }) => over);
        for (const passage of passages) passage.close();
        await Promise.all([entrance.close(), other?.close()]);
        await Promise.all(ending);
        for (const recorder of recorders) await recorder.told();
      },
    };
  }

  return {
    /** Fails as `gateway.start` says. */
    async start(start: Start): Promise<Status> {
      if (openEntrance === undefined) throw new AppError('unsupported', "This host can't run the gateway.");
      if (running !== null || starting) throw new AppError('conflict', 'The gateway is already running. Stop it first.');
      starting = true;
      try {
        const [newest] = log.page({ limit: 1 }).entries;
        running = await run(start, openEntrance);
        last = { environment: environmentOf(start.environmentId).name, startedAt: deps.now(), after: newest?.number ?? 0 };
        return running.status();
      } finally {
        starting = false;
      }
    },
    /** Ends every connection and waits until everything is recorded. Returns its last state; null if it did not run. */
    async close(): Promise<Status | null> {
      const ending = running;
      running = null;
      await ending?.close();
      return ending?.status() ?? null;
    },
    status: (): Status | null => running?.status() ?? null,
    /** Replaces the faults on demand; returns null if it does not run. Fails with `invalid_input`. */
    setFaults(faults: readonly string[]): Status | null {
      running?.setFaults(faults);
      return running?.status() ?? null;
    },
    /** Returns what passed since it was started last as JUnit XML. Fails with `conflict` if it never was. */
    async report(failOn: ParsedInput<'gateway.report'>['failOn']): Promise<string> {
      if (last === null) throw new AppError('conflict', 'The gateway has not run. Start it first.');
      const { environment, startedAt, after } = last;
      const { entries, dropped } = log.page({ limit: Number.POSITIVE_INFINITY });
      const own = entries.filter(({ number }) => number > after);
      return deps.junit(
        reportPassed({ entries: own, dropped, failOn, run: deps.session, environment, startedAt, now: deps.now() }),
      );
    },
    /** Returns the entries of this session, newest first. */
    log: log.page,
    /** Takes entries out of the log; what later ones are compared with goes, too. */
    forget(of: (entry: PassedCall) => boolean): void {
      log.forget(of);
      running?.forget();
    },
  };
}

function addressOf(text: string, what: string): URL {
  const parsed = parseAddress(text, what);
  if (!parsed.ok) throw new AppError('invalid_input', parsed.message);
  return parsed.url;
}

const faultsOf = (texts: readonly string[]) => createFaults(texts.map((text) => readFault(text, true)));

const bracketed = (address: string) => (isIPv6(address) ? `[${address}]` : address);

/** Reads networks. Returns a function that says whether an address is in one. */
function allowed(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
    if (version === 0 || prefix > most)
      throw new AppError('invalid_input', `${network} is not a network. Write it as 10.1.0.0/16 or as an address.`);
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}
