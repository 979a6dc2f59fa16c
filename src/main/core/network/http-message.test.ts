import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { breachWords, createResponseReader, type Breach, type Fault, type HeaderList } from './http-message.ts';

interface Read {
  readonly status: number | null;
  readonly headers: HeaderList;
  readonly body: string;
  readonly heads: number;
  readonly breaches: Breach[];
  readonly fault: Fault['kind'] | null;
  readonly isLossy: boolean;
  readonly isReusable: boolean;
}

/** Reads parts as they come, then an end: one with a close_notify, one without, or none but silence. */
function read(parts: readonly string[], end: 'marked' | 'cut' | 'silence' = 'marked'): Read {
  const chunks: Buffer[] = [];
  let heads = 0;
  const reader = createResponseReader({ onHead: () => (heads += 1), onBody: (bytes) => void chunks.push(bytes) });
  for (const part of parts) reader.add(Buffer.from(part, 'latin1'));
  if (reader.state === 'quiet' && end === 'silence') reader.settle();
  if (reader.state !== 'ended' && end !== 'silence') reader.end(end === 'marked');
  const { status, headers, breaches, fault } = reader;
  return {
    status,
    headers,
    body: Buffer.concat(chunks).toString('latin1'),
    heads,
    breaches: [...breaches.keys()],
    fault: fault?.kind ?? null,
    isLossy: reader.isLossy(),
    isReusable: reader.isReusable(),
  };
}

const json = '{"code":0}';
const ok = 'HTTP/1.1 200 OK\r\n';
const length = `Content-Length: ${json.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const chunks = `a\r\n${json}\r\n0\r\n\r\n`;

/** Texts that a lenient client reads as `json` under status 200, with the rules that it breaks. */
const readable: readonly [name: string, text: string, breaches: readonly Breach[]][] = [
  ['a length', `${ok}${length}\r\n${json}`, []],
  ['chunks', `${ok}${chunked}\r\n${chunks}`, []],
  ['chunks with extensions and trailers', `${ok}${chunked}\r\n5;a=b\r\n{"cod\r\n05\r\ne":0}\r\n0\r\nX-Sum: 1\r\n\r\n`, []],
  ['the end of the connection', `${ok}\r\n${json}`, []],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\n\r\n${json}`, []],
  ['no reason', `HTTP/1.1 200 \r\n${length}\r\n${json}`, []],
  ['bytes beyond ASCII in a header', `${ok}X: \xe9\r\n${length}\r\n${json}`, []],
  ['no blank behind a colon', `${ok}Content-Length:10\r\n\r\n${json}`, []],
  ['an unasked 100 before it', `HTTP/1.1 100 Continue\r\n\r\n${ok}${length}\r\n${json}`, []],
  ['several news', `HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\nLink: </a>\r\n\r\n${ok}${length}\r\n${json}`, []],
  ['a blank line before it', `\r\n${ok}${length}\r\n${json}`, ['blankLines']],
  ['no blank behind the code', `HTTP/1.1 200\r\n${length}\r\n${json}`, ['statusLine']],
  ['two blanks', `HTTP/1.1  200 OK\r\n${length}\r\n${json}`, ['statusLine']],
  ['small letters', `http/1.1 200 OK\r\n${length}\r\n${json}`, ['statusLine']],
  ['another version', `HTTP/2 200 OK\r\n${length}\r\n${json}`, ['statusLine']],
  ['a control character in the reason', `HTTP/1.1 200 O\x01K\r\n${length}\r\n${json}`, ['statusLine']],
  ['lines that end in LF alone', `HTTP/1.1 200 OK\n${length.replace('\r', '')}\n${json}`, ['lineEnds']],
  ['one such line', `${ok}${length.replace('\r', '')}\r\n${json}`, ['lineEnds']],
  ['a continued line', `${ok}X: a\r\n b\r\n${length}\r\n${json}`, ['folded']],
  ['a blank before the first header', `${ok} X: a\r\n${length}\r\n${json}`, ['folded']],
  ['a line without a colon', `${ok}X\r\n${length}\r\n${json}`, ['noColon']],
  ['a blank before a colon', `${ok}Content-Length : 10\r\n\r\n${json}`, ['spaceBeforeColon']],
  ['a name with a blank', `${ok}X Y: a\r\n${length}\r\n${json}`, ['headerName']],
  ['no name', `${ok}: a\r\n${length}\r\n${json}`, ['headerName']],
  ['a control character in a header', `${ok}X: \x1b[31m\r\n${length}\r\n${json}`, ['control']],
  ['NUL in a header', `${ok}X: a\0b\r\n${length}\r\n${json}`, ['control']],
  ['a bare CR in a header', `${ok}X: a\rb\r\n${length}\r\n${json}`, ['control']],
  ['two equal lengths', `${ok}${length}${length}\r\n${json}`, ['equalLengths']],
  ['two equal lengths in one line', `${ok}Content-Length: 10, 10\r\n\r\n${json}`, ['equalLengths']],
  ['two lengths, one of which holds', `${ok}${length}Content-Length: 12\r\n\r\n${json}`, ['lengths']],
  ['a length that is no number', `${ok}Content-Length: ten\r\n\r\n${json}`, ['lengthForm']],
  ['a length below 0', `${ok}Content-Length: -1\r\n\r\n${json}`, ['lengthForm']],
  ['a length and a text', `${ok}${length}Content-Length: x\r\n\r\n${json}`, ['lengthForm']],
  ['a length beside chunks', `${ok}${length}${chunked}\r\n${chunks}`, ['lengthAndChunks']],
  ['chunks in HTTP/1.0', `HTTP/1.0 200 OK\r\n${chunked}\r\n${chunks}`, ['chunksInOldVersion']],
  ['an unknown coding', `${ok}Transfer-Encoding: x\r\n\r\n${json}`, ['coding']],
  ['identity', `${ok}Transfer-Encoding: identity\r\n${length}\r\n${json}`, ['coding']],
  ['no chunks where they are said', `${ok}${chunked}\r\n${json}`, ['notInChunks']],
  ['no chunks, but a length', `${ok}${length}${chunked}\r\n${json}`, ['lengthAndChunks', 'notInChunks']],
  ['blanks behind a chunk size', `${ok}${chunked}\r\na \r\n${json}\r\n0\r\n\r\n`, ['chunkLine']],
  ['chunks with LF alone', `${ok}${chunked}\r\na\n${json}\n0\n\n`, ['chunkLine']],
  ['no line behind the last chunk', `${ok}${chunked}\r\na\r\n${json}\r\n0\r\n`, ['lastChunk']],
  ['more than its length', `${ok}${length}\r\n${json}\n`, ['tooMuch']],
  ['more than its chunks', `${ok}${chunked}\r\n${chunks}x`, ['tooMuch']],
];

