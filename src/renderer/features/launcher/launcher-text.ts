import { z } from '#shared/ipc/contract.ts';
import { fieldNames } from './launch-form.ts';
import type { LauncherState } from './launcher-state.ts';

const Share = z.number().min(1).max(99);

const SavedTab = z.object({
  typed: z.partialRecord(z.enum(fieldNames), z.string().max(10_000)).catch({}),
  gameName: z.string().max(300).catch(''),
  mode: z.enum(['real', 'fun', 'both']).catch('fun'),
  launches: z.array(z.string()).max(2).catch([]),
});

const Saved = z.object({
  version: z.literal(1),
  active: z.number().int().catch(0),
  device: z.enum(['desktop', 'tablet', 'phone']).catch('desktop'),
  rotated: z.boolean().catch(false),
  zoom: z.union([z.literal('fit'), z.number().min(0.25).max(5)]).catch('fit'),
  follow: z.boolean().catch(true),
  shares: z.object({ record: Share, both: Share }).catch({ record: 66, both: 50 }),
  tabs: z.array(SavedTab).max(40).catch([]),
});

/** What is remembered of the launcher between runs. Tokens are not, and addresses are not. */
export type SavedLauncher = z.infer<typeof Saved>;

type Remembered = Pick<LauncherState, 'tabs' | 'activeId' | 'device' | 'rotated' | 'zoom' | 'follow' | 'shares'>;

/** JSON text of the tabs' forms and the look of the stage. */
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

/** Reads what `writeLauncher` wrote; null for any other text. */
export function readLauncher(text: string): SavedLauncher | null {
  try {
    const parsed = Saved.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
