import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallName, Client, Environment, Input, Launch } from '#shared/ipc/index.ts';
import { ownPage } from '#shared/launches/devices.ts';
import { draftOf } from './app.ts';
import { makeCertificate } from './https-server.ts';
import { openPackIn, supportPackText } from './support-pack.ts';
import { testWallet } from './wallet-driver.ts';

/** Objects from which the valid inputs of a call are made. */
export interface Ground {
  readonly sandbox: Environment;
  /** ID of a call with a response. */
  readonly callId: number;
  /** IDs of two game lists that are kept. */
  readonly snapshots: readonly [number, number];
  /** Creates a call with a response for this one input. */
  readonly answered: () => Promise<number>;
  /** Prepares a launch for this one input. */
  readonly launch: () => Promise<Launch>;
  /** Creates a collection with the request `a.yaml` and the folder `f` with `b.yaml`, and an environment with a conflict of git, for this one input. */
  readonly collection: () => Promise<{ id: string; directory: string; revision: string }>;
  /** Starts a run for this one input. */
  readonly ranOnce: () => Promise<string>;
  /** Creates an environment for this one input. */
  readonly fresh: () => Promise<Environment>;
  /** Returns another name or ticket each time. */
  readonly unique: () => string;
}

type Cases = { [K in CallName]: (ground: Ground & { client: Client }) => Input<K>[] | Promise<Input<K>[]> };

/** Creates an environment with a key, whose calls get no response. */
async function unreachable({ client, unique }: Ground & { client: Client }): Promise<string> {
  const draft = { name: unique(), baseUrl: 'https://127.0.0.1:1', platform: 1, partnerId: 1, production: false };
  const { id } = await client.call('environments.create', { environment: draft });
  await client.call('keys.set', { environmentId: id, key: unique() });
  return id;
}

/** Has an environment keep two keys. */
async function twoKeys({ client, fresh, unique }: Ground & { client: Client }): Promise<string> {
  const { id } = await fresh();
  for (const which of ['older', 'new']) await client.call('keys.set', { environmentId: id, key: `${which} ${unique()}` });
  return id;
}

export const bounds = { x: 0, y: 40, width: 390, height: 844 };

/** Returns the input of `launches.prepare` for a game of the built-in provider. */
export const launchOf = (environmentId: string, ticket: string) => ({
  environmentId,
  gameMode: 'fun' as const,
  gameId: '1001',
  lang: 'en',
  playerId: 'player-1',
  country: 'DE',
  ip: '203.0.113.9',
  ticket,
});

export const gameList = (environmentId: string) => draftOf(environmentId, { operation: 'gameList', text: '{"currency": "EUR"}' });

