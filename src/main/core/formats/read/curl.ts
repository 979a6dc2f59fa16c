import { AppError } from '#shared/errors.ts';
import { createPlaceCounter } from '#shared/json/line-and-column.ts';
import { straightenCommand } from './chat-text.ts';
import { createNames, literal } from './variable-names.ts';
import { splitShell, type Word } from './shell-words.ts';
import {
  createLosses,
  createRequest,
  reasons,
  sourceRequest,
  type Losses,
  type Source,
  type SourceRequest,
} from './import-source.ts';

/** Returns whether the text consists of shell commands with curl among them. */
export function looksLikeCurl(text: string): boolean {
  return /(?:^|[\s\u200b-\u200d\u2060;&|$/])curl(?:\.exe)?[\s\u200b-\u200d\u2060]/.test(text.slice(0, 100_000));
}

/**
 * Reads one or several curl commands, as browsers and people write them for bash. Fails with `invalid_input` if a quote is not
 * closed.
 */
export function readCurl(text: string, file: string, losses: Losses): Source {
  const { text: plain, replaced } = straightenCommand(text);
  if (replaced.length > 0)
    losses.add(file, replaced.join(', '), 'Croupier read them as the characters that a shell expects.', '');
  const placeOf = createPlaceCounter(plain);
  const names = createNames(losses, file, 'the shell');
  const requests: SourceRequest[] = [];
  for (const command of commandsOf(plain, file)) {
    const at = `line ${placeOf(command.start).line}`;
    const where = `${file}, ${at}`;
    const from = command.words.findIndex(({ parts }) => /(?:^|\/)curl(?:\.exe)?$/.test(textOf(parts)));
    if (from === -1) {
      losses.add(
        where,
        `the command ${textOf(command.words[0]?.parts ?? []) || 'without words'}`,
        'Croupier imports only curl commands.',
        at,
      );
      continue;
    }
    if (from > 0) {
      const before = command.words.slice(0, from).map(({ parts }) => textOf(parts).replace(/=.*/s, '='));
      losses.add(where, `the text before curl: ${before.join(' ')}`, "Croupier doesn't run it.", at);
    }
    for (const redirection of command.redirections)
      losses.add(where, `the redirection ${redirection.split(' ')[0] ?? ''}`, 'Responses are kept in the history.', at);
    requests.push(...readCommand(command.words.slice(from + 1), { where, at, names, input: command.input }));
  }
  return { format: 'curl', requests, folders: [] };
}

