import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { keptText, pageOn } from '#testing/workspace-page.ts';
import { programsOnHome } from '#testing/programs-on-home.ts';
import { workspaceRounds } from '#testing/workspace-rounds.ts';
import { chooseSeed } from '#testing/seeded-random.ts';

const { home, start, end } = programsOnHome();
const onDisk = (id: string) => keptText(home(), id);

describe('what is typed', () => {
  it('comes back, whatever its size: a 15 MB tab beside others that are unsaved', async () => {
    const one = await start();
    const page = await pageOn(one).open();
    const texts = ['{"a":1}', 'x'.repeat(15_000_000), '\ud83d typed'];
    for (const text of texts) page.tab(text);
    await page.settle();
    await end(one);
    const later = await pageOn(await start()).open();
    expect(later.texts().map((text) => text.length)).toEqual(texts.map((text) => text.length));
    expect(later.texts().every((text, at) => text === texts[at])).toBe(true);
    expect(later.requests.getState().tabs.every(({ dirty }) => dirty)).toBe(true);
    const [, long] = later.requests.getState().tabs;
    later.actions.setText(long?.id ?? '', `${texts[1]}y`);
    const sent = later.state.writes;
    await later.settle();
    expect(later.state.writes - sent).toBe(1);
  });

  it('is sent by a page that goes away, also where its last write is still under way', async () => {
    const page = await pageOn(await start(), { lastWords: 21_000 }).open();
    const id = page.tab(`${'x'.repeat(3_000_000)}`);
    expect(page.keeper.leave()).toBe(true);
    await page.settle();
    page.actions.setText(id, `${'x'.repeat(3_000_000)} and`);
    expect(page.keeper.leave()).toBe(false);
    page.actions.setText(id, `${'x'.repeat(3_000_000)} and more`);
    expect(page.keeper.leave()).toBe(false);
    await page.settle();
    const sent = page.state.writes;
    const held = Promise.withResolvers<void>();
    page.state.held = held.promise;
    page.actions.setText(id, `${'x'.repeat(3_000_000)} and more and`);
    const settled = page.keeper.settled();
    await vi.waitFor(() => expect(page.state.writes).toBe(sent + 1));
    page.actions.setText(id, `${'x'.repeat(3_000_000)} and more and more`);
    expect(page.keeper.leave()).toBe(false);
    // By then and not later: nothing of a page that is gone waits for the write before.
    expect(page.state.writes).toBe(sent + 2);
    held.resolve();
    await settled;
    await page.settle();
    expect(page.keeper.leave()).toBe(false);
  });

  it('holds the page where the host does not answer and something is not on the disk, and nowhere else', async () => {
    const page = await pageOn(await start()).open();
    const id = page.tab('first');
    await page.settle();
    page.state.reachable = false;
    expect(page.keeper.leave()).toBe(false);
    page.actions.setText(id, 'second');
    expect(page.keeper.leave()).toBe(true);
    page.state.reachable = true;
    await page.settle();
    expect(page.keeper.leave()).toBe(false);
  });

  it('that cannot be kept is said at once on its tab, holds the page, and is written when it can be', async () => {
    const page = await pageOn(await start()).open();
    const id = page.tab('first');
    await page.settle();
    page.state.fault = new AppError('storage', 'The disk is full.');
    page.actions.setText(id, 'second');
    await page.keeper.settled();
    expect(page.kept().problems.get(id)).toBe('The disk is full.');
    expect(page.keeper.leave()).toBe(true);
    page.state.fault = null;
    await page.settle();
    expect(page.kept().problems.size).toBe(0);
    expect(page.keeper.leave()).toBe(false);
  });

  it('is shown where the home cannot be written, which is said, and kept in a new place once it can', async () => {
    const one = await start();
    const page = await pageOn(one).open();
    page.tab('typed');
    await page.settle();
    page.leave();
    const later = pageOn(one);
    // No lock can be had if a file replaces their folder.
    await rename(join(home(), 'locks'), join(home(), 'locks-before'));
    writeFileSync(join(home(), 'locks'), '');
    await later.open();
    expect(later.texts()).toEqual(['typed']);
    expect(later.kept().problem).toContain("The open tabs aren't backed up.");
    expect(later.keeper.leave()).toBe(true);
    await rm(join(home(), 'locks'));
    later.kept().tryAgain();
    await later.settle();
    expect(later.kept().problem).toBeNull();
    expect(later.keeper.mine()?.id).not.toBe(page.keeper.mine()?.id);
    expect(later.keeper.leave()).toBe(false);
  });

  it('is gone from the disk once its tab is closed, and there again where it is opened again', async () => {
    const page = await pageOn(await start()).open();
    const [first, second] = [page.tab('first'), page.tab('second')];
    await page.settle();
    page.actions.closeTab(second);
    await page.settle();
    expect(onDisk(second)).toBeNull();
    expect(onDisk(first)).toBe('first');
    page.actions.reopenTab();
    await page.settle();
    expect(onDisk(second)).toBe('second');
  });
});

