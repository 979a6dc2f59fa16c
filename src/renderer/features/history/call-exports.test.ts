import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client, ExportPart } from '#shared/ipc/index.ts';
import type { NoticeItem } from '#renderer/ui/notice.tsx';
import { createCallExports } from './call-exports.ts';

const files = ['pack.html', 'pack.json'].map((name) => ({ name, mediaType: 'text/plain' }));
const part = (more: Partial<ExportPart>): ExportPart => ({
  step: 'write',
  done: 2,
  total: 2,
  file: 0,
  text: '',
  masked: 3,
  ended: false,
  ...more,
});

function setUp(parts: readonly (ExportPart | AppError)[]) {
  const asked: [name: string, input: unknown][] = [];
  const notices: Omit<NoticeItem, 'id'>[] = [];
  const saved: string[] = [];
  const rest = [...parts];
  let beforeRead = () => undefined as void;
  const client = {
    async call(name: string, input: unknown) {
      asked.push([name, input]);
      if (name === 'exports.create') return { id: 'e', files, calls: 2 };
      if (name === 'exports.cancel') return { cancelled: true };
      beforeRead();
      const next = rest.shift();
      if (next instanceof AppError) throw next;
      return next;
    },
  } as unknown as Client;
  const moments: (() => void)[] = [];
  let time = 0;
  const store = createCallExports(client, {
    notify: (notice) => void notices.push(notice),
    gatherFile(name, mediaType) {
      let all = '';
      return { add: (text) => void (all += text), save: () => void saved.push(`${name} ${mediaType}: ${all}`) };
    },
    later(work) {
      moments.push(work);
      return () => void moments.splice(0);
    },
    now: () => (time += 1_000),
  });
  return { store, asked, notices, saved, moments, onRead: (work: () => void) => void (beforeRead = work) };
}

const calls = [{ id: 2 }, { id: 1 }] as CallSummary[];
const php = { format: 'php', form: 'resigning', keepTokens: false } as const;

describe('exports', () => {
  it('gather every file from its parts, save them at the end, and say what was masked', async () => {
    const { store, asked, notices, saved } = setUp([
      part({ step: 'read', done: 1, masked: 0 }),
      part({ text: 'a' }),
      part({ file: 1, text: 'b' }),
      part({ text: 'c', ended: true }),
    ]);
    await store.getState().run(calls, php);
    expect(asked[0]).toEqual(['exports.create', { callIds: [2, 1], ...php }]);
    expect(asked).toHaveLength(5);
    expect(saved).toEqual(['pack.html text/plain: ac', 'pack.json text/plain: b']);
    expect(notices.map(({ text }) => text)).toEqual(['Exported pack.html and pack.json. Tokens are masked in 3 places.']);
    expect(store.getState().shown).toBeNull();
  });

  it('say no more than that nothing was masked where nothing was', async () => {
    const { store, notices } = setUp([part({ ended: true, masked: 0 })]);
    await store.getState().run(calls, php);
    expect(notices[0]?.text).toBe('Exported pack.html and pack.json. No tokens found.');
  });

  it('that keep tokens say so', async () => {
    const { store, notices } = setUp([part({ ended: true })]);
    await store.getState().run(calls, { ...php, keepTokens: true });
    expect(notices[0]?.text).toContain('Tokens are included as sent.');
  });

  it('say a refusal as it is worded, and save nothing of what came before', async () => {
    const { store, notices, saved } = setUp([part({ text: 'a' }), new AppError('refused', 'The file would hold the key.')]);
    await store.getState().run(calls, php);
    expect(saved).toEqual([]);
    expect(notices).toEqual([{ tone: 'bad', text: 'Nothing was exported. The file would hold the key.' }]);
  });

  it('show after a moment how far they are, and end where they are cancelled', async () => {
    const { store, asked, notices, saved, moments, onRead } = setUp([
      part({ step: 'read', done: 1 }),
      part({ done: 1, text: 'a' }),
      part({ done: 2, text: 'b', ended: true }),
    ]);
    const shown: unknown[] = [];
    store.subscribe((state) => void shown.push(state.shown));
    let reads = 0;
    onRead(() => {
      reads += 1;
      if (reads === 1) moments.shift()?.();
      if (reads === 2) store.getState().cancel();
    });
    await store.getState().run(calls, php);
    expect(shown.slice(0, 2)).toEqual([
      { calls: 2, share: 0, text: 'Looking for tokens in 0 of 2 calls' },
      { calls: 2, share: 0.25, text: 'Looking for tokens in 1 of 2 calls, 6 s left' },
    ]);
    expect(shown.at(-1)).toBeNull();
    expect(asked.filter(([name]) => name === 'exports.cancel')).toHaveLength(1);
    expect(saved).toEqual([]);
    expect(notices).toEqual([{ tone: 'note', text: 'You cancelled the export. Nothing was saved.' }]);
  });

  it('go one at a time', async () => {
    const { store, asked, notices } = setUp([part({ ended: true })]);
    const first = store.getState().run(calls, php);
    await store.getState().run(calls, php);
    await first;
    expect(asked.filter(([name]) => name === 'exports.create')).toHaveLength(1);
    expect(notices[0]?.text).toBe('An export is already running. Wait for it or cancel it.');
  });
});
