import type { Client, Confirmed, GameMode, Launch } from '#shared/ipc/index.ts';
import { AppError } from '#shared/errors.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { LastLaunches } from './last-launches.ts';
import { formProblems, needsToken, type FieldName, type FormProblems } from './launch-form.ts';
import type { LaunchQuestions } from './launch-questions.ts';
import type { LaunchRecords } from './launch-records.ts';
import { closed, idle, waiting, type LaunchSlot, type LaunchTab } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** The texts as they are sent, by name. */
type Fields = Readonly<Record<FieldName, string>>;

/** The user's consent: to what core asks about, and to a token that another launch has. */
interface Given {
  readonly confirmed: Confirmed;
  readonly reuse: boolean;
}

/** Asks the provider for the URL of a tab's game. */
export type PrepareActions = ReturnType<typeof createPrepareLaunches>;

export interface PrepareDeps {
  readonly now: () => number;
  readonly newId: () => string;
  /** Returns the name of a game by its number; empty if it is not known. */
  readonly gameName: (gameId: string) => string;
  readonly setSettings: (settings: boolean) => void;
  /** Returns whether the pool of an environment is known to have no unused token. */
  readonly poolHasNone: (environmentId: string) => boolean;
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
) {
  /** Messages, by tab, after which the user may launch with the same token all the same. */
  const reusable = new Map<string, string>();

  function nameOf({ gameName, typed }: LaunchTab): string {
    return gameName !== '' ? gameName : deps.gameName(typed.gameId ?? '');
  }

  async function prepare(
    id: string,
    environmentId: string,
    gameMode: GameMode,
    fields: Fields,
    given: Given,
    screenAt: number,
  ): Promise<LaunchSlot | null> {
    const tab = find(id);
    if (tab === undefined) return null;
    const ticket = deps.newId();
    const typed = gameMode === 'real' && tab.tokenFrom === 'typed';
    update(id, () => ({ preparing: { state: 'sending', ticket, startedAt: deps.now(), what: 'launch' } }));
    const launch = await client.call('launches.prepare', {
      environmentId,
      gameMode,
      gameName: nameOf(tab).slice(0, 300),
      externalToken: typed ? tab.token : '',
      tokenFrom: tab.tokenFrom,
      ...fields,
      ...given,
      ticket,
    });
    // The token of a pool belongs to its player.
    if (gameMode === 'real' && tab.tokenFrom !== 'typed') showPlayer(id, launch);
    const slot = await slotFor(launch);
    return {
      ...slot,
      token: typed ? tab.token : '',
      shown: launch.problem === null ? waiting : closed,
      screenAt,
    };
  }

  /** Fills the form with what was sent. */
  function showPlayer(id: string, launch: Launch): void {
    update(id, ({ typed }) => ({ typed: { ...typed, ...playerOf(launch) } }));
  }

  /** Says why a typed token would be used twice; null if it would not. */
  function tokenProblem(tab: LaunchTab): string | null {
    const { length } = tab.screens;
    if (length > 1)
      return `${length} games would use this token. Choose one device or fun mode, use the pool, or launch again to use it ${length} times.`;
    const user = last.userOf(tab.token, tab.id);
    if (user === undefined) return null;
    const name = nameOf(user) === '' ? 'Another launch' : nameOf(user);
    return `${name} is open with this token. Use another one, or launch again to use it twice.`;
  }

  /** Returns what is wrong with a form. Core looks at its token, too; here it is found before this tab's own game ends. */
  function problemsOf(tab: LaunchTab, environmentId: string, reuse: boolean): FormProblems {
    const problems = formProblems(tab);
    if (needsToken(tab.mode) && tab.tokenFrom === 'pool' && deps.poolHasNone(environmentId))
      return { ...problems, token: 'The pool has no unused token. Add tokens, reset used ones, or type one.' };
    const typed = needsToken(tab.mode) && tab.tokenFrom === 'typed';
    const token = typed ? tokenProblem(tab) : null;
    if (token === null || problems.token !== undefined || reuse) return problems;
    reusable.set(tab.id, token);
    return { ...problems, token };
  }

  /** Shows what core says about the token at its field; returns false for any other refusal. */
  function showTokenProblem(id: string, error: unknown): boolean {
    const details = error instanceof AppError ? error.details : null;
    if (!(error instanceof AppError) || typeof details !== 'object' || details === null) return false;
    if (!('field' in details) || details.field !== 'externalToken') return false;
    if ('reuse' in details) reusable.set(id, error.message);
    update(id, ({ problems }) => ({ preparing: idle, problems: { ...problems, token: error.message } }));
    deps.setSettings(true);
    return true;
  }

  /** Ends what the tab has open. */
  async function clearStage(id: string): Promise<void> {
    const before = find(id)?.slots ?? [];
    update(id, () => ({ slots: [], slotId: null }));
    deps.setSettings(false);
    // Also one that waits: it has its token.
    const ending = before.filter(({ shown: { state } }) => state !== 'closed');
    await Promise.all(ending.map((slot) => endGame(slot.launch.id)));
  }

  async function launch(id: string, environmentId: string, fields: Fields, answered?: Given): Promise<void> {
    const tab = find(id);
    if (tab === undefined || tab.preparing.state === 'sending') return;
    const shown = tab.problems.token;
    const given = answered ?? { confirmed: false, reuse: shown !== undefined && reusable.get(id) === shown };
    const problems = problemsOf(tab, environmentId, given.reuse);
    update(id, () => ({ problems }));
    if (Object.keys(problems).length > 0) return deps.setSettings(true);
    last.remember(environmentId, tab);
    update(id, () => ({ renewal: null }));
    const slots: LaunchSlot[] = [];
    let cleared = false;
    async function clear(): Promise<void> {
      if (cleared) return;
      cleared = true;
      await clearStage(id);
    }
    // All at once: a frame that gets a neighbour later would be drawn again, and its game would begin again.
    const finish = () =>
      update(id, () => ({ preparing: idle, ...(cleared ? { slots, slotId: slots[0]?.launch.id ?? null } : {}) }));
    try {
      // A pool or a command may have no token: then the present game goes on.
      if (!needsToken(tab.mode) || tab.tokenFrom === 'typed') await clear();
      let sent = fields;
      const modes: readonly GameMode[] = tab.mode === 'both' ? ['real', 'fun'] : [tab.mode];
      const wanted = tab.screens.flatMap((_screen, at) => modes.map((mode) => ({ mode, at })));
      for (const { mode, at } of wanted) {
        const slot = await prepare(id, environmentId, mode, sent, given, at);
        await clear();
        if (slot !== null) slots.push(slot);
        // Both modes are of one player.
        if (slot !== null && tab.tokenFrom !== 'typed') sent = { ...sent, ...playerOf(slot.launch) };
        if (slot === null || slot.launch.call.state === 'cancelled') break;
      }
      finish();
    } catch (error) {
      finish();
      if (!showTokenProblem(id, error))
        refuse(id, error, (confirmed) => startWork(launch(id, environmentId, fields, { ...given, confirmed })));
    }
    startWork(deps.loadPlayers());
  }

  return { launch: (id: string, environmentId: string, fields: Fields): Promise<void> => launch(id, environmentId, fields) };
}

function playerOf({ playerId, lang, country }: Launch): Pick<Fields, 'playerId' | 'lang' | 'country'> {
  return { playerId, lang, country };
}