describe('a response that a lenient client reads', () => {
  it.each(readable)('%s', (_, text, breaches) => {
    const whole = read([text]);
    expect(whole).toMatchObject({ status: 200, body: json, heads: 1, fault: null });
    expect(whole.breaches.toSorted()).toEqual([...breaches].toSorted());
    // Whatever the network makes of it, but for what follows the end, which is only seen if it comes at once.
    if (!breaches.includes('tooMuch')) expect(read(text.split(''))).toEqual(whole);
    expect(whole.isLossy).toBe(breaches.length > 0 || /X-Sum|HTTP\/1.1 10/.test(text));
  });

  it('leaves the connection to the next one only where nothing is odd about it and it says so', () => {
    const reusable = readable.filter(([, text]) => read([text], 'silence').isReusable).map(([name]) => name);
    expect(reusable).toEqual([
      'a length',
      'chunks',
      'chunks with extensions and trailers',
      'no reason',
      'bytes beyond ASCII in a header',
      'no blank behind a colon',
      'an unasked 100 before it',
      'several news',
    ]);
    expect(read([`${ok}Connection: close\r\n${length}\r\n${json}`], 'silence').isReusable).toBe(false);
    expect(read([`HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n${length}\r\n${json}`], 'silence').isReusable).toBe(true);
    expect(read(['HTTP/1.1 204 No Content\r\n\r\n'], 'silence').isReusable).toBe(true);
  });

  it('has no body by its status, and says if one came', () => {
    for (const status of [204, 304]) {
      expect(read([`HTTP/1.1 ${status} N\r\n${length}\r\n`], 'silence')).toMatchObject({
        status,
        body: '',
        breaches: [],
        fault: null,
      });
      expect(read([`HTTP/1.1 ${status} N\r\n\r\n${json}`])).toMatchObject({
        body: '',
        breaches: ['bodyByStatus'],
        isLossy: true,
      });
    }
  });

  it('keeps the headers as they came', () => {
    const { headers } = read([`${ok}X-Twice: one\r\nx-twice:two \r\n${length}\r\n${json}`]);
    expect(headers).toEqual([
      ['X-Twice', 'one'],
      ['x-twice', 'two'],
      ['Content-Length', '10'],
    ]);
  });
});

