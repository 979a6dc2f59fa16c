import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client, Input, ListedPack } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createHistoryStore } from './history-store.ts';
import { createPacksStore } from './packs-store.ts';

/** A core that opens any file whose text is not `bad`, and lists calls by their source. */
function setUp() {
  const open: ListedPack[] = [];
  const uploads = new Map<string, Buffer[]>();
  const received: { name: string; text: string; page: string | null }[] = [];
  const listened = new Set<() => void>();
  const asked: Input<'calls.list'>[] = [];
  const changed = () => {
    for (const listener of listened) listener();
  };
  const answers: Record<string, (input: never) => unknown> = {
    'packs.list': () => ({ packs: [...open] }),
    'packs.upload'({ ticket, piece }: Input<'packs.upload'>) {
      uploads.set(ticket, [...(uploads.get(ticket) ?? []), Buffer.from(piece, 'base64')]);
      return {};
    },
    'packs.open'({ ticket, name, page = null }: Input<'packs.open'>) {
      const text = Buffer.concat(uploads.get(ticket) ?? []).toString('utf8');
      received.push({ name, text, page });
      if (text.includes('bad')) throw new AppError('invalid_input', 'It is other JSON.');
      const pack: ListedPack = {
        id: `p${open.length + 1}`,
        name,
        calls: 2,
        environments: ['Stage'],
        madeAt: '2026-11-26T10:00:00.000Z',
        program: 'Croupier 0.1.0',
        maskedCalls: 1,
        maskedParts: ['request body'],
        page: 'absent',
      };
      open.push(pack);
      changed();
      return pack;
    },
    'packs.close'({ id }: Input<'packs.close'>) {
      const at = open.findIndex((pack) => pack.id === id);
      if (at !== -1) open.splice(at, 1);
      changed();
      return { closed: at !== -1 };
    },
    'calls.list'(input: Input<'calls.list'>) {
      asked.push(input);
      const id = input.pack === undefined ? 5 : -5;
      const of = input.pack === undefined ? {} : { pack: { id: input.pack, name: 'a.json', number: 12 } };
      const calls = [{ id, day: '2026-11-20', ...of } as CallSummary];
      return { calls, total: 1, totalIsExact: true, searchedFrom: null, rest: null };
    },
  };
  const client = {
    call: async (name: string, input: never) => answers[name]?.(input) ?? {},
    on(name: string, listener: () => void) {
      if (name === 'packs.changed') listened.add(listener);
      return () => listened.delete(listener);
    },
  } as unknown as Client;
  const notices: Parameters<Notify>[0][] = [];
  const said: string[] = [];
  const events: string[] = [];
  const history = createHistoryStore(client, { now: () => 0, later: () => () => undefined });
  let tickets = 0;
  const packs = createPacksStore(client, {
    notify: (notice) => void notices.push(notice),
    newId: () => `t${(tickets += 1)}`,
    say: (text) => void said.push(text),
    onOpened({ id }) {
      events.push(`opened ${id}`);
      void history.getState().showPack(id);
    },
    onClosed({ id }, here) {
      events.push(`closed ${id} ${here ? 'here' : 'elsewhere'}`);
      history.getState().leavePack(id);
    },
  });
  return {
    packs,
    history,
    open,
    received,
    asked,
    notices,
    said,
    events,
    closeElsewhere: (id: string) => answers['packs.close']?.({ id } as never),
  };
}

const mark = '{\n  "format": "croupier-support-pack",\n';
const file = (name: string, text: string) => new File([text], name);
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('support packs of a page', () => {
  it('are opened from their bytes, said, and listed in place of one’s own calls', async () => {
    const { packs, history, received, asked, said, events, notices } = setUp();
    const text = `\uFEFF${mark}${'é'.repeat(700_000)}`;
    await packs.getState().open([file('a.json', text)]);
    expect(received).toEqual([{ name: 'a.json', text, page: null }]);
    expect(events).toEqual(['opened p1']);
    expect(said).toEqual([
      'a.json is open, read-only: 2 calls. Masked in 1 of 2 calls: request body. Values shown as [token] or [secret] may differ.',
    ]);
    await settled();
    expect(asked.at(-1)).toMatchObject({ pack: 'p1' });
    expect(history.getState().list).toMatchObject({ calls: [{ id: -5 }] });
    expect(notices).toEqual([]);
  });

  it('are found among dropped files by their mark, each with its page', async () => {
    const { packs, received } = setUp();
    const page = '<!doctype html>';
    const given = [file('x.html', page), file('x.json', mark), file('other.json', '{}'), file('y.html', page)];
    const rest = await packs.getState().take(given);
    expect(rest.map(({ name }) => name)).toEqual(['other.json', 'y.html']);
    expect(received).toEqual([{ name: 'x.json', text: mark, page: createHash('sha256').update(page).digest('hex') }]);
  });

  it('say in core’s words why one is not opened, and a large one is not read', async () => {
    const { packs, received, notices } = setUp();
    await packs.getState().open([file('b.json', 'bad'), { name: 'c.json', size: 21_000_000 } as File]);
    expect(received).toHaveLength(1);
    expect(notices).toEqual([
      { tone: 'bad', text: 'b.json: It is other JSON.' },
      {
        tone: 'bad',
        text: 'c.json: The support pack was not read: it has 21,000,000 bytes; Croupier reads at most 20,971,520. Ask for a pack with fewer calls.',
      },
    ]);
  });

  it('leave nothing behind when they close, here or elsewhere: neither ticks nor their list', async () => {
    const { packs, history, events, said, closeElsewhere } = setUp();
    await packs.getState().open([file('a.json', mark), file('b.json', mark)]);
    await settled();
    const { tick } = history.getState();
    tick([-5], true);
    await history.getState().showPack(null);
    tick([5], true);
    expect([...history.getState().ticked.keys()]).toEqual([-5, 5]);
    await history.getState().showPack('p2');
    closeElsewhere('p2');
    await settled();
    expect(events.at(-1)).toBe('closed p2 elsewhere');
    expect(history.getState().choice.pack).toBeNull();
    expect([...history.getState().ticked.keys()]).toEqual([5]);
    const [first] = packs.getState().packs;
    if (first !== undefined) await packs.getState().close(first);
    expect([events.at(-1), said.at(-1), packs.getState().packs]).toEqual([
      'closed p1 here',
      'a.json is closed. The history shows your own calls.',
      [],
    ]);
  });

  it('keep the search and what fits both histories, and drop what is of one', async () => {
    const { history, asked } = setUp();
    history.getState().setChoice({ operation: 'bet', environmentId: 'e', pinnedOnly: true });
    await history.getState().showPack('p1');
    expect(asked.at(-1)).toEqual({ limit: 100, filter: { operations: ['bet'] }, pack: 'p1' });
    history.getState().showAll();
    await settled();
    expect(asked.at(-1)).toEqual({ limit: 100, pack: 'p1' });
  });
});
