import { expect, type Frame, type Locator, type Page } from '@playwright/test';
import type { Workbench } from '../fixtures.ts';
import { dropFile } from './drop-file.ts';

type LaunchMode = 'real' | 'fun' | 'both';

/** The launcher: the settings, the game on the stage, and the record beside it. */
export interface LauncherScreen {
  readonly tabs: Locator;
  readonly settings: Locator;
  readonly launch: Locator;
  readonly refusal: Locator;
  /** The areas of games on the stage. */
  readonly games: Locator;
  readonly record: Locator;
  readonly entries: Locator;
  readonly verdict: {
    readonly region: Locator;
    readonly state: Locator;
    /** One line each; those that passed or could not look after `showAll`. */
    readonly rules: Locator;
    showAll(): Promise<void>;
    overrule(state: 'passed' | 'to check' | 'failed', note: string): Promise<void>;
  };
  /** News of a game that the user needs at once: that it left. */
  readonly banner: Locator;
  /** The checks of the launcher URL, one line each. */
  readonly checks: Locator;
  field(name: string): Locator;
  mode(mode: LaunchMode): Promise<void>;
  /** Chooses a device by its name in the list, or one of the usual three. */
  device(name: string): Promise<void>;
  rotate(): Promise<void>;
  /** The device's size above the game, and the part of it that is drawn. */
  readonly size: Locator;
  readonly zoom: Locator;
  readonly renewToken: Locator;
  /** On the desktop only. */
  readonly screenshot: Locator;
  readonly exportButton: Locator;
  exportAs(form: 'As a folder' | 'As one HTML file'): Promise<void>;
  takeToken(player: RegExp): Promise<void>;
  /** Chooses where the token comes from. */
  tokenFrom(source: RegExp): Promise<void>;
  /** The dialog of the pool of session tokens. */
  readonly pool: {
    readonly dialog: Locator;
    /** Its lines. */
    readonly rows: Locator;
    open(): Promise<void>;
    paste(text: string): Promise<void>;
    choose(name: string, text: string): Promise<void>;
    drop(name: string, text: string): Promise<void>;
    done(): Promise<void>;
  };
  show(group: 'All' | 'Navigation' | 'Console' | 'Requests' | 'Blocked' | 'Other'): Promise<void>;
  /** Returns the game's own page once it is there, wherever the host shows it. */
  game(origin: string, mode: 'fun' | 'real'): Promise<Page | Frame>;
  /** Returns the page of a round's replay once it is there. */
  replay(origin: string): Promise<Page | Frame>;
}

/** Returns `https://localhost:<port>` of the built-in provider. */
export async function providerOf(workbench: Pick<Workbench, 'cli'>): Promise<string> {
  const { stdout } = await workbench.cli(['env', 'list', '--json']);
  const origin = /https:\/\/localhost:\d+/.exec(stdout)?.[0];
  if (origin === undefined) throw new Error(`No built-in provider in ${stdout}`);
  return origin;
}

/** The result of one spin of the demo game. Amounts are as the wallet prints them, in EUR. */
export interface Spun {
  readonly roundId: string;
  readonly bet: string;
  readonly win: string;
  readonly balance: string;
}

/** Spins the demo game once and waits until the reels stand. */
export async function spin(game: Page | Frame): Promise<Spun> {
  const body = game.locator('body');
  const before = Number((await body.getAttribute('data-spins')) ?? 0);
  await game.locator('#spin').click();
  await expect(game.locator(`body[data-spins="${before + 1}"]`)).toBeVisible();
  const minor = async (name: string) => Number(await body.getAttribute(`data-${name}`)) / 100;
  return {
    roundId: (await body.getAttribute('data-round-id')) ?? '',
    bet: String(await minor('bet')),
    win: String(await minor('win')),
    balance: (await minor('balance')).toLocaleString('en', { minimumFractionDigits: 2 }),
  };
}

/** The usual devices. */
const devices: Readonly<Record<string, string>> = { Desktop: 'Desktop (fit window)', Tablet: 'iPad', Phone: 'iPhone 14' };

