import type { Page } from '@playwright/test';

/** What went wrong in a page: errors nobody caught, lines of the console, refusals of its content security policy. */
export interface Troubles {
  /** Those that no test expected. */
  unexpected(): string[];
  readonly list: string[];
  readonly expected: RegExp[];
  /** All of them. */
  all(): readonly string[];
  /** From here on, and for what came before, troubles that match are no failure of the test. */
  expect(pattern: RegExp): void;
}

/** What a browser says of a host that ended, and of the session that ended with it. */
export const hostGone =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED)|401 \(Unauthorized\)/;

/** Collects the troubles of a page from its first document on; `earlier` are those of the page before, which count on. */
export async function collectTroubles(page: Page, earlier: Troubles | null = null): Promise<Troubles> {
  const troubles = earlier?.list ?? [];
  const expected = earlier?.expected ?? [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.stack ?? error.message}`));
  page.on('crash', () => troubles.push('the page crashed'));
  page.on('console', (message) => {
    // A refusal is an answer like any other, and whoever asked shows it; the browser notes its status all the same.
    const refusal = message.location().url.endsWith('/call') && message.text().includes('status of 400');
    if (message.type() === 'error' && !refusal) troubles.push(`console: ${message.text()} (${message.location().url})`);
  });
  await page.exposeFunction('reportViolation', (text: string) => void troubles.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'reportViolation') as (text: string) => void;
      report(`${event.effectiveDirective} refused ${event.blockedURI} ${event.sample}`);
    });
  });
  return {
    list: troubles,
    expected,
    unexpected: () => troubles.filter((text) => !expected.some((pattern) => pattern.test(text))),
    all: () => troubles,
    expect: (pattern) => void expected.push(pattern),
  };
}
