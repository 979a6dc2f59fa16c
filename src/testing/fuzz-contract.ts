import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { Environment, inputs } from '#shared/ipc/index.ts';
import { outputs } from '#shared/ipc/outputs/index.ts';
import type { CallName, Client, Launch } from '#shared/ipc/index.ts';
import { createTestApp } from './app.ts';
import { conformanceCases, gameList, launchOf, type Ground } from './conformance-cases.ts';
import type { FuzzTarget } from './fuzz.ts';

/** Nothing listens at this URL, and no changed input may name another. */
const nowhere = 'https://127.0.0.1:1';

/** Names that stand in the texts for what each application creates again, so that a text means the same to the next application. */
const placeholder = /@(collection|directory|revision|environment|launch|run)\b/g;

const environment = (id: string) => ({
  ...Environment.parse({ id: 'e', name: id, baseUrl: nowhere, platform: 1, partnerId: 1 }),
  id,
});

let numbers = 0;
const ground: Ground & { client: Client } = {
  sandbox: environment('sandbox'),
  callId: 1,
  snapshots: [1, 2],
  answered: () => Promise.resolve(1),
  launch: () => Promise.resolve({ id: '@launch', call: { id: 1 } } as Launch),
  collection: () => Promise.resolve({ id: '@collection', directory: '@directory', revision: '@revision' }),
  ranOnce: () => Promise.resolve('@run'),
  fresh: () => Promise.resolve(environment('@environment')),
  unique: () => `unique-${++numbers}`,
  client: {
    call: () =>
      Promise.resolve({ id: 'i', undo: 'u', removal: 'r', digest: 'ab'.repeat(32), environments: [{ revision: '@revision' }] }),
  } as unknown as Client,
};

/** Returns the valid inputs of every call. */
const corpus = (
  await Promise.all(
    (Object.keys(inputs) as CallName[]).map(async (name) =>
      (await conformanceCases[name](ground)).map((input) => JSON.stringify({ name, input })),
    ),
  )
)
  .flat()
  .filter((text) => text.length < 10_000)
  .map((text) => text.replaceAll(/https:\/\/[\w.-]+\.example[\w/.-]*/g, nowhere));

/** Opens an application on a home of its own, with one of everything that a call may name. */
async function openApplication() {
  const test = await createTestApp({ sandbox: true });
  const folder = await mkdtemp(join(tmpdir(), 'croupier-fuzz-'));
  const directory = join(folder, 'collection');
  await mkdir(join(directory, 'f'), { recursive: true });
  await writeFile(join(directory, 'a.yaml'), 'operation: bet\n');
  await writeFile(join(directory, 'f', 'b.yaml'), 'operation: gameList\n');
  const { client } = test;
  await test.send(gameList('sandbox'));
  for (const currency of ['EUR', 'USD'])
    await client.call('catalogue.fetch', { environmentId: 'sandbox', currency, ticket: `first-${currency}` });
  const collection = (await client.call('collections.open', { directory })).id;
  const values: Readonly<Record<string, string>> = {
    collection,
    directory,
    revision: (await client.call('collections.read', { id: collection, path: 'a.yaml' })).revision,
    environment: (await test.environment({ baseUrl: nowhere })).id,
    launch: (await client.call('launches.prepare', launchOf('sandbox', 'first-launch'))).id,
    run: (await client.call('runs.start', { collectionId: collection, path: 'f', environmentId: 'sandbox' })).runId,
  };
  return { test, folder, values };
}

let open: Awaited<ReturnType<typeof openApplication>> | null = null;

/**
 * Every call of the inside contract, through the router of a real application: whatever comes in, a reply as documented comes out.
 */
