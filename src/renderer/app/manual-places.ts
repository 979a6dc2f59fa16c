import type { AreaName } from '#shared/areas.ts';
import type { ManualPlace } from '#renderer/features/manual/manual-store.ts';

/** The place in the help that explains each screen. */
export const manualPlaces: Readonly<Record<AreaName, ManualPlace>> = {
  requests: { page: 'requests', heading: null },
  games: { page: 'launching', heading: 'pick-a-game' },
  launcher: { page: 'launching', heading: 'watch-it-in-the-launcher' },
  rounds: { page: 'rounds', heading: null },
  runs: { page: 'runs', heading: null },
  wallet: { page: 'wallet', heading: null },
  history: { page: 'history', heading: null },
  gateway: { page: 'gateway', heading: null },
  doctor: { page: 'doctor', heading: null },
  openPoints: { page: 'open-points', heading: null },
  environments: { page: 'environments', heading: null },
  settings: { page: 'settings', heading: null },
};
