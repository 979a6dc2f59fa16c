import type { Client, Confirmed, GameMode } from '#shared/ipc/index.ts';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import { refusalFrom } from '#renderer/calls/refusal.ts';
import { formProblems, usualPlayer, type FieldName } from './launch-form.ts';
import type { KnownThings } from './known-things.ts';
import type { LauncherDeps, LauncherState, LauncherStore, LaunchSlot, LaunchTab } from './launcher-state.ts';
import { closed, idle, isOpen, waiting, type Tabs } from './tabs.ts';
import type { OnStage } from './on-stage.ts';

type Asking = Pick<
  LauncherState,
  'launch' | 'renewToken' | 'confirm' | 'cancel' | 'dismiss' | 'prepareGame' | 'fromCall' | 'openEarlier'
>;

/** The part of the launcher that asks the provider: for the address of a game, and for another token. */
export function createAsking(
  client: Client,
  deps: Pick<LauncherDeps, 'now' | 'newId' | 'notify'>,
  parts: {
    readonly store: Pick<LauncherStore, 'getState' | 'setState'>;
    readonly tabs: Tabs;
    readonly stage: Pick<OnStage, 'slotFor' | 'endGame'>;
    readonly known: Pick<KnownThings, 'loadPlayers'>;
  },
): Asking {
  const { getState: get, setState: set } = parts.store;
  const { find, update, fresh } = parts.tabs;
  const { slotFor, endGame } = parts.stage;
  const { loadPlayers } = parts.known;
  /** What to do once it is confirmed, by tab. */
  const again = new Map<string, (confirmed: Confirmed) => void>();

  function refuse(id: string, error: unknown, retry: (confirmed: Confirmed) => void): void {
    const refusal = refusalFrom(error);
    if (refusal.state === 'unconfirmed') again.set(id, retry);
    update(id, () => ({ preparing: refusal }));
  }

  function nameOf(tab: LaunchTab): string {
    return tab.gameName !== '' ? tab.gameName : (get().games?.names.get(tab.typed.gameId ?? '') ?? '');
  }

  async function prepare(
    id: string,
    environmentId: string,
    gameMode: GameMode,
    fields: Readonly<Record<FieldName, string>>,
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
    return { ...slot, shown: launch.problem === null ? waiting : closed };
  }

  async function launch(
    id: string,
    environmentId: string,
    fields: Readonly<Record<FieldName, string>>,
    confirmed: Confirmed = false,
  ): Promise<void> {
    const tab = find(id);
    if (tab === undefined || tab.preparing.state === 'sending') return;
    const problems = formProblems(tab.typed, tab.mode, tab.token);
    update(id, () => ({ problems }));
    if (Object.keys(problems).length > 0) return set({ settings: true });
    const before = tab.slots;
    update(id, () => ({ slots: [], slotId: null, renewal: null }));
    set({ settings: false });
    await Promise.all(before.filter(isOpen).map((slot) => endGame(slot.launch.id)));
    const slots: LaunchSlot[] = [];
    // All at once: a frame that gets a neighbour later would be drawn anew, and its game would begin again.
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
    startWork(loadPlayers());
  }

  async function renewToken(id: string, environmentId: string, usualGameId: string, confirmed: Confirmed = false): Promise<void> {
    const tab = find(id);
    if (tab === undefined || tab.preparing.state === 'sending' || tab.token === '') return;
    const newGameId = tab.typed.gameId ?? usualGameId;
    if (newGameId === '') return update(id, () => ({ problems: formProblems(tab.typed, tab.mode, tab.token) }));
    const ticket = deps.newId();
    const token = tab.token;
    update(id, () => ({
      preparing: { state: 'sending', ticket, startedAt: deps.now(), what: 'renew' },
      renewal: null,
    }));
    try {
      const got = await client.call('launches.renewToken', {
        environmentId,
        token,
        newGameId,
        ticket,
        confirmed,
      });
      update(id, (now) => ({
        preparing: idle,
        ...(got.token !== null && now.token === token ? { token: got.token, problems: {} } : {}),
        renewal: got.token === null ? { message: got.message ?? 'The response shows no token.', fields: got.fields } : null,
      }));
      if (got.token !== null) deps.notify({ tone: 'good', text: 'The token was renewed. The old one may be invalid now.' });
    } catch (error) {
      refuse(id, error, (given) => startWork(renewToken(id, environmentId, usualGameId, given)));
    }
    startWork(loadPlayers());
  }

  return {
    launch: (id, environmentId, fields) => launch(id, environmentId, fields),
    renewToken: (id, environmentId, usualGameId) => renewToken(id, environmentId, usualGameId),
    confirm(id, confirmed) {
      if (find(id)?.preparing.state !== 'unconfirmed') return;
      const retry = again.get(id);
      again.delete(id);
      update(id, () => ({ preparing: idle }));
      retry?.(confirmed);
    },
    async cancel(id) {
      const tab = find(id);
      if (tab?.preparing.state !== 'sending') return;
      const { ticket } = tab.preparing;
      await orNull(client.call('calls.cancel', { ticket }));
    },
    dismiss(id) {
      update(id, (tab) => (tab.preparing.state === 'sending' ? {} : { preparing: idle }));
    },
    async prepareGame({ gameId, gameName, mode }, sandbox) {
      const id = fresh({ typed: { gameId }, gameName, mode });
      if (mode === 'fun' || !sandbox) return id;
      await loadPlayers();
      const player = usualPlayer(get().players, '');
      if (player !== null && find(id)?.token === '') get().takeToken(id, player);
      return id;
    },
    async fromCall(callId, gameName = '') {
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
        set({ settings: false });
        return true;
      } catch (thrown) {
        const error = asAppError(thrown);
        deps.notify({ tone: 'bad', text: `The launcher could not open this call. ${error.message}` });
        return false;
      }
    },
    async openEarlier(launch) {
      const open = get().tabs.find((tab) => tab.slots.some((slot) => slot.launch.id === launch.id));
      if (open !== undefined) return set({ activeId: open.id });
      const slot = await slotFor(launch);
      const { gameId, gameName, gameMode, exitURL } = launch;
      fresh({
        typed: gameId === '' ? {} : { gameId, exitURL },
        gameName,
        mode: gameMode ?? 'fun',
        slots: [slot],
        slotId: launch.id,
      });
      set({ settings: false });
    },
  };
}
