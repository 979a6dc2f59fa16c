import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestApp, type TestApp } from './app.ts';
import { pageOn, type TestPage } from './workspace-page.ts';
import { seededRandom } from './seeded-random.ts';

/** Results of many rounds of pages and programs on one home. */
export interface WorkspaceReport {
  readonly steps: number;
  readonly typed: number;
  readonly problems: readonly string[];
}

interface Typed {
  readonly mark: number;
  readonly version: number;
}

const stepsInRound = 25;

/**
 * Does what people do with pages on one home: two programs that start and end, pages that open, load again, lose their line, come
 * back, type, close tabs and take up what others left. Each text that was on the disk once has to be there until its tab is closed,
 * in its newest version, and no two living pages may have one workspace.
 */
export async function workspaceRounds(
  folder: string,
  rounds: number,
  seed: number,
  onRound: (round: number) => void = () => undefined,
): Promise<WorkspaceReport> {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)];
  const problems: string[] = [];
  let [steps, marks] = [0, 0];

  for (let round = 0; round < rounds; round += 1) {
    const home = join(folder, `round-${round}`);
    mkdirSync(home);
    const programs = new Set<TestApp>();
    const pages = new Map<TestPage, { program: TestApp; joined: boolean }>();
    const safe = new Map<number, number>();

    const type = async (page: TestPage) => {
      const tab = pick(page.requests.getState().tabs);
      const before = tab === undefined || random() < 0.3 ? null : typedIn(tab.text);
      const mark = before?.mark ?? (marks += 1);
      const version = Math.max(before?.version ?? 0, safe.get(mark) ?? 0) + 1;
      const text = textOf({ mark, version }, random() < 0.05 ? 1_200_000 : below(200));
      if (before === null || tab === undefined) page.tab(text);
      else page.actions.setText(tab.id, text);
      if (random() < 0.3) return;
      await page.settle();
      safe.set(mark, version);
    };
    const open = async (program: TestApp, mine: { page: string; id: string } | null) => {
      const page = await pageOn(program, { mine }).open();
      pages.set(page, { program, joined: true });
    };
    const leave = (page: TestPage) => {
      page.leave();
      pages.delete(page);
    };
    const moves: (() => Promise<void>)[] = [
      async () => {
        if (programs.size < 2) programs.add(await createTestApp({ home }));
      },
      async () => {
        const program = random() < 0.2 ? pick([...programs]) : undefined;
        if (program === undefined) return;
        for (const [page, on] of pages) if (on.program === program) leave(page);
        await program.close();
        programs.delete(program);
      },
      async () => {
        const program = pick([...programs]);
        if (program !== undefined && pages.size < 5) await open(program, null);
      },
      async () => {
        const page = pick([...pages.keys()]);
        const on = page === undefined ? undefined : pages.get(page);
        if (page === undefined || on?.joined !== true) return;
        await page.settle();
        for (const { text } of page.requests.getState().tabs) {
          const typed = typedIn(text);
          if (typed !== null) safe.set(typed.mark, Math.max(typed.version, safe.get(typed.mark) ?? 0));
        }
        page.keeper.left();
        // From time to time a page that loads again is there before its old line is known to be gone.
        const late = random() < 0.5;
        if (!late) leave(page);
        pages.delete(page);
        await open(on.program, page.place());
        if (late) page.leave();
      },
      async () => {
        const page = pick([...pages.keys()]);
        const on = page === undefined ? undefined : pages.get(page);
        if (page === undefined || on === undefined) return;
        page.leave();
        on.joined = false;
        if (random() < 0.3) return;
        page.leave = page.join();
        on.joined = true;
        await page.keeper.settled();
      },
      async () => {
        const page = pick([...pages.keys()]);
        if (page !== undefined && random() < 0.3) leave(page);
      },
      async () => {
        const page = pick([...pages].filter(([, { joined }]) => joined).map(([one]) => one));
        if (page !== undefined) await page.kept().takeUp();
      },
      async () => {
        const page = pick([...pages].filter(([, { joined }]) => joined).map(([one]) => one));
        const tab = page === undefined ? undefined : pick(page.requests.getState().tabs);
        if (page === undefined || tab === undefined || random() < 0.5) return;
        const typed = typedIn(tab.text);
        if (typed !== null) safe.delete(typed.mark);
        page.actions.closeTab(tab.id);
        await page.keeper.settled();
      },
    ];
    for (let count = 0; count < 2; count += 1) programs.add(await createTestApp({ home }));
    for (const program of programs) await open(program, null);
    for (let step = 0; step < stepsInRound; step += 1, steps += 1) {
      const writer = pick([...pages].filter(([, { joined }]) => joined).map(([one]) => one));
      if (writer !== undefined && random() < 0.6) await type(writer);
      else await pick(moves)?.();
      const where = `round ${round}, step ${step}`;
      const kept = newestOnDisk(home);
      for (const [mark, version] of safe) {
        if ((kept.get(mark) ?? 0) < version)
          problems.push(`${where}: text ${mark} is at ${kept.get(mark) ?? 'nothing'}, not ${version}`);
        if ((kept.get(mark) ?? 0) < version) safe.delete(mark);
      }
      const held = [...pages].filter(([, { joined }]) => joined).map(([page]) => page.keeper.mine()?.id);
      if (new Set(held).size !== held.length) problems.push(`${where}: two pages have one workspace`);
    }
    for (const page of pages.keys()) page.leave();
    for (const program of programs) {
      if (program.faults.length > 0) problems.push(`round ${round}: ${String(program.faults[0])}`);
      await program.close();
    }
    onRound(round);
  }
  return { steps, typed: marks, problems };
}

function textOf(typed: Typed, length: number): string {
  return JSON.stringify({ ...typed, fill: 'x'.repeat(length) });
}

function typedIn(text: string): Typed | null {
  const found = /^\{"mark":(\d+),"version":(\d+)/.exec(text);
  return found === null ? null : { mark: Number(found[1]), version: Number(found[2]) };
}

function newestOnDisk(home: string): Map<number, number> {
  const newest = new Map<number, number>();
  for (const name of readdirSync(home, { recursive: true }).map(String)) {
    if (!name.endsWith('.tab.json')) continue;
    const typed = typedIn((JSON.parse(readFileSync(join(home, name), 'utf8')) as { text: string }).text);
    if (typed !== null) newest.set(typed.mark, Math.max(typed.version, newest.get(typed.mark) ?? 0));
  }
  return newest;
}
