import { AppError } from '#shared/errors.ts';
import { createTestApp, draftOf, temporaryFolder } from './app.ts';
import { startHttpsServer } from './https-server.ts';
import { createChoices, seededRandom } from './seeded-random.ts';
import { leaksIn, secretForms } from './secret-forms.ts';

/** Results of one way in: `through` counts keys that left, or are in a file. */
export interface KeyAttack {
  readonly door: string;
  readonly tried: number;
  readonly refused: number;
  readonly through: number;
  /** The forms that got through. */
  readonly forms: readonly string[];
}

const alphabets = [
  '0123456789abcdef',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~aZ5',
  'äöüß€漢字😀aZ5-_',
];

/**
 * Puts random keys, in every form and inside random texts, into every way by which a text leaves or is kept. One key for each
 * round.
 */
export async function keyAttacks(rounds: number, seed: number): Promise<KeyAttack[]> {
  const { below } = createChoices(seededRandom(seed));
  const textOf = (alphabet: string, length: number) => {
    const characters = Array.from(alphabet);
    return Array.from({ length }, () => characters[below(characters.length)] ?? '').join('');
  };
  const test = await createTestApp();
  let leak = '';
  const server = await startHttpsServer((_, response) => {
    response.end(JSON.stringify({ code: 0, message: 'ok', data: { slots: [] }, leak }));
  });
  try {
    const { client, app } = test;
    const environment = await test.environment(server, { name: 'attacked' }, 'the-first-key-of-all');
    const { id } = await client.call('collections.open', { directory: `${await temporaryFolder()}/c`, create: true });
    const noted = await test.send(draftOf(environment.id, { operation: 'gameList' }));
    await client.call('collections.create', { id, folder: '', name: 'plain', request: { operation: 'gameList' } });
    let number = 0;
    const sending = (text: string, overrides = {}) =>
      test.send(draftOf(environment.id, { operation: 'getGameRound', text, overrides }));
    const doors: Record<string, (text: string) => Promise<unknown>> = {
      'the payload of a call': (text) => sending(JSON.stringify({ roundId: text })),
      'JSON in the payload': (text) => sending(JSON.stringify({ roundId: JSON.stringify({ a: text }) })),
      'a call without a signature': (text) =>
        test.send(draftOf(environment.id, { operation: 'bet', text: JSON.stringify({ playerId: text }) })),
      'the override of time': (text) => sending('{}', { time: text }),
      'the override of hash': (text) => sending('{}', { hash: text }),
      'a note': (text) => client.call('calls.note', { id: noted.id, note: text }),
      'a field of an environment': (text) =>
        client.call('environments.save', {
          environment: { ...environment, defaults: { ...environment.defaults, playerId: text } },
        }),
      'a request of a collection': (text) =>
        client.call('collections.create', {
          id,
          folder: '',
          name: `r${++number}`,
          request: { operation: 'gameList', notes: text },
        }),
      'a variable of a collection': (text) =>
        client.call('collections.saveFolder', {
          id,
          path: '',
          settings: { variables: { a: text }, order: [], notes: '' },
          revision: null,
        }),
      'a variable of a run': (text) =>
        client.call('runs.start', {
          collectionId: id,
          path: '',
          environmentId: environment.id,
          options: { variables: { a: text } },
        }),
      'a response': async (text) => {
        leak = text;
        const call = await test.send(draftOf(environment.id, { operation: 'gameList' }));
        leak = '';
        const kept = `${JSON.stringify(call)}${Buffer.from(await client.body(call.id)).toString('utf8')}`;
        if (leaksIn(kept, key).length === 0) throw new AppError('refused', 'It is masked: private key');
      },
      'an open tab': async (text) => {
        await client.call('settings.write', { name: 'workspace', value: JSON.stringify({ text: JSON.stringify({ a: text }) }) });
        const { values } = await client.call('settings.read', {});
        if (leaksIn(values['workspace'] ?? '', key).length === 0) throw new AppError('refused', 'It is masked: private key');
      },
    };
    let key = '';
    const counts = new Map(Object.keys(doors).map((door) => [door, { tried: 0, refused: 0, through: 0, forms: [] as string[] }]));
    for (let round = 0; round < rounds; round++) {
      key = textOf(alphabets[below(alphabets.length)] ?? '', 8 + below(40));
      await app.useKey(environment.id, key);
      for (const [name, form] of secretForms(key)) {
        const text = `${textOf('xyz ,:', below(8))}${form}${textOf('xyz ,:', below(8))}`;
        for (const [door, attack] of Object.entries(doors)) {
          const count = counts.get(door);
          if (count === undefined || text.length > (door === 'a field of an environment' ? 200 : 900)) continue;
          count.tried++;
          const error = await attack(text).then(
            () => null,
            (reason: unknown) => reason,
          );
          if (error instanceof AppError && error.code === 'refused' && /private key/.test(error.message)) count.refused++;
          else {
            count.through++;
            count.forms.push(
              `${name}: ${JSON.stringify(text)} with the key ${JSON.stringify(key)}: ${error instanceof Error ? error.message : 'taken'}`,
            );
          }
        }
      }
    }
    return Array.from(counts, ([door, count]) => ({ door, ...count }));
  } finally {
    await server.close();
    await test.close();
  }
}
