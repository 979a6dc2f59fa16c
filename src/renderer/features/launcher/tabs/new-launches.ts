import type { Client, GameMode, Launch, SandboxPlayer } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { LastLaunches } from './last-launches.ts';
import { usualPlayer } from './launch-form.ts';
import type { LaunchRecords } from './launch-records.ts';
import { closed, waiting } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** A request for a launch from another screen. */
export interface GameToLaunch {
  readonly environmentId: string;
  readonly gameId: string;
  readonly gameName: string;
  readonly mode: GameMode;
}

/** Opens tabs for games, calls and earlier launches. */
export type NewLaunchActions = ReturnType<typeof createNewLaunches>;

export interface NewLaunchDeps {
  readonly notify: Notify;
  readonly setSettings: (settings: boolean) => void;
  /** Fetches the players of the built-in provider, and returns them. */
  readonly players: () => Promise<readonly SandboxPlayer[]>;
  readonly takeToken: (id: string, player: SandboxPlayer) => void;
  readonly slotFor: LaunchRecords['slotFor'];
  readonly last: Pick<LastLaunches, 'start' | 'userOf'>;
}

/** Creates the actions that open tabs. */
export function createNewLaunches(
  client: Client,
  { notify, setSettings, players, takeToken, slotFor, last }: NewLaunchDeps,
  { all, find, add, fresh, select }: Pick<TabList, 'all' | 'find' | 'add' | 'fresh'> & { readonly select: (id: string) => void },
) {
  return {
    /** Opens an empty tab, with the form of the environment's last launch. */
    newTab(environmentId: string | null) {
      const start = environmentId === null ? {} : last.start(environmentId);
      add({ ...start, mode: find(undefined)?.mode ?? 'fun' });
      setSettings(true);
    },
    /** Opens a tab for a game, with a token of the built-in provider if real mode needs one; resolves to the tab's ID. */
    async prepareGame({ environmentId, gameId, gameName, mode }: GameToLaunch, sandbox: boolean): Promise<string> {
      const start = last.start(environmentId);
      const id = fresh({ ...start, typed: { ...start.typed, gameId }, gameName, mode });
      if (mode === 'fun' || !sandbox || start.tokenFrom !== 'typed') return id;
      const known = await players();
      const free = known.filter(({ externalToken }) => last.userOf(externalToken, id) === undefined);
      const player = usualPlayer(free.length === 0 ? known : free, '');
      if (player !== null && find(id)?.token === '') takeToken(id, player);
      return id;
    },
    /** Opens a launch from a call of getLauncherURL or roundReplayInfo; resolves to false if it could not be made. */
    async fromCall(callId: number, gameName: string = ''): Promise<boolean> {
      try {
        const launch = await client.call('launches.fromCall', { callId, gameName });
        const slot = await slotFor(launch);
        const { gameId, gameMode, exitURL } = launch;
        fresh({
          typed: launch.source === 'replay' ? {} : { gameId, exitURL },
          gameName: launch.gameName,
          mode: gameMode ?? 'fun',
          slots: [{ ...slot, shown: launch.problem === null ? waiting : closed }],
          slotId: launch.id,
        });
        setSettings(false);
        return true;
      } catch (thrown) {
        notify({ tone: 'bad', text: `The launcher could not open this call. ${asAppError(thrown).message}` });
        return false;
      }
    },
    async openEarlier(launch: Launch): Promise<void> {
      const open = all().find((tab) => tab.slots.some((slot) => slot.launch.id === launch.id));
      if (open !== undefined) return select(open.id);
      const slot = await slotFor(launch);
      const { gameId, gameName, gameMode, exitURL } = launch;
      fresh({
        typed: gameId === '' ? {} : { gameId, exitURL },
        gameName,
        mode: gameMode ?? 'fun',
        slots: [slot],
        slotId: launch.id,
      });
      setSettings(false);
    },
  };
}
