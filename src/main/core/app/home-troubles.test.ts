import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { runHeldToModes } from '#testing/held-to-modes.ts';
import type { Befalls, HomeDriverInput, UsedEntry } from '#testing/home-driver.ts';
import type { homeEntries } from './home.ts';

/** Events that may befall a file before Croupier starts; in a folder, a file of it. */
const states = [
  'missing',
  'empty',
  'cut',
  'not UTF-8',
  'written by a newer version',
  'a folder',
  'only begun by a program that was killed',
] as const;
type State = (typeof states)[number];

interface Row {
  /** Below the home. */
  readonly file: string;
  readonly newer: (path: string) => void;
  /** Returns what a person is told who asks for it, apart from what is told at the start. */
  readonly ask: (app: TestApp) => Promise<unknown>;
  /** Words that are told then or at the start; null: nothing, because nothing of the user's is lost. */
  readonly says: Readonly<Record<State, string | null>>;
}

const workspace = 'a'.repeat(24);
const run = 'mx0kfn7j00-735b0efa';
const text = (content: string) => (path: string) => writeFileSync(path, content);
const database = (version: number) => (path: string) => {
  const made = new DatabaseSync(path);
  made.exec(`PRAGMA application_id = ${0x43727570}; PRAGMA user_version = ${version}; CREATE TABLE later (a)`);
  made.close();
};

/** Everything in the home: what is said when it cannot be used; or the test that shows it, or why there is nothing to say. */
const table: Readonly<Record<(typeof homeEntries)[number], Row | { readonly test: string } | { readonly why: string }>> = {
  'history.sqlite': {
    file: 'history.sqlite',
    newer: database(999),
    ask: ({ client }) => client.call('calls.list', { limit: 1 }),
    says: {
      missing: null,
      empty: 'The history is empty. Croupier set it aside as HOME/history.sqlite.set-aside-',
      cut: 'The history is not a database. Croupier set it aside as HOME/history.sqlite.set-aside-',
      'not UTF-8': 'The history is not a database. Croupier set it aside as HOME/history.sqlite.set-aside-',
      'written by a newer version':
        'The history HOME/history.sqlite was written by a newer version of Croupier. Use that version, or another home.',
      'a folder': 'The history HOME/history.sqlite cannot be used: it cannot be opened; check the folder and its permissions.',
      'only begun by a program that was killed': null,
    },
  },
  'history-index.sqlite': {
    file: 'history-index.sqlite',
    newer: database(999),
    ask: async ({ client }) => (await client.call('calls.list', { limit: 1, text: 'word' })).total === 0,
    says: {
      missing: null,
      empty: null,
      cut: null,
      'not UTF-8': null,
      'written by a newer version': null,
      'a folder': 'The search index HOME/history-index.sqlite is a folder. Move it away, and Croupier rebuilds the index.',
      'only begun by a program that was killed': null,
    },
  },
  environments: {
    file: 'environments/e-1.json',
    newer: text('{"format":2,"id":"e-1"}'),
    ask: async ({ client }) =>
      (await client.call('environments.list', {})).broken.map(({ file, message }) => `${file}: ${message}`),
    says: {
      missing: null,
      empty: 'HOME/environments/e-1.json: It is not JSON',
      cut: 'HOME/environments/e-1.json: It is not JSON',
      'not UTF-8': "HOME/environments/e-1.json: It isn't valid UTF-8 at line 1, column 7. Save it as UTF-8.",
      'written by a newer version': 'HOME/environments/e-1.json: A newer version of Croupier wrote it.',
      'a folder': 'HOME/environments/e-1.json: It is not a file.',
      'only begun by a program that was killed': null,
    },
  },
  workspaces: {
    file: `workspaces/${workspace}/list.json`,
    newer: text('{"version":2,"groups":[]}'),
    ask: async ({ client }) =>
      (await client.call('workspaces.open', { page: 'p', line: null, mine: { page: 'p', id: workspace }, begin: false })).newer,
    // The texts of tabs are beside the list, and are opened without it.
    says: {
      missing: null,
      empty: null,
      cut: null,
      'not UTF-8': null,
      'written by a newer version': `HOME/workspaces/${workspace}`,
      'a folder': null,
      'only begun by a program that was killed': null,
    },
  },
  'collection-runs': {
    file: `collection-runs/${run}.jsonl`,
    newer: text('{"later":1}\n'),
    ask: ({ client }) => client.call('runs.export', { runId: run, as: 'json' }),
    says: {
      missing: `There is no report of run ${run}. Croupier keeps the newest 100.`,
      empty: `The report HOME/collection-runs/${run}.jsonl is damaged, or a newer version of Croupier wrote it.`,
      cut: `The report HOME/collection-runs/${run}.jsonl is damaged, or a newer version of Croupier wrote it.`,
      'not UTF-8': `The report HOME/collection-runs/${run}.jsonl is damaged, or a newer version of Croupier wrote it.`,
      'written by a newer version': `The report HOME/collection-runs/${run}.jsonl is damaged, or a newer version of Croupier wrote it.`,
      'a folder': `Croupier cannot read the report HOME/collection-runs/${run}.jsonl. Check its permissions.`,
      'only begun by a program that was killed': `There is no report of run ${run}. Croupier keeps the newest 100.`,
    },
  },
  sandbox: {
    file: 'sandbox/certificate.pem',
    newer: text('later'),
    // Made again: only the built-in provider uses it.
    ask: async ({ client }) => (await client.call('sandbox.status', {})).message,
    says: {
      missing: null,
      empty: null,
      cut: null,
      'not UTF-8': null,
      'written by a newer version': null,
      'a folder':
        "The built-in provider could not start. The built-in provider's certificate cannot be kept in HOME/sandbox/certificate.pem: a folder has this name. Rename or move it.",
      'only begun by a program that was killed': null,
    },
  },
  'settings.json': { test: 'kept-files.test.ts' },
  'keys.json': { test: 'kept-files.test.ts' },
  'collections.json': { test: 'kept-files.test.ts' },
  'token-commands.json': { test: 'kept-files.test.ts' },
  'environment-links.json': { test: 'kept-files.test.ts' },
  'evidence-key.json': { test: '../evidence/signature.test.ts' },
  'browser-host.json': { test: '../../loopback/ports.test.ts' },
  runs: { why: 'Locks: a file there holds nothing, its name and its lock count.' },
  locks: { why: 'Locks, as in runs.' },
  cache: { why: 'Pictures of games: one that cannot be read is fetched again.' },
  desktop: { why: "Chromium's own files." },
  evidence: { why: 'Croupier writes it, and reads nothing of it back.' },
  removed: { why: 'What was removed, until the undo is over: its files are moved back as they are.' },
  collections: { why: 'The place that is offered for new collections, whose files the tree judges.' },
};

