/**
 * How a page and the browser host speak over their WebSocket, the line. The page says `<number> <call as JSON>`; the host says
 * `<number> <reply as JSON>` and, of its own, events as JSON. The number stands outside of the JSON, so that a call which is refused unread has
 * its reply. The beat is said by the page and given back at once.
 */
export const linePath = '/line';

/** The subprotocol that the host chooses. The session's secret is offered beside it: a handshake has no other header of a page. */
export const lineProtocol = 'croupier.line';
const sessionPrefix = 'croupier.session.';

/** What a page offers in its handshake. */
export function offeredProtocols(session: string): string[] {
  return [lineProtocol, `${sessionPrefix}${session}`];
}

/** The session's secret in the header of a handshake; empty where there is none or more than one. */
export function offeredSession(header: string | undefined): string {
  const offered = (header ?? '').split(',').map((name) => name.trim());
  const sessions = offered.filter((name) => name.startsWith(sessionPrefix));
  const [session = ''] = sessions;
  if (!offered.includes(lineProtocol) || sessions.length !== 1) return '';
  return /^[A-Za-z0-9_-]+$/.exec(session.slice(sessionPrefix.length))?.[0] ?? '';
}

export const beat = 'beat';

/** The longest text that a call takes, every second character of it escaped. */
export const mostCallBytes = 16_000_000;

/** What is said of a call with more. */
export const tooLargeCall = 'The request is larger than 16 MB. Send less at once.';

/** Pages of one host that live at the same time. */
export const mostPages = 32;
