import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.describe('At rest', () => {
  test.skip(
    ({ hostName }) => hostName !== 'browser',
    'what the page asks for is not seen on the desktop, whose page is the same',
  );

  test('nothing is hashed that is not looked at, or that nobody has touched for ten seconds, and nothing wakes the page', async ({
    workbench,
    shell,
    requests,
  }) => {
    const { page } = workbench;
    // Editors of the first screen are gone before the clock comes: it could not clear the timers that they had set.
    await shell.goTo('Environments');
    await page.clock.install();
    await countTimers(page);
    const digests = () => workbench.traffic.asked('"keys.digest"');
    /**
     * Returns the digests requested and the timers that fired in ten seconds of the page's clock; the line's heartbeat, every other
     * second, follows the machine's.
     */
    const rest = async () => {
      // Not before what was said to a screen reader has left the page, ten seconds later.
      await page.clock.runFor(15_000);
      const [asked, woken] = [digests(), await timersRung(page)];
      await page.clock.runFor(10_000);
      return { digests: digests() - asked, woken: (await timersRung(page)) - woken };
    };
    const now = () => page.evaluate(() => Date.now());
    /** Expects a digest for each second at most, of a page that somebody uses. */
    const expectTicking = async () => {
      const [asked, from] = [digests(), await now()];
      await page.clock.runFor(5_000);
      const seen = digests() - asked;
      expect(seen).toBeGreaterThan(0);
      // It goes on by itself between two of these steps, too.
      expect(seen).toBeLessThanOrEqual(Math.ceil(((await now()) - from) / 1_000));
    };
    // An editor may come while the clock runs: then the page rests after it.
    const expectRest = () => expect.poll(rest).toEqual({ digests: 0, woken: 0 });
    await shell.openOperation('getLauncherURL');
    await requests.hashInput.digest();
    await expectTicking();
    await expectRest();
    await expect(requests.hashInput.pane.getByText(/^Shown with time /)).toBeVisible();
    await page.mouse.move(5, 5);
    await expect(requests.hashInput.pane.getByText(/^Shown with time /)).toBeHidden();
    await expectTicking();

    await requests.hashInput.pane.getByRole('button', { name: 'Hide the hash input' }).click();
    await expectRest();
    await requests.hashInput.pane.getByRole('button', { name: 'Show the hash input' }).click();
    await requests.hashInput.digest();

    await shell.goTo('Open points');
    await expectRest();
    await shell.goTo('Requests');
    await requests.hashInput.digest();

    await hide(page, true);
    await expectRest();
    await hide(page, false);
    await requests.hashInput.digest();
  });

  test('a long request stands at one moment, which is named, and is hashed again when asked', async ({
    workbench,
    shell,
    requests,
  }) => {
    const { page } = workbench;
    await shell.goTo('Environments');
    await page.clock.install({ time: new Date('2026-11-20T10:15:30Z') });
    await shell.openOperation('getLauncherURL');
    const editor = await requests.openEditor();
    const items = Array.from({ length: 1_100 }, () => `"${'x'.repeat(98)}"`).join(',\n');
    await editor.paste(`{"a":[${items}]}`);
    const held = requests.hashInput.pane.getByText(/^Shown with time /);
    await page.clock.runFor(1_000);
    const digest = await requests.hashInput.digest();
    const moment = await held.textContent();
    const before = workbench.traffic.asked('"keys.digest"');
    const digests = () => workbench.traffic.asked('"keys.digest"') - before;
    await page.clock.runFor(20_000);
    await expect(held).toHaveText(moment ?? '');
    expect(digests()).toBe(0);
    await requests.hashInput.pane.getByRole('button', { name: 'Update' }).click();
    await page.clock.runFor(1_000);
    await expect(held).not.toHaveText(moment ?? '');
    await expect.poll(() => requests.hashInput.digest()).not.toBe(digest);
    await expect.poll(digests).toBe(1);
  });
});

/** From now on, counts the timer callbacks of the page's clock. */
async function countTimers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counted = { rung: 0 };
    Object.assign(globalThis, { counted });
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const real = window[name].bind(window) as (work: () => void, ...rest: unknown[]) => number;
      window[name] = ((work: () => void, ...rest: unknown[]) =>
        real(
          () => {
            counted.rung += 1;
            work();
          },
          ...rest,
        )) as never;
    }
  });
}

function timersRung(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { counted: { rung: number } }).counted.rung);
}

async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
