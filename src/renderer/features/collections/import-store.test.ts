import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallName, Client, ImportPlan, Input } from '#shared/ipc/index.ts';
import { createImportStore } from './import-store.ts';
import type { Place } from './tree-rows.ts';

const top: Place = { collectionId: 'c', path: '' };
const plan = (change: Partial<ImportPlan> = {}): ImportPlan => ({
  formats: ['curl'],
  requests: [],
  folders: [],
  variables: {},
  notes: '',
  notCarried: [],
  secrets: [],
  signing: [],
  ...change,
});
const secret = { name: 'password', where: 'one', by: 'name', kept: false, asked: true } as const;

function setUp() {
  const asked: { name: CallName; input: unknown }[] = [];
  const answers = new Map<CallName, (input: never) => unknown>([
    ['collections.importPreview', () => plan({ secrets: [secret] })],
    ['collections.import', () => plan({ secrets: [secret] })],
  ]);
  const client = {
    async call(name: CallName, input: unknown) {
      asked.push({ name, input });
      await Promise.resolve();
      return answers.get(name)?.(input as never);
    },
    on: () => () => undefined,
  } as unknown as Client;
  let ids = 0;
  const notify = vi.fn();
  const onImported = vi.fn();
  const store = createImportStore(client, { notify, newId: () => `ticket-${(ids += 1)}`, onImported });
  const previews = () =>
    asked
      .filter(({ name }) => name === 'collections.importPreview')
      .map(({ input }) => input as Input<'collections.importPreview'>);
  return { store, actions: store.getState(), answers, asked, notify, onImported, previews };
}

const file = (name: string, content: string | Uint8Array<ArrayBuffer>, path = '') =>
  Object.defineProperty(new File([content], name), 'webkitRelativePath', { value: path });

describe('the import of files', () => {
  it('says what core would create, and imports that', async () => {
    const { actions, asked, notify, onImported, store } = setUp();
    actions.ask(top);
    await actions.take([file('calls.sh', 'curl')]);
    expect(store.getState().question).toMatchObject({ source: { name: 'calls.sh' }, plan: plan({ secrets: [secret] }) });
    await actions.run();
    expect(asked.at(-1)).toEqual({
      name: 'collections.import',
      input: {
        files: [{ name: 'calls.sh', text: 'curl' }],
        id: 'c',
        folder: '',
        secrets: { password: 'out' },
        ticket: 'ticket-3',
      },
    });
    expect(store.getState().question).toBeNull();
    expect(onImported).toHaveBeenCalledWith(top);
    expect(notify).toHaveBeenCalledWith({ tone: 'good', text: 'Imported 0 requests from calls.sh.' });
  });

  it('writes what looks like a secret only if the user says so', async () => {
    const { actions, answers, asked, previews } = setUp();
    answers.set('collections.importPreview', ({ secrets }: Input<'collections.importPreview'>) =>
      plan({ secrets: [{ ...secret, kept: secrets?.['password'] === 'keep', asked: secrets?.['password'] === undefined }] }),
    );
    actions.ask(top);
    await actions.take([file('calls.sh', 'curl')]);
    actions.setKeepsSecrets(true);
    await vi.waitFor(() => expect(previews().at(-1)?.secrets).toEqual({ password: 'keep' }));
    await actions.run();
    expect(asked.at(-1)).toMatchObject({ name: 'collections.import', input: { secrets: { password: 'keep' } } });
  });

  it('shows the answer to the last question alone, and stops the one before', async () => {
    const { actions, answers, asked, store } = setUp();
    const replies: ((found: ImportPlan) => void)[] = [];
    answers.set('collections.importPreview', () => new Promise<ImportPlan>((reply) => replies.push(reply)));
    actions.ask(top);
    const taken = actions.take([file('calls.sh', 'curl')]);
    await vi.waitFor(() => expect(replies).toHaveLength(1));
    actions.setPlace({ collectionId: 'c', path: 'wallet' });
    await vi.waitFor(() => expect(replies).toHaveLength(2));
    expect(asked).toContainEqual({ name: 'collections.cancelImport', input: { ticket: 'ticket-2' } });
    replies[1]?.(plan({ notes: 'second' }));
    replies[0]?.(plan({ notes: 'first' }));
    await taken;
    expect(store.getState().question?.plan?.notes).toBe('second');
  });

  it('keeps the dialog with the reason if core refuses, and forgets both when it is closed', async () => {
    const { actions, answers, asked, store } = setUp();
    actions.ask(top);
    await actions.take([file('calls.sh', 'curl')]);
    answers.set('collections.import', () => {
      throw new AppError('storage', 'The disk is full.');
    });
    await actions.run();
    expect(store.getState().question).toMatchObject({ problem: 'The disk is full.', writing: false });
    actions.dismiss();
    expect(store.getState().question).toBeNull();
    expect(asked.at(-1)?.name).toBe('collections.cancelImport');
  });

  it('reads the files of Bruno of a directory, by their paths in it', async () => {
    const { actions, previews, store } = setUp();
    actions.ask(top);
    await actions.take([
      file('b.bru', 'b', 'team/rounds/b.bru'),
      file('a.bru', 'a', 'team/a.bru'),
      file('logo.png', 'x', 'team/logo.png'),
      file('c.json', 'x', 'team/node_modules/c.json'),
      file('config.json', 'x', 'team/.git/config.json'),
    ]);
    expect(previews()[0]?.files).toEqual([
      { name: 'a.bru', text: 'a' },
      { name: 'rounds/b.bru', text: 'b' },
    ]);
    expect(store.getState().question?.source?.name).toBe('team');
  });

  it.each([
    [
      'bytes that are no text',
      [file('calls.sh', new Uint8Array([99, 255]))],
      "calls.sh isn't valid UTF-8 at line 1, column 2. Save it as UTF-8.",
    ],
    ['a directory of other files', [file('logo.png', 'x', 'team/logo.png')], 'team has no files that Croupier can import.'],
    ['more than ten megabytes', [file('a', ' '.repeat(10_000_001))], 'An import can have at most 10,000 files and 10 MB'],
  ])('refuses %s before core is asked', async (_what, files, problem) => {
    const { actions, previews, store } = setUp();
    actions.ask(top);
    await actions.take(files);
    expect(store.getState().question?.problem).toContain(problem);
    expect(previews()).toEqual([]);
  });
});