/** Fails with `invalid_input` and the line of what cannot be read. */
function commandsOf(text: string, file: string): ReturnType<typeof splitShell> {
  try {
    return splitShell(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { line, column } = createPlaceCounter(text)((error.details as { offset: number }).offset);
    throw new AppError('invalid_input', `${file}, line ${line}, column ${column}: ${error.message}`, { line, column });
  }
}

/** Options that take a value. */
const taking = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie
  cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr
  dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string
  ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5
  hostpubsha256 hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port
  login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir
  parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type
  proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name
  proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer
  request request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service
  socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword
  tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out`.split(
    /\s+/,
  ),
);

/** Options that only change cURL's output. */
const silent = new Set(
  'silent show-error globoff verbose progress-bar no-progress-meter compressed fail include no-buffer fail-with-body'.split(' '),
);

/** The long names of short options that take a value, or mean something here. */
const longNames = new Map(
  `# progress-bar, A user-agent, b cookie, c cookie-jar, C continue-at, d data, D dump-header, e referer, E cert, f fail, F form, g globoff,
  G get, H header, i include, k insecure, K config, m max-time, n netrc, N no-buffer, o output, P ftp-port, Q quote, r range, s silent,
  S show-error, t telnet-option, T upload-file, u user, U proxy-user, v verbose, w write-out, x proxy, X request, y speed-time,
  Y speed-limit, z time-cond, : next`
    .split(/,\s+/)
    .map((one) => one.split(' ') as [string, string]),
);

interface Place {
  readonly where: string;
  readonly at: string;
  readonly names: ReturnType<typeof createNames>;
  /** Its standard input; null where nobody knows it. */
  readonly input: Word | null;
}

type Gathered = ReturnType<typeof gatherNone>;

function gatherNone() {
  return {
    addresses: [] as Word[],
    method: null as Word | null,
    data: [] as { word: Word; option: string }[],
    refusal: null as string | null,
  };
}

/** Reads one curl command: several requests if it has several URLs or `--next`. */
function readCommand(words: readonly Word[], place: Place): SourceRequest[] {
  const requests: SourceRequest[] = [];
  const { where, at } = place;
  let losses = createLosses();
  let gathered = gatherNone();

  function finish(): void {
    for (const address of gathered.addresses) requests.push(requestOf(address, gathered, losses, place));
    if (gathered.addresses.length === 0) requests.push(requestOf(null, gathered, losses, place));
    losses = createLosses();
    gathered = gatherNone();
  }

  /** `name` is the long one, or a letter that has no other here. */
  function apply(name: string, value: Word | null, written: string): void {
    if (name === 'next') finish();
    else if (name === 'request') gathered.method = value;
    else if (name === 'url' && value !== null) gathered.addresses.push(value);
    else if (/^(?:data(?:-ascii|-binary|-raw)?|json)$/.test(name) && value !== null)
      gathered.data.push({ word: fromInput(name, value, place.input), option: name });
    else if (/^(?:data-urlencode|form|form-string)$/.test(name)) gathered.refusal ??= `${written} makes a form. ${reasons.body}`;
    else if (name === 'get') gathered.refusal ??= `${written} puts the data into the URL. ${reasons.body}`;
    else if (name === 'header' && value !== null)
      losses.add(where, `the header ${/^[\w-]*/.exec(textOf(value.parts))?.[0] ?? ''}`, reasons.header, at);
    else if (!silent.has(name)) losses.add(where, `the option ${written}`, whyNot(name), at);
  }

  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    const text = textOf(word.parts);
    const next = () => words[++index] ?? null;
    if (!text.startsWith('-') || text === '-') gathered.addresses.push(word);
    else if (text.startsWith('--')) {
      // The text after an equals sign may be a secret.
      const [name = ''] = text.slice(2).split('=');
      apply(name, taking.has(name) ? next() : null, `--${name}`);
    } else {
      // One letter after another; the rest after one that takes a value is its value.
      for (let letter = 1; letter < text.length; letter++) {
        const short = text.charAt(letter);
        const name = longNames.get(short) ?? short;
        const takes = taking.has(name);
        apply(name, !takes ? null : letter + 1 === text.length ? next() : afterLetters(word, letter + 1), `-${short}`);
        if (takes) break;
      }
    }
  }
  finish();
  return requests;
}

/** Returns what stands in a here-document for `@-`. Without `-binary` curl leaves the ends of lines out. */
function fromInput(option: string, value: Word, input: Word | null): Word {
  if (input === null || option === 'data-raw' || textOf(value.parts) !== '@-') return value;
  if (option === 'data-binary' || option === 'json') return input;
  return {
    ...input,
    parts: input.parts.map((part) => (part.kind === 'text' ? { ...part, text: part.text.replace(/[\r\n]/g, '') } : part)),
  };
}

/** Returns the word without its first characters, which are text. */
function afterLetters({ parts, start }: Word, length: number): Word {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text') return { parts, start };
  return { parts: [{ kind: 'text', text: first.text.slice(length) }, ...rest], start };
}

function requestOf(address: Word | null, gathered: Gathered, own: Losses, { where, at, names }: Place): SourceRequest {
  const request = createRequest(where, at);
  request.losses.addAll(own.all());
  const { data, method } = gathered;
  const parts = [...(address === null ? [] : [address]), ...data.map(({ word }) => word)].flatMap((word) => word.parts);
  const file = data.find(
    ({ word, option }) => option !== 'data-raw' && word.parts[0]?.kind === 'text' && word.parts[0].text.startsWith('@'),
  );
  const computed = parts.find(({ kind }) => kind === 'computed');
  let { refusal } = gathered;
  if (file !== undefined)
    refusal ??= `Its body is in the file ${textOf(file.word.parts).slice(1)}, which Croupier doesn't read. Pass the contents with --data-raw.`;
  if (computed?.kind === 'computed')
    refusal ??= `It contains ${computed.what}, which only a shell evaluates. Write its value instead.`;
  const read = (word: Word) =>
    word.parts
      .map((part) =>
        part.kind === 'text' ? literal(part.text) : part.kind === 'variable' ? `{{${names.nameOf(part.name)}}}` : '',
      )
      .join('');
  const ofShell = 'It was a shell variable. Set a variable of that name before you send.';
  for (const part of parts) if (part.kind === 'variable') request.lose(`the value of $${part.name}`, ofShell, at);
  const separator = data.some(({ option }) => option === 'json') ? '' : '&';
  const hasBody = data.length > 0 && refusal === null;
  const holdsVariables = data.some(({ word }) => word.parts.some(({ kind }) => kind !== 'text'));
  request.method = method === null ? (data.length > 0 || refusal !== null ? 'POST' : 'GET') : textOf(method.parts);
  request.unreadBody = refusal;
  if (hasBody && !holdsVariables) request.rawBody = data.map(({ word }) => textOf(word.parts)).join(separator);
  return {
    ...sourceRequest(request, literal),
    // Variables of the shell are among the words.
    address: address === null ? '' : read(address),
    body: hasBody ? data.map(({ word }) => read(word)).join(separator) : null,
  };
}

function whyNot(name: string): string {
  if (['insecure', 'cacert', 'capath', 'cert', 'key'].includes(name))
    return 'Croupier always checks certificates. Set a CA certificate in the environment.';
  if (['user', 'oauth2-bearer', 'cookie', 'netrc', 'aws-sigv4'].includes(name)) return reasons.auth;
  if (['max-time', 'connect-timeout'].includes(name)) return 'Set timeouts in the environment.';
  return reasons.unknown;
}

/** Returns the text of a word; a variable of the shell stays as it is written. */
function textOf(parts: Word['parts']): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'variable' ? `$${part.name}` : '')).join('');
}
