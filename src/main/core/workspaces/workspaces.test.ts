import { readdirSync, readFileSync, writeFileSync, mkdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestApp } from '#testing/app.ts';
import { programsOnHome } from '#testing/programs-on-home.ts';
import type { OpenedWorkspace } from '#shared/ipc/index.ts';

const { home, start, end } = programsOnHome();

let pages = 0;

/** A page of a program, with a line to it as a browser has. */
function pageOf({ app, client }: TestApp) {
  const page = `page-${++pages}`;
  let line = '';
  const leave = app.subscribe((name, payload) => {
    if (name === 'app.joined') ({ line } = payload as { line: string });
  });
  let number = 0;
  let at: OpenedWorkspace | null = null;
  const here = () => ({ page, id: at?.id ?? '' });
  return {
    page,
    leave,
    here,
    async open(mine: { page: string; id: string } | null = null, begin = false, waiting: string[] = []) {
      at = await client.call('workspaces.open', { page, line, mine, begin, waiting });
      return at;
    },
    /** Writes a whole text, in pieces of at most so many characters. */
    async put(tab: string, text: string, most = 1_000_000) {
      let base: number | null = null;
      let result = { again: false, masked: false };
      for (let from = 0; from === 0 || from < text.length; from += most) {
        const piece = text.slice(from, from + most);
        const rest = text.length - from - piece.length;
        const write = { ...here(), tab, number: ++number, base, from, to: from, text: piece, rest };
        result = await client.call('workspaces.write', write);
        base = number;
      }
      return { ...result, number };
    },
    change: (tab: string, base: number, from: number, to: number, text: string, n = ++number) =>
      client.call('workspaces.write', { ...here(), tab, number: n, base, from, to, text, rest: 0 }),
    list: (tabs: { id: string; unsaved?: boolean; plain?: boolean }[], closed: string[] = []) =>
      client.call('workspaces.list', {
        ...here(),
        number: ++number,
        closed,
        text: JSON.stringify({ version: 1, tabs: tabs.map((tab) => ({ unsaved: false, plain: false, ...tab })) }),
      }),
    async read(tab: string) {
      let text = '';
      for (let from: number | null = 0; from !== null;) {
        const piece: { text: string; next: number | null } = await client.call('workspaces.read', { ...here(), tab, from });
        text += piece.text;
        from = piece.next;
      }
      return text;
    },
    next: () => ++number,
  };
}

const tabFile = (id: string, tab: string) => join(home(), 'workspaces', id, `${tab}.tab.json`);
const textOf = (text: string) => JSON.stringify({ operation: 'bet', text });

