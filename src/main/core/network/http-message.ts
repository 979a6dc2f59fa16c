import { Buffer } from 'node:buffer';

export type HeaderList = [string, string][];

/** A rule of HTTP that a response breaks and a client can read past. */
export type Breach =
  | 'blankLines'
  | 'statusLine'
  | 'requestLine'
  | 'lineEnds'
  | 'folded'
  | 'noColon'
  | 'spaceBeforeColon'
  | 'headerName'
  | 'control'
  | 'equalLengths'
  | 'lengths'
  | 'lengthForm'
  | 'lengthAndChunks'
  | 'chunksInOldVersion'
  | 'coding'
  | 'notInChunks'
  | 'chunkLine'
  | 'lastChunk'
  | 'bodyByStatus'
  | 'tooMuch';

/**
 * Words for each breach, with the rule that it breaks. `at`: the line of the head, from 1, or the numbers in question; never a text
 * of the server, which may hold anything.
 */
export const breachWords: Readonly<Record<Breach, (at: string) => string>> = {
  blankLines: () => 'A blank line comes before the first line (RFC 9112, 4).',
  statusLine: () => "The status line isn't version, code and reason with one space between them (RFC 9112, 4).",
  requestLine: () => "The request line isn't method, target and version with one space between them (RFC 9112, 3).",
  lineEnds: (at) => `Line ${at} of the head ends in LF alone, not in CR LF (RFC 9112, 2.2).`,
  folded: (at) => `Line ${at} of the head begins with whitespace, which continues the line before it (RFC 9112, 5.2).`,
  noColon: (at) => `Line ${at} of the head has no colon, so it's no header (RFC 9112, 5).`,
  spaceBeforeColon: (at) => `Line ${at} of the head has whitespace before its colon (RFC 9112, 5.1).`,
  headerName: (at) => `The header name on line ${at} has a character that isn't allowed (RFC 9110, 5.1).`,
  control: (at) => `The header on line ${at} contains a control character (RFC 9110, 5.5).`,
  equalLengths: (at) => `Content-Length appears ${at} times with the same value (RFC 9110, 8.6).`,
  lengths: (at) => `Content-Length appears with different values: ${at} (RFC 9112, 6.3).`,
  lengthForm: () => 'Content-Length is not a number of bytes (RFC 9110, 8.6).',
  lengthAndChunks: () => 'Content-Length is present although the body is chunked (RFC 9112, 6.2).',
  chunksInOldVersion: () => "The body is chunked, which HTTP/1.0 doesn't have (RFC 9112, 6.1).",
  coding: () => "Transfer-Encoding names a coding that this call didn't ask for (RFC 9112, 7.4).",
  notInChunks: () => "The headers say that the body is chunked, but it isn't (RFC 9112, 7.1).",
  chunkLine: () => 'A chunk has whitespace around its size, or a line that ends in LF alone (RFC 9112, 7.1).',
  lastChunk: () => 'The connection ended before the line that closes the last chunk (RFC 9112, 7.1).',
  bodyByStatus: (at) => `A response with status ${at} has no body, but bytes arrived after its headers (RFC 9112, 6.3).`,
  tooMuch: () => 'More bytes arrived after the end of the response (RFC 9112, 6.3).',
};

/** The reason if a response could not be read to its end; null for one that is whole. */
export type Fault =
  /** Nothing came. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'notHttp' }
  /** It begins as HTTP does, without a status of three digits. */
  | { readonly kind: 'noStatus' }
  /** Status 101: what follows is of another protocol. */
  | { readonly kind: 'switched' }
  | { readonly kind: 'headTooLong' }
  | { readonly kind: 'headCut' }
  | { readonly kind: 'chunks' }
  /** `came` of `stated` bytes; null where chunks say how many. */
  | { readonly kind: 'bodyCut'; readonly came: number; readonly stated: number | null }
  /** The connection ended without a close_notify, and nothing else says where the body ends. */
  | { readonly kind: 'unmarkedEnd' };

/** Events of a message as its bytes come. */
export interface MessageEvents {
  /** The first line and headers are whole, with so many bytes of the message. Called once, and not for news (1xx). */
  onHead(headBytes: number): void;
  onBody(bytes: Buffer): void;
  /** Returns whether what comes after the end belongs to another message. Absent: nothing may come. */
  isFollowed?(): boolean;
}

/** The parts of a request's first line, as they came. */
interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly version: string;
}

