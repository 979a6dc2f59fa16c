import { deviceSchema, networkSpeedSchema } from '#shared/model/device.ts';
import { late, otherwise, textUpTo, wholeNumber, z } from '#shared/model/schema.ts';
import { ownBrowser, roomScreen } from '../device.ts';
import { ownPlace } from './launch-tab.ts';
import { fieldNames } from './launch-form.ts';
import type { LauncherLayout } from '../launcher-layout.ts';
import type { RecordChoice } from '../records/record-choice.ts';
import { mostScreens } from './screen-edits.ts';
import type { TabListState } from './tab-list.ts';

const savedSchema = late(() => {
  const share = z.number().check(z.gte(1), z.lte(99));
  const screen = z.object({ device: z.nullable(deviceSchema()), rotated: z.boolean() });
  const browser = z.object({
    lang: textUpTo(35),
    timeZone: textUpTo(60),
    network: networkSpeedSchema(),
    slowdown: wholeNumber(1, 20),
  });
  const frame = z.object({ framed: z.boolean(), origin: z.nullable(textUpTo(300)), cookies: z.enum(['allowed', 'refused']) });
  const tab = z.object({
    typed: otherwise(z.partialRecord(z.enum(fieldNames), textUpTo(10_000)), {}),
    gameName: otherwise(textUpTo(300), ''),
    mode: otherwise(z.enum(['real', 'fun', 'both']), 'fun'),
    launches: otherwise(z.array(z.string()).check(z.maxLength(8)), []),
    screens: otherwise(z.array(screen).check(z.minLength(1), z.maxLength(mostScreens)), [roomScreen]),
    browser: otherwise(browser, ownBrowser),
    frame: otherwise(frame, ownPlace),
  });

  return z.object({
    version: z.literal(1),
    active: otherwise(z.int(), 0),
    zoom: otherwise(z.union([z.literal('fit'), z.number().check(z.gte(0.25), z.lte(5))]), 'fit'),
    follow: otherwise(z.boolean(), true),
    shares: otherwise(z.object({ record: share, both: share }), { record: 66, both: 50 }),
    tabs: otherwise(z.array(tab).check(z.maxLength(40)), []),
  });
});

/** The state of the launcher that later sessions remember. Tokens and URLs of launches are not in it. */
export type SavedLauncher = z.infer<ReturnType<typeof savedSchema>>;

/** The parts of the launcher's state that are remembered. */
export type Remembered = Pick<TabListState, 'tabs' | 'activeId'> &
  Pick<LauncherLayout, 'zoom' | 'shares'> &
  Pick<RecordChoice, 'follow'>;

/** Returns JSON text of the tabs' forms and the look of the stage. */
export function writeLauncher(state: Remembered): string {
  const { zoom, follow, shares } = state;
  const saved: SavedLauncher = {
    version: 1,
    active: state.tabs.findIndex((tab) => tab.id === state.activeId),
    zoom,
    follow,
    shares,
    tabs: state.tabs.slice(0, 40).map(({ typed, gameName, mode, screens, browser, frame, slots }) => ({
      typed: { ...typed },
      gameName,
      mode,
      screens: [...screens],
      browser,
      frame,
      launches: slots.map(({ launch }) => launch.id),
    })),
  };
  return JSON.stringify(saved);
}

/** Reads the text of `writeLauncher`; null for any other text. */
export function readLauncher(text: string): SavedLauncher | null {
  try {
    const parsed = savedSchema().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