/** Valid inputs of every call; the malformed ones are derived from them. A call without an entry does not compile. */
export const conformanceCases: Cases = {
  'app.checkUpdate': () => [{ now: false }, { now: true }],
  'app.diagnostics': () => [{}],
  'app.info': () => [{}],
  'app.licences': () => [{}],
  'app.openOutside': () => [{ url: 'https://example.com/' }, { url: 'file:///etc/passwd' }],
  'app.pickDirectory': () => [{ purpose: 'open' }, { purpose: 'create' }],
  'answers.check': async ({ collection, callId }) => [
    { collectionId: (await collection()).id, path: 'a.yaml', callId },
    {
      collectionId: (await collection()).id,
      path: 'f/b.yaml',
      callId,
      expect: [{ code: '0' }, { path: '/data', equals: '{{nobody}}' }],
      take: { first: '/data/0', none: '/nowhere' },
      unresolved: [{ text: '{{nobody}}', message: 'There is no variable nobody.' }],
    },
  ],
  'answers.taken': async ({ collection, sandbox }) => [{ collectionId: (await collection()).id, environmentId: sandbox.id }],
  'answers.forget': async ({ collection, sandbox }) => [
    { collectionId: (await collection()).id, environmentId: sandbox.id },
    { collectionId: (await collection()).id, environmentId: sandbox.id, name: 'token' },
  ],
  'packs.upload': ({ unique }) => [{ ticket: unique(), piece: Buffer.from('{}').toString('base64') }],
  'packs.open': async ({ client, unique }) => {
    const ticket = unique();
    const piece = Buffer.from(supportPackText(1, new Date(1_764_000_000_000), unique())).toString('base64');
    await client.call('packs.upload', { ticket, piece });
    return [{ ticket, name: 'Päck.json', page: null }];
  },
  'packs.list': () => [{}],
  'packs.close': async ({ client, unique }) => [
    { id: (await openPackIn(client, supportPackText(2, new Date(1_764_000_000_000), unique()))).id },
    { id: 'none' },
  ],
  'probes.plan': ({ sandbox }) => [{ environmentId: sandbox.id }],
  // Without a response the plan ends after its first call.
  'probes.start': async (ground) => [
    { environmentId: await unreachable(ground), ticket: ground.unique() },
    { environmentId: await unreachable(ground), ticket: ground.unique(), moved: true },
  ],
  'probes.cancel': () => [{ ticket: 'none' }],
  'production.status': ({ sandbox }) => [{ environmentId: sandbox.id }],
  'production.ask': ({ sandbox }) => [{ environmentId: sandbox.id }, { environmentId: 'none ä' }],
  'gateway.start': ({ sandbox }) => [{ environmentId: sandbox.id }],
  'gateway.status': () => [{}],
  'gateway.log': () => [{}, { before: 2, limit: 1 }, { limit: 500 }],
  'gateway.setFaults': () => [{ faults: ['bet=cut-after,1', 'all=delay:5'] }, { faults: [] }],
  'gateway.report': () => [{ failOn: [] }, { failOn: ['rejected', 'wrongHash'] }],
  'gateway.stop': () => [{}],
  'sandbox.status': () => [{}],
  'sandbox.log': () => [{}, { before: 2, limit: 1 }, { limit: 500 }],
  'environments.list': () => [{}],
  'environments.create': ({ unique }) => [
    { environment: { name: unique(), baseUrl: 'https://a.example', platform: 1, partnerId: 2, production: false } },
    {
      environment: {
        name: `Ünïcode ${unique()} \u2028 😀`,
        baseUrl: 'https://b.example/path/',
        walletUrl: 'https://w.example',
        platform: -1,
        partnerId: 9_007_199_254_740_991,
        timeZone: 'Europe/Warsaw',
        serialization: 'verbatim',
        color: 'red',
        production: true,
        defaults: { currency: '', lang: 'pl' },
        timeouts: { total: 1 },
        answers: { 'time.order': { value: 'ymd' } },
      },
    },
  ],
  'environments.save': async ({ fresh }) => [{ environment: { ...(await fresh()), partnerId: 77 } }],
  'environments.way': async ({ fresh }) => [{ id: (await fresh()).id }],
  'environments.privateHosts': async ({ fresh }) => [{ id: (await fresh()).id }],
  'environments.setPrivateHosts': async ({ fresh }) => [{ id: (await fresh()).id, hosts: ['games.corp.example', '10.1.2.3'] }],
  'environments.remove': async ({ fresh }) => [{ id: (await fresh()).id }],
  'collections.list': () => [{}],
  'collections.open': async ({ collection, unique }) => {
    const { directory } = await collection();
    return [{ directory }, { directory: join(directory, `new ü ${unique()}`), create: true }];
  },
  'collections.forget': async ({ collection }) => [{ id: (await collection()).id }],
  'collections.directories': () => [{ directory: null }],
  'collections.starters': () => [{}],
  'collections.createFromStarter': async ({ collection, unique }) => {
    const { directory } = await collection();
    return [
      { starter: 'first-call', directory: join(directory, unique()) },
      { starter: 'wallet-session', directory: join(directory, `ü 幸運 ${unique()}`, 'deep') },
    ];
  },
  'collections.environments': async ({ collection }) => [
    { collectionId: (await collection()).id },
    { directory: (await collection()).directory },
  ],
  'collections.useEnvironment': async ({ client, collection, fresh, unique }) => {
    const { id, directory } = await collection();
    const shared = { ...(await fresh()), name: unique(), production: true };
    await client.call('environments.save', { environment: shared });
    await client.call('collections.shareEnvironment', { collectionId: id, environmentId: shared.id });
    await client.call('environments.remove', { id: shared.id });
    const { environments } = await client.call('collections.environments', { collectionId: id });
    return [{ directory, name: shared.name, revision: environments[0]?.revision ?? '' }];
  },
  'collections.shareEnvironment': async ({ collection, fresh }) => [
    { directory: (await collection()).directory, environmentId: (await fresh()).id },
  ],
  'collections.tree': async ({ collection }) => [{ id: (await collection()).id }],
  'collections.gitMarks': async ({ collection }) => [{ id: (await collection()).id }],
  'collections.versions': async ({ collection }) => [{ id: (await collection()).id, path: 'environments/zz.yaml' }],
  'collections.read': async ({ collection }) => {
    const { id } = await collection();
    return [
      { id, path: 'a.yaml' },
      { id, path: 'f/b.yaml' },
    ];
  },
  'collections.save': async ({ collection }) => {
    const { id, revision } = await collection();
    return [
      { id, path: 'a.yaml', revision, request: { operation: 'win', data: '{"roundId": 9007199254740993, "ä": "😀\u2028"}\n' } },
    ];
  },
  'collections.create': async ({ collection, unique }) => {
    const { id } = await collection();
    return [
      { id, folder: '', name: `ünïcode ${unique()} 幸運`, request: { operation: 'gameList' } },
      {
        id,
        folder: 'f',
        name: unique(),
        request: {
          operation: 'bet',
          form: 'x',
          overrides: { hash: 'wrong', omit: ['time'] },
          take: { id: '/data/0/id' },
          expect: [
            { code: '0' },
            { path: '$.a[*]', present: true, count: '3' },
            { balance: { before: '{{b}}', change: '-1.50' } },
          ],
          notes: 'a\r\nb',
        },
      },
    ];
  },
  'collections.createFolder': async ({ collection, unique }) => [{ id: (await collection()).id, folder: 'f', name: unique() }],
  'collections.readFolder': async ({ collection }) => {
    const { id } = await collection();
    return [
      { id, path: '' },
      { id, path: 'f' },
    ];
  },
  'collections.saveFolder': async ({ collection }) => [
    {
      id: (await collection()).id,
      path: '',
      settings: { variables: { amount: '0.10' }, order: ['f', 'a.yaml'] },
      revision: null,
    },
    { id: (await collection()).id, path: 'f', settings: { notes: 'n' }, revision: null },
  ],
  'collections.rename': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml', name: 'c' },
    { id: (await collection()).id, path: 'f', name: 'g' },
  ],
  'collections.move': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml', folder: 'f' },
    { id: (await collection()).id, path: 'f', folder: '', before: 'a.yaml' },
    { id: (await collection()).id, path: 'f/b.yaml', folder: '', before: null },
  ],
  'collections.transfer': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml', toId: (await collection()).id, folder: 'f', before: 'b.yaml' },
    { id: (await collection()).id, path: 'f', toId: (await collection()).id, folder: 'f', before: null },
    { id: (await collection()).id, path: 'f/b.yaml', toId: (await collection()).id, folder: '' },
  ],
  'collections.undoTransfer': async ({ collection, client }) => {
    const [from, to] = [await collection(), await collection()];
    const { undo } = await client.call('collections.transfer', { id: from.id, path: 'f/b.yaml', toId: to.id, folder: '' });
    return [{ undo }];
  },
  'collections.duplicate': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml' },
    { id: (await collection()).id, path: 'f' },
  ],
  'collections.remove': async ({ collection }) => [
    { id: (await collection()).id, path: 'a.yaml' },
    { id: (await collection()).id, path: 'f' },
  ],
  'collections.restore': async ({ collection, client }) => {
    const { id } = await collection();
    return [{ id, removal: (await client.call('collections.remove', { id, path: 'f' })).removal }];
  },
  'collections.importPreview': async ({ collection }) => [
    { files: [{ name: 'a.sh', text: "curl -d '{}' https://example.com/" }] },
    { files: [{ name: 'a.sh', text: 'curl https://example.com/' }], into: { id: (await collection()).id, folder: 'f' } },
  ],
  'collections.import': async ({ collection }) => [
    {
      files: [{ name: '', text: `curl -d '{"action":"gameList","currency":"EUR"}' https://example.com/serviceApi.php` }],
      id: (await collection()).id,
      folder: 'f',
    },
  ],
  'collections.cancelImport': ({ unique }) => [{ ticket: unique() }],
  'collections.export': async ({ collection, sandbox }) => [
    { id: (await collection()).id, path: '', format: 'postman', environmentId: null },
    { id: (await collection()).id, path: 'a.yaml', format: 'har', environmentId: sandbox.id },
    { id: (await collection()).id, path: 'f', format: 'curl', environmentId: sandbox.id },
  ],
  'collections.previewExample': ({ callId }) => [{ callId }],
  'collections.addExample': async ({ collection, callId }) => {
    const { id, revision } = await collection();
    return [{ id, path: 'a.yaml', revision, callId, name: 'ünïcode: # 幸運' }];
  },
  'collections.reorder': async ({ collection }) => [{ id: (await collection()).id, folder: '', order: ['f', 'a.yaml'] }],
  'keys.status': async ({ sandbox, fresh }) => [{ environmentId: sandbox.id }, { environmentId: (await fresh()).id }],
  'keys.set': async ({ fresh }) => [{ environmentId: (await fresh()).id, key: ' k€y "quoted" \n' }],
  'keys.clientCertificate': async ({ fresh }) => [{ environmentId: (await fresh()).id }],
  'keys.setClientCertificate': async ({ fresh }) => {
    const { key, cert } = await makeCertificate();
    return [{ environmentId: (await fresh()).id, files: [btoa(cert), btoa(key)], passphrase: '' }];
  },
  'keys.removeClientCertificate': async ({ fresh }) => [{ environmentId: (await fresh()).id }],
  'keys.remove': async ({ fresh }) => [{ environmentId: (await fresh()).id }],
  'keys.choose': async (ground) => [{ environmentId: await twoKeys(ground), key: 'older' }],
  'keys.discard': async (ground) => [
    { environmentId: await twoKeys(ground), key: 'older' },
    { environmentId: await twoKeys(ground), key: 'new' },
  ],
  'keys.setProxyLogin': ({ unique }) => [{ proxy: `http://${unique()}.test:8080`, user: 'jane', password: 'pä:ss' }],
  'keys.removeProxyLogin': ({ unique }) => [{ proxy: `http://${unique()}.test:8080` }],
  'keys.digest': ({ sandbox }) => [
    { environmentId: sandbox.id, time: '20-11-2026 10:15:30', data: null },
    { environmentId: sandbox.id, time: '', data: '{"a":"ä\u2028"}' },
    { environmentId: sandbox.id, time: 't', data: 'x'.repeat(1_000_000) },
  ],
  'runs.start': async ({ collection, sandbox }) => [
    { collectionId: (await collection()).id, environmentId: sandbox.id },
    {
      directory: (await collection()).directory,
      path: 'f',
      environmentId: sandbox.id,
      options: {
        repeat: 2,
        parallel: 2,
        bail: true,
        delayMs: 1,
        unreadable: 'report',
        variables: { a: 'ä{{' },
        data: { format: 'csv', text: 'b\n1\n' },
      },
      confirmed: true,
    },
  ],
  'runs.cancel': async ({ ranOnce }) => [{ runId: await ranOnce() }],
  'runs.list': async ({ collection }) => [{}, { collectionId: (await collection()).id }],
  'runs.requests': async ({ ranOnce }) => [{ runId: await ranOnce() }, { runId: await ranOnce(), from: 7, limit: 5_000 }],
  'runs.export': async ({ ranOnce }) => [
    { runId: await ranOnce(), as: 'junit' },
    { runId: await ranOnce(), as: 'html' },
  ],
  'wallet.plan': ({ sandbox }) => [
    { environmentId: sandbox.id },
    { environmentId: sandbox.id, stake: '1000', only: ['cancel', 'bet-01'] },
  ],
  'wallet.start': ({ sandbox }) => [{ environmentId: sandbox.id, only: ['session-01'] }],
  'wallet.restore': async ({ client, sandbox }) => [
    { runId: (await testWallet(client, { environmentId: sandbox.id, only: ['session-01'] })).runId },
  ],
  'calls.send': ({ sandbox, unique }) => [
    { draft: gameList(sandbox.id), ticket: unique() },
    { draft: { ...gameList(sandbox.id), overrides: { hash: 'wrong', omit: ['time'] } }, ticket: unique(), confirmed: true },
    {
      draft: draftOf(sandbox.id, { operation: 'getGameRound', text: '{"roundId": 9007199254740993, "note": "ä😀"}' }),
      ticket: unique(),
    },
    { draft: draftOf(sandbox.id, { operation: 'playerInfo', text: '{"externalToken": "none"}' }), ticket: unique() },
  ],
  'calls.repeat': async ({ answered, unique }) => [
    { id: await answered(), ticket: unique() },
    { id: await answered(), ticket: unique(), confirmed: true },
  ],
  'calls.cancel': ({ unique }) => [{ ticket: unique() }],
  'calls.list': ({ callId }) => [
    {},
    { limit: 1 },
    { before: callId, limit: 500 },
    { text: '%_\\' },
    { text: 'gameList', limit: 1 },
    { text: '"9007199254740993" play', match: 'words' },
    { text: 'ä', filter: {} },
    { filter: { collectionRun: 'none ä' } },
    {
      filter: {
        operations: ['gameList', 'bet'],
        environmentIds: ['sandbox'],
        codes: [0, -1],
        outcomes: ['accepted', 'refused', 'uncoded', 'unanswered', 'pending'],
        states: ['answered'],
        since: 0,
        until: 9_007_199_254_740_991,
        pinned: false,
        runs: ['none'],
      },
    },
  ],
  'calls.pin': async ({ answered }) => [
    { id: await answered(), pinned: true },
    { id: await answered(), pinned: false },
  ],
  'calls.note': async ({ answered }) => [
    { id: await answered(), note: 'ä\u2028 "quoted" \ud83d\ude00' },
    { id: await answered(), note: '' },
  ],
  'calls.delete': async ({ answered }) => [{ ids: [await answered()] }, { ids: [1_000_000] }],
  'calls.restore': async ({ answered }) => [{ ids: [await answered(), 1_000_000] }],
  'history.status': () => [{}],
  'history.preview': () => [{ maxAgeDays: 365, maxCalls: 1_000_000, maxBytes: 9_000_000_000 }],
  'history.retain': () => [
    { retention: { maxAgeDays: null, maxCalls: null, maxBytes: null } },
    { retention: { maxAgeDays: 365, maxCalls: 1_000_000, maxBytes: 9_000_000_000 }, removes: 0 },
  ],
  'history.settle': () => [{ does: 'keep', calls: 0 }],
  'history.forget': ({ unique }) => [
    { player: 'no-such-player', dryRun: true, ticket: unique() },
    { player: 'no-such-player', dryRun: false, setAside: true, ticket: unique() },
  ],
  'history.kept': () => [{}],
  'history.removeKept': () => [{ kind: 'removedFiles', count: 0 }],
  'history.compact': ({ unique }) => [{ ticket: unique() }],
  'history.cancelCompact': ({ unique }) => [{ ticket: unique() }],
  'history.clean': () => [{}],
  'history.cancelForget': ({ unique }) => [{ ticket: unique() }],
  'calls.get': ({ callId }) => [{ id: callId }],
  'exports.create': ({ callId }) => [
    { callIds: [callId], format: 'har' },
    { callIds: [callId, callId], format: 'php', form: 'resigning', keyVariable: 'PROVIDER_KEY' },
    { callIds: [callId], format: 'support', form: 'as-sent', keepTokens: true },
  ],
  'exports.read': async ({ client, callId }) => {
    const begun = await client.call('exports.create', { callIds: [callId], format: 'jsonl' });
    return [{ id: begun.id }];
  },
  'exports.cancel': ({ unique }) => [{ id: unique() }],
  'catalogue.fetch': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, currency: 'EUR', ticket: unique() },
    { environmentId: sandbox.id, currency: 'no such currency "ä', ticket: unique(), confirmed: true },
  ],
  'catalogue.snapshots': ({ sandbox }) => [{}, { environmentId: sandbox.id }, { environmentId: 'nobody' }],
  'catalogue.games': ({ snapshots: [first] }) => [{ snapshotId: first }],
  'catalogue.compare': ({ snapshots: [first, second] }) => [
    { from: first, to: second },
    { from: second, to: second },
  ],
  'catalogue.thumbnail': ({ sandbox }) => [
    { environmentId: sandbox.id, url: `${sandbox.baseUrl}/thumbs/lucky-compass-1001.svg` },
    { environmentId: sandbox.id, url: 'https://127.0.0.1:1/x.png' },
    { environmentId: sandbox.id, url: 'file:///etc/passwd' },
  ],
  'catalogue.cancelThumbnails': ({ sandbox }) => [
    { environmentId: sandbox.id, urls: [] },
    { environmentId: sandbox.id, urls: ['https://a.example/1.png', 'x'] },
  ],
  'launches.prepare': ({ sandbox, unique }) => [
    launchOf(sandbox.id, unique()),
    {
      ...launchOf(sandbox.id, unique()),
      gameMode: 'real',
      gameName: 'Señor Fortuna 幸運',
      externalToken: 'tök en/+&=',
      exitURL: 'https://casino.example/lobby?a=1',
      confirmed: true,
    },
  ],
  'launches.fromCall': async ({ launch }) => [
    { callId: (await launch()).call.id },
    { callId: (await launch()).call.id, gameName: 'G' },
  ],
  'launches.open': async ({ launch }) => [
    { id: (await launch()).id, bounds },
    { id: (await launch()).id, bounds: { x: -10, y: 0, width: 0, height: 0 }, redirects: 'https' },
  ],
  'launches.setBounds': async ({ launch }) => [{ id: (await launch()).id, bounds }],
  'launches.setVisible': async ({ launch }) => [{ id: (await launch()).id, visible: false }],
  'launches.reload': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.back': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.setPage': async ({ launch }) => [{ id: (await launch()).id, viewport: { width: 390, height: 844 }, page: ownPage }],
  'launches.devices': () => [{}],
  'launches.setMuted': async ({ launch }) => [{ id: (await launch()).id, muted: true }],
  'launches.focus': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.close': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.screenshot': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.picture': async ({ launch }) => [{ id: (await launch()).id, number: 1 }],
  'launches.removePicture': async ({ launch }) => [{ id: (await launch()).id, number: 20 }],
  'launches.setNote': async ({ launch }) => {
    const { id } = await launch();
    return [
      { id, note: 'The reels overlap. ä😀' },
      { id, note: '' },
    ];
  },
  'launches.note': async ({ launch }) => [
    { id: (await launch()).id, observation: { event: 'loaded' } },
    { id: (await launch()).id, observation: { event: 'left', origin: 'https://casino.example' } },
  ],
  'launches.overrule': async ({ launch }) => {
    const { id } = await launch();
    return [
      { id, overruling: { state: 'passed', note: 'The picture is meant to be dark.' } },
      { id, overruling: null },
    ];
  },
  'launches.list': () => [{}, { limit: 1 }, { text: 'Lucky ä 100%_', state: 'passed', offset: 1, limit: 200 }],
  'launches.keeping': () => [{}],
  'launches.keep': () => [{ most: 10_000, removes: 0 }],
  'launches.get': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.export': async ({ launch }) => [
    { ids: [(await launch()).id], as: 'html' },
    { ids: [(await launch()).id, (await launch()).id], as: 'folder' },
  ],
  'launches.networkLog': async ({ launch }) => [{ id: (await launch()).id }],
  'launches.renewToken': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, token: 'none', newGameId: '1002', ticket: unique() },
    { environmentId: sandbox.id, token: 'ä"\\', newGameId: 'x', ticket: unique(), confirmed: true },
  ],
  'tokens.list': ({ sandbox }) => [{ environmentId: sandbox.id }],
  'tokens.add': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, text: unique() },
    { environmentId: sandbox.id, text: `token,playerId\n${unique()},player-1\n,player-2`, file: 'ä.csv' },
  ],
  'tokens.remove': ({ sandbox }) => [
    { environmentId: sandbox.id, ids: [] },
    { environmentId: sandbox.id, ids: [9_007_199_254_740_991] },
  ],
  'tokens.restore': ({ sandbox }) => [{ environmentId: sandbox.id }],
  'tokens.renew': ({ sandbox, unique }) => [{ environmentId: sandbox.id, id: 1, newGameId: '1002', ticket: unique() }],
  // Hosts that cannot ask refuse any other.
  'tokens.setCommand': ({ sandbox }) => [
    { environmentId: sandbox.id, command: '' },
    { environmentId: sandbox.id, command: '  ' },
  ],
  'doctor.recognise': () => [{ text: '' }, { text: 'hash ä \u2028 {"action":"gameList"' }],
  'doctor.compare': ({ sandbox }) => {
    const request = { action: 'getGameRound', platform: '7', partnerId: '11', time: '20-11-2026 10:15:30' };
    return [
      { environmentId: sandbox.id, request: { ...request, dataText: String.raw`{ "a": "\/é", "b": {} }` } },
      { environmentId: sandbox.id, request: { ...request, dataText: null } },
      { environmentId: sandbox.id, request: { ...request, dataText: '{"a":1e400}' } },
    ];
  },
  'doctor.search': async ({ sandbox, client, unique }) => {
    const request = { action: 'gameList', platform: '7', partnerId: '11', time: '20-11-2026 10:15:30', dataText: null };
    const { digest } = await client.call('keys.digest', { environmentId: sandbox.id, time: request.time, data: null });
    return [
      { environmentId: sandbox.id, ticket: unique(), request: { ...request, hash: digest } },
      { environmentId: sandbox.id, ticket: unique(), request: { ...request, hash: digest.toUpperCase() }, fidelity: 'lossy' },
      { environmentId: sandbox.id, ticket: unique(), request: { ...request, dataText: '{"a":1e400}', hash: 'no hash' } },
    ];
  },
  'doctor.cancel': () => [{ ticket: 'none' }],
  'rounds.lookup': ({ sandbox, unique }) => [
    { environmentId: sandbox.id, roundId: '9007199254740993', date: '29-02-2024', ticket: unique() },
    { environmentId: sandbox.id, roundId: '0', date: '01-01-2000', ticket: unique(), confirmed: true },
  ],
  'settings.read': () => [{}],
  'settings.write': () => [
    { name: 'conformance', value: '' },
    { name: 'conformance', value: '{"text":"ä\\u0000\u2029"}' },
    { name: 'conformance', value: 'x', order: { page: 'p', number: 0 } },
  ],
  'workspaces.open': ({ unique }) => [
    { page: unique(), line: null, mine: null, begin: false },
    { page: unique(), line: 'x', mine: { page: 'y', id: '0'.repeat(24) }, begin: true, waiting: ['1'.repeat(24)] },
  ],
  'workspaces.read': async (ground) => {
    const { tab, ...at } = await keptTab(ground);
    return [
      { ...at, tab, from: 0 },
      { ...at, tab, from: 1_000 },
    ];
  },
  'workspaces.write': async (ground) => {
    const at = await keptTab(ground);
    return [
      { ...at, number: 2, base: 1, from: 1, to: 1, text: '\ud83d\ude00', rest: 0 },
      { ...at, number: 3, base: 9, from: 1, to: 1, text: '', rest: 0 },
    ];
  },
  'workspaces.list': async (ground) => {
    const { tab, ...at } = await keptTab(ground);
    return [{ ...at, number: 1, text: '{"version":1,"tabs":[]}', closed: [tab] }];
  },
  'workspaces.take': async ({ client, unique }) => {
    const [page, other] = [unique(), unique()];
    await client.call('workspaces.open', { page, line: null, mine: null, begin: true });
    const { id } = await client.call('workspaces.open', { page: other, line: 'gone', mine: null, begin: true });
    return [{ page, id }];
  },
  'workspaces.drop': async (ground) => {
    const { page, id } = await keptTab(ground);
    return [{ page, id }];
  },
};