export const contractTarget: FuzzTarget = {
  name: 'contract',
  corpus,
  words: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    'null',
    'true',
    '"input":',
    '"__proto__":',
    ...Object.keys(inputs).map((name) => `"${name}"`),
  ],
  async open() {
    open = await openApplication();
    return async () => {
      const closing = open;
      open = null;
      await closing?.test.close();
      if (closing !== null) await rm(closing.folder, { recursive: true, force: true });
    };
  },
  change: changeOneValue,
  async read(text) {
    if (open === null) throw new Error('The application is not open.');
    const { test, folder, values } = open;
    let value: unknown;
    try {
      value = JSON.parse(text.replaceAll(placeholder, (_, name: string) => JSON.stringify(values[name]).slice(1, -1)));
    } catch {
      return 'refused';
    }
    const { name, input } = (typeof value === 'object' && value !== null ? value : {}) as { name?: unknown; input?: unknown };
    if (!staysHere(input, folder)) return 'refused';
    const reply = await test.app.transport.call(name as string, input);
    demand(test.faults.length === 0, () => `A fault inside: ${String((test.faults.splice(0)[0] as Error).cause)}`);
    demand(Reflect.get({}, 'polluted') === undefined, () => 'A prototype was changed.');
    if (!reply.ok) {
      demand(reply.error.code !== 'internal' && /\S/.test(reply.error.message), () => `Refused with ${reply.error.code}.`);
      return 'refused';
    }
    const problem = outputs[name as CallName].safeParse(reply.value).error;
    demand(problem === undefined, () => `The reply is not as documented: ${JSON.stringify(problem?.issues).slice(0, 500)}`);
    // A run may be as long as somebody wants it to be.
    if (name === 'runs.start') await test.app.transport.call('runs.cancel', reply.value);
    return 'through';
  },
};

function demand(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Error(message());
}

/**
 * Returns whether an input names no directory but those of the test, and no host but this one: the changed inputs must hurt nobody.
 */
function staysHere(input: unknown, folder: string): boolean {
  if (typeof input === 'string') {
    const host = URL.parse(input)?.hostname ?? '';
    return host === '' || host === '127.0.0.1' || host === 'localhost';
  }
  if (typeof input !== 'object' || input === null) return true;
  return Object.entries(input).every(([name, value]) => {
    if (name === 'directory' && typeof value === 'string' && !resolve(value).startsWith(folder + sep)) return false;
    return staysHere(value, folder);
  });
}

/** Changes one value somewhere in the input, so that most inputs are still JSON; null if the text itself is to be changed. */
function changeOneValue(text: string, random: () => number): string | null {
  if (random() < 0.2) return null;
  const pick = <T>(options: readonly T[]): T => options[Math.floor(random() * options.length)] as T;
  let call: { name: unknown; input: unknown };
  try {
    call = JSON.parse(text) as typeof call;
  } catch {
    // A kept text.
    return null;
  }
  const places: [holder: Record<string, unknown>, name: string][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys(value)) {
      places.push([value as Record<string, unknown>, name]);
      visit(Reflect.get(value, name));
    }
  };
  visit(call?.input);
  if (places.length === 0) return null;
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1) {
    const [holder, name] = pick(places);
    const old = holder[name];
    if (typeof old === 'number') holder[name] = pick([...strangeNumbers, old + 1, old - 1, -old]);
    else if (typeof old === 'string') holder[name] = random() < 0.6 ? changedText(old, random, pick) : pick(strangeValues);
    else if (random() < 0.3) delete holder[name];
    else holder[name] = pick(strangeValues);
  }
  return JSON.stringify(call);
}

function changedText(old: string, random: () => number, pick: <T>(options: readonly T[]) => T): string {
  const at = Math.floor(random() * (old.length + 1));
  return old.slice(0, at) + pick(strangeTexts) + old.slice(random() < 0.5 ? at : at + 1);
}

const strangeNumbers = [0, -1, 0.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300, 5e-324];
const strangeValues = [
  null,
  true,
  false,
  '',
  0,
  [],
  {},
  [null],
  'x',
  '@collection',
  '@environment',
  '@launch',
  '@run',
  'sandbox',
  'a.yaml',
  'f',
];
const strangeTexts = [
  '',
  '/',
  '\\',
  '..',
  '../../etc/passwd',
  '.',
  '\u0000',
  '\ud800',
  '\u202e',
  '\ufeff',
  '{{a}}',
  '{{',
  '"',
  "'",
  '%',
  '*',
  '\n',
  '\r\n',
  ' ',
  'CON',
  '.yaml',
  '__proto__',
  '9007199254740993',
  '$..*',
  'x'.repeat(300),
  '[['.repeat(100),
];
