import { answerInputs, collectionInputs, importInputs, runInputs, walletInputs, type CallName } from '#shared/ipc/index.ts';
import type { AppCollections, BesideCollections, CollectionHandlers } from './collection-services.ts';
import type { Ground } from './ground.ts';
import type { Sending } from './sending.ts';

const ours = { ...answerInputs, ...collectionInputs, ...importInputs, ...runInputs, ...walletInputs };

/**
 * Collections whose code is loaded when they are first asked for: YAML, JSONPath, other tools' formats and reports are most of core, and
 * a command line that sends one call has no use for them.
 */
export function createLateCollections(ground: Ground, sending: Sending, beside: BesideCollections): AppCollections {
  let loading: Promise<AppCollections> | null = null;
  let watching = false;

  async function load(): Promise<AppCollections> {
    const { createAppCollections } = await import('./collection-services.ts');
    const made = createAppCollections(ground, sending, beside);
    if (watching) made.watch();
    return made;
  }
  const late = (name: keyof CollectionHandlers) => async (input: never) => {
    const { handlers } = await (loading ??= load());
    // The handler's type follows from the name, which TypeScript cannot correlate through a table.
    return (handlers[name] as (input: never) => unknown)(input);
  };
  const names = Object.keys(ours) as (CallName & keyof CollectionHandlers)[];
  return {
    handlers: Object.fromEntries(names.map((name) => [name, late(name)])) as unknown as CollectionHandlers,
    saveEnvironment: async (environment) => (await (loading ??= load())).saveEnvironment(environment),
    records: {
      find: async (naming, stop) => (await (loading ??= load())).records.find(naming, stop),
      remove: async (found, naming, stop) => (await (loading ??= load())).records.remove(found, naming, stop),
    },
    watch() {
      watching = true;
      void loading?.then((made) => made.watch(), ground.onFault);
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
