import type { Typed } from './launch-form.ts';
import { isOpen, type LaunchTab } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

type LastForm = Pick<LaunchTab, 'typed' | 'token' | 'tokenFrom'>;

/** The form of the last launch in each environment, for the next one. Tokens are in memory alone. */
export interface LastLaunches {
  readonly remember: (environmentId: string, tab: LastForm) => void;
  /** Returns how the form of a new launch begins; without the token if an open launch uses it. */
  readonly start: (environmentId: string) => LastForm;
  /** Returns the tab, other than this one, whose open launch uses a token. */
  readonly userOf: (token: string, id: string) => LaunchTab | undefined;
}

/** Creates the memory. A session token is one player's session: two launches with one end or mix each other's rounds. */
export function createLastLaunches({ all }: Pick<TabList, 'all'>): LastLaunches {
  const lasts = new Map<string, LastForm>();
  const uses = (token: string) => (tab: LaunchTab) =>
    token !== '' && tab.slots.some((slot) => isOpen(slot) && slot.launch.gameMode === 'real' && slot.token === token);
  return {
    remember(environmentId, { typed, token, tokenFrom }) {
      const { gameId: _ofThisLaunch, ...rest }: Typed = typed;
      lasts.set(environmentId, { typed: rest, token, tokenFrom });
    },
    start(environmentId) {
      const last = lasts.get(environmentId) ?? { typed: {}, token: '', tokenFrom: 'typed' };
      return all().some(uses(last.token)) ? { ...last, token: '' } : last;
    },
    userOf: (token, id) => all().find((tab) => tab.id !== id && uses(token)(tab)),
  };
}
