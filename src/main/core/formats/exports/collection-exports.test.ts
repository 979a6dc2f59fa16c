import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { collectionExportFormats } from '#shared/model/formats.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { marked, strangeSpellings } from '#testing/secret-forms.ts';

const key = 'K3y/with "quotes" $HOME é';
type Request = Input<'collections.create'>['request'];

let test: TestApp;
let made = 0;

beforeAll(async () => {
  test = await createTestApp({ sandbox: { key } });
});
afterAll(() => test.close());

async function collectionOf(requests: Record<string, Request>): Promise<string> {
  const { id } = await test.client.call('collections.open', { directory: join(test.home, `collection-${++made}`), create: true });
  for (const [name, request] of Object.entries(requests))
    await test.client.call('collections.create', { id, folder: '', name, request });
  return id;
}

const data = '{"roundId": 9007199254740993, "logMonth": 0, "note": "zażółć \'x\' \\/ {{$braces}}y}}", "at": "{{$now+7d}}"}';
const requests: Record<string, Request> = {
  'a round': { operation: 'getGameRound', data, take: { id: '/data' }, expect: [{ code: '0' }] },
  'b games': { operation: 'gameList', data: '{"currency": "{{currency}}"}' },
  'c later': { operation: 'bet', data: '{"externalToken": "{{tokenOfAnAnswer}}"}' },
  'd by hand': { operation: 'getGameRound', data: '{"roundId": 1, "logMonth": 0}', overrides: { hash: 'wrong', time: 'then' } },
};
const notCarried = [
  { where: 'a round.yaml', what: 'the variable id that its response sets', why: 'This format only sends requests.', at: [] },
  { where: 'a round.yaml', what: 'its checks (1)', why: 'This format only sends requests.', at: [] },
  { where: 'c later.yaml', what: 'the request', why: expect.stringContaining('There is no variable tokenOfAnAnswer.'), at: [] },
];

// What no other test can know: the spellings of a format that somebody adds.
it.each(collectionExportFormats)('$title would have a key in a form that is looked for', async ({ name: format }) => {
  const text = 'L4ter/with "quotes" $HOME `id` & \\ é😀\'';
  const id = await collectionOf({ one: { operation: 'bet', data: `{"note": "${marked(text)}` } });
  const { files } = await test.client.call('collections.export', { id, path: '', format, environmentId: 'sandbox' });
  const written = files.map((file) => file.text).join('\n');
  expect(strangeSpellings(written, text), 'Add them to src/testing/secret-forms.ts.').toEqual([]);
});

describe.each([
  ['curl', 'curl', 'sh'],
  ['php', 'php', 'php'],
  ['node', 'node', process.execPath],
  ['python', 'python3', 'python3'],
] as const)('a program for %s', (format, tool, command) => {
  describeWithTool(tool, 'run by itself', () => {
    it('signs for itself', async () => {
      const id = await collectionOf(requests);
      const { files, notCarried: told } = await test.client.call('collections.export', {
        id,
        path: '',
        format,
        environmentId: 'sandbox',
      });
      expect(told).toEqual(notCarried);
      const text = files[0]?.text ?? '';
      expect(text).not.toContain('K3y');
      const script = join(test.home, `calls.${format === 'node' ? 'mjs' : format}`);
      await writeFile(script, text);
      const env = { PATH: process.env['PATH'] ?? '', CROUPIER_KEY: key, CROUPIER_CA: join(test.home, 'sandbox', 'ca.pem') };
      const { code, out, err } = await new Promise<{ code: number; out: string; err: string }>((resolve) => {
        execFile(command, [script], { env, encoding: 'utf8' }, (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code), out, err }),
        );
      });
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('HTTP 200') });
      expect(out.match(/"code":0,"message":"ok"/g)).toHaveLength(3);
    });
  });
});

