import type { Client, Confirmed, Output } from '#shared/ipc/index.ts';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import { refusalFrom } from '#renderer/calls/refusal.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { LaunchQuestions } from '../tabs/launch-questions.ts';
import type { TabList } from '../tabs/tab-list.ts';

/** The session tokens of an environment as core tells them: no token. */
export type TokenPool = Output<'tokens.list'> & { readonly environmentId: string };

/** Returns the token that the next launch takes; undefined if there is none. */
export function nextToken(pool: Pick<TokenPool, 'tokens'> | null): TokenPool['tokens'][number] | undefined {
  return pool?.tokens.find(({ state }) => state === 'unused');
}

/** The dialog's sentences about the last change. */
interface PoolNews {
  readonly tone: 'good' | 'bad';
  readonly lines: readonly string[];
}

/** The pool of session tokens of the shown environment. */
export interface TokenPoolState {
  /** Null until it was fetched. */
  readonly pool: TokenPool | null;
  readonly poolNews: PoolNews | null;
  /** The tab over which the pool's dialog is open; null if it is closed. */
  readonly poolTab: string | null;

  readonly loadPool: (environmentId: string) => Promise<void>;
  readonly openPool: (tabId: string) => void;
  readonly closePool: () => void;
  /** Adds the tokens of a text; `file` is its name, empty if it was pasted. Resolves to false if nothing was added. */
  readonly addTokens: (text: string, file: string) => Promise<boolean>;
  readonly removeTokens: (ids: readonly number[]) => Promise<void>;
  readonly restoreTokens: () => Promise<void>;
  /** Asks the provider for a token in place of one of the pool. */
  readonly renewPoolToken: (id: number, newGameId: string) => Promise<void>;
}

/** Creates the part of the store that shows the pool and changes it. */
export function createTokenPool(
  client: Client,
  newId: () => string,
  { getState: get, setState: set }: StorePart<TokenPoolState>,
  { find, update }: Pick<TabList, 'find' | 'update'>,
  refuse: LaunchQuestions['refuse'],
): TokenPoolState {
  const again = (environmentId = get().pool?.environmentId) => {
    if (environmentId !== undefined && environmentId === get().pool?.environmentId) startWork(loadPool(environmentId));
  };
  client.on('tokens.changed', ({ environmentId }) => again(environmentId));
  // The command line may have set a command with the environment.
  client.on('environments.changed', () => again());
  // A launch that was opened or closed may have a token of the pool.
  client.on('launches.changed', () => {
    if ((get().pool?.tokens.length ?? 0) > 0) again();
  });
  let round = 0;

  async function loadPool(environmentId: string): Promise<void> {
    round += 1;
    const mine = round;
    if (get().pool?.environmentId !== environmentId) set({ pool: null });
    const got = await orNull(client.call('tokens.list', { environmentId }));
    if (got !== null && mine === round) set({ pool: { ...got, environmentId } });
  }

  /** Does work on the pool that is shown; what fails is said in the dialog. */
  async function change(work: (environmentId: string) => Promise<PoolNews | null>): Promise<void> {
    const environmentId = get().pool?.environmentId;
    if (environmentId === undefined) return;
    try {
      set({ poolNews: await work(environmentId) });
    } catch (error) {
      set({ poolNews: { tone: 'bad', lines: [asAppError(error).message] } });
    }
  }

  /** Has the tab take from the pool, which has unused tokens now, unless it has a typed one or a command. */
  function useAdded(): void {
    const tab = find(get().poolTab ?? '');
    if (tab === undefined || tab.tokenFrom === 'command' || (tab.tokenFrom === 'typed' && tab.token !== '')) return;
    update(tab.id, ({ problems: { token: _solved, ...problems } }) => ({ tokenFrom: 'pool', problems }));
  }

  async function renew(environmentId: string, id: number, newGameId: string, confirmed: Confirmed = false): Promise<void> {
    const tabId = get().poolTab;
    try {
      const { message, fields } = await client.call('tokens.renew', { environmentId, id, newGameId, ticket: newId(), confirmed });
      const texts = fields.length === 0 ? [] : [`Text fields in the response: ${fields.join(', ')}.`];
      set({
        poolNews:
          message === null
            ? { tone: 'good', lines: ['Token renewed. The old one may be invalid now.'] }
            : { tone: 'bad', lines: [message, ...texts] },
      });
    } catch (error) {
      if (tabId === null || refusalFrom(error).state !== 'unconfirmed')
        return set({ poolNews: { tone: 'bad', lines: [asAppError(error).message] } });
      // The question comes in place of the dialog, and the dialog again with the result.
      set({ poolTab: null });
      refuse(tabId, error, (given) => {
        set({ poolTab: tabId, poolNews: null });
        startWork(renew(environmentId, id, newGameId, given));
      });
    }
  }

  return {
    pool: null,
    poolNews: null,
    poolTab: null,
    loadPool,
    openPool: (poolTab) => set({ poolTab, poolNews: null }),
    closePool: () => set({ poolTab: null }),
    async addTokens(text, file) {
      let count = 0;
      await change(async (environmentId) => {
        const { added, left } = await client.call('tokens.add', { environmentId, text, file });
        count = added;
        if (added > 0) useAdded();
        const first = added === 0 ? 'No tokens added.' : `Added ${added} ${added === 1 ? 'token' : 'tokens'}.`;
        return { tone: added === 0 ? 'bad' : 'good', lines: [first, ...left] };
      });
      return count > 0;
    },
    async removeTokens(ids) {
      await change(async (environmentId) => {
        await client.call('tokens.remove', { environmentId, ids: [...ids] });
        return null;
      });
    },
    async restoreTokens() {
      await change(async (environmentId) => {
        await client.call('tokens.restore', { environmentId });
        useAdded();
        return null;
      });
    },
    async renewPoolToken(id, newGameId) {
      const environmentId = get().pool?.environmentId;
      if (environmentId !== undefined) await renew(environmentId, id, newGameId);
    },
  };
}
