import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputs, type CallName, type Input } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { collectionExportFormats, exportFormats, isProgram } from '#shared/model/formats.ts';
import { createTestApp, draftOf, temporaryFolder, type TestApp } from './app.ts';
import { canariesIn, jsonWith, keyCanary, textsBelow, tokenCanaries, tokenOf, type TokenCanary } from './canaries.ts';
import { conformanceCases, createGround } from './conformance-cases.ts';
import { textsOfCall, withText } from './contract-inputs.ts';
import { startHttpsServer } from './https-server.ts';
import { createChoices, seededRandom } from './seeded-random.ts';

/** Places in the home, by the beginning of their paths: whether they may hold session tokens as they were typed and received. None holds a key. */
const homePlaces = {
  'history.sqlite': true,
  'history-index.sqlite': true,
  workspaces: true,
  'settings.json': true,
  environments: true,
  'collection-runs': false,
  'collections.json': false,
  'environment-links.json': false,
  'token-commands.json': false,
  'keys.json': false,
  evidence: false,
  cache: false,
  locks: false,
  runs: false,
  sandbox: false,
} as const satisfies Readonly<Record<string, boolean>>;

/** Results of one walk: every text that a page may send, with the canaries in it, and what was found where. */
export interface CanaryReport {
  readonly planted: readonly string[];
  readonly found: readonly string[];
}

/**
 * Puts the key of an environment and ten tokens into the texts of every call of the contract, one text at a time, and looks for them in every file and
 * everything that leaves. `every`: only one of so many texts, by the seed, and one token in each.
 */
export async function contractCanaries(every: number, seed: number): Promise<CanaryReport> {
  // All forms in turn, or each in each text.
  const formsFor = (input: number) =>
    every === 1 ? tokenCanaries : tokenCanaries.slice(input % tokenCanaries.length).slice(0, 1);
  const choices = createChoices(seededRandom(seed));
  const test = await createTestApp();
  const folder = await temporaryFolder();
  const server = await startHttpsServer((_, response) => {
    response.end(`{"code":0,"message":"key ${JSON.stringify(keyCanary).slice(1, -1)}","data":${jsonWith(tokenCanaries, 9_999)}}`);
  });
  const planted: string[] = [];
  const found: string[] = [];
  const look = (where: string, text: string) => found.push(...canariesIn(text).map((what) => `${where}: ${nameOf(what)}`));
  const nameOf = (what: string) => {
    const number = Number(/\d{4}$/.exec(what)?.[0]);
    return number === 9_999 ? `${what} (a response)` : Number.isNaN(number) ? what : `${what} (${planted[number] ?? ''})`;
  };
  try {
    const { client, app } = test;
    await app.startSandbox({ port: 0, key: keyCanary });
    const echo = await test.environment(server, { name: 'Echo' }, keyCanary);
    const made = await createGround(client, folder);
    const ground = {
      ...made,
      client,
      async collection() {
        const one = await made.collection();
        await writeFile(join(one.directory, 'f', 'b.yaml'), 'operation: gameList\ndata: |\n  {"currency": "{{name}}"}\n');
        return one;
      },
    };
    for (const name of Object.keys(inputs) as CallName[]) {
      for (const path of textsOfCall(name, 60)) {
        if (every > 1 && !choices.chance(1 / every)) continue;
        const number = planted.length;
        const texts = [keyTexts(folder), ...formsFor(number).map((form) => tokenTexts(form, number))].flat();
        let taken = 0;
        for (const text of texts) {
          const cases = await conformanceCases[name](ground);
          const input = cases.map((valid) => withText(valid, path, text)).find((one) => inputs[name].safeParse(one).success);
          if (input === undefined) continue;
          taken += 1;
          await app.dispatch(name, input);
        }
        if (taken > 0) planted.push(`${name} ${path.join('.')}`);
      }
    }
    const answered = await test.send(draftOf(echo.id, { operation: 'gameList' }));
    const { id, revision } = await ground.collection();
    await client.call('collections.addExample', { id, path: 'a.yaml', revision, callId: answered.id, name: 'Example' });
    for await (const [what, text] of everythingOut(test)) look(what, text);
    found.push(...test.faults.flatMap((fault) => canariesIn(String(fault)).map((what) => `a fault: ${nameOf(what)}`)));
    await app.close();
    for (const [file, text] of await textsBelow(test.home)) {
      const place = (Object.keys(homePlaces) as (keyof typeof homePlaces)[]).find((one) => file.startsWith(one));
      if (place === undefined) found.push(`home ${file}: no row says what it may hold`);
      const tokens = place !== undefined && homePlaces[place];
      found.push(...canariesIn(text).flatMap((what) => (tokens && what !== 'key' ? [] : [`home ${file}: ${nameOf(what)}`])));
    }
    for (const [file, text] of await textsBelow(folder)) look(`team ${file}`, text);
    return { planted, found };
  } finally {
    await server.close();
    await test.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the key as a text, in a URL and in the path of a directory. */
function keyTexts(folder: string): string[] {
  const inUrl = encodeURIComponent(keyCanary);
  return [keyCanary, `https://127.0.0.1:1/${inUrl}`, join(folder, inUrl)];
}

/** Returns a token as JSON and, if it is known by its form alone, by itself. */
function tokenTexts(form: TokenCanary, input: number): string[] {
  return [
    jsonWith([form], input),
    ...(form === 'JWT' ? [tokenOf(form, input)] : []),
    ...(form === 'URL' ? [`https://127.0.0.1:1/?token=${tokenOf(form, input)}`] : []),
  ];
}

/** Yields everything that the application gives out of what it keeps, by the name of what it is. */
async function* everythingOut({ app, client }: TestApp): AsyncGenerator<[what: string, text: string]> {
  const { calls } = await client.call('calls.list', { limit: 500 });
  const callIds = calls.map(({ id }) => id);
  for (const { name } of exportFormats) {
    for (const form of isProgram(name) ? (['as-sent', 'resigning'] as const) : (['as-sent'] as const)) {
      const { files } = await exportWhole(client, { callIds, format: name, form });
      yield [`export ${name}`, JSON.stringify(files)];
    }
  }
  for (const { id, directory } of (await client.call('collections.list', {})).collections) {
    const texts = await textsBelow(directory).catch(() => new Map<string, string>());
    if (![...texts.values()].some((text) => canariesIn(text).length > 0)) continue;
    for (const { name } of collectionExportFormats)
      yield [
        `export of requests as ${name}`,
        await replyOf(app, 'collections.export', { id, path: '', format: name, environmentId: 'sandbox' }),
      ];
  }
  for (const { id } of (await client.call('launches.list', { limit: 200 })).launches) {
    yield ['evidence', await replyOf(app, 'launches.export', { ids: [id], as: 'html' })];
    yield ['evidence', await replyOf(app, 'launches.networkLog', { id })];
  }
  for (const { runId } of (await client.call('runs.list', {})).runs)
    for (const as of ['junit', 'json', 'html', 'gitlab'] as const)
      yield [`report ${as}`, await replyOf(app, 'runs.export', { runId, as })];
  yield ['diagnostics', JSON.stringify(await client.call('app.diagnostics', {}))];
}

async function replyOf<K extends CallName>({ dispatch }: TestApp['app'], name: K, input: Input<K>): Promise<string> {
  return JSON.stringify(await dispatch(name, input));
}
