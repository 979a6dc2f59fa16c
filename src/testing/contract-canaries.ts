import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputs, type CallName, type Client, type Input } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { collectionExportFormats, exportFormats, isProgram } from '#shared/model/formats.ts';
import { createTestApp, draftOf, temporaryFolder, type TestApp } from './app.ts';
import { canariesIn, filesBelow, jsonWith, keyCanary, strayInHome, tokenCanaries, tokenOf } from './canaries.ts';
import { conformanceCases, createGround } from './conformance-cases.ts';
import { inputsWith, textsOfCall } from './contract-inputs.ts';
import { startHttpsServer } from './https-server.ts';
import { createChoices, seededRandom } from './seeded-random.ts';

/** Results of one walk: the texts of the contract that got canaries, those whose form lets none in, and what was found where. */
export interface CanaryReport {
  readonly planted: readonly string[];
  readonly closed: readonly string[];
  readonly found: readonly string[];
}

/**
 * Puts the key of an environment and ten tokens into the texts of every call of the contract, one text at a time, and looks for them in every file and
 * everything that leaves. `every`: only one of so many texts, by the seed, and no token by itself.
 */
export async function contractCanaries(every: number, seed: number): Promise<CanaryReport> {
  const choices = createChoices(seededRandom(seed));
  const folder = await temporaryFolder();
  const turns = turnsIn(folder).filter(({ all }) => every === 1 || all !== false);
  const test = await createTestApp();
  const server = await startHttpsServer((_, response) => {
    response.end(`{"code":0,"message":"key ${JSON.stringify(keyCanary).slice(1, -1)}","data":${jsonWith(tokenCanaries, 9_999)}}`);
  });
  const names: string[] = [];
  const planted = new Set<number>();
  const found = new Set<string>();
  const look = (where: string, text: string | Buffer) => {
    for (const what of canariesIn(text)) found.add(`${where}: ${nameOf(what)}`);
  };
  const nameOf = (what: string) => {
    const number = Number(/\d{4}$/.exec(what)?.[0]);
    return number === 9_999 ? `${what} (a response)` : Number.isNaN(number) ? what : `${what} (${names[number] ?? ''})`;
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
    const lookAtWhatIsNew = createOutlook(test, look, [ground.sandbox.id, echo.id]);
    for (const name of Object.keys(inputs) as CallName[]) {
      const texts = textsOfCall(name, 60)
        .filter(() => every === 1 || choices.chance(1 / every))
        .map((text) => ({ text, number: names.push(`${name} ${text.path.join('.')}`) - 1 }));
      if (texts.length === 0) continue;
      const hasAll = new Set<number>();
      for (const [turn, { all, canary }] of turns.entries()) {
        const left = texts.filter(({ number }) => all !== false || !hasAll.has(number));
        if (left.length === 0) break;
        await closePacks(client);
        const cases: readonly unknown[] = await conformanceCases[name](ground);
        // A call may use its objects up: in each turn another text is the first that has all of them.
        const first = turn % left.length;
        for (const { text, number } of [...left.slice(first), ...left.slice(0, first)]) {
          const input = inputsWith(cases, text, canary(number)).find((one) => inputs[name].safeParse(one).success);
          if (input === undefined) continue;
          planted.add(number);
          if (all === true) hasAll.add(number);
          await app.dispatch(name, input);
        }
      }
      if (name === 'calls.send') {
        const answered = await test.send(draftOf(echo.id, { operation: 'gameList' }));
        const { id, revision } = await ground.collection();
        await client.call('collections.addExample', { id, path: 'a.yaml', revision, callId: answered.id, name: 'Example' });
      }
      await lookAtWhatIsNew();
    }
    await lookAtWhatIsNew(true);
    look('diagnostics', JSON.stringify(await client.call('app.diagnostics', {})));
    for (const fault of test.faults) look('a fault', String(fault));
    await app.close();
    for (const [file, what] of await strayInHome(test.home)) found.add(`home ${file}: ${nameOf(what)}`);
    for (const [file, bytes] of await filesBelow(folder)) look(`team ${file}`, bytes);
    const closed = names.filter((_, number) => !planted.has(number));
    return { planted: names.filter((_, number) => planted.has(number)), closed, found: [...found] };
  } finally {
    await server.close();
    await test.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Canaries that each text gets in turn: the key by itself and in what names a place, tokens that their form alone tells, all tokens, and each by itself where all
 * are too long.
 */
interface Turn {
  readonly canary: (input: number) => string;
  readonly all?: boolean;
}

function turnsIn(folder: string): Turn[] {
  const inUrl = encodeURIComponent(keyCanary);
  return [
    { canary: () => keyCanary },
    { canary: () => `https://127.0.0.1:1/${inUrl}` },
    { canary: () => join(folder, inUrl) },
    { canary: (input) => tokenOf('JWT', input) },
    { canary: (input) => `https://127.0.0.1:1/?token=${tokenOf('URL', input)}` },
    { canary: (input) => jsonWith(tokenCanaries, input), all: true },
    ...tokenCanaries.map((form): Turn => ({ canary: (input) => jsonWith([form], input), all: false })),
  ];
}

/** Returns a function that looks at everything new that the application gives out of what it keeps, and removes what calls get slow by. `kept`: environments that stay. */
function createOutlook(
  { app, client, home }: TestApp,
  look: (where: string, text: string) => void,
  kept: readonly string[],
): (isLast?: boolean) => Promise<void> {
  const seen = new Set<string | number>();
  const isNew = (id: string | number) => !seen.has(id) && seen.add(id).has(id);
  return async (isLast = false) => {
    // An export starts a thread: it takes many calls at once.
    const calls = (await client.call('calls.list', { limit: 500 })).calls.filter(({ id }) => !seen.has(id));
    const callIds = isLast || calls.length >= 200 ? calls.map(({ id }) => id).filter(isNew) : [];
    for (const { name } of callIds.length === 0 ? [] : exportFormats) {
      for (const form of isProgram(name) ? (['as-sent', 'resigning'] as const) : (['as-sent'] as const)) {
        const { files } = await exportWhole(client, { callIds, format: name, form });
        look(`export ${name}`, JSON.stringify(files));
      }
    }
    for (const { id, directory } of (await client.call('collections.list', {})).collections) {
      const files = await filesBelow(directory);
      const hasCanaries = [...files.values()].some((bytes) => canariesIn(bytes).length > 0);
      for (const { name } of hasCanaries ? collectionExportFormats : [])
        look(
          `export of requests as ${name}`,
          await replyOf(app, 'collections.export', { id, path: '', format: name, environmentId: 'sandbox' }),
        );
      await client.call('collections.forget', { id });
    }
    for (const [file, bytes] of await filesBelow(join(home, 'environments')))
      if (canariesIn(bytes).includes('key')) look(`home environments/${file}`, keyCanary);
    for (const { id } of (await client.call('environments.list', {})).environments.filter(({ id }) => !kept.includes(id)))
      await client.call('environments.remove', { id });
    await closePacks(client);
    const ids = (await client.call('launches.list', { limit: 200 })).launches.map(({ id }) => id).filter(isNew);
    for (let at = 0; at < ids.length; at += 8)
      look('evidence', await replyOf(app, 'launches.export', { ids: ids.slice(at, at + 8), as: 'html' }));
    for (const id of ids) look('a network log', await replyOf(app, 'launches.networkLog', { id }));
    for (const { runId } of (await client.call('runs.list', {})).runs.filter(({ runId }) => isNew(runId)))
      for (const as of ['junit', 'json', 'html', 'gitlab'] as const)
        look(`report ${as}`, await replyOf(app, 'runs.export', { runId, as }));
  };
}

/** Closes the support packs, because only a few may be open. */
async function closePacks(client: Client): Promise<void> {
  for (const { id } of (await client.call('packs.list', {})).packs) await client.call('packs.close', { id });
}

async function replyOf<K extends CallName>({ dispatch }: TestApp['app'], name: K, input: Input<K>): Promise<string> {
  return JSON.stringify(await dispatch(name, input));
}
