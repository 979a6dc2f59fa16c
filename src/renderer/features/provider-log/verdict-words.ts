import { amount } from '#shared/amount.ts';
import { withSigns } from '#shared/json/hidden-characters.ts';
import { operations } from '#shared/provider/index.ts';
import type { LoggedVerdict } from '#shared/ipc/index.ts';
import type { PillTone } from '#renderer/ui/pill.tsx';

/** Returns `12 verdicts, 3 older ones released`. */
export function countText(count: number, dropped: number): string {
  return `${amount(count, 'verdict')}${dropped === 0 ? '' : `, ${dropped.toLocaleString('en')} older dropped`}`;
}

/** Returns the action of the request, or its path if it has none. */
export function askedText({ action, path }: Pick<LoggedVerdict, 'action' | 'path'>): string {
  return action ?? path;
}

/** Returns `0 ok`, `code 8`; in the words of the history. */
export function codeText({ verdict }: Pick<LoggedVerdict, 'verdict'>): string {
  return verdict.code === 0 ? '0 ok' : `code ${verdict.code}`;
}

export function codeTone({ verdict }: Pick<LoggedVerdict, 'verdict'>): PillTone {
  return verdict.code === 0 ? 'good' : 'bad';
}

/**
 * Returns the reason in a few sentences. For a hash, the parts beside it show the rest: the mistake that explains it, or that none was found and what
 * was not tried.
 */
export function whyText({ verdict }: Pick<LoggedVerdict, 'verdict'>): string {
  const { expected, mistake, reason, why } = verdict;
  return expected?.input ? (mistake ?? reason) : why;
}

/** Returns the reason of a rejection; empty for a request that was accepted. */
export function rejectionText(entry: Pick<LoggedVerdict, 'verdict'>): string {
  return entry.verdict.code === 0 ? '' : whyText(entry);
}

/** Returns whether the provider put the placeholder in place of the key, which the request held itself. */
export function carriedKey({ bodyText, headers }: Pick<LoggedVerdict, 'bodyText' | 'headers'>): boolean {
  return [bodyText, ...(headers ?? []).flat()].some((text) => text.includes('<PRIVATE_KEY>'));
}

const known = new Set(operations.flatMap(({ endpoint, path }) => (endpoint === 'wallet' ? [path] : [])));

/** Returns the sender of a request that is no call of the history, as far as it is known. */
export function senderText({ headers, path }: Pick<LoggedVerdict, 'headers' | 'path'>): string {
  if (headers === null && known.has(path)) return 'Sent by the demo game';
  return 'No matching call: another program sent it, or two identical calls waited at once';
}

/** A text around one position of it, for showing a long one. */
export interface TextWindow {
  readonly before: string;
  /** The character at the position; empty at the end and without a position. */
  readonly at: string;
  readonly after: string;
  /** Numbers of characters that are left out at the two ends. */
  readonly hidden: readonly [number, number];
}

/** Number of characters before the position: few enough that it is in sight without scrolling. */
const reachBefore = 160;
const reachAfter = 1_500;

/** Returns the text from a little before the position to 1,500 characters behind it; from its beginning without a position. */
export function windowAround(text: string, place: number | null): TextWindow {
  const at = Math.min(place ?? 0, text.length);
  const character = place === null ? '' : String.fromCodePoint(...[text.codePointAt(at)].filter((one) => one !== undefined));
  const start = Math.max(0, at - reachBefore);
  const end = Math.min(text.length, at + character.length + reachAfter);
  return {
    before: text.slice(start, at),
    at: character,
    after: text.slice(at + character.length, end),
    hidden: [start, text.length - end],
  };
}

/** Makes white space and invisible characters visible, because a difference may consist of nothing else. */
export function visible(text: string): string {
  return text === '' ? '(the end)' : withSigns(text);
}
