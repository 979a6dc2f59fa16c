import type { Client, Confirmed } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { formProblems } from './launch-form.ts';
import type { LaunchQuestions } from './launch-questions.ts';
import type { LastLaunches } from './last-launches.ts';
import { idle, isOpen } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** Asks the provider for another session token. */
export type RenewActions = ReturnType<typeof createRenewTokens>;

export interface RenewDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly notify: Notify;
  readonly loadPlayers: () => Promise<void>;
}

/** Creates the action that renews a tab's token. */
export function createRenewTokens(
  client: Client,
  deps: RenewDeps,
  { find, update }: Pick<TabList, 'find' | 'update'>,
  refuse: LaunchQuestions['refuse'],
  last: Pick<LastLaunches, 'userOf'>,
) {
  async function renew(id: string, environmentId: string, usualGameId: string, confirmed: Confirmed = false): Promise<void> {
    const tab = find(id);
    if (tab === undefined || tab.preparing.state === 'sending' || tab.token === '') return;
    const newGameId = tab.typed.gameId ?? usualGameId;
    if (newGameId === '') return update(id, () => ({ problems: formProblems(tab) }));
    if (last.userOf(tab.token, id) !== undefined || tab.slots.some((slot) => isOpen(slot) && slot.token === tab.token))
      return update(id, () => ({ renewal: { message: inUse, fields: [] } }));
    const ticket = deps.newId();
    const token = tab.token;
    update(id, () => ({
      preparing: { state: 'sending', ticket, startedAt: deps.now(), what: 'renew' },
      renewal: null,
    }));
    try {
      const got = await client.call('launches.renewToken', { environmentId, token, newGameId, ticket, confirmed });
      update(id, (now) => ({
        preparing: idle,
        ...(got.token !== null && now.token === token ? { token: got.token, problems: {} } : {}),
        renewal: got.token === null ? { message: got.message ?? 'The response shows no token.', fields: got.fields } : null,
      }));
      if (got.token !== null) deps.notify({ tone: 'good', text: 'Token renewed. The old one may be invalid now.' });
    } catch (error) {
      refuse(id, error, (given) => startWork(renew(id, environmentId, usualGameId, given)));
    }
    startWork(deps.loadPlayers());
  }

  return {
    renewToken: (id: string, environmentId: string, usualGameId: string): Promise<void> => renew(id, environmentId, usualGameId),
  };
}

const inUse = 'An open launch uses this token, and renewing it would end that session. Close the game first.';
