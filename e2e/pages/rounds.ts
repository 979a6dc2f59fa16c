import type { Locator, Page } from '@playwright/test';

/** The screen that looks rounds up. */
export interface RoundsScreen {
  readonly main: Locator;
  readonly roundId: Locator;
  readonly date: Locator;
  readonly logMonth: Locator;
  readonly explanation: Locator;
  readonly fault: Locator;
  readonly lookUp: Locator;
  readonly records: Locator;
  readonly rows: Locator;
  readonly replay: Locator;
  readonly openReplay: Locator;
  /** The checks of the replay link, each with its verdict. */
  readonly checks: Locator;
  /** The rounds looked up in this session. */
  readonly recent: Locator;
  readonly empty: Locator;
}

export function createRoundsScreen(page: Page): RoundsScreen {
  const main = page.getByRole('main', { name: 'Rounds' });
  const form = main.getByRole('form', { name: 'Round' });
  const records = main.getByRole('region', { name: 'Records of the round' });
  const replay = main.getByRole('region', { name: 'Replay of the round' });
  return {
    main,
    roundId: form.getByRole('textbox', { name: 'roundId' }),
    date: form.getByRole('textbox', { name: 'Round day' }),
    logMonth: form.getByRole('status', { name: 'logMonth' }),
    explanation: form.getByRole('paragraph'),
    fault: form.locator('[id$="-error"]'),
    lookUp: form.getByRole('button', { name: /^Look up/ }),
    records,
    rows: records.getByRole('row').filter({ has: page.getByRole('cell') }),
    replay,
    openReplay: replay.getByRole('button', { name: 'Open replay' }),
    checks: replay.getByRole('listitem'),
    recent: page.getByRole('complementary', { name: 'Rounds: list' }).getByRole('option'),
    empty: main.getByRole('heading', { level: 2 }),
  };
}
