import { inside } from './addresses.ts';
import type { CdpSession } from './cdp.ts';

const levels: Readonly<Record<string, string>> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  debug: 'debug',
  verbose: 'debug',
};

/** Emits `console-message` for a page's console, its uncaught errors and the browser's messages to it. */
export function followConsole(cdp: CdpSession, contents: { emit(name: string, ...values: unknown[]): boolean }): void {
  /** Emits one message. `line` counts from 0, as in the debugging protocol; Electron counts from 1, and 0 is not a line. */
  function tell(level: string, message: string, url = '', line = -1): void {
    contents.emit('console-message', { level: levels[level] ?? 'info', message, lineNumber: line + 1, sourceId: inside(url) });
  }
  cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    const text = args.map(({ value, description }) => (value === undefined ? (description ?? '') : String(value))).join(' ');
    const [frame] = stackTrace?.callFrames ?? [];
    tell(type, text, frame?.url, frame?.lineNumber);
  });
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    const { text, exception, url, lineNumber } = exceptionDetails;
    tell('error', `${text} ${exception?.description ?? ''}`.trim(), url, lineNumber);
  });
  cdp.on('Log.entryAdded', ({ entry }) => tell(entry.level, entry.text, entry.url, entry.lineNumber));
}