export function createLauncher(workbench: Pick<Workbench, 'page'> & Partial<Pick<Workbench, 'desktop'>>): LauncherScreen {
  const { page } = workbench;
  const main = page.getByRole('main', { name: 'Launcher' });
  const settings = main.getByRole('region', { name: 'Launch settings' });
  const record = main.getByRole('region', { name: 'Record' });
  const verdict = main.getByRole('region', { name: 'Verdict', exact: true });
  const bar = main.getByRole('toolbar', { name: 'Screen of the game' });
  // A test of the page has to wait for its frames.
  const pages = async (): Promise<readonly (Page | Frame)[]> => workbench.desktop?.app().windows() ?? page.frames();
  const pool = page.getByRole('dialog', { name: /^Token pool of / });
  async function find(test: (one: Page | Frame) => Promise<boolean>): Promise<Page | Frame> {
    let found: Page | Frame | null = null;
    const look = async () => {
      for (const one of await pages()) if (await test(one)) found = one;
      return found !== null;
    };
    await expect.poll(look, { message: 'the game is open', timeout: 60_000 }).toBe(true);
    if (found === null) throw new Error('The game went away.');
    return found;
  }
  return {
    tabs: main.getByRole('tablist', { name: 'Launches' }).getByRole('tab'),
    settings,
    launch: main.getByRole('button', { name: /^Launch( again)?$/ }),
    refusal: main.getByRole('alert'),
    games: main.locator('[data-game]'),
    record,
    entries: record.getByRole('option'),
    verdict: {
      region: verdict,
      state: verdict.locator('header').getByText(/^(?:passed|failed|to check|unfinished)/),
      rules: verdict.getByRole('listitem'),
      async showAll() {
        for (const summary of await verdict.locator('summary').all()) await summary.click();
      },
      async overrule(state, note) {
        await verdict.getByRole('button', { name: /^(?:Overrule|Change)…$/ }).click();
        const dialog = page.getByRole('dialog', { name: 'Overrule the verdict' });
        await dialog.getByRole('radio', { name: state, exact: true }).click();
        await dialog.getByLabel('Note').fill(note);
        await dialog.getByRole('button', { name: 'Overrule', exact: true }).click();
      },
    },
    banner: main.getByRole('status').filter({ hasText: /The game (?:left|was kept)/ }),
    checks: settings.getByRole('region', { name: /^(?:Launcher URL|Replay link)/ }).locator('li'),
    field: (name) => settings.getByLabel(name, { exact: true }),
    mode: (mode) => main.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: mode }).click(),
    device: async (name) =>
      void (await bar.getByRole('combobox', { name: 'Device' }).selectOption({ label: devices[name] ?? name })),
    rotate: () => bar.getByRole('button', { name: /^Device: (?:portrait|landscape)$/ }).click(),
    size: bar.getByText(/^\d+ x \d+/),
    zoom: bar.getByRole('button', { name: /^Zoom/ }),
    renewToken: settings.getByRole('button', { name: 'Renew' }),
    screenshot: main.getByRole('button', { name: 'Screenshot' }),
    exportButton: main.getByRole('button', { name: 'Export evidence' }),
    async exportAs(form) {
      await main.getByRole('button', { name: 'Export evidence' }).click();
      await page.getByRole('dialog', { name: 'Export evidence' }).getByRole('button', { name: form }).click();
    },
    async takeToken(player) {
      await settings.getByRole('button', { name: 'Use a session token' }).click();
      await page.getByRole('menuitemradio', { name: player }).click();
    },
    tokenFrom: (source) =>
      settings.getByRole('radiogroup', { name: 'Token source' }).getByRole('radio', { name: source }).click(),
    pool: {
      dialog: pool,
      rows: pool.getByRole('grid', { name: 'Session tokens' }).locator('tbody').getByRole('row'),
      open: () => settings.getByRole('button', { name: 'Token pool…' }).click(),
      async paste(text) {
        await pool.getByLabel('Add tokens').fill(text);
        await pool.getByRole('button', { name: 'Add', exact: true }).click();
      },
      choose: (name, text) =>
        pool.getByLabel('File with tokens').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) }),
      drop: (name, text) => dropFile(pool.getByLabel('Add tokens'), name, text),
      done: () => pool.getByRole('button', { name: 'Done' }).click(),
    },
    show: (group) => record.getByRole('tab', { name: new RegExp(`^${group}`) }).click(),
    async game(origin, mode) {
      const found = await find(async (one) => {
        if (!one.url().startsWith(`${origin}/game/`)) return false;
        return (await one.locator('body').getAttribute('data-mode')) === mode;
      });
      await expect(found.locator('body[data-state="ready"]')).toBeVisible();
      return found;
    },
    async replay(origin) {
      const found = await find((one) => Promise.resolve(one.url().startsWith(`${origin}/replay?`)));
      await expect(found.locator('body[data-state="replay"]')).toBeVisible();
      return found;
    },
  };
}
