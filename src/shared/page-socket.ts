/**
 * Path of the line, the WebSocket between a page and the browser host. The page sends `<number> <call as JSON>`; the host sends
 * `<number> <reply as JSON>`, and events as JSON without a number. The number is outside the JSON, so that a call that is refused unread
 * still gets its reply. The page sends the beat, and the host returns it at once.
 */
export const linePath = '/line';

/** The subprotocol that the host chooses. The page offers the session's secret beside it, because a page cannot set another header of a handshake. */
export const lineProtocol = 'croupier.line';
const sessionPrefix = 'croupier.session.';

/** Returns the subprotocols that a page offers in its handshake. */
export function offeredProtocols(session: string): string[] {
  return [lineProtocol, `${sessionPrefix}${session}`];
}

/** Returns the session's secret in the header of a handshake; empty if there is none or more than one. */
export function offeredSession(header: string | undefined): string {
  const offered = (header ?? '').split(',').map((name) => name.trim());
  const sessions = offered.filter((name) => name.startsWith(sessionPrefix));
  const [session = ''] = sessions;
  if (!offered.includes(lineProtocol) || sessions.length !== 1) return '';
  return /^[A-Za-z0-9_-]+$/.exec(session.slice(sessionPrefix.length))?.[0] ?? '';
}

export const beat = 'beat';

/** Most bytes of a call: room for the longest text, with every second character escaped. */
export const mostCallBytes = 16_000_000;

/** Message for a larger call. */
export const tooLargeCall = 'The request has more than 16,000,000 bytes. Send less at once.';

/** Most open pages of one host. */
export const mostPages = 32;
