import type { Page } from '@playwright/test';

/** Troubles of a page: errors nobody caught, lines of the console, refusals of its content security policy. */
export interface Troubles {
  /** Returns the troubles that no test expected. */
  unexpected(): string[];
  readonly list: string[];
  readonly expected: RegExp[];
  /** Returns all of them. */
  all(): readonly string[];
  /** Expects troubles that match, from here on and before: they do not fail the test. */
  expect(pattern: RegExp): void;
}

/** Matches a browser's messages about a host that ended, and the session that ended with it. */
export const hostGone =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED)|401 \(Unauthorized\)/;

/** Collects the troubles of a page from its first document on; `earlier` are those of the page before, which count on. */
export async function collectTroubles(page: Page, earlier: Troubles | null = null): Promise<Troubles> {
  const troubles = earlier?.list ?? [];
  const expected = earlier?.expected ?? [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.stack ?? error.message}`));
  page.on('crash', () => troubles.push('the page crashed'));
  page.on('console', (message) => {
    // A refusal is a reply like any other, and its caller shows it; the browser notes its status all the same.
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
