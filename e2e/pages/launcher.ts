import { expect, type Frame, type Locator, type Page } from '@playwright/test';
import type { Workbench } from '../fixtures.ts';

export type LaunchMode = 'real' | 'fun' | 'both';

/** The launcher: what is asked, the game on the stage, and the record beside it. */
export interface LauncherScreen {
  readonly tabs: Locator;
  readonly settings: Locator;
  readonly launch: Locator;
  readonly refusal: Locator;
  /** The places of games on the stage. */
  readonly games: Locator;
  readonly record: Locator;
  readonly entries: Locator;
  /** What the user is told of a game at once: that it left. */
  readonly banner: Locator;
  /** The checks of the launch URL, one line each. */
  readonly checks: Locator;
  field(name: string): Locator;
  mode(mode: LaunchMode): Promise<void>;
  device(name: 'Desktop' | 'Tablet' | 'Phone'): Promise<void>;
  takeToken(player: RegExp): Promise<void>;
  show(group: 'All' | 'Navigation' | 'Console' | 'Requests' | 'Blocked' | 'Other'): Promise<void>;
  /** The game's own page once it is there, wherever the host shows it. */
  game(origin: string, mode: 'fun' | 'real'): Promise<Page | Frame>;
}

export function createLauncher(workbench: Workbench): LauncherScreen {
  const { page } = workbench;
  const main = page.getByRole('main', { name: 'Launcher' });
  const settings = main.getByRole('region', { name: 'Launch settings' });
  const record = main.getByRole('region', { name: 'Record' });
  const pages = (): readonly (Page | Frame)[] => {
    if (workbench.desktop === null) return page.frames();
    return workbench.desktop.app().windows();
  };
  return {
    tabs: main.getByRole('tablist', { name: 'Launches' }).getByRole('tab'),
    settings,
    launch: main.getByRole('button', { name: /^Launch( again)?$/ }),
    refusal: main.getByRole('alert'),
    games: main.locator('[data-game]'),
    record,
    entries: record.getByRole('option'),
    banner: main.getByRole('status').filter({ hasText: /The game (?:left|was kept)/ }),
    checks: settings.getByRole('region', { name: /^(?:Launch URL|Replay link)/ }).getByRole('listitem'),
    field: (name) => settings.getByLabel(name, { exact: true }),
    mode: (mode) => main.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: mode }).click(),
    device: (name) => main.getByRole('radiogroup', { name: 'Device' }).getByRole('radio', { name }).click(),
    async takeToken(player) {
      await settings.getByRole('button', { name: 'Take one from the wallet session' }).click();
      await page.getByRole('menuitemradio', { name: player }).click();
    },
    show: (group) => record.getByRole('tab', { name: new RegExp(`^${group}`) }).click(),
    async game(origin, mode) {
      const find = async () => {
        for (const one of pages()) {
          if (!one.url().startsWith(`${origin}/game/`)) continue;
          if ((await one.locator('body').getAttribute('data-mode')) === mode) return one;
        }
        return null;
      };
      await expect.poll(async () => (await find()) !== null, { message: 'the game is open' }).toBe(true);
      const found = await find();
      if (found === null) throw new Error('The game went away.');
      await expect(found.locator('body[data-state="ready"]')).toBeVisible();
      return found;
    },
  };
}
