import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment, Thumbnail } from '#shared/ipc/index.ts';
import { Environment as EnvironmentSchema } from '#shared/ipc/index.ts';
import { makeCertificate, startHttpsServer, startTlsServer, type TestServer } from '#testing/https-server.ts';
import { createGuardedGet } from '../network/guarded-get.ts';
import { readImage } from './image-type.ts';
import { createThumbnailFiles } from './thumbnail-files.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 0, 8, 0, 0, 0, 8]),
  Buffer.alloc(20),
]);

let server: TestServer;
let folder: string;
let environment: Environment;
let thumbnails: Thumbnails;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let clock = 0;
const asked: IncomingMessage[] = [];
const names = new Map<string, string[]>();

function make(): Thumbnails {
  return createThumbnails({
    get: createGuardedGet({
      authorities: async () => [],
      resolve: async (host) => names.get(host) ?? Promise.reject(new Error('ENOTFOUND')),
      privateHosts: () => ['allowed.example', '127.0.0.2'],
      kind: 'answer.picture',
      redirects: 3,
      timeoutMs: 2_000,
      accept: 'image/*',
    }),
    files: createThumbnailFiles(join(folder, 'thumbnails')),
    now: () => clock,
    atOnce: 3,
  });
}

beforeEach(async () => {
  asked.length = 0;
  clock = 0;
  names.clear();
  names.set('localhost', ['127.0.0.1']);
  handle = (_, response) => response.end(png);
  server = await startHttpsServer(({ request }, response) => {
    asked.push(request);
    handle(request, response);
  });
  folder = await mkdtemp(join(tmpdir(), 'croupier-thumbnails-'));
  environment = EnvironmentSchema.parse({
    id: 'e',
    name: 'e',
    baseUrl: server.baseUrl,
    ca: server.ca,
    platform: 1,
    partnerId: 1,
  });
  thumbnails = make();
});
afterEach(async () => {
  await thumbnails.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const load = (path: string) => thumbnails.load(environment, path.includes(':') ? path : `${server.baseUrl}${path}`);
const bytesOf = (one: Thumbnail) => thumbnails.picture('picture' in one ? one.picture : one.problem);
const problem = async (path: string) => {
  const loaded = await load(path);
  return 'problem' in loaded ? loaded.problem : 'it was loaded';
};

describe('a picture', () => {
  it('is named and given as its bytes, from memory the second time and from the disk in another run', async () => {
    const named = { picture: expect.stringMatching(/^[0-9a-f]{64}$/) as string, mediaType: 'image/png' };
    const first = await load('/a.png');
    expect(first).toEqual(named);
    expect(await load('/a.png')).toEqual(first);
    expect(await bytesOf(first)).toEqual(png);
    expect(asked).toHaveLength(1);
    await vi.waitFor(async () => expect(await readdir(join(folder, 'thumbnails'))).toHaveLength(1));
    await thumbnails.close();
    thumbnails = make();
    expect(await bytesOf(first)).toEqual(png);
    expect(await load('/a.png')).toEqual(first);
    expect(asked).toHaveLength(1);
  });

  it('has another name for another environment and another address', async () => {
    const first = await load('/a.png');
    const others = [await load('/b.png'), await thumbnails.load({ ...environment, id: 'f' }, `${server.baseUrl}/a.png`)];
    expect(new Set([first, ...others].map((one) => ('picture' in one ? one.picture : '')))).toHaveLength(3);
  });

  it('is read from nowhere but where pictures are kept, and judged again there', async () => {
    await mkdir(join(folder, 'thumbnails'), { recursive: true });
    await writeFile(join(folder, 'secret'), png);
    await writeFile(join(folder, 'thumbnails', 'plain-name'), png);
    await writeFile(join(folder, 'thumbnails', '1'.repeat(64)), '<html><script>1</script>');
    const refused = [
      '',
      '../secret',
      join(folder, 'secret'),
      'plain-name',
      '1'.repeat(64),
      '2'.repeat(64),
      `${'3'.repeat(64)}\n`,
    ];
    for (const id of refused) await expect(thumbnails.picture(id), id).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is asked for without cookies, credentials and a referrer', async () => {
    handle = (request, response) => {
      if (request.url === '/a.png') response.writeHead(302, { location: '/b.png', 'set-cookie': 'a=1' }).end();
      else response.end(png);
    };
    expect(await load('/a.png')).toHaveProperty('picture');
    for (const { headers } of asked)
      for (const name of ['cookie', 'authorization', 'referer', 'origin']) expect(headers[name]).toBeUndefined();
  });

  it('is loaded once for many that ask at the same time, and at most three at once', async () => {
    const open: ServerResponse[] = [];
    handle = (_, response) => void open.push(response);
    const all = Array.from({ length: 9 }, (_, index) => load(`/${index % 5}.png`));
    await vi.waitFor(() => expect(open).toHaveLength(3));
    let most = 0;
    while (open.length > 0) {
      most = Math.max(most, open.length);
      open.shift()?.end(png);
      const done = asked.length;
      if (done < 5) await vi.waitFor(() => expect(asked.length).toBeGreaterThan(done));
    }
    for (const loaded of await Promise.all(all)) expect(loaded).toHaveProperty('picture');
    expect(most).toBe(3);
    expect(asked).toHaveLength(5);
  });
});

describe('a hostile server', () => {
  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
    ['that says 404', (_, response) => response.writeHead(404).end(png), /HTTP 404/],
    [
      'that sends a page as a picture',
      (_, response) => response.setHeader('content-type', 'image/png').end('<html><script>1</script>'),
      /not a PNG/,
    ],
    ['that sends nothing', (_, response) => response.end(), /not a PNG/],
    [
      'that sends too much',
      (_, response) => response.end(Buffer.concat([png, Buffer.alloc(600_000)])),
      /more than 524,288 bytes/,
    ],
    [
      'that never stops sending',
      (_, response) => {
        const more = () => response.write(Buffer.alloc(65_536), () => !response.destroyed && setImmediate(more));
        more();
      },
      /more than 524,288 bytes/,
    ],
    [
      'that redirects forever',
      (request, response) => response.writeHead(302, { location: `${request.url}x` }).end(),
      /more than 3 times/,
    ],
    [
      'that redirects to http',
      (_, response) => response.writeHead(302, { location: 'http://games.example/a.png' }).end(),
      /only https/,
    ],
    [
      'that redirects into a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /only https/,
    ],
    [
      'that redirects to this machine',
      (_, response) => response.writeHead(307, { location: 'https://127.0.0.1:1/a.png' }).end(),
      /this computer/,
    ],
    [
      'that redirects to a private network',
      (_, response) => response.writeHead(301, { location: 'https://0xa000001/a.png' }).end(),
      /private network\. If your VPN leads there, add 10\.0\.0\.1 to the private hosts/,
    ],
    [
      'that redirects to an allowed address of this machine',
      (_, response) => response.writeHead(301, { location: 'https://127.0.0.2/a.png' }).end(),
      /^127\.0\.0\.2 is an address of this computer\.$/,
    ],
    [
      'that redirects to an allowed name of a link-local address',
      (_, response) => response.writeHead(301, { location: 'https://allowed.example/a.png' }).end(),
      /resolves to a link-local address\.$/,
    ],
    [
      'that redirects to a name that a VPN answers for',
      (_, response) => response.writeHead(301, { location: 'https://vpn.example/a.png' }).end(),
      /resolves to an address on a carrier's own network\. If your VPN leads there, add vpn\.example to/,
    ],
    [
      'that redirects with a password',
      (request, response) => response.writeHead(302, { location: `https://a:b@${request.headers.host}/` }).end(),
      /password/,
    ],
    [
      'that redirects to a rebound name',
      (_, response) => response.writeHead(302, { location: 'https://rebound.example/a.png' }).end(),
      /this computer/,
    ],
    [
      'that breaks off',
      (_, response) => response.writeHead(200, { 'content-length': 100 }).write(png) && response.destroy(),
      /could not be loaded/,
    ],
    [
      'that sends a bomb',
      (_, response) =>
        response.end(Buffer.concat([png.subarray(0, 16), Buffer.from('0000ffff0000ffff', 'hex'), Buffer.alloc(20)])),
      /too many to show/,
    ],
  ])('%s costs a sentence', async (_, hostile, words) => {
    names.set('rebound.example', ['127.0.0.1']);
    names.set('allowed.example', ['10.1.2.3', '169.254.1.1']);
    names.set('vpn.example', ['100.64.0.1']);
    handle = hostile;
    expect(await problem('/a.png')).toMatch(words);
  });

  it('whose connection ends without a close_notify is not kept where its length is not said', async () => {
    const certificate = await makeCertificate();
    let ending: 'fin' | 'notify' = 'fin';
    const cutting = await startTlsServer(
      (socket, raw) =>
        void socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n');
          if (ending === 'notify') socket.end(png);
          else socket.write(png, () => void raw.end());
        }),
      { certificate },
    );
    environment = { ...environment, baseUrl: cutting.baseUrl, ca: certificate.ca };
    expect(await problem(`${cutting.baseUrl}/cut.png`)).toContain('The connection was lost.');
    ending = 'notify';
    expect(await problem(`${cutting.baseUrl}/whole.png`)).toBe('it was loaded');
    await cutting.close();
  });

  it('that does not answer is given up', async () => {
    handle = () => undefined;
    expect(await problem('/a.png')).toMatch(/longer than 2 s/);
  });

  it('with a certificate that nobody vouches for is not trusted', async () => {
    const other = await startHttpsServer((_, response) => void response.end(png), {
      certificate: await makeCertificate({ selfSigned: true }),
    });
    const strict = { ...environment, id: 'strict', baseUrl: other.baseUrl };
    const loaded = await thumbnails.load(strict, `${other.baseUrl}/a.png`);
    expect(loaded).toMatchObject({ problem: expect.stringContaining('certificate') as string });
    await other.close();
  });

  it('is left alone for a while after a failure, and asked again then', async () => {
    handle = (_, response) => response.writeHead(500).end();
    expect(await problem('/a.png')).toMatch(/500/);
    expect(await problem('/a.png')).toMatch(/500/);
    expect(asked).toHaveLength(1);
    clock = 60_001;
    handle = (_, response) => response.end(png);
    expect(await load('/a.png')).toHaveProperty('picture');
  });
});

