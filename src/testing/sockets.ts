import { request } from 'node:https';
import { listen } from '../main/sandbox/listener.ts';
import { besiege, hostileKinds, type HostileKind, type Target } from './hostile-sockets.ts';
import { makeCertificate } from './https-server.ts';
import { ask, json, own, sessionSecret, startRecorded } from './loopback-driver.ts';

/** Results of one kind of connections. */
export interface SocketsRow {
  readonly kind: string;
  readonly tried: number;
  /** Number of connections that the server had ended when the time was up. */
  readonly dropped: number;
  /** The longest time of an honest request meanwhile, in milliseconds. */
  readonly waitedMs: number;
}

/** Longer than every limit of both; the longest is that of a connection that rests between two calls of the provider. */
const patienceMs = 80_000;

/** Besieges the browser host and then the built-in provider with each kind, both with their real limits. */
export async function socketSieges(count: number, report: (row: SocketsRow) => void): Promise<boolean> {
  const run = await startRecorded();
  const session = await sessionSecret(run);
  const headers = { ...own(run.server), ...json, 'x-croupier-session': session };
  const body = '{"name":"app.info","input":{}}';
  const call = async () => (await ask(run.server, { method: 'POST', path: '/call', headers, body })).status === 200;
  const target = { port: Number(new URL(run.server.origin).port), path: '/assets/large.js', dripMs: 500 };
  let isGood = true;
  const take = (row: SocketsRow, served: boolean) => {
    report(row);
    isGood &&= served && row.dropped === row.tried;
  };
  for (const kind of hostileKinds) {
    // Data that is not read fills the system's buffers, megabytes for each.
    const tried = kind.read === undefined ? count : Math.ceil(count / 4);
    take(...(await siege(target, kind, tried, call, () => run.server.connections)));
  }
  await run.server.close();

  const certificate = await makeCertificate();
  const provider = await listen(0, certificate, (asked, response) => asked.resume().once('end', () => response.end('ok')));
  const answered = () => getStatus(provider.port, certificate.ca).then((status) => status === 200);
  for (const tls of [false, true]) {
    for (const kind of tls ? hostileKinds.filter(({ read }) => read === undefined) : hostileKinds.slice(0, 1)) {
      const name = `provider${tls ? ', TLS' : ''}: ${kind.name}`;
      // A handshake costs this program twice.
      const tried = tls ? Math.ceil(count / 4) : count;
      const besieged = { port: provider.port, path: '/', dripMs: 500, tls };
      take(...(await siege(besieged, { ...kind, name }, tried, answered, () => provider.connections)));
    }
  }
  await provider.close();
  return isGood;
}

async function siege(
  target: Target,
  kind: HostileKind,
  tried: number,
  serve: () => Promise<boolean>,
  connections: () => number,
): Promise<[SocketsRow, boolean]> {
  const lift = await besiege(target, kind, tried);
  const started = performance.now();
  let [waitedMs, served] = [0, true];
  do {
    const asked = performance.now();
    served = (await serve().catch(() => false)) && served;
    waitedMs = Math.max(waitedMs, performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 250));
  } while (connections() > 0 && performance.now() - started < patienceMs);
  const dropped = tried - connections();
  lift();
  return [{ kind: kind.name, tried, dropped, waitedMs: Math.round(waitedMs) }, served];
}

function getStatus(port: number, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port, host: 'localhost', path: '/', ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
