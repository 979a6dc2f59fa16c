import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownFolder } from '#core/host/own-folder.ts';
import { AppError } from '#shared/errors.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import { createPageHandler, type PageHandler } from './page-protocol.ts';

let folder = '';
let handle: PageHandler;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-test-'));
  const page = join(folder, 'page');
  await mkdir(join(page, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.json'), '{"secret":true}');
  await writeFile(join(page, 'index.html'), '<!doctype html><title>Croupier</title>');
  await writeFile(join(page, 'assets', 'main-1.js'), 'export {};');
  await writeFile(join(page, 'assets', 'gone-1.js'), 'export {};');
  await writeFile(join(page, 'notes.md'), 'not handed out');
  await symlink(join(folder, 'secret.json'), join(page, 'linked.json'));
  handle = await createPageHandler({
    folder: ownFolder(page),
    policy: () => pagePolicy({ frame: null }),
    body: (id, part) =>
      id === 7
        ? Promise.resolve(new Uint8Array(part === 'raw' ? [1] : [0, 255, 10, 13, 0]))
        : Promise.reject(new AppError('not_found', 'There is no such call.')),
    picture: (id) =>
      id === '7'.repeat(64)
        ? Promise.resolve(new TextEncoder().encode('<svg/>'))
        : Promise.reject(new AppError('not_found', 'There is no such picture.')),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const get = (url: string, method = 'GET') => handle({ url, method });

describe('the page’s own scheme', () => {
  it('hands out the page and its files with the policy on each', async () => {
    for (const [url, type] of [
      ['app://workbench/', 'text/html; charset=utf-8'],
      ['app://workbench/index.html', 'text/html; charset=utf-8'],
      ['app://workbench/assets/main-1.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const response = await get(url);
      expect(response.status, url).toBe(200);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-security-policy')).toBe(pagePolicy({ frame: null }));
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('says of a file that was taken away that it is not there', async () => {
    await rm(join(folder, 'page', 'assets', 'gone-1.js'));
    expect((await get('app://workbench/assets/gone-1.js')).status).toBe(404);
  });

  it('says what to do where the page is not there, built or whole', async () => {
    const missing = (name: string) => {
      const none = () => Promise.reject(new Error('none'));
      return createPageHandler({ folder: ownFolder(join(folder, name)), policy: () => '', body: none, picture: none });
    };
    for (const name of ['nowhere', join('page', 'assets')])
      await expect(missing(name)).rejects.toThrow(`The page is not in ${join(folder, name)}. Run "npm run build", or reinstall`);
  });

  it('gives the body of an answer byte for byte, and nothing for a call that is not there', async () => {
    const response = await get('app://workbench/body/7');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 10, 13, 0]);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect([...new Uint8Array(await (await get('app://workbench/raw/7')).arrayBuffer())]).toEqual([1]);
    for (const part of ['body', 'raw']) expect((await get(`app://workbench/${part}/8`)).status).toBe(404);
    for (const id of ['0', '-7', '07', '7.0', '1e1', '7/', '7x', '%37', '9'.repeat(16)])
      expect((await get(`app://workbench/body/${id}`)).status, id).toBe(404);
  });

  it('gives a picture as bytes, never as a document or an image, and nothing for one that is not there', async () => {
    const response = await get(`app://workbench/picture/${'7'.repeat(64)}`);
    expect(await response.text()).toBe('<svg/>');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get(`app://workbench/picture/${'8'.repeat(64)}`)).status).toBe(404);
    for (const id of ['', '7', '7'.repeat(63), '7'.repeat(65), 'A'.repeat(64), `..%2f${'7'.repeat(59)}`, `%37${'7'.repeat(63)}`])
      expect((await get(`app://workbench/picture/${id}`)).status, id).toBe(404);
  });

  it('refuses every other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'get'])
      for (const path of ['', 'body/7', `picture/${'7'.repeat(64)}`])
        expect((await get(`app://workbench/${path}`, method)).status, `${method} ${path}`).toBe(405);
  });

  it('hands out nothing that is linked from elsewhere and no kind of file that a page does not have', async () => {
    expect((await get('app://workbench/linked.json')).status).toBe(404);
    expect((await get('app://workbench/notes.md')).status).toBe(404);
  });

  const ups = [
    '..',
    '%2e%2e',
    '.%2e',
    '%2E.',
    '..%00',
    '%252e%252e',
    '..;',
    '%c0%ae%c0%ae',
    '\u2025',
    '%uff0e%uff0e',
    '..\u0000',
    '. .',
  ];
  const slashes = ['/', '\\', '%2f', '%5c', '%2F', '%5C', '//', '\\/', '%252f', '\uff0f', '%c0%af'];
  const targets = ['secret.json', 'etc/passwd'];
  const spellings = ups.flatMap((up) => slashes.flatMap((slash) => targets.map((target) => `${up}${slash}${target}`)));

  it(`refuses ${spellings.length} spellings of a path to elsewhere`, async () => {
    expect(spellings.length).toBeGreaterThanOrEqual(200);
    for (const path of spellings) {
      for (const prefix of ['app://workbench/', 'app://workbench/assets/']) {
        const response = await get(prefix + path);
        expect(response.status, prefix + path).toBe(404);
        expect(await response.text()).toBe('');
      }
    }
  });

  it.each([
    'app://workbench.evil/',
    'app://evil/',
    'app://workbench:1/',
    'app:///index.html',
    'app:index.html',
    'file:///etc/passwd',
    'https://workbench/',
    'http://app//workbench/',
    'not an address',
    '',
    'app://workbench/C:/secret.json',
    'app://workbench//etc/passwd',
    'app://workbench/INDEX.HTML',
    'app://workbench/index.html/',
    'app://workbench/index.html%00',
    'app://workbench/index.html::$DATA',
    'app://workbench/assets',
    'app://workbench/assets/',
    'app://workbench/constructor',
    'app://workbench/__proto__',
  ])('has nothing at %j', async (url) => {
    expect((await get(url)).status).toBe(404);
  });
});