/** Reads one message of HTTP/1 leniently, as curl, browsers and servers do, and keeps in mind which rules it breaks. */
export interface MessageReader {
  /** Returns how many of the bytes are of this message. */
  add(bytes: Buffer): number;
  /** The connection ended. `marked`: by a close_notify of TLS. */
  end(marked: boolean): void;
  /**
   * `ended`: nothing more belongs to it. `quiet`: the rest cannot be read, or may be missing; whatever still comes at once is kept.
   */
  readonly state: 'reading' | 'quiet' | 'ended';
  /** The state `quiet` has lasted long enough. */
  settle(): void;
  readonly fault: Fault | null;
  /** Null until the status line came; null of a request. */
  readonly status: number | null;
  /** Null until it came; null of a response. */
  readonly requestLine: RequestLine | null;
  readonly headers: HeaderList;
  /** Length of the body by its headers; null if they do not state it, or not so that it counts. */
  readonly statedBytes: number | null;
  /** True if the body comes in chunks. */
  readonly chunked: boolean;
  /** Codings by which the body was transferred, in the order of their use; chunks are undone here. */
  readonly codings: readonly string[];
  /** Statuses of the news that came before the response. */
  readonly news: readonly number[];
  /** Breaches in the order in which they were met, each with its first place. */
  readonly breaches: ReadonlyMap<Breach, string>;
  /** Returns whether status, headers and body do not hold all that came. */
  isLossy(): boolean;
  /** Returns whether the connection can carry another request. */
  isReusable(): boolean;
}

/** Most bytes of the status line and headers together, news included. Browsers read as many. */
export const mostHeadBytes = 262_144;

const lf = 10;
/** Bytes of a line that are looked at before its end comes. */
const longestBeginning = 64;
const strictStatusLine = /^HTTP\/1\.[01] [1-5]\d\d [\t\x20-\x7e\x80-\xff]*$/;
const strictRequestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e]+ HTTP\/1\.[01]$/;
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]+(\S(?:.*\S)?)[ \t]+HTTP\/(\d(?:\.\d)?)[ \t]*$/i;
const isHttp = /^HTTP\/\d/i;
const statusLine = /^HTTP\/(\d(?:\.\d)?)[ \t]+(\d{3})(?:[ \t].*)?$/i;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const control = /(?!\t)\p{Cc}/u;

type Place = 'first' | 'headers' | 'length' | 'toEnd' | 'chunkSize' | 'chunk' | 'chunkEnd' | 'trailers' | 'over';

/** Reads a response to a request of this method. */
export function createResponseReader(events: MessageEvents, method = 'POST'): MessageReader {
  return createReader(events, method);
}

/** Reads a request. */
export function createRequestReader(events: MessageEvents): MessageReader {
  return createReader(events, null);
}

