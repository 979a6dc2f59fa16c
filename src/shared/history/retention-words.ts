import type { Retention } from '../ipc/history.ts';
import type { RetentionPreview, WaitingRemoval } from '../ipc/outputs/history.ts';
import { sizeText } from '../byte-size.ts';

/** Returns the day of a moment in the zone of this machine: `2026-11-23`. */
export function dayText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return 'an unknown day';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Writes `4,000 calls, 12.5 MB, sent from 2026-01-01 to 2026-02-01`. */
function removedText({ calls, bytes, from, to }: Pick<RetentionPreview, 'calls' | 'bytes' | 'from' | 'to'>): string {
  const sent = from === null || to === null ? '' : `, sent ${dates(from, to)}`;
  return `${callsText(calls)}, ${sizeText(bytes)}${sent}`;
}

/** Says what the limits would remove now and what stays. */
export function previewText(preview: RetentionPreview, limits: Retention): string {
  const { calls, left, pinned } = preview;
  if (!isLimited(limits)) return 'Without a limit, Croupier removes no calls.';
  const stays = pinned === 0 ? '' : `, including ${pinned.toLocaleString('en')} pinned`;
  if (calls === 0) return `These limits remove nothing now: ${callsText(left)} ${left === 1 ? 'stays' : 'stay'}${stays}.`;
  return `These limits remove ${removedText(preview)}. ${callsText(left)} ${left === 1 ? 'stays' : 'stay'}${stays}. There is no undo.`;
}

function isLimited(limits: Retention): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}

/** Says why a removal waits and what it would remove. */
export function waitingText(waiting: WaitingRemoval): string {
  const why =
    waiting.why === 'clock'
      ? `This computer's clock jumped from ${dayText(waiting.seenAt ?? waiting.at)} to ${dayText(waiting.at)} since the limits were last applied. The limits would now remove`
      : 'The limits would remove far more than you have sent since they were last applied:';
  return `${why} ${removedText(waiting)}. Croupier removes nothing until you choose.`;
}

/** Explains the choice to keep the calls. */
export const keepWaitingText = 'If you keep them, Croupier turns the limits off.';

export function callsText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'call' : 'calls'}`;
}

function dates(from: number, to: number): string {
  const [first, last] = [dayText(from), dayText(to)];
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}
