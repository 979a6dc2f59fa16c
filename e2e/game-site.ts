import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Frame, Page } from '@playwright/test';
import type { Input, LaunchRules } from '#shared/ipc/index.ts';
import { makeCertificate, startHttpsServer, type TestCertificate } from '#testing/https-server.ts';
import { call, openLaunch, recorded } from './desktop-call.ts';
import { expect, test as base, type Workbench } from './fixtures.ts';

/** Two names of one site. In the program they lead to a public address, and that to a server of the test. */
export const [gameSite, otherSite] = ['games.example', 'elsewhere.example'];
const address = '93.184.215.14';

const ofLooks: readonly string[] = ['settings', 'page', 'picture', 'ready', 'hang'];

type OpenHow = Partial<Omit<Input<'launches.open'>, 'id'>>;

/** Parts of the site that a spec has of its own. */
export interface Site {
  /** Returns whether it responds to a request. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly upgraded?: (request: IncomingMessage, socket: Duplex) => void;
  readonly launchRules?: LaunchRules;
}

/** Games of a provider of the test, on a site of the test, in the desktop. */
export interface Games {
  /** The provider's environment. */
  readonly environmentId: string;
  /** Launches a game whose launcher URL is this path of the site; returns the launch's ID. */
  open(path: string, how?: OpenHow, fields?: Partial<Input<'launches.prepare'>>): Promise<string>;
  /** The headers of the last request for a path. */
  asked(path: string): IncomingHttpHeaders | undefined;
  /** The game's frame on an operator's page. */
  frame(path: string): Promise<Frame>;
  /** The game's page. */
  page(path?: string): Promise<Page>;
  /**
   * Returns the titles of the record since the launch was opened last, each as often as it came, without those of Croupier's own looks
   * at the page, which come in their own time.
   */
  titles(id: string): Promise<string[]>;
  /** Settles when so many pages, Chromium's own about errors included, have finished loading in games. */
  finished(count: number): Promise<void>;
}

/** Scripts of the pages of some paths. */
const scripts: Readonly<Record<string, string>> = {
  '/posts': `<script>parent.postMessage({ type: 'balance', amount: 5 }, '*')</script>`,
  '/child': `<script>parent.postMessage(['frame', navigator.userAgent, navigator.maxTouchPoints, Intl.DateTimeFormat().resolvedOptions().timeZone].join(' '), '*')</script>`,
  '/family': `<script>
    told = [];
    addEventListener('message', ({ data }) => told.push(data));
    new Worker('/worker.js').onmessage = ({ data }) => told.push(data);
  </script><iframe src="https://${otherSite}/child"></iframe>`,
};

/** Responds for the site. `/to?ADDRESS` is a redirect, `/posted` comes from a form; each other path is a page. */
function answer(path: string, response: ServerResponse): void {
  if (path === '/empty') return void response.writeHead(404).end();
  if (path === '/gone') return void response.destroy();
  if (path === '/nothing') return void response.writeHead(204).end();
  if (path.startsWith('/to?')) return void response.writeHead(302, { location: path.slice(4) }).end();
  if (path === '/worker.js')
    return void response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end('postMessage(`worker ${navigator.userAgent}`)');
  const named = path === '/only-casino' ? 'https://casino.example' : 'https://other.example';
  const framing = path.startsWith('/only-') ? { 'content-security-policy': `frame-ancestors ${named}` } : {};
  const type = { 'content-type': 'text/html', ...framing };
  if (path === '/broken') {
    response.writeHead(200, { ...type, 'content-length': '9000' });
    return void response.write(`<title>broken</title>${' '.repeat(2_000)}`, () => response.destroy());
  }
  response.writeHead(200, type)
    .end(`<!doctype html><meta name="viewport" content="width=device-width, viewport-fit=cover"><title>A game</title><form method="post" action="/posted"><button>Send</button></form>
    <a id="blank" target="_blank" href="https://${gameSite}/blank">New</a> <a id="link" href="https://${gameSite}/link">Link</a>
    <input type="file">${scripts[path] ?? ''}<script>first = [innerWidth, devicePixelRatio, navigator.maxTouchPoints, Intl.DateTimeFormat().resolvedOptions().timeZone].join(' ')</script>
    <p style="background: linear-gradient(90deg, red, blue); height: 200px">A game with <b>much</b> to see: 1 2 3 4 5 6 7 8 9</p>`);
}

let certificate: Promise<TestCertificate> | null = null;

export const test = base.extend<{ site: Site; games: Games }>({
  site: [{}, { option: true }],
  games: async ({ workbench, site }, provide) => {
    const { desktop } = workbench;
    if (desktop === null) throw new Error('This is for the desktop.');
    let launcherURL = '';
    const asked = new Map<string, IncomingHttpHeaders>();
    // A program that specs share asks once about a host's certificate.
    certificate ??= makeCertificate({ hosts: [gameSite, otherSite, 'localhost', '127.0.0.1'] });
    const server = await startHttpsServer(
      ({ request }, response) => {
        asked.set(request.url ?? '', request.headers);
        if (site.answer?.(request, response) === true) return;
        if (request.url !== '/serviceApi.php') return answer(request.url ?? '', response);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ code: 0, message: 'ok', data: { launcherURL } }));
      },
      { certificate: await certificate, ...(site.upgraded === undefined ? {} : { upgraded: site.upgraded }) },
    );
    try {
      await leadTo(workbench, server.port);
      const { id: environmentId } = await call(workbench, 'environments.create', {
        environment: {
          // A program that specs share keeps it.
          name: `Games ${server.port}`,
          production: false,
          baseUrl: server.baseUrl,
          platform: 1,
          partnerId: 2,
          ca: server.ca,
          ...(site.launchRules === undefined ? {} : { launchRules: site.launchRules }),
        },
      });
      await call(workbench, 'keys.set', { environmentId, key: 'a key of the test' });
      await provide({
        environmentId,
        asked: (path) => asked.get(path),
        async frame(path) {
          const find = () =>
            desktop
              .app()
              .windows()
              .flatMap((one) => one.frames())
              .find((one) => one.url().startsWith(`https://${gameSite}${path}`));
          await expect.poll(() => find() !== undefined).toBe(true);
          const frame = find();
          if (frame === undefined) throw new Error('The frame went away.');
          return frame;
        },
        async open(path, how, fields) {
          launcherURL = `https://${gameSite}${path}`;
          const exitURL = 'https://casino.example/lobby';
          return openLaunch(workbench, { environmentId, gameId: '7', exitURL, ticket: 'launch', ...fields }, how);
        },
        async page(path = '/') {
          const find = () =>
            desktop
              .app()
              .windows()
              .find((one) => one.url().startsWith(`https://${gameSite}${path}`));
          await expect.poll(() => find() !== undefined).toBe(true);
          const page = find();
          if (page === undefined) throw new Error('The game went away.');
          return page;
        },
        async titles(id) {
          const entries = await recorded(workbench, id);
          return entries
            .slice(entries.findLastIndex(({ kind }) => kind === 'opened') + 1)
            .filter(({ kind }) => !ofLooks.includes(kind))
            .flatMap(({ title, count }) => Array.from({ length: count }, () => title));
        },
        finished: (count) =>
          expect.poll(() => desktop.app().evaluate(() => Reflect.get(globalThis, 'finishedLoads') as number)).toBe(count),
      });
    } finally {
      await server.close();
    }
  },
});

