import type { SandboxPlayer } from '#shared/ipc/index.ts';
import { needsToken, type FieldName, type LaunchMode, type TokenFrom } from './launch-form.ts';
import { idle, type LaunchTab } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** Changes the texts and choices of a tab. */
export type FormEditActions = ReturnType<typeof createFormEdits>;

/** Creates the actions that edit a tab's form: each edit drops the messages about the text before it. */
export function createFormEdits({ update }: Pick<TabList, 'update'>) {
  return {
    setField(id: string, name: FieldName, text: string) {
      update(id, (tab) => ({
        typed: { ...tab.typed, [name]: text },
        ...(name === 'gameId' ? { gameName: '', problems: without(tab.problems, 'gameId') } : {}),
        ...dropRefusal(tab),
      }));
    },
    setMode(id: string, mode: LaunchMode) {
      update(id, (tab) => ({ mode, problems: needsToken(mode) ? tab.problems : {}, ...dropRefusal(tab) }));
    },
    setToken(id: string, token: string) {
      update(id, (tab) => ({
        token,
        renewal: null,
        problems: without(tab.problems, 'token'),
        ...dropRefusal(tab),
      }));
    },
    setTokenFrom(id: string, tokenFrom: TokenFrom) {
      update(id, (tab) => ({ tokenFrom, problems: without(tab.problems, 'token'), ...dropRefusal(tab) }));
    },
    takeToken(id: string, player: SandboxPlayer) {
      // A token belongs to its player: the rest of the session goes with it.
      update(id, (tab) => ({
        token: player.externalToken,
        tokenFrom: 'typed',
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
