import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Zoom } from './device.ts';

type SplitName = 'record' | 'both';

/** Layout of the games, whichever tab is open. */
export interface LauncherLayout {
  readonly zoom: Zoom;
  readonly shares: Readonly<Record<SplitName, number>>;
  /** On a narrow window: the settings of the launch in place of the game. */
  readonly settings: boolean;
  /** True while the way past the built-in provider's certificate is shown. */
  readonly certificateHelp: boolean;
}

export interface LauncherLayoutState extends LauncherLayout {
  readonly setZoom: (zoom: Zoom) => void;
  readonly setShare: (split: SplitName, share: number) => void;
  readonly setSettings: (settings: boolean) => void;
  readonly closeCertificateHelp: () => void;
}

/** Creates the part of the store that holds the layout. */
export function createLauncherLayout({ setState: set }: Pick<StorePart<LauncherLayout>, 'setState'>): LauncherLayoutState {
  return {
    zoom: 'fit',
    shares: { record: 66, both: 50 },
    settings: true,
    certificateHelp: true,
    setZoom: (zoom) => set({ zoom }),
    setShare: (split, share) => set((state) => ({ shares: { ...state.shares, [split]: share } })),
    setSettings: (settings) => set({ settings }),
    closeCertificateHelp: () => set({ certificateHelp: false }),
  };
}