describe('two pages', () => {
  it('never write one workspace: one whose line was down finds its tabs taken, and keeps its own beside', async () => {
    const one = await start();
    const first = await pageOn(one).open();
    first.tab('of the first');
    await first.settle();
    first.leave();
    const second = await pageOn(one).open();
    expect(second.texts()).toEqual(['of the first']);
    second.tab('of the second');
    await second.settle();
    first.tab('and more of the first');
    first.leave = first.join();
    await first.settle();
    first.leave();
    second.leave();
    await end(one);
    const program = await start();
    const [third, fourth] = [await pageOn(program).open(), await pageOn(program).open()];
    expect([third.texts(), fourth.texts()].sort((a, b) => (a.join() < b.join() ? -1 : 1))).toEqual([
      ['of the first', 'and more of the first'],
      ['of the first', 'of the second'],
    ]);
  });

  it('never write one workspace, either, where one takes it while the line of the other is up', async () => {
    const one = await start();
    const first = await pageOn(one).open();
    first.tab('typed');
    await first.settle();
    const second = await pageOn(one, { mine: first.keeper.mine() }).open();
    first.tab('more');
    // Its write is refused, and then it has a workspace of its own.
    await first.keeper.settled();
    await first.settle();
    expect(first.keeper.mine()?.id).not.toBe(second.keeper.mine()?.id);
    expect([first.texts(), second.texts()]).toEqual([['typed', 'more'], ['typed']]);
  });

  it('take up what a third left, which is on the disk throughout and then in one place', async () => {
    const one = await start();
    const pages = [await pageOn(one).open(), await pageOn(one).open()];
    for (const [at, page] of pages.entries()) {
      page.tab(`page ${at}`);
      await page.settle();
    }
    for (const page of pages) page.leave();
    const page = await pageOn(one).open();
    expect(page.texts()).toEqual(['page 1']);
    expect(page.kept().left).toMatchObject([{ tabs: 1, unsaved: 1 }]);
    await page.kept().takeUp();
    expect(page.texts()).toEqual(['page 1', 'page 0']);
    await page.settle();
    expect(readdirSync(join(home(), 'workspaces')).filter((name) => name !== 'locks')).toHaveLength(1);
  });

  it('leave on the disk what they took up and could not write', async () => {
    const one = await start();
    const pages = [await pageOn(one).open(), await pageOn(one).open()];
    for (const page of pages) page.tab('left');
    for (const page of pages) await page.settle();
    for (const page of pages) page.leave();
    const page = await pageOn(one).open();
    page.state.fault = new AppError('storage', 'The disk is full.');
    page.state.faultAt = 'workspaces.write';
    await page.kept().takeUp();
    expect(page.texts()).toEqual(['left', 'left']);
    expect(readdirSync(join(home(), 'workspaces')).filter((name) => name !== 'locks')).toHaveLength(2);
  });

  it('say why one of them could not be taken up, which is offered again, and not where another page has it by now', async () => {
    const one = await start();
    const pages = [await pageOn(one).open(), await pageOn(one).open()];
    for (const page of pages) page.tab('left');
    for (const page of pages) await page.settle();
    for (const page of pages) page.leave();
    const first = await pageOn(one).open();
    expect(first.kept().left).toHaveLength(1);
    first.state.fault = new AppError('storage', 'The disk is full.');
    await first.kept().takeUp();
    expect(first.kept()).toMatchObject({ left: [{ tabs: 1 }], leftProblem: 'The disk is full.' });
    first.state.fault = null;
    // Meanwhile another one takes it: nothing is offered any more, and nothing can be refused.
    const third = await pageOn(one).open();
    expect(third.texts()).toEqual(['left']);
    expect(first.kept()).toMatchObject({ left: [], leftProblem: null });
  });

  it('say that a page of another program has them by now, of which nobody heard', async () => {
    const before = await start();
    const pages = [await pageOn(before).open(), await pageOn(before).open()];
    for (const page of pages) page.tab('left');
    for (const page of pages) await page.settle();
    await end(before);
    const first = await pageOn(await start()).open();
    const third = await pageOn(await start()).open();
    expect(third.texts()).toEqual(['left']);
    await first.kept().takeUp();
    expect(first.kept().left).toEqual([]);
    expect(first.kept().leftProblem).toContain('Another window has these tabs now');
    expect(first.texts()).toEqual(['left']);
    first.kept().putOff();
    expect(first.kept().leftProblem).toBeNull();
  });

  it('offer nothing that is open beside them, after several were loaded again at once', async () => {
    const one = await start();
    const pages = [await pageOn(one).open(), await pageOn(one).open(), await pageOn(one).open()];
    for (const [at, page] of pages.entries()) page.tab(`page ${at}`);
    for (const page of pages) await page.settle();
    for (const page of pages) {
      page.keeper.left();
      page.leave();
    }
    const again = [];
    for (const page of pages) again.push(await pageOn(one, { mine: page.place() }).open());
    expect(again.map((page) => page.texts())).toEqual([['page 0'], ['page 1'], ['page 2']]);
    expect(again.map((page) => page.kept().left)).toEqual([[], [], []]);
  });

  it('of which one loads again has its own tabs again, with what it sent last', async () => {
    const one = await start();
    const other = await pageOn(one).open();
    other.tab('other');
    await other.settle();
    const page = await pageOn(one).open();
    const id = page.tab('typed');
    await page.settle();
    page.actions.setText(id, 'typed last');
    page.keeper.leave();
    page.keeper.left();
    expect((await pageOn(one, { mine: page.place() }).open()).texts()).toEqual(['typed last']);
  });
});

