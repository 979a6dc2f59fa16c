import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { game, launchPath, origin, otherOrigin, page, redirect } from './host.ts';

/** A game of the hostile launch host. */
export interface Row {
  readonly name: string;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Done in the game when it is there. */
  readonly play?: (game: Page) => Promise<void>;
  /** In real mode, with a session token. */
  readonly real?: true;
}

/** A game with one fault: the verdict, and the beginning of its first line. */
export interface Planted extends Row {
  readonly state: 'failed' | 'to check';
  readonly first: RegExp;
}

const plant = (
  state: Planted['state'],
  name: string,
  first: RegExp,
  answer: Row['answer'],
  more: Partial<Pick<Row, 'play' | 'real'>> = {},
): Planted => ({ state, name, first, answer, ...more });
const fails = plant.bind(null, 'failed');
const doubtful = plant.bind(null, 'to check');
const scripted = (script: string) => page(game(script));
const later = (script: string) => scripted(`setTimeout(() => { ${script} }, 2500);`);
const click = (selector: string) => async (one: Page) => one.click(selector);
const away = (name: string, change: Readonly<Record<string, string | null>>) => redirect(`${origin}${launchPath(name, change)}`);
/** A page that shows markup alone. */
const still = (markup: string, style = '') =>
  page(
    `<!doctype html><html lang="en"><title>Seven</title><style>body { margin: 0; font: 16px sans-serif; ${style} }</style><body>${markup}</body></html>`,
  );
const splash = `<div style="height: 90vh; background: repeating-conic-gradient(#246 0 25%, #8ac 0 50%) 0 0 / 60px 60px"></div>`;
const spinner = `<style>i { position: fixed; left: 45%; top: 45%; width: 30px; height: 30px; border: 4px solid #fff; border-top-color: #000; border-radius: 50%; animation: turn 1s linear infinite } @keyframes turn { to { rotate: 1turn } }</style><i></i>`;
const webgl = (after: string) => `
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const gl = canvas.getContext('webgl');
  const lose = gl.getExtension('WEBGL_lose_context');
  canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  setTimeout(() => { lose.loseContext(); ${after} }, 2500);`;