describe('a response that cannot be read to its end', () => {
  it.each<[name: string, text: string, end: 'marked' | 'cut' | 'silence', fault: Fault['kind'], expected?: Partial<Read>]>([
    ['nothing', '', 'marked', 'nothing', { status: null, isLossy: true }],
    [
      'a status of four digits',
      `HTTP/1.1 1000 Odd\r\n${length}\r\n${json}`,
      'silence',
      'noStatus',
      { status: null, isLossy: true },
    ],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'silence', 'notHttp', { status: null, isLossy: true }],
    ['JSON without a head', json, 'silence', 'notHttp'],
    ['HTML without a head', '<html>\n<b>', 'marked', 'notHttp'],
    ['a letter', 'x', 'marked', 'notHttp'],
    ['a status that is no number', 'HTTP/1.1 OK\r\n\r\n', 'silence', 'noStatus'],
    ['a change of the protocol', 'HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\n\x81\x01', 'silence', 'switched', { status: 101 }],
    ['half a status line', 'HTTP/1.', 'marked', 'headCut', { status: null, isLossy: true }],
    ['half a head', `${ok}X: a\r\nContent-Le`, 'marked', 'headCut', { status: 200, headers: [['X', 'a']], isLossy: true }],
    ['news alone', 'HTTP/1.1 100 Continue\r\n\r\n', 'cut', 'headCut', { status: null }],
    ['headers without an end', `${ok}X: ${'a'.repeat(300_000)}`, 'silence', 'headTooLong', { status: 200 }],
    ['less than its length', `${ok}Content-Length: 11\r\n\r\n${json}`, 'marked', 'bodyCut', { body: json, isLossy: false }],
    ['neither of two lengths', `${ok}Content-Length: 12\r\n${length}\r\n${json}x`, 'marked', 'bodyCut'],
    ['a chunk that stops', `${ok}${chunked}\r\nff\r\n${json}`, 'marked', 'bodyCut', { body: json }],
    ['chunks without an end', `${ok}${chunked}\r\na\r\n${json}\r\n`, 'cut', 'bodyCut', { body: json }],
    [
      'a chunk size that is none',
      `${ok}${chunked}\r\na\r\n${json}\r\nzz\r\n`,
      'silence',
      'chunks',
      { body: json, isLossy: true },
    ],
    ['a chunk that is longer than it says', `${ok}${chunked}\r\n9\r\n${json}\r\n0\r\n\r\n`, 'silence', 'chunks'],
    ['an end that nobody marked', `${ok}\r\n${json}`, 'cut', 'unmarkedEnd', { body: json, isLossy: false }],
  ])('%s', (_, text, end, fault, expected = {}) => {
    for (const parts of [[text], text.split('')]) {
      expect(read(text.length > 1_000 ? [text] : parts, end)).toMatchObject({ fault, isReusable: false, ...expected });
    }
  });
});

it('reads whatever comes without failing, alike however it is cut', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ok,
      length,
      chunked,
      chunks,
      json,
      '\r\n',
      '\n',
      'HTTP/1.1 100 C\r\n\r\n',
      'X : y\r\n',
      '0\r\n',
      'Content-Length: 3\r\n',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), fc.constantFrom('marked' as const, 'cut' as const), (parts, end) => {
      const whole = read([parts.join('')], end);
      const { breaches, isLossy, isReusable, ...rest } = read(parts.join('').split(''), end);
      const { breaches: all, isLossy: lossy, isReusable: reusable, ...same } = whole;
      expect(rest).toEqual(same);
      // What follows the end belongs to nobody once the end was seen.
      if (!all.includes('tooMuch') && !all.includes('bodyByStatus'))
        expect([breaches, isLossy, isReusable]).toEqual([all, lossy, reusable]);
    }),
    { numRuns: 1_000 },
  );
});

it('says of each breach what is wrong and by which rule', () => {
  for (const words of Object.values(breachWords)) expect(words('3')).toMatch(/^[A-Z].* \(RFC 911[02], [\d.]+\)\.$/);
});