describe('what a newer version wrote', () => {
  it('a tab of an unknown operation and unknown fields stay in their files, and are said', async () => {
    const one = await start();
    const page = await pageOn(one).open();
    const [a, b] = [page.tab('a'), page.tab('b')];
    await page.settle();
    await end(one);
    const file = (id: string) => join(home(), 'workspaces', folder(), `${id}.tab.json`);
    const folder = () => readdirSync(join(home(), 'workspaces')).find((name) => name !== 'locks') ?? '';
    const read = (id: string) => JSON.parse(readFileSync(file(id), 'utf8')) as Record<string, unknown>;
    const strange = JSON.stringify({ ...read(a), operation: 'future', big: 1 });
    writeFileSync(file(a), strange);
    writeFileSync(file(b), JSON.stringify({ ...read(b), later: { deep: true } }));
    const two = await start();
    const later = await pageOn(two).open();
    expect(later.texts()).toEqual(['b']);
    expect(later.kept().hidden).toBe(1);
    later.actions.setText(b, 'b typed');
    later.tab('c');
    await later.settle();
    expect(readFileSync(file(a), 'utf8')).toBe(strange);
    expect(read(b)).toMatchObject({ text: 'b typed', later: { deep: true } });
    later.leave();
    expect((await pageOn(two).open()).kept().hidden).toBe(1);
  });
});

// The long form: `npm run test:long -- workspaces`.
it('what was typed is somewhere on the disk and in one page at a time, whatever pages and programs do', async () => {
  expect(await workspaceRounds(home(), 4, chooseSeed())).toMatchObject({ problems: [] });
});
