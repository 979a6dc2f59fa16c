import { late, otherwise, textUpTo, z } from '#shared/model/schema.ts';
import { fieldNames } from './launch-form.ts';
import type { LauncherLayout } from './launcher-layout.ts';
import type { RecordChoice } from './record-choice.ts';
import type { TabListState } from './tab-list.ts';

const savedSchema = late(() => {
  const share = z.number().check(z.gte(1), z.lte(99));
  const tab = z.object({
    typed: otherwise(z.partialRecord(z.enum(fieldNames), textUpTo(10_000)), {}),
    gameName: otherwise(textUpTo(300), ''),
    mode: otherwise(z.enum(['real', 'fun', 'both']), 'fun'),
    launches: otherwise(z.array(z.string()).check(z.maxLength(2)), []),
  });

  return z.object({
    version: z.literal(1),
    active: otherwise(z.int(), 0),
    device: otherwise(z.enum(['desktop', 'tablet', 'phone']), 'desktop'),
    rotated: otherwise(z.boolean(), false),
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
  Pick<LauncherLayout, 'device' | 'rotated' | 'zoom' | 'shares'> &
  Pick<RecordChoice, 'follow'>;

/** Returns JSON text of the tabs' forms and the look of the stage. */
export function writeLauncher(state: Remembered): string {
  const { device, rotated, zoom, follow, shares } = state;
  const saved: SavedLauncher = {
    version: 1,
    active: state.tabs.findIndex((tab) => tab.id === state.activeId),
    device,
    rotated,
    zoom,
    follow,
    shares,
    tabs: state.tabs.slice(0, 40).map(({ typed, gameName, mode, slots }) => ({
      typed: { ...typed },
      gameName,
      mode,
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
