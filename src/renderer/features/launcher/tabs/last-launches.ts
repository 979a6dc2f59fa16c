import { ownBrowser, roomScreen } from '../device.ts';
import type { Typed } from './launch-form.ts';
import { isOpen, ownPlace, type LaunchTab } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** The part of a tab that the next launch begins with. */
type Form = Pick<LaunchTab, 'typed' | 'token' | 'tokenFrom' | 'screens' | 'browser' | 'frame'>;

/** The form of the last launch in each environment, for the next one. Tokens are in memory alone. */
export type LastLaunches = ReturnType<typeof createLastLaunches>;

const fresh: Form = { typed: {}, token: '', tokenFrom: 'typed', screens: [roomScreen], browser: ownBrowser, frame: ownPlace };

/** Creates the memory. A session token is one player's session: two launches with one end or mix each other's rounds. */
export function createLastLaunches({ all }: Pick<TabList, 'all'>) {
  const lasts = new Map<string, Form>();
  const uses = (token: string) => (tab: LaunchTab) =>
    token !== '' && tab.slots.some((slot) => isOpen(slot) && slot.launch.gameMode === 'real' && slot.token === token);
  return {
    remember(environmentId: string, { typed, token, tokenFrom, screens, browser, frame }: Form) {
      const { gameId: _ofThisLaunch, ...rest }: Typed = typed;
      lasts.set(environmentId, { typed: rest, token, tokenFrom, screens, browser, frame });
    },
    /** Returns how the form of a new launch begins; without the token if an open launch uses it. */
    start(environmentId: string): Form {
      const last = lasts.get(environmentId) ?? fresh;
      return all().some(uses(last.token)) ? { ...last, token: '' } : last;
    },
    /** Returns the tab, other than this one, whose open launch uses a token. */
    userOf: (token: string, id: string): LaunchTab | undefined => all().find((tab) => tab.id !== id && uses(token)(tab)),
  };
}
