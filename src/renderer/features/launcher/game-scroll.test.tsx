import type { Frame, Page } from '@playwright/test';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLauncher, providerOf } from '../../../../e2e/pages/launcher.ts';

/** Scrolls, in the game, to its corners and beyond in each way that a browser passes on to the pages around a frame. */
function scrollAway(game: Frame): Promise<void> {
  return game.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const corner = document.createElement('button');
    document.body.append(corner);
    for (const side of ['top:-9px;left:-9px', 'bottom:-9px;right:-9px']) {
      corner.style.cssText = `position:absolute;width:1px;height:1px;${side}`;
      for (const edge of ['start', 'center', 'end', 'nearest'] as const) {
        corner.scrollIntoView({ block: edge, inline: edge });
        await drawn();
      }
      corner.blur();
      corner.focus();
      corner.id = 'corner';
      location.hash = '';
      location.hash = 'corner';
      scrollTo(9_999, 9_999);
      await drawn();
    }
    corner.remove();
  });
}

/** Begins to note, in a page, each scrolling of what is around a frame, the page itself included. */
async function noteScrolls(page: Page | Frame): Promise<void> {
  await page.evaluate(() => {
    const noted: string[] = [];
    Reflect.set(globalThis, 'noted', noted);
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof Node) || ![...document.querySelectorAll('iframe')].some((one) => target.contains(one))) return;
      const box = target instanceof Element ? target : document.documentElement;
      noted.push(`${box.tagName}.${box.className} to ${box.scrollLeft}, ${box.scrollTop}`);
    };
    addEventListener('scroll', onScroll, { capture: true });
  });
}

/** Returns what was noted, after what is on its way has arrived. */
function noted(page: Page | Frame): Promise<string[]> {
  return page.evaluate(async () => {
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return Reflect.get(globalThis, 'noted') as string[];
  });
}

/** The boxes around the last frame that a script could scroll, and the page itself if there is more of it than the window shows. */
function scrollers(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const [frame = null] = [...document.querySelectorAll('iframe')].slice(-1);
    for (let one = frame?.parentElement ?? null; one !== null; one = one.parentElement) {
      const isPage = one === document.documentElement;
      const { overflowX, overflowY } = getComputedStyle(one);
      const more = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
      if (isPage ? more : [overflowX, overflowY].some((kind) => !['clip', 'visible'].includes(kind))) {
        found.push(`${one.tagName}.${one.className}`);
      }
    }
    return found;
  });
}

for (const [width, height] of [
  [1440, 900],
  [1024, 700],
  [720, 450],
] as const) {
  test(`a game cannot scroll the workbench around its frame, in a window of ${width} by ${height}`, async ({
    workbench,
    shell,
  }) => {
    const { page } = workbench;
    const launcher = createLauncher(workbench);
    await workbench.resize(width, height);
    await shell.goTo('Launcher');
    await launcher.mode('both');
    await launcher.takeToken(/^player-1/);
    await launcher.field('gameId').fill('1001');
    await launcher.launch.click();
    const origin = await providerOf(workbench);
    await launcher.game(origin, 'real');
    const game = (await launcher.game(origin, 'fun')) as Frame;
    const between = game.parentFrame();
    if (between === null) throw new Error('The game has no page around it.');
    for (const one of [page, between]) await noteScrolls(one);
    for (const [device, zoom] of [
      ['Desktop', 'Fit'],
      ['Tablet', '150 %'],
      ['Phone', 'Fit'],
    ] as const) {
      await launcher.device(device);
      await launcher.zoom.click();
      await page.getByRole('menuitemradio', { name: zoom }).click();
      await expect(page.getByRole('menu')).toHaveCount(0);
      await scrollAway(game);
      for (const one of [page, between]) {
        expect(await noted(one), `${device}, ${zoom}`).toEqual([]);
        expect(await scrollers(one), `${device}, ${zoom}`).toEqual([]);
      }
    }
  });
}