describe('HAR', () => {
  it('holds the requests signed as of now', async () => {
    const id = await collectionOf(requests);
    const { files, notCarried: told } = await test.client.call('collections.export', {
      id,
      path: '',
      format: 'har',
      environmentId: 'sandbox',
    });
    expect(told).toEqual(notCarried);
    const har = JSON.parse(files[0]?.text ?? '') as {
      log: { entries: { request: { url: string; postData: { text: string } }; comment: string }[] };
    };
    expect(har.log.entries.map(({ comment }) => comment)).toEqual(['a round.yaml', 'b games.yaml', 'd by hand.yaml']);
    const body = har.log.entries[0]?.request.postData.text ?? '';
    const [, time = '', sent = '', hash = ''] = /"time":"([^"]*)","data":(.*),"hash":"(\w+)"\}$/.exec(body) ?? [];
    expect(sent).toContain('"roundId":9007199254740993');
    expect(sent).toContain("za\\u017c\\u00f3\\u0142\\u0107 'x' / {{y}}");
    expect(hash).toBe(
      createHash('sha256')
        .update(key + time + sent)
        .digest('hex'),
    );
    // What is exported comes back as it was sent.
    const back = await test.client.call('collections.importPreview', { files: [{ name: 'a.har', text: files[0]?.text ?? '' }] });
    expect(back.requests.map(({ request }) => request.operation)).toEqual(['getGameRound', 'gameList', 'getGameRound']);
    expect(back.signing.map(({ outcome }) => outcome)).toEqual(['match', 'match', 'none']);
  });

  it('has a mark in place of the hash where no key is at hand', async () => {
    const id = await collectionOf({ a: requests['a round'] as Request });
    const { id: environmentId } = await test.client.call('environments.create', {
      environment: { name: 'no key', baseUrl: 'https://a.example', platform: 1, partnerId: 2, production: false },
    });
    const { files, notCarried: told } = await test.client.call('collections.export', {
      id,
      path: 'a.yaml',
      format: 'har',
      environmentId,
    });
    expect(files[0]?.text).toContain('\\"hash\\":\\"[hash]\\"');
    expect(told.map(({ what }) => what)).toContain('its hash');
  });
});

describe('an export', () => {
  it('is refused where it has nothing to write, or nobody to write it for', async () => {
    const id = await collectionOf({ c: requests['c later'] as Request });
    await expect(
      test.client.call('collections.export', { id, path: '', format: 'curl', environmentId: null }),
    ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('Choose an environment') });
    await expect(
      test.client.call('collections.export', { id, path: '', format: 'curl', environmentId: 'sandbox' }),
    ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('tokenOfAnAnswer') });
    await expect(
      test.client.call('collections.export', { id, path: 'nobody', format: 'postman', environmentId: null }),
    ).rejects.toMatchObject({ code: 'not_found' });
    const empty = await collectionOf({});
    await expect(
      test.client.call('collections.export', { id: empty, path: '', format: 'har', environmentId: 'sandbox' }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('names the files that cannot be read', async () => {
    const { id, directory } = await test.client.call('collections.open', {
      directory: join(test.home, `collection-${++made}`),
      create: true,
    });
    await writeFile(join(directory, 'broken.yaml'), 'operation: nothing\n');
    await writeFile(join(directory, 'fine.yaml'), 'operation: gameList\nfuture: 1\nexpect:\n  - colour: red\n');
    const { files, notCarried: told } = await test.client.call('collections.export', {
      id,
      path: '',
      format: 'postman',
      environmentId: null,
    });
    expect(told).toEqual([
      { where: 'broken.yaml', what: 'the request', why: expect.stringContaining('broken.yaml, line 1'), at: [] },
      { where: 'fine.yaml', what: 'future', why: expect.any(String), at: [] },
      { where: 'fine.yaml', what: 'a check', why: expect.stringMatching(/^Line 4, column 5: /), at: [] },
    ]);
    expect(files[0]?.name).toMatch(/\.postman_collection\.json$/);
  });
});