/** Makes the site's names lead to a public address in the program, and a connection to one of them to the test's server. */
async function leadTo({ desktop }: Workbench, port: number): Promise<void> {
  const options = { names: [gameSite, otherSite], address, port };
  await desktop?.app().evaluate(({ app }, { names, address: shown, port: real }) => {
    const isLed = Reflect.has(globalThis, 'gamesPort');
    Reflect.set(globalThis, 'gamesPort', real);
    Reflect.set(globalThis, 'finishedLoads', 0);
    if (isLed) return;
    const dns = process.getBuiltinModule('node:dns/promises');
    const net = process.getBuiltinModule('node:net');
    const tls = process.getBuiltinModule('node:tls');
    type Connect = (options: { host?: string; port?: number; lookup?: unknown }, ...rest: unknown[]) => unknown;
    const lead = (connect: Connect): Connect => {
      return (wanted, ...rest) => {
        const own = names.includes(wanted.host ?? '');
        const port = Reflect.get(globalThis, 'gamesPort') as number;
        return connect(own ? { ...wanted, host: '127.0.0.1', port, lookup: undefined } : wanted, ...rest);
      };
    };
    const { lookup } = dns;
    Object.assign(dns, {
      lookup: (name: string, how: object) =>
        names.includes(name) ? Promise.resolve([{ address: shown, family: 4 }]) : lookup(name, how),
    });
    Object.assign(net, { connect: lead(net.connect as Connect) });
    Object.assign(tls, { connect: lead(tls.connect as Connect) });
    process.getBuiltinModule('node:module').syncBuiltinESMExports();
    app.on('web-contents-created', (_event, contents) => {
      // The empty page that a game's own begins with is not the game's.
      let begun = false;
      contents.on('did-finish-load', () => {
        if (!begun) return void (begun = true);
        Reflect.set(globalThis, 'finishedLoads', (Reflect.get(globalThis, 'finishedLoads') as number) + 1);
      });
    });
  }, options);
}
