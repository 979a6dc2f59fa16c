import { needsToken } from './launch-form.ts';
import type { LauncherState, LaunchTab } from './launcher-state.ts';
import { idle, type Tabs } from './tabs.ts';

/** The part of the launcher that is typed and chosen: each edit drops what was said against the text before it. */
export function createFormEdits({
  update,
}: Pick<Tabs, 'update'>): Pick<LauncherState, 'setField' | 'setMode' | 'setToken' | 'takeToken'> {
  return {
    setField(id, name, text) {
      update(id, (tab) => ({
        typed: { ...tab.typed, [name]: text },
        ...(name === 'gameId' ? { gameName: '', problems: without(tab.problems, 'gameId') } : {}),
        ...dropRefusal(tab),
      }));
    },
    setMode(id, mode) {
      update(id, (tab) => ({ mode, problems: needsToken(mode) ? tab.problems : {}, ...dropRefusal(tab) }));
    },
    setToken(id, token) {
      update(id, (tab) => ({
        token,
        renewal: null,
        problems: without(tab.problems, 'token'),
        ...dropRefusal(tab),
      }));
    },
    takeToken(id, player) {
      // A token belongs to its player: the rest of the session goes with it.
      update(id, (tab) => ({
        token: player.externalToken,
        typed: { ...tab.typed, playerId: player.playerId, country: player.country },
        renewal: null,
        problems: without(tab.problems, 'token'),
        ...dropRefusal(tab),
      }));
    },
  };
}

function without(problems: LaunchTab['problems'], name: 'gameId' | 'token'): LaunchTab['problems'] {
  const { [name]: _gone, ...rest } = problems;
  return rest;
}

function dropRefusal(tab: LaunchTab): Partial<LaunchTab> {
  return tab.preparing.state === 'refused' ? { preparing: idle } : {};
}