/** `answered`: the method of the request that is answered; null where the message is a request. */
function createReader(events: MessageEvents, answered: string | null): MessageReader {
  const headers: HeaderList = [];
  const news: number[] = [];
  const breaches = new Map<Breach, string>();
  const lengths: number[] = [];
  let place: Place = 'first';
  let version = '';
  let hasTrailers = false;
  /** The beginning of a line whose end has not come; each character is a byte. */
  let line = '';
  /** Of the head, from 1. */
  let lineNumber = 0;
  let headBytes = 0;
  let bodyBytes = 0;
  /** Bytes of the body or the chunk that are still to come. */
  let left = 0;
  let isFirstChunk = true;
  // Plain properties: an object with getters costs more to make than a response to read.
  const reader: { -readonly [Name in keyof MessageReader]: MessageReader[Name] } = {
    add,
    end,
    settle,
    state: 'reading',
    fault: null,
    status: null,
    requestLine: null,
    headers,
    statedBytes: null,
    chunked: false,
    codings: [],
    news,
    breaches,
    isLossy,
    isReusable,
  };

  function breach(kind: Breach, at: number | string = lineNumber): void {
    if (!breaches.has(kind)) breaches.set(kind, String(at));
  }

  function stop(found: Fault | null, next: 'quiet' | 'ended' = 'ended'): void {
    // What is not HTTP breaks none of its rules.
    if (found?.kind === 'notHttp') breaches.clear();
    reader.fault = found;
    place = 'over';
    reader.state = next;
  }

  /** Returns the parts of the values of a header, by its lowercase name. */
  function partsOf(name: string): string[] {
    const parts: string[] = [];
    for (const [key, value] of headers) {
      if (key.length === name.length && key.toLowerCase() === name) for (const part of value.split(',')) parts.push(part.trim());
    }
    return parts;
  }

  function onStatusLine(text: string): void {
    const [, found, code] = statusLine.exec(text) ?? [];
    if (found === undefined || code === undefined) return stop({ kind: isHttp.test(text) ? 'noStatus' : 'notHttp' }, 'quiet');
    if (!strictStatusLine.test(text)) breach('statusLine');
    version = found;
    reader.status = Number(code);
    place = 'headers';
  }

  function onRequestLine(text: string): void {
    const [, method, target, found] = requestLine.exec(text) ?? [];
    if (method === undefined || target === undefined || found === undefined) return stop({ kind: 'notHttp' }, 'quiet');
    if (!strictRequestLine.test(text)) breach('requestLine');
    version = found;
    reader.requestLine = { method, target, version };
    place = 'headers';
  }

  function onHeaderLine(text: string): void {
    if (/^[ \t]/.test(text)) {
      breach('folded');
      const last = headers.at(-1);
      if (last !== undefined) last[1] = `${last[1]} ${text.trim()}`.trim();
      return;
    }
    const colon = text.indexOf(':');
    if (colon === -1) return breach('noColon');
    const written = text.slice(0, colon);
    const name = written.trimEnd();
    if (name !== written) breach('spaceBeforeColon');
    if (!token.test(name)) breach('headerName');
    const value = text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
    if (control.test(value)) breach('control');
    headers.push([name, value]);
  }

  function onHeadEnd(): void {
    const code = reader.status ?? 0;
    if (code === 101) return stop({ kind: 'switched' }, 'quiet');
    if (code >= 100 && code < 200) {
      news.push(code);
      headers.length = 0;
      reader.status = null;
      lineNumber = 0;
      place = 'first';
      return;
    }
    frame();
    reader.statedBytes = place === 'length' ? left : null;
    events.onHead(headBytes);
    if (hasNoBody() || (place === 'length' && left === 0)) stop(null);
  }

  /** Finds out where the body ends (RFC 9112, 6.3). */
  function frame(): void {
    const stated = partsOf('content-length');
    for (const one of stated) if (/^\d{1,15}$/.test(one) && !lengths.includes(Number(one))) lengths.push(Number(one));
    lengths.sort((a, b) => a - b);
    const transfer = partsOf('transfer-encoding').map((one) => one.toLowerCase());
    const named = transfer.filter((one) => one !== '' && one !== 'chunked');
    if (named.length > 0) breach('coding');
    reader.codings = named.filter((one) => one !== 'identity');
    if (transfer.at(-1) === 'chunked') {
      if (stated.length > 0) breach('lengthAndChunks');
      if (version === '1.0' || version === '0.9') breach('chunksInOldVersion');
      reader.chunked = true;
      place = 'chunkSize';
      return;
    }
    if (stated.length === 0 || reader.codings.length > 0) {
      place = answered === null && reader.codings.length === 0 ? 'length' : 'toEnd';
      return;
    }
    if (!hasNoBody()) {
      if (lengths.length > 1) breach('lengths', lengths.join(', '));
      if (stated.some((one) => !lengths.includes(Number(one)))) breach('lengthForm');
      else if (lengths.length === 1 && stated.length > 1) breach('equalLengths', stated.length);
    }
    left = lengths.at(-1) ?? 0;
    place = lengths.length === 0 ? 'toEnd' : 'length';
  }

  function body(bytes: Buffer): void {
    if (bytes.length === 0) return;
    bodyBytes += bytes.length;
    events.onBody(bytes);
  }

  /** The body was said to come in chunks and does not: it ends as it would without that. */
  function leaveChunks(bytes: Buffer): void {
    breach('notInChunks');
    place = 'toEnd';
    const [length] = lengths;
    if (lengths.length === 1 && length !== undefined && length >= bytes.length) {
      left = length - bytes.length;
      place = 'length';
    }
    body(bytes);
    if (place === 'length' && left === 0) stop(null);
  }

  function onChunkSize(text: string, end: string): void {
    const [, before = '', digits, after = ''] = /^([ \t]*)([0-9a-f]{1,13})([ \t]*)(?:;.*)?$/i.exec(text) ?? [];
    if (digits === undefined) {
      if (isFirstChunk) leaveChunks(Buffer.from(text + end, 'latin1'));
      else stop({ kind: 'chunks' }, 'quiet');
      return;
    }
    if (before + after !== '') breach('chunkLine');
    isFirstChunk = false;
    left = Number.parseInt(digits, 16);
    place = left === 0 ? 'trailers' : 'chunk';
  }

  /** Reads a line without its LF. */
  function onLine(ended: string): void {
    const bare = !ended.endsWith('\r');
    const text = bare ? ended : ended.slice(0, -1);
    const isBlank = text === '';
    if (place === 'first' || place === 'headers') {
      lineNumber++;
      if (bare) breach('lineEnds');
      if (place === 'headers') {
        if (isBlank) onHeadEnd();
        else onHeaderLine(text);
      } else if (isBlank) breach('blankLines');
      else if (answered === null) onRequestLine(text);
      else onStatusLine(text);
      return;
    }
    if (place === 'chunkSize') onChunkSize(text, bare ? '\n' : '\r\n');
    else if (place === 'trailers') {
      if (isBlank) stop(null);
      else hasTrailers = true;
    } else if (isBlank) place = 'chunkSize';
    else stop({ kind: 'chunks' }, 'quiet');
    if (bare && !breaches.has('notInChunks')) breach('chunkLine');
  }

  /** Takes a line, or what came of it; returns where the next one begins. */
  function takeLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(lf, from);
    const to = end === -1 ? bytes.length : end + 1;
    const before = line.length;
    line += bytes.toString('latin1', from, end === -1 ? to : end);
    headBytes += place === 'chunkSize' || place === 'chunkEnd' ? 0 : to - from;
    if (headBytes > mostHeadBytes || line.length > mostHeadBytes) {
      stop({ kind: reader.status === null ? 'notHttp' : 'headTooLong' }, 'quiet');
    } else if (end !== -1) {
      const whole = line;
      line = '';
      onLine(whole);
    } else if (before < longestBeginning) {
      // Without an end of its line it may never come: `{"code":0}` has none.
      if (place === 'first' && news.length === 0 && !couldBegin(line)) stop({ kind: 'notHttp' }, 'quiet');
      else if (place === 'chunkSize' && isFirstChunk && !/^[ \t]*[0-9a-f]*[ \t\r]*(;|$)/i.test(line)) {
        const begun = Buffer.from(line, 'latin1');
        line = '';
        leaveChunks(begun);
      }
    }
    return to;
  }

  /** Takes what of the bytes is the body's; returns where the rest begins. */
  function takeBody(bytes: Buffer, from: number): number {
    const to = place === 'toEnd' ? bytes.length : Math.min(bytes.length, from + left);
    left -= place === 'toEnd' ? 0 : to - from;
    body(bytes.subarray(from, to));
    if (place === 'length' && lengths.length > 1 && bodyBytes >= (lengths[0] ?? 0)) reader.state = 'quiet';
    if (left === 0 && place === 'length') stop(null);
    else if (left === 0 && place === 'chunk') place = 'chunkEnd';
    return to;
  }

  function add(bytes: Buffer): number {
    for (let at = 0; at < bytes.length;) {
      if (place === 'over') {
        if (reader.fault !== null) return bytes.length;
        if (events.isFollowed?.() === true) return at;
        breach(hasNoBody() ? 'bodyByStatus' : 'tooMuch', reader.status ?? 0);
        return bytes.length;
      }
      at = place === 'length' || place === 'toEnd' || place === 'chunk' ? takeBody(bytes, at) : takeLine(bytes, at);
    }
    return bytes.length;
  }

  function end(marked: boolean): void {
    if (place === 'over') {
      reader.state = 'ended';
      return;
    }
    if (place === 'first') {
      if (line === '' && news.length === 0 && breaches.size === 0) stop({ kind: 'nothing' });
      else if (line !== '' && !couldBegin(line)) stop({ kind: 'notHttp' });
      else stop({ kind: 'headCut' });
    } else if (place === 'headers') stop({ kind: 'headCut' });
    else if (place === 'toEnd') stop(marked ? null : { kind: 'unmarkedEnd' });
    else if (place === 'length') {
      stop(lengths.includes(bodyBytes) ? null : { kind: 'bodyCut', came: bodyBytes, stated: lengths.at(-1) ?? null });
    } else if (place === 'trailers') {
      breach('lastChunk');
      stop(null);
    } else stop({ kind: 'bodyCut', came: bodyBytes, stated: null });
  }

  function settle(): void {
    if (reader.state !== 'quiet') return;
    if (place !== 'over') stop(null);
    reader.state = 'ended';
  }

  function isLossy(): boolean {
    const isCutBody = reader.fault?.kind === 'bodyCut' || reader.fault?.kind === 'unmarkedEnd';
    return breaches.size > 0 || news.length > 0 || hasTrailers || (reader.fault !== null && !isCutBody);
  }

  function isReusable(): boolean {
    const said = partsOf('connection').join(',').toLowerCase();
    const stays = version === '1.1' ? !/\bclose\b/.test(said) : version === '1.0' && /\bkeep-alive\b/.test(said);
    return (
      stays &&
      reader.state === 'ended' &&
      reader.fault === null &&
      breaches.size === 0 &&
      (hasNoBody() || lengths.length > 0 || !isFirstChunk)
    );
  }

  /** Returns whether the status or the method alone says that no body comes. */
  function hasNoBody(): boolean {
    return reader.status === 204 || reader.status === 304 || answered === 'HEAD';
  }

  function couldBegin(text: string): boolean {
    return answered === null ? couldBeRequest(text) : couldBeHttp(text);
  }

  return reader;
}

/** Returns whether bytes can be the beginning of a request line. */
function couldBeRequest(line: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]*(?:[ \t].*)?\r?$/s.test(line);
}

/** Returns whether bytes can be the beginning of a status line. */
function couldBeHttp(line: string): boolean {
  const begin = 'HTTP/';
  const text = line.slice(0, 64).trimStart().toUpperCase();
  return text.length < begin.length ? begin.startsWith(text) : text.startsWith(begin);
}
