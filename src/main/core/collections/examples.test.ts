import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '#shared/ipc/index.ts';
import { createTestApp, draftOf, temporaryFolder } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { secretForms } from '#testing/secret-forms.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

const token = 'tok-8842aa0191';
const file = `# ours
operation: playerInfo
data: |
  {"externalToken": "${token}"}
notes: 'kept as it is'   # and this
mine: 1
`;
let tickets = 0;

/** Opens a collection with one request, and a provider that responds with these bytes. */
async function open(answer: string | Buffer | (() => string), key?: string) {
  const folder = await temporaryFolder();
  opened.push({ close: () => rm(folder, { recursive: true, force: true }) });
  const server = await startHttpsServer((_, response) => void response.end(typeof answer === 'function' ? answer() : answer));
  opened.push(server);
  const test = await createTestApp({ home: join(folder, 'home') });
  opened.push(test);
  const { client } = test;
  const environment = await test.environment(server, {}, key);
  const directory = join(folder, 'requests');
  const { id } = await client.call('collections.open', { directory, create: true });
  await writeFile(join(directory, 'info.yaml'), file);
  const { id: callId } = await sendInfo(client, environment.id);
  const text = () => readFile(join(directory, 'info.yaml'), 'utf8');
  const environmentId = environment.id;
  return {
    ...test,
    id,
    directory,
    environmentId,
    callId,
    text,
    read: () => client.call('collections.read', { id, path: 'info.yaml' }),
  };
}

function sendInfo(client: Client, environmentId: string) {
  const draft = draftOf(environmentId, { operation: 'playerInfo', text: `{"externalToken": "${token}"}` });
  return client.call('calls.send', { draft, ticket: `t${(tickets += 1)}` });
}

async function add(client: Client, id: string, callId: number, name: string) {
  const { revision } = await client.call('collections.read', { id, path: 'info.yaml' });
  return client.call('collections.addExample', { id, path: 'info.yaml', revision, callId, name });
}

describe('an answer that is kept as an example', () => {
  it('adds its lines alone, without its tokens and with every digit, and lives through other edits', async () => {
    const { client, id, callId, text, read } = await open(
      `{"playerId":"p","balance":9007199254740993.10,"session":{"token":"other-${token}"},"hint":"use ${token} now"}`,
    );
    const preview = await client.call('collections.previewExample', { callId });
    expect(preview).toEqual({
      status: '200',
      masked: 2,
      body: [
        '{',
        '  "playerId": "p",',
        '  "balance": 9007199254740993.10,',
        '  "session": {',
        '    "token": "[token]"',
        '  },',
        '  "hint": "use [token] now"',
        '}',
      ].join('\n'),
    });
    expect(await text()).toBe(file);
    const saved = await add(client, id, callId, 'a player: with money');
    expect(saved.request.examples).toEqual([{ name: 'a player: with money', status: '200', body: preview.body }]);
    const written = await text();
    const block = preview.body
      .split('\n')
      .map((line) => `      ${line}\n`)
      .join('');
    const added = `examples:\n  - name: "a player: with money"\n    status: 200\n    body: |-\n${block}`;
    expect(written).toBe(file.replace('mine: 1\n', `${added}mine: 1\n`));

    // Another one comes behind it; a new name is one line, a removal the item's lines.
    await add(client, id, callId, 'second');
    const both = await read();
    const renamed = both.request.examples.map((one, at) => (at === 0 ? { ...one, name: 'first' } : one));
    const next = await client.call('collections.save', {
      id,
      path: 'info.yaml',
      revision: both.revision,
      request: { ...both.request, examples: renamed },
    });
    expect(await text()).toBe(
      file.replace(
        'mine: 1\n',
        `${added.replace('"a player: with money"', 'first')}  - name: second\n    status: 200\n    body: |-\n${block}mine: 1\n`,
      ),
    );
    await client.call('collections.save', {
      id,
      path: 'info.yaml',
      revision: next.revision,
      request: { ...next.request, examples: renamed.slice(0, 1), notes: 'other' },
    });
    expect(await text()).toBe(
      file
        .replace("'kept as it is'", 'other')
        .replace('mine: 1\n', `${added.replace('"a player: with money"', 'first')}mine: 1\n`),
    );
  });

  it('is refused with the key in any form, and the file stays', async () => {
    const key = 'K3y/with "quotes" & ä😀';
    let answer = '';
    const { client, id, callId, environmentId, text, app } = await open(() => answer, 'another-key');
    const forms = secretForms(key);
    expect(forms.size).toBeGreaterThan(10);
    // The key is stored after they came: a response that comes later is masked.
    const came: [form: string, callId: number][] = [];
    for (const [form, spelled] of forms) {
      answer = `{"message": "it is ${form}"} ${spelled}`;
      came.push([form, (await sendInfo(client, environmentId)).id]);
    }
    await app.useKey(environmentId, key);
    for (const [form, sent] of came) {
      await expect(client.call('collections.previewExample', { callId: sent }), form).rejects.toMatchObject({ code: 'refused' });
      await expect(add(client, id, sent, 'x'), form).rejects.toMatchObject({ code: 'refused' });
    }
    expect(await text()).toBe(file);
    // The first response was empty.
    expect(await client.call('collections.previewExample', { callId })).toEqual({ status: '200', body: '', masked: 0 });
  });

  it('is refused where it is not a text, too long, cut or not there, under a name that is taken, and over a changed file', async () => {
    const bytes = await open(Buffer.from([0x7b, 0xff, 0xfe]));
    await expect(add(bytes.client, bytes.id, bytes.callId, 'x')).rejects.toMatchObject({ code: 'invalid_input' });
    const long = await open(JSON.stringify({ a: 'x'.repeat(300_000) }));
    await expect(add(long.client, long.id, long.callId, 'x')).rejects.toMatchObject({ code: 'invalid_input' });
    const { client, id, callId, read, text, directory } = await open('no JSON: tok\r\n');
    await expect(client.call('collections.previewExample', { callId: 999 })).rejects.toMatchObject({ code: 'not_found' });
    await add(client, id, callId, 'x');
    expect((await read()).request.examples[0]?.body).toBe('no JSON: tok\r\n');
    await expect(add(client, id, callId, 'x')).rejects.toMatchObject({ code: 'invalid_input' });
    const { revision } = await read();
    await writeFile(join(directory, 'info.yaml'), `${await text()}\n`);
    const late = client.call('collections.addExample', { id, path: 'info.yaml', revision, callId, name: 'y' });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
  });

  it('goes to Postman and comes back', async () => {
    const { client, id, callId, read } = await open('{"balance": 10.50, "note": "{{not a variable}}"}');
    await add(client, id, callId, 'ok');
    const { files, notCarried } = await client.call('collections.export', {
      id,
      path: '',
      format: 'postman',
      environmentId: null,
    });
    expect(JSON.stringify(notCarried)).not.toMatch(/example/);
    const [exported] = files;
    const { item } = JSON.parse(exported?.text ?? '') as { item: { response: object[] }[] };
    expect(item[0]?.response).toMatchObject([{ name: 'ok', status: 'OK', code: 200 }]);
    const plan = await client.call('collections.importPreview', {
      files: [{ name: exported?.name ?? '', text: exported?.text ?? '' }],
    });
    expect(plan.requests[0]?.request.examples).toEqual((await read()).request.examples);
    expect(plan.notCarried.filter(({ where }) => where.includes('the saved response'))).toEqual([]);
  });
});
