import { listed } from '#shared/listed.ts';

/** The end of a way through a proxy. All but `login`, `refused` and `notHttp` come from the network; these three are answers of the proxy. */
type ProxyEnd =
  | { readonly step: 'lookup' | 'connect' | 'tls'; readonly code: string }
  /** `schemes`: the logins that it asks for, in lowercase; `sent`: whether it refused one that was sent. */
  | { readonly step: 'login'; readonly schemes: readonly string[]; readonly sent: boolean }
  | { readonly step: 'refused'; readonly status: number }
  | { readonly step: 'notHttp' }
  | { readonly step: 'late'; readonly seconds: number };

type Words = readonly [message: string, hint: string];

/** The way through a proxy ended before anything was sent to the server behind it. The message names the proxy and what it answered. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly hint: string;

  constructor([message, hint]: Words) {
    super(message);
    this.hint = hint;
  }
}

/** Returns the failure of a proxy, by its address, on the way to a server. */
export function proxyFailure(proxy: string, server: string, end: ProxyEnd): ProxyFailure {
  return new ProxyFailure(wordsOf(`The proxy ${proxy}`, server, end));
}

/** Returns the failure of a setting that names no usable proxy; `problem` is a sentence. */
export function unusableProxy(problem: string): ProxyFailure {
  return new ProxyFailure([problem, 'Correct the setting, then send again.']);
}

function wordsOf(proxy: string, server: string, end: ProxyEnd): Words {
  switch (end.step) {
    case 'lookup':
      return [`${proxy} could not be looked up (${end.code}).`, "Check the VPN and the proxy's name."];
    case 'connect':
      return [
        `${proxy} ${connectWords[end.code] ?? 'did not accept a connection'} (${end.code}).`,
        "Check the VPN and the proxy's address.",
      ];
    case 'tls':
      return [
        `The TLS connection to the proxy ${proxy.slice('The proxy '.length)} failed (${end.code}).`,
        "Check the proxy's certificate, and whether its address starts with http:// instead.",
      ];
    case 'login':
      return loginWords(proxy, end.schemes, end.sent);
    case 'refused': {
      const [what, hint] = refusals[end.status] ?? [() => 'opened no tunnel', 'Ask whoever runs the proxy.'];
      return [`${proxy} ${what(server)} (HTTP ${end.status}).`, hint];
    }
    case 'notHttp':
      return [`${proxy} did not answer as an HTTP proxy does.`, 'Check its port: another kind of server may listen there.'];
    case 'late':
      return [
        `${proxy} did not connect to ${server} within ${end.seconds} s.`,
        'Check the VPN, then ask whoever runs the proxy.',
      ];
  }
}

const connectWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
};

const schemeNames: Readonly<Record<string, string>> = { ntlm: 'NTLM', negotiate: 'Negotiate' };

function loginWords(proxy: string, schemes: readonly string[], sent: boolean): Words {
  if (sent) return [`${proxy} rejected the user name or password (HTTP 407).`, 'Set its login again.'];
  if (schemes.includes('basic') || schemes.includes('digest')) {
    return [`${proxy} requires a user name and password (HTTP 407).`, 'Set its login.'];
  }
  const named = listed([...new Set(schemes)].map((one) => schemeNames[one] ?? 'an unknown scheme'));
  return [
    `${proxy} requires a login${named === '' ? '' : ` by ${named}`} (HTTP 407).`,
    'Croupier logs in by Basic and Digest only. Run a local helper such as cntlm or px, and name its address as the proxy.',
  ];
}

/** Meanings of a proxy's status: what it did, and what to do. */
const refusals: Readonly<Record<number, readonly [what: (server: string) => string, hint: string]>> = {
  403: [(server) => `refuses to connect to ${server}`, 'Ask whoever runs the proxy to allow this host and port.'],
  405: [() => 'opens no tunnels', 'Check its port: it may be a web server.'],
  502: [(server) => `could not reach ${server}`, 'Check the base URL. The proxy looks up the name itself.'],
  503: [(server) => `could not reach ${server}`, 'Check the base URL. The proxy looks up the name itself.'],
  504: [
    (server) => `got no answer from ${server} in time`,
    'Check the base URL. The provider may accept only known IP addresses.',
  ],
};
