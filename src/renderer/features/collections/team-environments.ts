import { environmentsFolder } from '#shared/collections/file-names.ts';
import type { Client, CollectionEnvironment, Environment } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { openCollection, type OpenCollectionsState } from './open-collections.ts';

/** The environments in a collection, or why they cannot be listed. */
export type TeamEnvironments =
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly environments: readonly CollectionEnvironment[] };

/** The question about the environments of a collection. */
interface TeamQuestion {
  readonly collectionId: string;
  /** Environments of this home that can be put into the collection; empty until they are read. */
  readonly own: readonly Pick<Environment, 'id' | 'name'>[];
  /** Reason why the last answer was refused; null for none. */
  readonly problem: string | null;
  readonly busy: boolean;
}

/** The part of the store that holds the environments of the open collections. */
export interface TeamEnvironmentsState {
  /** By the ID of the collection; none until they are read. */
  readonly teamEnvironments: Readonly<Record<string, TeamEnvironments>>;
  readonly teamQuestion: TeamQuestion | null;
  readonly askTeam: (collectionId: string) => void;
  readonly dismissTeam: () => void;
  /** Takes an environment of the collection in question into this home, as it is shown. */
  readonly takeEnvironment: (shown: CollectionEnvironment) => Promise<void>;
  /** Puts an environment of this home into the collection in question. */
  readonly putEnvironment: (environmentId: string) => Promise<void>;
}

type Parts = TeamEnvironmentsState & OpenCollectionsState;

/** Creates the part of the store that lists the environments of the open collections, again after each change of them. */
export function createTeamEnvironments(
  client: Client,
  notify: Notify,
  store: StorePart<Parts> & { readonly subscribe: (listener: (state: Parts, before: Parts) => void) => () => void },
): TeamEnvironmentsState {
  const { getState, setState } = store;
  const rounds = new Map<string, number>();
  const isOpen = (id: string) => openIds(getState().list).includes(id);

  store.subscribe(({ list }, before) => {
    if (list === before.list) return;
    const known = getState().teamEnvironments;
    for (const id of openIds(list)) if (known[id] === undefined && !rounds.has(id)) startWork(load(id));
  });
  client.on('collections.changed', ({ id, paths }) => {
    const concerns = paths.length === 0 || paths.some((path) => path.startsWith(`${environmentsFolder}/`));
    if (concerns && isOpen(id)) startWork(load(id));
  });
  client.on('environments.changed', () => {
    for (const id of openIds(getState().list)) startWork(load(id));
  });

  async function load(id: string): Promise<void> {
    const round = (rounds.get(id) ?? 0) + 1;
    rounds.set(id, round);
    const found = await read(id);
    // The reply to an earlier question never replaces that to a later one.
    if (rounds.get(id) === round)
      setState(({ teamEnvironments }) => ({ teamEnvironments: { ...teamEnvironments, [id]: found } }));
  }

  async function read(collectionId: string): Promise<TeamEnvironments> {
    try {
      const { environments } = await client.call('collections.environments', { collectionId });
      return { state: 'ready', environments };
    } catch (thrown) {
      return { state: 'failed', message: asAppError(thrown).message };
    }
  }

  async function loadOwn(): Promise<void> {
    const { environments } = await client.call('environments.list', {});
    const own = environments.filter(({ kind }) => kind === 'provider').map(({ id, name }) => ({ id, name }));
    setState(({ teamQuestion }) => ({ teamQuestion: teamQuestion === null ? null : { ...teamQuestion, own } }));
  }

  /** Does what a person answered; the question stays open, with the reason if it was refused. */
  async function carryOut(work: (collectionId: string) => Promise<string>): Promise<void> {
    const { teamQuestion: question } = getState();
    if (question === null || question.busy) return;
    const { collectionId } = question;
    const settle = (problem: string | null) =>
      setState(({ teamQuestion }) => ({
        teamQuestion: teamQuestion === null ? null : { ...teamQuestion, problem, busy: false },
      }));
    setState({ teamQuestion: { ...question, problem: null, busy: true } });
    try {
      const text = await work(collectionId);
      settle(null);
      notify({ tone: 'good', text });
    } catch (thrown) {
      settle(asAppError(thrown).message);
    }
    await Promise.all([load(collectionId), loadOwn()]);
  }

  return {
    teamEnvironments: {},
    teamQuestion: null,
    askTeam(collectionId) {
      setState({ teamQuestion: { collectionId, own: [], problem: null, busy: false } });
      startWork(loadOwn());
      startWork(load(collectionId));
    },
    dismissTeam: () => setState({ teamQuestion: null }),
    takeEnvironment: ({ name, revision, state }) =>
      carryOut(async (collectionId) => {
        const { name: taken } = await client.call('collections.useEnvironment', { collectionId, name, revision });
        return state === 'new'
          ? `Added ${taken} without a key. Set its key before the first call.`
          : `${taken} now matches the collection.`;
      }),
    putEnvironment: (environmentId) =>
      carryOut(async (collectionId) => {
        const { path } = await client.call('collections.shareEnvironment', { collectionId, environmentId });
        return `Wrote ${path}, without the key. Commit it to share it.`;
      }),
  };
}

function openIds(list: OpenCollectionsState['list']): readonly string[] {
  return list.state === 'ready' ? list.collections.map(({ collection }) => collection.id) : [];
}

/** Names the file of an open collection that an environment of this home follows; null for none. */
export function followedFile(state: Pick<Parts, 'list' | 'teamEnvironments'>, environmentId: string | null): string | null {
  for (const [id, found] of Object.entries(state.teamEnvironments)) {
    const environments = found.state === 'ready' ? found.environments : [];
    const one = environments.find((each) => each.environmentId === environmentId && ['followed', 'asks'].includes(each.state));
    const collection = openCollection(state.list, id)?.collection.name;
    if (one !== undefined && collection !== undefined) return `${one.path} of ${collection}`;
  }
  return null;
}