it.each(['http://games.example/a.png', 'https://192.168.0.1/a.png', 'x', 'https://nowhere.example/a.png'])(
  '%s is not asked for',
  async (url) => {
    expect(await thumbnails.load(environment, url)).toHaveProperty('problem');
    expect(asked).toHaveLength(0);
  },
);

it('stops what nobody waits for any more, and loads it when it is asked for again', async () => {
  const held: ServerResponse[] = [];
  handle = (_, response) => void held.push(response);
  const urls = Array.from({ length: 6 }, (_, index) => `${server.baseUrl}/${index}.png`);
  const waiting = urls.map((url) => thumbnails.load(environment, url));
  await vi.waitFor(() => expect(held).toHaveLength(3));
  expect(thumbnails.cancel('other', urls)).toBe(0);
  expect(thumbnails.cancel('e', urls)).toBe(6);
  for (const loaded of await Promise.all(waiting)) expect(loaded).toMatchObject({ cancelled: true });
  await vi.waitFor(() => expect(held.every(({ destroyed }) => destroyed)).toBe(true));
  handle = (_, response) => response.end(png);
  expect(await load('/0.png')).toHaveProperty('picture');
});

describe('the kind of a picture', () => {
  const bytes = (hex: string, length = 64) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(length)]);
  it.each([
    ['PNG', png, 'image/png'],
    ['JPEG', bytes('ffd8ffe000104a46494600010100000100010000ffc0001108001000200301'), 'image/jpeg'],
    ['GIF', bytes('47494638396110001000'), 'image/gif'],
    ['WebP', bytes('52494646240000005745425056503820'), 'image/webp'],
    ['AVIF', bytes('0000001c667479706176696600000000'), 'image/avif'],
    ['SVG', Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- c --><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  ])('%s is seen by its bytes', (_, file, mediaType) => {
    expect(readImage(file)?.mediaType).toBe(mediaType);
  });
  it('reads the size of a JPEG', () => {
    expect(readImage(bytes('ffd8ffe000104a46494600010100000100010000ffc0001108001000200301'))).toMatchObject({
      width: 32,
      height: 16,
    });
  });
  it.each([
    '<html><svg></svg></html>',
    '<script/>',
    'GIF88a aaaaaaaaaaaa',
    '%PDF-1.7 aaaaaaaaaaa',
    'BM aaaaaaaaaaaaaaaa',
    '',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
  ])('%j is none', (text) => {
    expect(readImage(Buffer.from(text))).toBeNull();
  });
});
