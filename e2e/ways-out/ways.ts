/**
 * Ways out of a page, as a hostile game would try them. Each runs in the page of `site.ts` with a port of its own on this machine,
 * so the port of a refused request names its way. `host` is another spelling of this machine; `name` is one that only a resolver
 * knows.
 */
export const waysScript = String.raw`
const at = (port, host = '127.0.0.1') => 'https://' + host + ':' + port + '/';
const socket = (port, host = '127.0.0.1') => 'wss://' + host + ':' + port + '/';
const served = (body, type = 'text/html', headers = {}) =>
  location.origin + '/any?' + new URLSearchParams({ body, type, headers: JSON.stringify(headers) });
const script = (code) => served(code, 'text/javascript');
const add = (tag, values, parent = document.body) => {
  const element = Object.assign(document.createElement(tag), values);
  parent.append(element);
  return element;
};
const link = (rel, href, as) => {
  const element = document.createElement('link');
  element.rel = rel;
  element.href = href;
  if (as !== undefined) element.as = as;
  document.head.append(element);
};
const frame = (src) => void add('iframe', { src });
const form = (method, port) => {
  const target = 'form-' + port;
  add('iframe', { name: target });
  add('form', { method, action: at(port), target }).submit();
};
const service = async (name, code) => {
  const url = location.origin + '/worker/' + name + '/any?' + new URLSearchParams({ body: code, type: 'text/javascript' });
  await navigator.serviceWorker.register(url, { scope: '/worker/' + name + '/' });
};
const rebound = async (number, then) => {
  const host = 'rebound' + number + '.example';
  await fetch(at(location.port, host), { mode: 'no-cors' });
  return then(host);
};
const peer = (server) => {
  const connection = new RTCPeerConnection({ iceServers: [server] });
  connection.createDataChannel('x');
  return new Promise((resolve) => {
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
    void connection.createOffer().then((offer) => connection.setLocalDescription(offer));
  });
};

const ways = {
  'fetch': (port) => fetch(at(port), { mode: 'no-cors' }),
  'fetch that outlives the page': (port) => fetch(at(port), { mode: 'no-cors', keepalive: true }),
  'fetchLater': (port) => void fetchLater(at(port), { activateAfter: 0 }),
  'XMLHttpRequest': (port) => {
    const request = new XMLHttpRequest();
    request.open('GET', at(port));
    request.send();
  },
  'sendBeacon': (port) => void navigator.sendBeacon(at(port), 'x'),
  'image': (port) => void (new Image().src = at(port)),
  'image over http': (port) => void (new Image().src = 'http://127.0.0.1:' + port + '/'),
  'background image': (port) => void (document.body.style.backgroundImage = 'url(' + at(port) + ')'),
  'script': (port) => void add('script', { src: at(port) }),
  'module': (port) => import(at(port)),
  'style sheet': (port) => link('stylesheet', at(port)),
  '@import': (port) => void add('style', { textContent: '@import url(' + at(port) + ')' }),
  'font': (port) => new FontFace('x', 'url(' + at(port) + ')').load(),
  'video': (port) => void (add('video', { src: at(port) }).preload = 'auto'),
  'audio': (port) => void new Audio(at(port)).load(),
  'text track': (port) => {
    const video = add('video', { crossOrigin: 'anonymous' });
    add('track', { src: at(port), default: true, kind: 'captions' }, video).track.mode = 'showing';
  },
  'object': (port) => void add('object', { data: at(port), type: 'text/html' }),
  'embed': (port) => void add('embed', { src: at(port), type: 'text/html' }),
  'frame': (port) => frame(at(port)),
  'form, GET': (port) => form('GET', port),
  'form, POST': (port) => form('POST', port),
  'ping of a link': (port) => {
    const anchor = add('a', { href: '#x', ping: at(port) });
    anchor.click();
  },
  'preconnect': (port) => link('preconnect', at(port)),
  'dns-prefetch': () => link('dns-prefetch', 'https://prefetched.localhost'),
  'prefetch': (port) => link('prefetch', at(port)),
  'preload': (port) => link('preload', at(port), 'script'),
  'modulepreload': (port) => link('modulepreload', at(port)),
  'speculation rules, prefetch': (port) =>
    void add('script', { type: 'speculationrules', text: JSON.stringify({ prefetch: [{ source: 'list', urls: [at(port, 'inner.ways.example')], eagerness: 'immediate' }] }) }),
  'speculation rules, prerender': (port) =>
    void add('script', { type: 'speculationrules', text: JSON.stringify({ prerender: [{ source: 'list', urls: [at(port, 'inner.ways.example')], eagerness: 'immediate' }] }) }),
  'EventSource': (port) => void new EventSource(at(port)),
  'manifest': (port) => link('manifest', at(port)),
  'icon': (port) => link('icon', at(port)),
  'source map': (port) => void add('script', { text: '1;\n//# sourceMappingURL=' + at(port) + 'x.map' }),
  'WebSocket of the page': (port) => void new WebSocket(socket(port)),
  'WebSocket without TLS': (port) => void new WebSocket('ws://127.0.0.1:' + port + '/'),
  'WebSocketStream': (port) => new WebSocketStream(socket(port)).opened,
  'WebSocket of a frame': (port) => frame(served('<script>new WebSocket(' + JSON.stringify(socket(port)) + ')</scr' + 'ipt>')),
  'WebSocket of a worker': (port) => void new Worker(script('new WebSocket(' + JSON.stringify(socket(port)) + ')')),
  'WebSocket of a shared worker': (port) => void new SharedWorker(script('new WebSocket(' + JSON.stringify(socket(port)) + ')')),
  'WebSocket of a service worker': (port) => service('socket', 'new WebSocket(' + JSON.stringify(socket(port)) + ')'),
  'fetch of a worker': (port) => void new Worker(script('fetch(' + JSON.stringify(at(port)) + ', { mode: "no-cors" })')),
  'importScripts of a worker': (port) => void new Worker(script('importScripts(' + JSON.stringify(at(port)) + ')')),
  'fetch of a shared worker': (port) => void new SharedWorker(script('fetch(' + JSON.stringify(at(port)) + ', { mode: "no-cors" })')),
  'fetch of a service worker': (port) => service('fetch', 'fetch(' + JSON.stringify(at(port)) + ', { mode: "no-cors" })'),
  'background fetch': async (port) => {
    const registration = await navigator.serviceWorker.register(
      location.origin + '/worker/background/any?' + new URLSearchParams({ body: '1', type: 'text/javascript' }),
      { scope: '/worker/background/' },
    );
    for (let worker = registration.installing; worker !== null && worker.state !== 'activated'; )
      await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
    await registration.backgroundFetch.fetch('x', [at(port)]);
  },
  'WebTransport': (port) => new WebTransport(at(port)).ready,
  'WebRTC, STUN': (port) => peer({ urls: 'stun:127.0.0.1:' + port }),
  'WebRTC, TURN over UDP': (port) => peer({ urls: 'turn:127.0.0.1:' + port + '?transport=udp', username: 'x', credential: 'x' }),
  'WebRTC, TURN over TCP': (port) => peer({ urls: 'turn:127.0.0.1:' + port + '?transport=tcp', username: 'x', credential: 'x' }),
  'WebRTC, TURN over TLS': (port) => peer({ urls: 'turns:127.0.0.1:' + port + '?transport=tcp', username: 'x', credential: 'x' }),
  'redirect of a fetch': (port) => fetch('/to?' + at(port), { mode: 'no-cors' }),
  'redirect of a frame': (port) => frame('/to?' + at(port)),
  'meta refresh': (port) => frame(served('<meta http-equiv="refresh" content="0;url=' + at(port) + '">')),
  'Refresh header': (port) => frame(served('x', 'text/html', { refresh: '0;url=' + at(port) })),
  'Link header': (port) => frame(served('x', 'text/html', { link: '<' + at(port) + '>; rel=preload; as=script' })),
  'location of a frame': (port) => frame(served('<script>location = ' + JSON.stringify(at(port)) + '</scr' + 'ipt>')),
  'new window': (port) => void window.open(at(port), '_blank'),
  'report of a policy, report-uri': (port) =>
    frame(served('<img src="https://ways.example/x">', 'text/html', { 'content-security-policy': "img-src 'none'; report-uri " + at(port) })),
  'report of a policy, Reporting-Endpoints': (port) => {
    const element = add('iframe', {
      src: served('<img src="https://ways.example/x">', 'text/html', {
        'content-security-policy': "img-src 'none'; report-to there",
        'reporting-endpoints': 'there="' + at(port) + '"',
      }),
    });
    // Chromium sends what it has gathered when the document goes.
    element.addEventListener('load', () => element.remove());
  },
  'payment method': (port) =>
    new PaymentRequest([{ supportedMethods: at(port) + 'pay' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment(),
  'FedCM': (port) => void navigator.credentials.get({ identity: { providers: [{ configURL: at(port) + 'config.json', clientId: 'x' }] } }).catch(() => undefined),
  'decimal address': (port) => fetch(at(port, '2130706433'), { mode: 'no-cors' }),
  'octal address': (port) => fetch(at(port, '0177.0.0.1'), { mode: 'no-cors' }),
  'hexadecimal address': (port) => fetch(at(port, '0x7f.1'), { mode: 'no-cors' }),
  'unspecified address': (port) => fetch(at(port, '0.0.0.0'), { mode: 'no-cors' }),
  'IPv6 loopback': (port) => fetch(at(port, '[::1]'), { mode: 'no-cors' }),
  'IPv4-mapped address': (port) => fetch(at(port, '[::ffff:127.0.0.1]'), { mode: 'no-cors' }),
  'NAT64 address': (port) => fetch(at(port, '[64:ff9b::7f00:1]'), { mode: 'no-cors' }),
  '6to4 address': (port) => fetch(at(port, '[2002:7f00:1::1]'), { mode: 'no-cors' }),
  'localhost': (port) => fetch(at(port, 'localhost'), { mode: 'no-cors' }),
  'localhost with a dot': (port) => fetch(at(port, 'localhost.'), { mode: 'no-cors' }),
  'name below localhost': (port) => fetch(at(port, 'a.localhost'), { mode: 'no-cors' }),
  'name of a private address': (port) => fetch(at(port, 'private.example'), { mode: 'no-cors' }),
  'name of a private address, WebSocket': (port) => void new WebSocket(socket(port, 'private.example')),
  'name of a private and a public address': (port) => fetch(at(port, 'mixed.example'), { mode: 'no-cors' }),
  'name that changes, fetch': (port) => rebound(1, (host) => fetch(at(port, host), { mode: 'no-cors' })),
  'name that changes, WebSocket': (port) => rebound(2, (host) => void new WebSocket(socket(port, host))),
  'name that changes, WebSocket of a service worker': (port) =>
    rebound(3, (host) => service('rebound', 'new WebSocket(' + JSON.stringify(socket(port, host)) + ')')),
};

/** Tries every one that has a port; The promise tried settles when all have that a page can wait for. */
globalThis.tryAll = (ports) => {
  globalThis.tried = Promise.allSettled(Object.entries(ports).map(async ([name, port]) => ways[name](port)));
};
`;

/** Their names, in the order of the script. */
export const wayNames: readonly string[] = Array.from(waysScript.matchAll(/^ {2}'([^']+)': /gm), ([, name = '']) => name);
