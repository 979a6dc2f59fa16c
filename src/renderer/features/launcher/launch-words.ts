import type { Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { optionsOf } from '#renderer/ui/options.ts';
import { launchClock } from '#shared/launches/clock.ts';
import type { LaunchSlot, LaunchTab } from './tabs/launch-tab.ts';

export type RecordGroup = 'all' | LaunchEntry['group'];

/** The tabs of the record, in their order. */
export const groups = optionsOf<RecordGroup>({
  all: 'All',
  navigation: 'Navigation',
  console: 'Console',
  requests: 'Requests',
  blocked: 'Blocked',
  other: 'Other',
});

/** Names of the levels, for readers who cannot see their colours. */
export const levelWords: Readonly<Record<LaunchEntry['level'], string>> = {
  info: 'Note',
  good: 'Good',
  warning: 'Warning',
  error: 'Error',
  blocked: 'Stopped',
};

/** Returns milliseconds of a launch's clock as seconds: `−0.40`, `12.30`; from ten minutes on `10:05`. */
export function clockText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 600) return `${ms < 0 ? '−' : ''}${Math.abs(seconds).toFixed(2)}`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** Returns the title of a launch: its game's name, else its number, else its kind. */
export function launchTitle(launch: Pick<Launch, 'gameName' | 'gameId' | 'source'>): string {
  if (launch.gameName !== '') return launch.gameName;
  if (launch.gameId !== '') return `Game ${launch.gameId}`;
  return launch.source === 'replay' ? 'Replay of a round' : 'Launch';
}

/** Returns `real`, `fun` or `replay`, as it stands on a tab. */
export function modeText(launch: Pick<Launch, 'gameMode' | 'source'>): string {
  return launch.gameMode ?? (launch.source === 'replay' ? 'replay' : 'launch');
}

/** Returns a launch of a tab as its neighbours differ from it: by mode, and by device if there are several. */
export function slotText({ slots, screens }: Pick<LaunchTab, 'slots' | 'screens'>, { launch, screenAt }: LaunchSlot): string {
  const mode = modeText(launch);
  if (slots.every((one) => one.screenAt === screenAt)) return mode;
  return `${screenAt < 0 ? 'left out' : (screens[screenAt]?.device?.name ?? 'Desktop')}, ${mode}`;
}

/** Returns the URL without its query: `localhost:8443/game/golden-orchard`. */
export function placeText(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.host}${parsed.pathname}`;
}

/** Returns `first paint 0.6 s, loaded 1.4 s, ready 1.9 s` of the latest opening, by the launch's clock; null while nothing loaded. A frame says none. */
export function timesText(entries: readonly LaunchEntry[]): string | null {
  const opened = entries.findLast((entry) => entry.kind === 'opened');
  if (opened?.signal?.type !== 'opened' || opened.signal.host === 'frame') return null;
  const clock = launchClock(entries);
  const since = entries.filter(({ seq }) => seq > opened.seq);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const loaded = since.find(({ kind }) => kind === 'loaded');
  const ready = since.map(({ signal }) => signal).find((signal) => signal?.type === 'ready');
  const paint = ready?.firstPaint ?? null;
  const parts = [
    paint === null ? '' : `first paint ${seconds(paint)}`,
    loaded === undefined ? '' : `loaded ${seconds(clock(loaded, loaded.at))}`,
    ready === undefined ? '' : `${ready.by === 'drawn' ? 'drawn' : 'ready'} ${seconds(ready.after)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

/** Returns the entries of one tab that hold every word of the text. */
export function filterEntries(entries: readonly LaunchEntry[], group: RecordGroup, text: string): readonly LaunchEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (group === 'all' && words.length === 0) return entries;
  return entries.filter((entry) => {
    if (group !== 'all' && entry.group !== group) return false;
    if (words.length === 0) return true;
    const haystack = `${entry.title} ${entry.detail} ${levelWords[entry.level]}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
