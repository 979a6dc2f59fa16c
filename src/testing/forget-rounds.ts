import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createHistoryStore } from '#core/history/store.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { findCalls } from '#core/history/find-calls.ts';
import { createSearchWork } from '#core/history/search-work.ts';
import { createRemoval } from '#core/history/removal.ts';
import { createSearchEngine } from '#core/history/search-engine.ts';
import { draftOf } from './app.ts';
import { someOutcome, someOutgoing } from './some-record.ts';
import { createChoices, seededRandom } from './seeded-random.ts';

/** Results of one form in which a player may be named, or only seem to be. */
export interface FormCount {
  readonly form: string;
  tried: number;
  /** Calls that were removed if they name the player, and kept if they do not. */
  right: number;
  /** Calls that were left although they name the player, removed although they do not, or of which a byte is still in a file. */
  readonly wrong: string[];
}

const json = (value: unknown) => JSON.stringify(value);
const query = (text: string) => encodeURIComponent(text);
/** Writes each character as a JSON escape. */
const hidden = (text: string) => Array.from(text, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

type Body = (player: string, nonce: string) => string;

/** Bodies that name the player. */
const naming: Readonly<Record<string, Body>> = {
  payload: (player, nonce) => json({ action: 'freeRounds', data: { nonce, playerId: player } }),
  list: (player, nonce) => json({ playerIds: ['a', player, `${player}1`], nonce }),
  'laid out': (player, nonce) => JSON.stringify({ nonce, deep: [{ playerId: player }] }, null, 2),
  'JSON in a string': (player, nonce) => json({ nonce, data: json({ text: json({ playerId: player }) }) }),
  escaped: (player, nonce) => `{"nonce":"${nonce}","player\\u0049d":"${hidden(player)}"}`,
  address: (player, nonce) => json({ nonce, launcherURL: `https://g.example/?gameId=1&playerId=${query(player)}&lang=en` }),
  'address in an address': (player, nonce) =>
    json({ nonce, url: `https://g.example/?exitURL=${query(`https://x.example/?playerId=${query(player)}&a=1`)}` }),
  form: (player, nonce) => `nonce=${nonce}&playerId=${query(player)}&amount=1`,
  'ends early': (player, nonce) => `{"nonce":"${nonce}","data":{"playerId":${json(player)}`,
  'single quotes': (player, nonce) => `{nonce: '${nonce}', playerId: '${player.replaceAll(/['\\]/g, '\\$&')}'}`,
};

/** Bodies that hold the ID and do not name the player. */
const seeming: Readonly<Record<string, Body>> = {
  'a longer ID': (player, nonce) => json({ nonce, playerId: `${player}4` }),
  'an ID with a beginning': (player, nonce) => json({ nonce, playerId: `x${player}`, playerIds: [`1${player}`] }),
  'another field': (player, nonce) =>
    json({ nonce, playerId: 'other', transactionId: player, partnerId: player, note: `playerId ${player}` }),
  'another name': (player, nonce) => json({ nonce, myplayerId: player, playerIdx: player, 'x-playerId': player }),
  'another case': (player, nonce) => json({ nonce, playerid: player, PlayerId: player }),
};

const players = ['12', 'p-12', '9007199254740993', 'Üser 7', 'a/b\\c', 'say "hi"', "o'neil", '50%', 'x.y+z', '幸運'];
const letters = 'bcdfghjklmnpqrstvwxyz';

/**
 * Fills small histories with calls that name a player and with some that only seem to, forgets the player, and looks for every byte
 * of them.
 */
export async function forgetRounds(
  folder: string,
  rounds: number,
  seed: number,
  onRound: (round: number) => void,
): Promise<FormCount[]> {
  const { below: next } = createChoices(seededRandom(seed));
  const counts = new Map<string, FormCount>();
  for (let round = 0; round < rounds; round += 1) {
    const home = join(folder, String(round));
    mkdirSync(home);
    await forgetOnce(home, players[round % players.length] ?? '12', next, counts);
    rmSync(home, { recursive: true });
    onRound(round);
  }
  return [...counts.values()];
}

async function forgetOnce(
  home: string,
  player: string,
  next: (below: number) => number,
  counts: Map<string, FormCount>,
): Promise<void> {
  const files = { historyPath: join(home, 'history.sqlite'), indexPath: join(home, 'history-index.sqlite') };
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(files.historyPath, { run });
  const history = createHistoryStore(database, run);
  const engine = createSearchEngine({ ...files, write: true });
  const made: { id: number; form: string; named: boolean; nonce: string }[] = [];
  try {
    const forms = [...Object.entries(naming), ...Object.entries(seeming)];
    for (let at = 0; at < 2 * forms.length; at += 1) {
      const [form, body] = forms[next(forms.length)] ?? ['', () => ''];
      const nonce = Array.from({ length: 14 }, () => letters[next(letters.length)]).join('');
      const text = `${body(player, nonce)}${' '.repeat(next(4) === 0 ? next(40_000) : 0)}`;
      made.push({ id: await record(history, text, next(2) === 0), form, named: form in naming, nonce });
      if (next(6) === 0) while (engine.index());
    }
    while (engine.index());
    engine.close();
    const found = await findCalls(files.historyPath, { player, tokenFields: [] });
    const ids = (found?.calls ?? []).map(({ id }) => id);
    createRemoval(database, run).purge(ids);
    const work = createSearchWork({ ...files, write: false, onDamage: () => undefined });
    const { blocked } = await work.erase('all');
    const bytes = readdirSync(home)
      .filter((name) => name.startsWith('history'))
      .map((name) => ({ name, content: readFileSync(join(home, name)) }));
    for (const { id, form, named, nonce } of made) {
      const count = counts.get(form) ?? { form, tried: 0, right: 0, wrong: [] };
      counts.set(form, count);
      count.tried += 1;
      // The index leaves out the beginning that a word shares with the one before it.
      const read = bytes.filter(({ content }) => content.includes(nonce.slice(4))).map(({ name }) => name);
      const removed = ids.includes(id);
      if (removed === named && read.length > 0 !== named && blocked.length === 0) count.right += 1;
      else {
        const where = read.length === 0 ? 'in no file' : `in ${read.join(', ')}`;
        count.wrong.push(`${json(player)} as ${form}, call ${id} of ${made.length}: ${removed ? 'removed' : 'kept'}, ${where}`);
      }
    }
  } finally {
    engine.close();
    history.close();
    database.close();
    run.close();
  }
}

async function record(history: ReturnType<typeof createHistoryStore>, text: string, sent: boolean): Promise<number> {
  const draft = draftOf('e', { operation: 'bet', text: sent ? text : '' });
  const id = await history.begin(someOutgoing({ draft, url: 'https://p.example/bet', body: Buffer.from(sent ? text : '{}') }));
  await history.finish(id, someOutcome(sent ? '{}' : text, { code: null, message: null }));
  return id;
}