const all = Object.values(table).flatMap((row) => ('file' in row ? [row] : []));
const [history, others] = [all.slice(0, 1), all.slice(1)];
// In a home of its own, because a search of the index asks the history first.
const homes = states.flatMap((state) => [[state, 'the history', history] as const, [state, 'everything else', others] as const]);

describe('a file of the home', () => {
  it.each(homes)('that is %s is said so, each in its words: %s', async (state, _which, rows) => {
    const home = await temporaryFolder();
    for (const { file, newer } of rows) {
      const path = join(home, file);
      mkdirSync(dirname(path), { recursive: true });
      if (state === 'a folder') mkdirSync(path);
      else if (state === 'only begun by a program that was killed')
        writeFileSync(join(dirname(path), `.${basename(path)}.${'0'.repeat(16)}.tmp`), '{"half');
      else if (state === 'written by a newer version') newer(path);
      else if (state !== 'missing')
        writeFileSync(path, { empty: '', cut: '{"half', 'not UTF-8': Buffer.from('{"a":"\xff"}', 'latin1') }[state]);
    }
    const app = await createTestApp({ home, sandbox: true });
    try {
      const told: Record<string, string> = {};
      for (const { file, ask } of rows)
        told[file] = await ask(app).then(
          (answer) => (typeof answer === 'string' || Array.isArray(answer) ? String(answer) : ''),
          (error: unknown) => (error as Error).message,
        );
      const atStart = app.faults.map((fault) => (fault as Error).message).join('\n');
      for (const { file, says } of rows) {
        const words = `${told[file] ?? ''}\n${atStart}`.replaceAll(home, 'HOME');
        if (says[state] === null) expect([file, told[file]]).toEqual([file, '']);
        else expect(words, file).toContain(says[state]);
      }
      const expected = rows.filter(({ file, says }) => says[state] !== null && told[file] === '').length;
      expect(app.faults, atStart).toHaveLength(expected);
    } finally {
      await app.close();
      await rm(home, { recursive: true });
    }
  });

  it('that another test is for is named there', () => {
    for (const [name, row] of Object.entries(table))
      if ('test' in row) expect(readFileSync(join(import.meta.dirname, row.test), 'utf8')).toContain(name);
  });
});

const locked = (file: string) =>
  `${file} was not changed: another copy of Croupier has kept it locked for more than ten seconds. Wait for that copy, or quit it if it hangs. Then try again.`;
const cannot = {
  'the disk is full': (file: string) => `${file} could not be written: the disk is full. Free some space.`,
  'it may not be written': (file: string) => `${file} could not be written: access is denied. Check the permissions.`,
};

