import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { createGamesScreen, type GamesScreen } from '../e2e/pages/games.ts';
import { createShell } from '../e2e/pages/shell.ts';
import { startGamesPeer } from './games-peer.ts';
import { type Figure, median } from './measure.ts';
import { setKey, startPageHost, writeEnvironment } from './page-host.ts';
import { installProbes } from './page-probes.ts';

type View = 'Grid' | 'Table';

/** Even, so that each view begins and ends with the newer list. */
const rounds = 8;
const speeds = [60, 2_000] as const;
/** Frames down and as many up again, for each speed. */
const frames = 120;

/**
 * Measures the games screen of the built page with 10,000 games: the time from the parsed response to the painted games, and the
 * frames over 20 ms while they scroll. The peer serves the thumbnails, each at its own URL; all those on the slow way are loaded
 * before the grid is scrolled, so that decoding and drawing them is measured too.
 */
export async function measureGames(): Promise<Figure[]> {
  const peer = await startGamesPeer(10_000);
  const host = await startPageHost((home) => {
    writeEnvironment(home, 'games', peer);
    const layout = { area: 'games', sidebar: true, environmentId: 'games' };
    writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ layout: JSON.stringify(layout) }));
  });
  try {
    const context = await host.browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addInitScript(installProbes);
    const page = await context.newPage();
    await page.goto(host.address);
    const games = createGamesScreen(page);
    await createShell(page).goTo('Games');
    await games.main.waitFor();
    await setKey(page, 'games');
    // Two lists, so that a change from one to the other renders the games again.
    for (const _ of [1, 2]) await games.fetch();
    const figures: Figure[] = [];
    for (const view of ['Grid', 'Table'] as const) {
      await games.view(view);
      figures.push({
        name: `${view.toLowerCase()} of 10,000 games, from the parsed response to its painting`,
        ours: median(await firstPaints(page, games, view)),
        unit: 'ms',
        goal: 50,
      });
    }
    for (const view of ['Grid', 'Table'] as const) {
      await games.view(view);
      if (view === 'Grid') await loadThumbnails(page, games);
      for (const speed of speeds) {
        const lengths = await framesWhileScrolling(games.scroller(view), speed);
        figures.push({
          name: `${view.toLowerCase()}, frames over 20 ms of ${lengths.length} at ${speed} px a frame (longest ${Math.max(...lengths).toFixed(1)} ms)`,
          ours: lengths.filter((length) => length > 20).length,
          unit: 'frames',
          goal: 0,
          reason: 'single late frames come and go from run to run',
        });
      }
    }
    return figures;
  } finally {
    await host.close();
    peer.close();
  }
}

/** Returns the milliseconds from the parsed response to the end of the first frame with its games, for each change of the list. */
async function firstPaints(page: Page, games: GamesScreen, view: View): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const other = games.snapshots
      .nth(round % 2 === 0 ? 1 : 0)
      .getByRole('button')
      .first();
    taken.push(
      await other.evaluate(
        (button, selector) => {
          const there = () => document.querySelector(selector) !== null;
          const parse = JSON.parse;
          let parsedAt = 0;
          JSON.parse = (text: string) => {
            const reply = parse(text) as { value?: { games?: unknown[] } };
            if ((reply.value?.games?.length ?? 0) > 1_000) parsedAt = performance.now();
            return reply;
          };
          (button as HTMLElement).click();
          return new Promise<number>((resolve) => {
            const look = () => {
              if (parsedAt === 0 || !there()) return requestAnimationFrame(look);
              // This frame draws them; the message comes when it is done.
              const channel = new MessageChannel();
              channel.port1.onmessage = () => {
                JSON.parse = parse;
                resolve(performance.now() - parsedAt);
              };
              channel.port2.postMessage(0);
            };
            requestAnimationFrame(look);
          });
        },
        view === 'Grid' ? '[role=listbox][aria-label=Games] [role=option]' : '[role=grid][aria-label=Games] tbody tr',
      ),
    );
  }
  return taken.slice(1);
}

/** Scrolls the slow way screen by screen and waits for its pictures. */
async function loadThumbnails(page: Page, games: GamesScreen): Promise<void> {
  const scroller = games.scroller('Grid');
  for (let top = 0; top <= frames * speeds[0]; top += 600) {
    await scroller.evaluate((box, to) => void (box.scrollTop = to), top);
    await page.waitForFunction(() => {
      const tiles = [...document.querySelectorAll('[role=listbox][aria-label=Games] [role=option]')];
      const box = document.querySelector('[role=listbox][aria-label=Games]')?.parentElement?.getBoundingClientRect();
      const seen = tiles.filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return box !== undefined && bottom > box.top && top < box.bottom;
      });
      return seen.length > 0 && seen.every((tile) => tile.querySelector('img')?.complete === true);
    });
  }
}

/** Returns the frame lengths in milliseconds on the way down from the top and up again. */
async function framesWhileScrolling(scroller: Locator, speed: number): Promise<number[]> {
  return scroller.evaluate(
    async (box, { count, step }) => {
      box.scrollTop = 0;
      await new Promise((resolve) => setTimeout(resolve, 500));
      const down = await probes.scroll(box, count, step);
      return [...down, ...(await probes.scroll(box, count, -step))];
    },
    { count: frames, step: speed },
  );
}