/** Creates a workspace with a text in a tab for one input. */
async function keptTab({ client, unique }: Ground & { client: Client }) {
  const page = unique();
  const { id } = await client.call('workspaces.open', { page, line: null, mine: null, begin: true });
  const at = { page, id, tab: 'a' };
  await client.call('workspaces.write', { ...at, number: 1, base: null, from: 0, to: 0, text: '{}', rest: 0 });
  return at;
}

/** Creates the objects from which valid inputs are made, with collections in a folder. The built-in provider runs. */
export async function createGround(client: Client, folder: string): Promise<Ground> {
  let number = 0;
  const { environments } = await client.call('environments.list', {});
  const sandbox = environments.find(({ kind }) => kind === 'sandbox');
  if (sandbox === undefined) throw new Error('The subject has no running built-in provider');
  const unique = () => `unique-${++number}`;
  const call = await client.call('calls.send', { draft: gameList(sandbox.id), ticket: unique() });
  const fresh = () =>
    client.call('environments.create', {
      environment: { name: unique(), baseUrl: 'https://f.example', platform: 1, partnerId: 1, production: false },
    });
  const collection = async () => {
    const directory = await mkdtemp(join(folder, 'collection-'));
    await mkdir(join(directory, 'environments'));
    await writeFile(join(directory, 'environments', 'zz.yaml'), '<<<<<<< HEAD\nplatform: 1\n=======\nplatform: 2\n>>>>>>> b\n');
    await writeFile(join(directory, 'a.yaml'), 'operation: bet\n');
    await mkdir(join(directory, 'f'));
    await writeFile(join(directory, 'f', 'b.yaml'), 'operation: gameList\n');
    const { id } = await client.call('collections.open', { directory });
    return { id, directory, revision: (await client.call('collections.read', { id, path: 'a.yaml' })).revision };
  };
  const answered = async () => (await client.call('calls.send', { draft: gameList(sandbox.id), ticket: unique() })).id;
  const ranOnce = async () => {
    const { id } = await collection();
    return (await client.call('runs.start', { collectionId: id, path: 'f', environmentId: sandbox.id })).runId;
  };
  const launch = () => client.call('launches.prepare', launchOf(sandbox.id, unique()));
  const snapshots = await Promise.all(
    ['EUR', 'USD'].map((currency) => client.call('catalogue.fetch', { environmentId: sandbox.id, currency, ticket: unique() })),
  );
  const [first = 0, second = 0] = snapshots.map(({ snapshot }) => snapshot?.id);
  return { sandbox, callId: call.id, snapshots: [first, second], answered, launch, collection, ranOnce, fresh, unique };
}
