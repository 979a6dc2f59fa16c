import type { Locator, Page } from '@playwright/test';
import { editorIn, type Editor } from './editor.ts';

/** Two calls of the history against each other. */
export interface ComparisonScreen {
  readonly screen: Locator;
  readonly title: Locator;
  /** The sentence about the first difference. */
  readonly finding: Locator;
  /** Returns one of the two calls, by its ID. */
  card(id: number): Locator;
  /** A segment of the hash input. */
  segment(name: 'Key' | 'Time' | 'Data'): Locator;
  readonly swap: Locator;
  readonly back: Locator;
  show(view: 'Hash input' | 'Envelope' | 'Fields' | 'Headers' | 'Response'): Promise<void>;
  tab(view: 'Hash input' | 'Envelope' | 'Fields' | 'Headers' | 'Response'): Locator;
  /** A row of a list of lines, by its name. */
  line(name: string): Locator;
  /** All rows of such a list. */
  readonly lines: Locator;
  /** The rows of the list of differences in the responses. */
  readonly differences: Locator;
  /** Returns one half of the diff editor that is shown: the texts of call `id`. */
  text(id: number): Editor;
  /** The parts that the diff editor marks. */
  readonly marks: Locator;
}

export function createComparison(page: Page): ComparisonScreen {
  const screen = page.getByRole('region', { name: 'Comparison', exact: true });
  const tab = (view: string) => screen.getByRole('tab', { name: new RegExp(`^${view}`) });
  return {
    screen,
    title: screen.getByRole('heading', { level: 1 }),
    finding: screen.getByRole('status').first(),
    card: (id) => screen.getByRole('region', { name: `Call ${id}`, exact: true }),
    segment: (name) => screen.getByRole('region', { name: new RegExp(`^${name}: `) }),
    swap: screen.getByRole('button', { name: 'Swap' }),
    back: screen.getByRole('button', { name: /^Back to / }),
    tab,
    show: (view) => tab(view).click(),
    line: (name) => screen.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) }),
    lines: screen.getByRole('row').filter({ has: page.getByRole('rowheader') }),
    differences: screen
      .getByRole('table', { name: 'Differences' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell') }),
    text: (id) => editorIn(page, screen, new RegExp(`^(?:Data|Envelope|Response) of call ${id}$`)),
    marks: screen.locator('.char-insert, .char-delete, .line-insert, .line-delete'),
  };
}
