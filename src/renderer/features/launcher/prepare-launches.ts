import type { Client, Confirmed, GameMode } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { LastLaunches } from './last-launches.ts';
import { formProblems, needsToken, type FieldName, type FormProblems } from './launch-form.ts';
import type { LaunchQuestions } from './launch-questions.ts';
import type { LaunchRecords } from './launch-records.ts';
import { closed, idle, isOpen, waiting, type LaunchSlot, type LaunchTab } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** The texts as they are sent, by name. */
type Fields = Readonly<Record<FieldName, string>>;

/** Asks the provider for the URL of a tab's game. */
export interface PrepareActions {
  readonly launch: (id: string, environmentId: string, fields: Fields) => Promise<void>;
}

export interface PrepareDeps {
  readonly now: () => number;
  readonly newId: () => string;
  /** Returns the name of a game by its number; empty if it is not known. */
  readonly gameName: (gameId: string) => string;
  readonly setSettings: (settings: boolean) => void;
  /** Called because a launch may change a player's balance. */
  readonly loadPlayers: () => Promise<void>;
}

/** Creates the action that launches a tab's game. */
export function createPrepareLaunches(
  client: Client,
  deps: PrepareDeps,
  { find, update }: Pick<TabList, 'find' | 'update'>,
  { slotFor, endGame, refuse }: Pick<LaunchRecords, 'slotFor' | 'endGame'> & Pick<LaunchQuestions, 'refuse'>,
  last: LastLaunches,
): PrepareActions {
  function nameOf({ gameName, typed }: LaunchTab): string {
    return gameName !== '' ? gameName : deps.gameName(typed.gameId ?? '');
  }

  async function prepare(
    id: string,
    environmentId: string,
    gameMode: GameMode,
    fields: Fields,
    confirmed: Confirmed,
  ): Promise<LaunchSlot | null> {
    const tab = find(id);
    if (tab === undefined) return null;
    const ticket = deps.newId();
    update(id, () => ({ preparing: { state: 'sending', ticket, startedAt: deps.now(), what: 'launch' } }));
    const launch = await client.call('launches.prepare', {
      environmentId,
      gameMode,
      gameName: nameOf(tab).slice(0, 300),
      externalToken: gameMode === 'real' ? tab.token : '',
      ...fields,
      ticket,
      confirmed,
    });
    const slot = await slotFor(launch);
    return { ...slot, token: gameMode === 'real' ? tab.token : '', shown: launch.problem === null ? waiting : closed };
  }

  /** Returns what is wrong with a form; a token of another open launch only until the user launches with it all the same. */
  function problemsOf(tab: LaunchTab): FormProblems {
    const problems = formProblems(tab.typed, tab.mode, tab.token);
    const user = needsToken(tab.mode) ? last.userOf(tab.token, tab.id) : undefined;
    if (user === undefined || problems.token !== undefined) return problems;
    const name = nameOf(user) === '' ? 'Another launch' : nameOf(user);
    const token = `${name} is open with this token. Take another one, or launch again to use it twice.`;
    return tab.problems.token === token ? problems : { ...problems, token };
  }

  async function launch(id: string, environmentId: string, fields: Fields, confirmed: Confirmed = false): Promise<void> {
    const tab = find(id);
    if (tab === undefined || tab.preparing.state === 'sending') return;
    const problems = problemsOf(tab);
    update(id, () => ({ problems }));
    if (Object.keys(problems).length > 0) return deps.setSettings(true);
    last.remember(environmentId, tab);
    const before = tab.slots;
    update(id, () => ({ slots: [], slotId: null, renewal: null }));
    deps.setSettings(false);
    await Promise.all(before.filter(isOpen).map((slot) => endGame(slot.launch.id)));
    const slots: LaunchSlot[] = [];
    // All at once: a frame that gets a neighbour later would be drawn again, and its game would begin again.
    const finish = () => update(id, () => ({ preparing: idle, slots, slotId: slots[0]?.launch.id ?? null }));
    try {
      const modes: readonly GameMode[] = tab.mode === 'both' ? ['real', 'fun'] : [tab.mode];
      for (const mode of modes) {
        const slot = await prepare(id, environmentId, mode, fields, confirmed);
        if (slot !== null) slots.push(slot);
        if (slot === null || slot.launch.call.state === 'cancelled') break;
      }
      finish();
    } catch (error) {
      finish();
      refuse(id, error, (given) => startWork(launch(id, environmentId, fields, given)));
    }
    startWork(deps.loadPlayers());
  }

  return { launch: (id, environmentId, fields) => launch(id, environmentId, fields) };
}