/** Words of a use that writes an entry of the home to which something happens: the file that is named, or the whole sentence; null: it does its work. */
const writes: Readonly<Record<UsedEntry, Readonly<Record<Befalls, string | null>>>> = {
  'history.sqlite': {
    'the disk is full': 'The history HOME/history.sqlite cannot be used: the disk is full; free some space.',
    // It is open: the call that is sent is recorded, and the status says so.
    'it may not be written': null,
    'another copy keeps it locked':
      'The history HOME/history.sqlite cannot be used: another program is using it; close other copies of Croupier.',
    'a program that wrote it was killed': null,
  },
  // A search reads what the index lacks.
  'history-index.sqlite': everywhere(null, null),
  'settings.json': everywhere('HOME/settings.json'),
  'keys.json': everywhere('HOME/keys.json', locked('The key')),
  'collections.json': everywhere('HOME/collections.json'),
  'token-commands.json': everywhere('HOME/token-commands.json'),
  'environment-links.json': everywhere('HOME/environment-links.json'),
  // The host goes on, and says it in its terminal.
  'browser-host.json': everywhere('HOME/browser-host.json'),
  environments: everywhere('HOME/environments/b-ID.json', locked('HOME/environments')),
  workspaces: everywhere('HOME/workspaces/ID/a.tab.json', locked('HOME/workspaces/ID')),
  // Who waits for this lock is in session-lock.test.ts.
  runs: everywhere(null, null),
  'collection-runs': everywhere('HOME/collection-runs/ID.jsonl', null),
  'evidence-key.json': everywhere(null, null),
  evidence: everywhere('HOME/evidence/ID/launch.json', null),
  collections: {
    ...everywhere('HOME/collections/x-ID/Game list.yaml', locked('HOME/collections.json')),
    'it may not be written': 'HOME/collections/x-ID could not be changed or read: access is denied. Check the permissions.',
  },
  sandbox: {
    ...everywhere(null, locked('HOME/sandbox')),
    // The modes of its folder are mended.
    'the disk is full':
      "The built-in provider's certificate cannot be kept in HOME/sandbox/ca.pem: the disk is full. Free some space.",
  },
  removed: {
    ...everywhere('HOME/removed', null),
    'the disk is full': cannot['the disk is full']('HOME/removed/ID'),
  },
  // A picture that is not kept is fetched again.
  cache: everywhere(null, null),
  // Those of the other rows are there already.
  locks: {
    ...everywhere(null, null),
    'it may not be written': 'HOME/locks/ID.lock cannot be created and locked: access is denied. Check the permissions.',
  },
};

function everywhere(
  file: string | null,
  whileLocked: string | null = locked(file ?? ''),
): Readonly<Record<Befalls, string | null>> {
  return {
    'the disk is full': file === null ? null : cannot['the disk is full'](file),
    'it may not be written': file === null ? null : cannot['it may not be written'](file),
    'another copy keeps it locked': whileLocked,
    'a program that wrote it was killed': null,
  };
}

/** Sentences of the search index that may come as well: a thread fills it later, on a busy machine within this use. */
const indexLater: readonly (string | null)[] = [
  'the disk is full; free some space',
  'another program is using it; close other copies of Croupier',
].map((why) => `The search index HOME/history-index.sqlite could not be updated: ${why}.`);

// One program for all: what is locked takes some fifteen seconds of waiting, and nothing else.
it.skipIf(process.platform === 'win32')(
  'a use of the home that cannot write says why, and only what helps',
  { timeout: 400_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'croupier-writes-'));
    const small = join(folder, 'small');
    mkdirSync(small);
    // Only root may mount a small disk.
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', small]).status === 0;
    try {
      const input: HomeDriverInput = {
        ...(isMounted ? { 'the disk is full': small } : {}),
        'it may not be written': join(folder, 'modes'),
        'another copy keeps it locked': join(folder, 'locks'),
        'a program that wrote it was killed': join(folder, 'killed'),
      };
      const told = runHeldToModes('home-driver.ts', input) as Record<Befalls, Record<string, string | null>>;
      for (const what of Object.keys(input) as Befalls[]) {
        const said = Object.entries(told[what]).map(([name, text]) => [
          name,
          (indexLater.includes(text) ? null : text)?.replaceAll(
            /(?<=(?:workspaces|removed)\/)[\w/-]+(?=\/| )|(?<=(?:runs|evidence|locks)\/)[\w-]+|(?<=\/[bx]-)[0-9a-f-]+/g,
            'ID',
          ) ?? null,
        ]);
        expect(Object.fromEntries(said), what).toEqual(
          Object.fromEntries(Object.entries(writes).map(([name, says]) => [name, says[what]])),
        );
      }
    } finally {
      if (isMounted) spawnSync('umount', ['-l', small]);
      await rm(folder, { recursive: true });
    }
  },
);