describe('a workspace for each page', () => {
  it('is given to a new page once the page that had it is gone, and to no other page', async () => {
    const program = await start();
    const first = pageOf(program);
    await first.open();
    await first.put('a', textOf('typed'));
    await first.list([{ id: 'a', unsaved: true }]);
    const second = pageOf(program);
    const other = await second.open();
    expect(other.id).not.toBe(first.here().id);
    expect(other).toMatchObject({ tabs: [], left: [] });
    first.leave();
    const third = pageOf(program);
    expect(await third.open()).toMatchObject({ id: first.here().id, tabs: [{ id: 'a', text: textOf('typed') }] });
    // The first was only away: it cannot write over the third, and gets a workspace of its own.
    await expect(first.put('a', textOf('more'))).rejects.toMatchObject({ code: 'conflict' });
    const again = await first.open(first.here(), true);
    expect([other.id, third.here().id]).not.toContain(again.id);
    expect(await third.read('a')).toBe(textOf('typed'));
  });

  it('comes back to a page that loads again, although its line is not known to be gone', async () => {
    const program = await start();
    const before = pageOf(program);
    await before.open();
    await before.put('a', textOf('typed'));
    const after = pageOf(program);
    expect((await after.open(before.here())).id).toBe(before.here().id);
    expect(await after.put('a', textOf('typed more'))).toMatchObject({ again: false });
  });

  it('is not given to a page of a second program while the first lives, and is once it was killed', async () => {
    const one = await start();
    const page = pageOf(one);
    await page.open();
    await page.put('a', textOf('typed'));
    const two = await start();
    expect((await pageOf(two).open()).tabs).toEqual([]);
    await end(one);
    expect((await pageOf(two).open()).tabs).toMatchObject([{ id: 'a' }]);
  });

  it('of a page that waits for a restarted host goes back to it, and neither to the page that came first nor into its offer', async () => {
    const one = await start();
    const waits = pageOf(one);
    await waits.open();
    await waits.put('a', textOf('typed'));
    await waits.list([{ id: 'a', unsaved: true }]);
    await end(one);
    const two = await start();
    const waiting = [waits.here().id];
    expect(await pageOf(two).open(null, false, waiting)).toMatchObject({ tabs: [], left: [] });
    const rejoined = pageOf(two);
    expect((await rejoined.open(waits.here(), true)).id).toBe(waits.here().id);
    expect(await rejoined.read('a')).toBe(textOf('typed'));
    rejoined.leave();
    // Closed without having come back: it is left as any other.
    expect((await pageOf(two).open(null, true)).left).toMatchObject([{ id: waits.here().id, unsaved: 1 }]);
  });

  it('is the one with unsaved text before newer ones; the others are offered, taken, and gone once they are elsewhere', async () => {
    const one = await start();
    const typed = [pageOf(one), pageOf(one), pageOf(one)];
    for (const page of typed) await page.open();
    for (const [at, page] of typed.entries()) {
      await page.put('a', textOf(`page ${at}`));
      await page.list([{ id: 'a', unsaved: at < 2 }]);
    }
    for (const page of typed) page.leave();
    const page = pageOf(one);
    const opened = await page.open();
    expect(opened.id).toBe(typed[1]?.here().id);
    expect(opened.left).toEqual([
      { id: typed[0]?.here().id, tabs: 1, unsaved: 1 },
      { id: typed[2]?.here().id, tabs: 1, unsaved: 0 },
    ]);
    const from = { page: page.page, id: opened.left[0]?.id ?? '' };
    expect(await one.client.call('workspaces.take', from)).toMatchObject({ tabs: [{ text: textOf('page 0') }] });
    const rival = { page: pageOf(one).page, id: from.id };
    await expect(one.client.call('workspaces.take', rival)).rejects.toMatchObject({ code: 'conflict' });
    await one.client.call('workspaces.drop', from);
    expect(existsSync(tabFile(from.id, 'a'))).toBe(false);
  });

  it('in a host with one window is that of the page before, although others have unsaved text', async () => {
    const program = await start();
    const { client } = program;
    const lineless = (page: string) => client.call('workspaces.open', { page, line: null, mine: null, begin: false });
    const other = pageOf(program);
    await other.open();
    await other.put('a', textOf('unsaved'));
    await other.list([{ id: 'a', unsaved: true }]);
    const { id } = await lineless('one');
    other.leave();
    expect((await lineless('two')).id).toBe(id);
    const list = { page: 'one', id, number: 1, text: '{}', closed: [] };
    await expect(client.call('workspaces.list', list)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is given up after each list of its tabs that was sent before', async () => {
    const program = await start();
    const page = pageOf(program);
    await page.open();
    const lists = Array.from({ length: 8 }, () => page.list([{ id: 'a' }]));
    const settled = await Promise.allSettled([...lists, program.client.call('workspaces.drop', page.here())]);
    expect(settled.map(({ status }) => status)).toEqual(Array(9).fill('fulfilled'));
  });

  it('goes by itself only where nothing in it is unsaved', async () => {
    const program = await start();
    const ids: string[] = [];
    const fresh = async (unsaved: boolean, plain = false) => {
      const page = pageOf(program);
      await page.open(null, true);
      await page.put('a', textOf('x'));
      await page.list([{ id: 'a', unsaved, plain }]);
      page.leave();
      ids.push(page.here().id);
    };
    for (let count = 0; count < 9; count += 1) await fresh(true);
    for (let count = 0; count < 9; count += 1) await fresh(false);
    await fresh(false, true);
    const page = pageOf(program);
    const { left } = await page.open(null, true);
    expect(
      left
        .filter(({ unsaved }) => unsaved === 1)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.slice(0, 9).sort());
    expect(left.filter(({ unsaved }) => unsaved === 0).map(({ id }) => id)).toEqual(ids.slice(13, 18).reverse());
    expect(readdirSync(join(home(), 'workspaces')).filter((name) => name !== 'locks')).toHaveLength(15);
  });
});

describe('the text of a tab', () => {
  it('in many pieces comes back, and a change of it is a change of it alone', async () => {
    const one = await start();
    const page = pageOf(one);
    await page.open();
    const long = textOf(`${'x'.repeat(2_499_990)}\ud83d\ude00 ende`);
    const { number } = await page.put('long', long);
    await page.put('short', textOf('short'));
    const before = readFileSync(tabFile(page.here().id, 'short'));
    expect(await page.change('long', number, long.length - 6, long.length - 2, 'END')).toEqual({ again: false, masked: false });
    expect(readFileSync(tabFile(page.here().id, 'short'))).toEqual(before);
    await end(one);
    const later = pageOf(await start());
    const opened = await later.open();
    expect(opened.tabs.map(({ id, characters, text }) => [id, characters, text === null])).toEqual([
      ['long', long.length - 1, true],
      ['short', textOf('short').length, false],
    ]);
    expect(await later.read('long')).toBe(`${long.slice(0, -6)}END"}`);
    // The first change is based on the text that was read.
    expect(await later.change('long', 0, 0, 0, ' ')).toEqual({ again: false, masked: false });
  });

  it('is not on the disk before its last piece, nor touched by a write that came late', async () => {
    const program = await start();
    const page = pageOf(program);
    await page.open();
    const { number: base } = await page.put('a', 'old');
    const piece = { ...page.here(), tab: 'a', from: 0, to: 0, text: 'new ' };
    const { client } = program;
    await client.call('workspaces.write', { ...piece, number: page.next(), base: null, rest: 4 });
    expect(await page.read('a')).toBe('old');
    expect(await page.change('a', base, 0, 3, 'other')).toMatchObject({ again: true });
    await page.put('a', 'newest');
    expect(await page.change('a', base, 0, 3, 'late', base + 1)).toMatchObject({ again: false });
    expect(await page.read('a')).toBe('newest');
  });

  it('takes a change that is based on the write before the last: the page did not hear of that', async () => {
    const page = pageOf(await start());
    await page.open();
    const { number: base } = await page.put('a', 'one two');
    await page.change('a', base, 3, 3, ' and');
    expect(await page.change('a', base, 3, 7, ' and three')).toMatchObject({ again: false });
    expect(await page.read('a')).toBe('one and three');
    expect(await page.change('a', base - 1, 0, 0, 'x')).toMatchObject({ again: true });
  });

  it('is asked for whole where another program changed the file', async () => {
    const page = pageOf(await start());
    await page.open();
    const { number: base } = await page.put('a', 'one');
    writeFileSync(tabFile(page.here().id, 'a'), 'other');
    expect(await page.change('a', base, 0, 0, 'x')).toMatchObject({ again: true });
    expect(await page.read('a')).toBe('other');
  });

  it('is removed when it is closed, and one that no list names comes back', async () => {
    const one = await start();
    const page = pageOf(one);
    await page.open();
    for (const tab of ['a', 'b', 'c']) await page.put(tab, textOf(tab));
    await page.list([{ id: 'a' }], ['b']);
    await end(one);
    const { tabs } = await pageOf(await start()).open();
    expect(tabs.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('holds no private key, nor after one was set that stood in it', async () => {
    const one = await start();
    const page = pageOf(one);
    await page.open();
    const key = 'a-private-key-of-some-length-0123456789';
    await page.put('before', textOf(key));
    const { id } = await one.environment({ baseUrl: 'https://a.example' }, {}, 'another-key-that-is-long-enough-1');
    await one.client.call('keys.set', { environmentId: id, key });
    expect(await page.read('before')).toBe(textOf('[private key]'));
    const put = await page.put('after', textOf(`x ${key} y`));
    expect(put.masked).toBe(true);
    expect(await page.read('after')).toBe(textOf('x [private key] y'));
    // The disk does not have the page's text.
    expect(await page.change('before', 1, 0, 0, 'x')).toMatchObject({ again: true });
  });
});

describe('what another version wrote', () => {
  const write = (id: string, files: Record<string, string>) => {
    mkdirSync(join(home(), 'workspaces', id), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home(), 'workspaces', id, name), text);
  };

  const known = '{"version":1,"tabs":[]}';
  it.each([
    ['list', '{"version":2,"groups":[{"tabs":["x"]}]}', '{"run":"","page":"","turn":1}'],
    ['holder', known, '{"version":2,"run":"","page":"","turn":1}'],
    ['form of the holder', known, '{"holders":[]}'],
  ])('a newer %s is left as it is and named', async (_what, list, holder) => {
    const id = 'a'.repeat(24);
    write(id, { 'list.json': list, 'holder.json': holder, 'x.tab.json': '{"later":1}' });
    const program = await start();
    const page = pageOf(program);
    const opened = await page.open();
    expect(opened).toMatchObject({ list: null, tabs: [], left: [], newer: [join(home(), 'workspaces', id)] });
    const again = pageOf(program);
    expect((await again.open({ page: 'x', id })).id).not.toBe(id);
    for (const [name, text] of [
      ['list.json', list],
      ['holder.json', holder],
    ] as const)
      expect(readFileSync(join(home(), 'workspaces', id, name), 'utf8')).toBe(text);
  });

  it.each(['', '{"ru', '\0'])('a holder that is %j holds nothing', async (holder) => {
    const id = 'a'.repeat(24);
    write(id, { 'list.json': known, 'holder.json': holder, 'x.tab.json': '{"text":1}' });
    expect((await pageOf(await start()).open()).id).toBe(id);
  });

  it('the one workspace of an earlier version is moved out of the settings, with everything in it', async () => {
    const tabs = [
      { operation: 'bet', text: '1' },
      { operation: 'future', text: '2', dirty: false },
    ];
    const workspace = JSON.stringify({ version: 1, active: 1, orientation: 'stacked', later: true, tabs });
    writeFileSync(join(home(), 'settings.json'), JSON.stringify({ layout: '{}', workspace }));
    const opened = await pageOf(await start()).open();
    expect(opened.tabs.map(({ text }) => JSON.parse(text ?? '') as unknown)).toEqual(tabs);
    expect(JSON.parse(opened.list ?? '')).toMatchObject({
      orientation: 'stacked',
      later: true,
      active: opened.tabs[1]?.id,
      tabs: [{ unsaved: true }, { unsaved: false }],
    });
    expect(JSON.parse(readFileSync(join(home(), 'settings.json'), 'utf8'))).toEqual({ layout: '{}' });
  });

  it('a newer one in the settings stays there', async () => {
    const text = JSON.stringify({ workspace: '{"version":2,"tabs":[]}' });
    writeFileSync(join(home(), 'settings.json'), text);
    const opened = await pageOf(await start()).open();
    expect(opened.newer).toEqual([`${join(home(), 'settings.json')} (workspace)`]);
    expect(readFileSync(join(home(), 'settings.json'), 'utf8')).toBe(text);
  });
});