/** Each with the rule that names it. */
export const plantedRows: readonly Planted[] = [
  // The answer
  fails('404', /The main document returned HTTP 404/, page(game(), {}, 404)),
  fails('403 of a CDN', /The main document returned HTTP 403/, page('<h1>Forbidden</h1>', {}, 403)),
  fails('500', /The main document returned HTTP 500/, page('<h1>Oops</h1>', {}, 500)),
  fails('503', /The main document returned HTTP 503/, page('<h1>Busy</h1>', {}, 503)),
  fails('cut connection', /The page did not load: ERR_EMPTY_RESPONSE/, (_, response) => void response.destroy()),
  fails('broken off', /The page did not load: it broke off/, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9000' });
    response.write(`<title>broken</title>${' '.repeat(2_000)}`, () => response.destroy());
  }),
  fails('never answers', /The server didn't respond within/, () => undefined),
  fails('a response without a page', /No page: HTTP 204/, (_, response) => void response.writeHead(204).end()),
  fails(
    'a download in its place',
    /No page: download refused: game\.zip/,
    page('zip', { 'content-disposition': 'attachment; filename=game.zip' }),
  ),
  fails('another program in its place', /No page: refused: vscode:\/\/file\/etc\/passwd/, redirect('vscode://file/etc/passwd')),
  fails(
    'redirect to http',
    /(?:Redirected to .* is not https|Blocked: request to games\.example)/,
    redirect('http://games.example/plain'),
  ),
  fails('endless redirects', /The page did not load: ERR_TOO_MANY_REDIRECTS/, (request, response) =>
    redirect(request.url ?? '')(request, response),
  ),
  fails('redirect to this computer', /Blocked: request to 127\.0\.0\.1/, redirect('https://127.0.0.1:5900/')),
  // Where it arrives
  ...(
    [
      ['partnerId', '99', /The page's URL has partnerId 99 instead of 2/],
      ['platform', '3', /The page's URL has platform 3 instead of 1/],
      ['exitURL', 'https://evil.example/', /The page's URL has exitURL https:\/\/evil\.example\/; /],
      ['gameId', '8', /The page's URL says gameId 8; the launch asked for 7/],
      ['gameMode', 'real', /The page's URL says gameMode real; the launch asked for fun/],
    ] as const
  ).map(([name, value, first]) =>
    fails(`redirect with another ${name}`, first, (request, response) =>
      request.url?.includes('arrived') === true
        ? page(game())(request, response)
        : away(`redirect with another ${name}`, { [name]: value, arrived: '1' })(request, response),
    ),
  ),
  fails(
    'redirect with another token',
    /The page's URL has externalToken \[another token\]/,
    (request, response) =>
      request.url?.includes('arrived') === true
        ? page(game())(request, response)
        : away('redirect with another token', { gameMode: 'real', externalToken: 'stolen-token', arrived: '1' })(
            request,
            response,
          ),
    { real: true },
  ),
  doubtful('redirect that loses the platform', /The page's URL has no platform, unlike the launcher URL/, (request, response) =>
    request.url?.includes('arrived') === true
      ? page(game())(request, response)
      : away('redirect that loses the platform', { platform: null, arrived: '1' })(request, response),
  ),
  fails('script that goes on with another partner', /The page's URL has partnerId 98/, (request, response) =>
    request.url?.includes('arrived') === true
      ? page(game())(request, response)
      : scripted(
          `location.replace(${JSON.stringify(launchPath('script that goes on with another partner', { partnerId: '98', arrived: '1' }))})`,
        )(request, response),
  ),
  fails(
    'another language',
    /The page says its language is de; the launch asked for en/,
    page(game().replace('lang="en"', 'lang="de"')),
  ),
  // Framing and policy
  fails('framing denied', /X-Frame-Options: DENY forbids embedding/, page(game(), { 'x-frame-options': 'DENY' })),
  fails(
    'nobody may frame it',
    /Content-Security-Policy allows embedding only by: 'none'/,
    page(game(), { 'content-security-policy': "frame-ancestors 'none'" }),
  ),
  doubtful(
    'some may frame it',
    /Content-Security-Policy allows embedding only by: https:\/\/casino\.example/,
    page(game(), { 'content-security-policy': 'frame-ancestors https://casino.example' }),
  ),
  fails(
    'policy stops its script',
    /Blocked by its own policy: script-src-elem/,
    page(game(), { 'content-security-policy': "script-src 'self'" }),
  ),
  fails(
    'policy stops its call',
    /Blocked by its own policy: connect-src/,
    page(game(), { 'content-security-policy': "connect-src 'none'" }),
  ),
  doubtful(
    'policy stops a picture',
    /Blocked by its own policy: img-src/,
    page(game('', '<img src="/missing.png">'), { 'content-security-policy': "img-src 'none'" }),
  ),
  // Requests
  fails('mixed content', /Mixed content was blocked/, scripted(`fetch('http://games.example/a').catch(() => {});`)),
  fails(
    'private address',
    /Blocked: request to 127\.0\.0\.1:5900/,
    scripted(`fetch('https://127.0.0.1:5900/').catch(() => {});`),
  ),
  fails('missing script', /Request answered HTTP 404: GET .*missing\.js/, page(game('', '<script src="/missing.js"></script>'))),
  fails('missing picture', /Request answered HTTP 404: GET .*missing\.png/, page(game('', '<img src="/missing.png">'))),
  fails(
    'missing style',
    /Request answered HTTP 404: GET .*missing\.css/,
    page(game('', '<link rel="stylesheet" href="/missing.css">')),
  ),
  fails('call answered 401', /Request answered HTTP 401: GET .*refused/, scripted(`fetch('/api/refused');`)),
  fails('call answered 500', /Request answered HTTP 500: GET .*broken/, scripted(`fetch('/api/broken');`)),
  fails(
    'call that fails again and again',
    /Request answered HTTP 500: GET .*broken/,
    scripted(`setInterval(() => fetch('/api/broken'), 500);`),
  ),
  fails(
    'name that leads nowhere',
    /(?:Request failed|Blocked): .*nowhere\.invalid/,
    scripted(`fetch('https://nowhere.invalid/a').catch(() => {});`),
  ),
  doubtful('call without a response', /Request without a response for 10 s: GET .*never/, scripted(`fetch('/api/never');`)),
  fails('WebSocket refused', /WebSocket failed: /, scripted(`new WebSocket('wss://games.example/live/refused');`)),
  doubtful(
    'WebSocket that ends',
    /WebSocket ended: GET wss:\/\/games\.example\/live\/ends/,
    scripted(`new WebSocket('wss://games.example/live/ends');`),
  ),
  // Errors
  fails('error at the start', /Uncaught error: Error: Planted/, scripted(`throw new Error('Planted');`)),
  fails('error later', /Uncaught error: Error: Planted/, later(`throw new Error('Planted');`)),
  fails('rejection', /Uncaught error: \(in promise\) Error: Planted/, scripted(`Promise.reject(new Error('Planted'));`)),
  fails('thrown text', /Uncaught error: "?Planted/, scripted(`throw 'Planted';`)),
  fails('syntax error', /Uncaught error: SyntaxError/, scripted(`let let = ;`)),
  fails('error in a worker', /Uncaught error: Error: Lost in a worker/, scripted(`new Worker('/throws.js');`)),
  fails(
    'error in a frame',
    /Uncaught error: Error: Planted/,
    page(game('', `<iframe srcdoc="<script>throw new Error('Planted')</script>"></iframe>`)),
  ),
  // What it asks for
  doubtful('alert', /Dialog \(alert\) was not shown: hello/, scripted(`alert('hello');`)),
  doubtful('confirm', /Dialog \(confirm\) was not shown: sure/, later(`confirm('sure');`)),
  doubtful('prompt', /Dialog \(prompt\) was not shown: name/, scripted(`prompt('name');`)),
  fails(
    '500 dialogs',
    /500 dialogs: Dialog \(alert\)|\d{2,3} dialogs: /,
    scripted(`for (let n = 0; n < 500; n += 1) alert('again');`),
  ),
  fails('dialogs forever', /[\d,]+ dialogs: Dialog \(alert\) was not shown/, later(`for (;;) alert('forever');`)),
  doubtful(
    'geolocation',
    /Permission denied: geolocation/,
    scripted(`navigator.geolocation.getCurrentPosition(() => {}, () => {});`),
  ),
  doubtful(
    'camera',
    /Permission denied: media/,
    scripted(`navigator.mediaDevices.getUserMedia({ video: true }).catch(() => {});`),
  ),
  doubtful('popup', /New window refused/, page(game('', '<a id="help" target="_blank" href="/help">Help</a>')), {
    play: click('#help'),
  }),
  doubtful(
    'download',
    /Download refused: rules\.txt/,
    page(game('', '<a id="rules" download="rules.txt" href="data:text/plain,rules">Rules</a>')),
    { play: click('#rules') },
  ),
  doubtful(
    'another program',
    /Refused: mailto:help@games\.example/,
    page(game('', '<a id="mail" href="mailto:help@games.example">Mail</a>')),
    { play: click('#mail') },
  ),
  // Its life
  fails('closes itself', /The game closed its own page/, scripted(`setTimeout(() => window.close(), 1000);`)),
  fails('closes itself later', /The game closed its own page/, scripted(`setTimeout(() => window.close(), 6000);`)),
  fails('reloads forever', /The page loaded \d+ times by itself/, scripted(`setTimeout(() => location.reload(), 700);`)),
  fails(
    'goes to itself forever',
    /The page loaded \d+ times by itself/,
    scripted(`setTimeout(() => (location.href = location.href), 700);`),
  ),
  fails(
    'busy from the start',
    /(?:The page does not respond|Not ready after)/,
    scripted(`setTimeout(() => { for (;;); }, 300);`),
  ),
  fails('busy later', /The page does not respond/, scripted(`setTimeout(() => { for (;;); }, 4000);`)),
  // The picture
  fails('white', /The game is blank/, still('')),
  fails('black', /The game is blank/, still('', 'background: #000')),
  fails(
    'nothing drawn behind a running game',
    /The game is blank/,
    page(game('', '<style>body * { visibility: hidden }</style>')),
  ),
  fails('blank later', /The game went blank/, later(`document.body.innerHTML = ''; document.body.style.background = '#000';`)),
  doubtful('spinner forever', /The picture is almost empty/, still(spinner, 'background: #345')),
  doubtful('spinner over a splash', /Drawn, but Croupier can't tell whether it's playable/, still(splash + spinner)),
  doubtful('loading forever', /The page still says "Loading… 99 %"/, still(`${splash}<p>Loading… 99 %</p>`)),
  doubtful('loading forever, in German', /The page still says "Wird geladen/, still(`${splash}<p>Wird geladen…</p>`)),
  doubtful('static page', /Drawn, but Croupier can't tell whether it's playable/, still(`${splash}<p>Welcome</p>`)),
  doubtful(
    'canvas without a server',
    /Drawn, but Croupier can't tell whether it's playable/,
    page(game('', '', { asks: false })),
  ),
  doubtful(
    'server without a canvas',
    /Drawn, but Croupier can't tell whether it's playable/,
    page(game('', splash, { paints: false })),
  ),
  fails('lost WebGL context', /A canvas lost its WebGL context/, scripted(webgl(''))),
  doubtful(
    'WebGL that comes back',
    /A canvas lost its WebGL context and got it back/,
    scripted(webgl('setTimeout(() => lose.restoreContext(), 2500);')),
  ),
  // What it says
  fails('session expired', /The page said "Session expired"/, page(game('', '<h2>Session expired</h2>'))),
  fails(
    'error card in German',
    /The page said "Ein Fehler ist aufgetreten"/,
    page(game('', '<h2>Ein Fehler ist aufgetreten</h2>')),
  ),
  fails(
    'error card later',
    /The page said "Connection lost"/,
    later(`document.body.insertAdjacentHTML('beforeend', '<h2>Connection lost</h2>');`),
  ),
  fails(
    'error card in a frame',
    /The page said "Game is not available"/,
    page(game('', `<iframe srcdoc="<h2>Game is not available</h2>"></iframe>`)),
  ),
  fails('error card of the team', /The page said "Table closed"/, page(game('', '<h2>Table closed</h2>'))),
  doubtful(
    'error card that goes',
    /The page said "Connection lost", then removed it/,
    scripted(
      `document.body.insertAdjacentHTML('beforeend', '<h2 id="card">Connection lost</h2>'); setTimeout(() => document.getElementById('card').remove(), 4000);`,
    ),
  ),
  doubtful(
    'logs without end',
    /The console has 1,000 lines/,
    scripted(`let line = 0; setInterval(() => { for (let n = 0; n < 200; n += 1) console.log('Line ' + (line += 1)); }, 100);`),
  ),
  // Its exit
  fails('dead exit', /"Exit" was pressed, and nothing happened/, page(game()), { play: click('#exit') }),
  doubtful(
    'exit that posts a message alone',
    /"Exit" was pressed\. It only posted a message/,
    page(game('', `<script>document.getElementById('exit').onclick = () => parent.postMessage('exit', '*')</script>`)),
    { play: click('#exit') },
  ),
  doubtful(
    'exit that goes elsewhere',
    /Going to games\.example\/lobby, not to exitURL/,
    page(game('', `<script>document.getElementById('exit').onclick = () => (location.href = '/lobby')</script>`)),
    { play: click('#exit') },
  ),
  // Its time
  doubtful('slow', /Drawn after .+, which is slow/, page(game('', '<img src="/slow-picture">'))),
  fails(
    'never drawn',
    /Not ready after .+: it waits for the response of .*never-picture/,
    page(game('', '<img src="/never-picture">')),
  ),
];

/** Games that are well, each with something that was taken for a fault. */
export const cleanRows: readonly Row[] = [
  { name: 'plain', answer: page(game()) },
  { name: 'a ticker', answer: page(game('', '<marquee>Jackpot 1,234,567.89</marquee>')) },
  { name: 'a poll each 300 ms', answer: scripted(`setInterval(() => fetch('/api/poll'), 300);`) },
  { name: 'a long poll', answer: scripted(`const ask = () => fetch('/api/long-poll').then(ask, ask); ask();`) },
  { name: 'server-sent events', answer: scripted(`new EventSource('/api/events');`) },
  { name: 'beacons that nobody answers well', answer: scripted(`setInterval(() => navigator.sendBeacon('/beacon', 'x'), 500);`) },
  {
    name: 'errors that it logs itself',
    answer: scripted(
      `console.error('Uncaught TypeError: statistics are off'); try { lost(); } catch (error) { console.error(error); }`,
    ),
  },
  {
    name: 'a refusal that it expects',
    answer: scripted(`fetch('/api/second-time/a').then((first) => first.ok ? first : fetch('/api/second-time/a'));`),
  },
  { name: 'busy once', answer: later(`const until = performance.now() + 7000; while (performance.now() < until);`) },
  {
    name: 'wraps timers and frames',
    answer: scripted(
      `const frame = requestAnimationFrame; window.setTimeout = () => 0; window.setInterval = () => 0; window.Promise = class { then() {} }; Object.prototype.toJSON = () => 'broken'; document.querySelectorAll = () => { throw new Error('wrapped'); };`,
    ),
  },
  { name: 'a WebSocket', answer: scripted(`new WebSocket('wss://games.example/live/lasts');`) },
  {
    name: 'a WebSocket that is opened again',
    answer: scripted(
      `new WebSocket('wss://games.example/live/ends').onclose = () => new WebSocket('wss://games.example/live/ends?again');`,
    ),
  },
  { name: 'reports of a policy alone', answer: page(game(), { 'content-security-policy-report-only': "script-src 'self'" }) },
  {
    name: 'another host',
    answer: (request, response) =>
      request.headers.host?.startsWith('elsewhere') === true
        ? page(game())(request, response)
        : redirect(`${otherOrigin}${launchPath('another host')}`)(request, response),
  },
  { name: 'a URL that it tidies up', answer: scripted(`history.replaceState(null, '', '/play');`) },
  {
    name: 'a session in place of the parameters',
    answer: (request, response) =>
      request.url?.includes('session') === true
        ? page(game())(request, response)
        : redirect('/f/a%20session%20in%20place%20of%20the%20parameters?session=1')(request, response),
  },
  {
    name: 'loads again once',
    answer: scripted(
      `if (sessionStorage.getItem('again') === null) { sessionStorage.setItem('again', '1'); location.reload(); }`,
    ),
  },
  {
    name: 'a fade',
    answer: page(game('', '<style>body { animation: come 1.5s } @keyframes come { from { opacity: 0 } }</style>')),
  },
  {
    name: 'rules that speak of errors',
    answer: page(
      game(
        '',
        '<p>If the connection to the server is interrupted while a round is open, the round is settled as if it had been played to its end. Malfunction voids all pays and plays.</p>',
      ),
    ),
  },
  {
    name: 'a text that loads for a second',
    answer: scripted(
      `document.body.insertAdjacentHTML('beforeend', '<p id="load">Loading…</p>'); setTimeout(() => document.getElementById('load').remove(), 1000);`,
    ),
  },
  { name: 'messages to itself', answer: scripted(`setInterval(() => postMessage('tick ' + Math.random(), '*'), 50);`) },
  {
    name: 'an exit that asks first',
    answer: page(
      game(
        '',
        `<dialog>Leave the game?<button>Stay</button></dialog><script>document.getElementById('exit').onclick = () => document.querySelector('dialog').showModal()</script>`,
      ),
    ),
    play: click('#exit'),
  },
];
