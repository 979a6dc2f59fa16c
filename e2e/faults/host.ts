import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The origins of the launch host, and the parameters of each launcher URL: those of the request. */
export const [origin, otherOrigin] = ['https://games.example', 'https://elsewhere.example'];
const asked = {
  partnerId: '2',
  gameId: '7',
  gameMode: 'fun',
  lang: 'en',
  platform: '1',
  exitURL: 'https://casino.example/lobby',
};

/** Returns the launcher URL's path of a game; `change` are parameters with another value, or without one. */
export function launchPath(name: string, change: Readonly<Record<string, string | null>> = {}): string {
  const fields = Object.entries({ ...asked, ...change }).flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
  return `/f/${name}?${new URLSearchParams(fields).toString()}`;
}

/** Markup of a game that is well: its canvas moves all over, and its server answers. `script` and `markup` are what a row adds. */
export function game(script = '', markup = '', { paints = true, asks = true } = {}): string {
  return `<!doctype html><html lang="en"><head><title>Seven</title><style>body { margin: 0; background: #123; color: #fff; font: 16px sans-serif } canvas { display: block; width: 100vw; height: 70vh }</style></head>
<body><canvas id="reels" width="300" height="300"></canvas><button id="spin">Spin</button> <button id="exit">Exit</button> <p>Balance 500.00 EUR, bet 1.00 EUR</p>${markup}
<script>
  ${script}
</script>
<script>
  ${paints ? paint : ''}
  ${asks ? "fetch('/api/init').then((response) => response.json()).catch(() => {});" : ''}
</script></body></html>`;
}

const paint = `{
  const canvas = document.getElementById('reels');
  const pen = canvas.getContext('2d');
  const step = (at) => {
    for (let x = 0; x < 6; x += 1) for (let y = 0; y < 6; y += 1) {
      pen.fillStyle = 'hsl(' + ((x * 60 + y * 35 + Math.floor(at / 300) * 90) % 360) + ' 80% ' + ((x + y + Math.floor(at / 300)) % 2 ? 30 : 70) + '%)';
      pen.fillRect(x * 50, y * 50, 46, 46);
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}`;

/** Sends a page. */
export function page(html: string, headers: Readonly<Record<string, string>> = {}, status = 200) {
  return (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
}

/** Sends the browser elsewhere. */
export function redirect(to: string) {
  return (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(302, { location: to }).end();
}

/** Returns the rest of the launch host: what its games ask for. `times` counts the requests of a path. */
export function createRest(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const times = new Map<string, number>();
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const count = (times.get(path) ?? 0) + 1;
    times.set(path, count);
    const json = (status: number) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}');
    if (path === '/api/init' || path === '/api/poll') return (json(200), true);
    if (path === '/api/refused') return (json(401), true);
    if (path === '/api/broken') return (json(500), true);
    if (path.startsWith('/api/second-time')) return (json(count === 1 ? 503 : 200), true);
    if (path === '/api/never') return true;
    if (path === '/api/late') return (setTimeout(() => json(200), 7_000), true);
    if (path === '/api/long-poll') return (setTimeout(() => json(200), 4_000), true);
    if (path === '/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      return true;
    }
    if (path === '/throws.js')
      return (
        void response.writeHead(200, { 'content-type': 'text/javascript' }).end("throw new Error('Lost in a worker')"), true
      );
    if (path.startsWith('/missing') || path === '/favicon.ico' || path === '/beacon')
      return (void response.writeHead(404).end(), true);
    return false;
  };
}

/** Opens WebSockets; one to `/live/ends` is ended at once, one to `/live/refused` is refused. */
export function upgraded(request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => undefined);
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  if (request.url === '/live/refused') return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  if (request.url === '/live/ends') setTimeout(() => socket.destroy(), 300);
}
