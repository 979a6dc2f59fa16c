import { expect, it } from 'vitest';
import { refreshStores } from './join-stores.ts';
import type { Stores } from './stores.ts';

/** Returns the stores that fetch again, where each is in this state. */
function fetching(state: object): string[] {
  const found: string[] = [];
  const storeNamed = (name: string) => {
    const fetch = async () => void found.push(name);
    return {
      getState: () => ({ ...state, load: fetch, loadStatus: fetch, refresh: fetch, rereadFiles: fetch, search: fetch }),
      forgetFailures: fetch,
    };
  };
  refreshStores(new Proxy({}, { get: (_, name) => storeNamed(String(name)) }) as Stores);
  return found.sort();
}

it('each store whose events were missed fetches again what it shows', () => {
  const always = [
    'collections',
    'digests',
    'environments',
    'gateway',
    'packs',
    'production',
    'requests',
    'results',
    'runs',
    'shell',
    'thumbnails',
    'wallet',
  ];
  const nothing = {
    list: { state: 'loading' },
    log: { state: 'loading' },
    environmentId: null,
    status: null,
    tabs: [],
    searching: {},
  };
  expect(fetching(nothing)).toEqual(always);
  const all = { list: {}, log: {}, environmentId: 'e', status: {}, tabs: ['t'], searching: { state: 'searching' } };
  expect(fetching(all)).toEqual(
    [...always, 'doctor', 'games', 'gateway', 'history', 'launcher', 'providerLog', 'storage'].sort(),
  );
});
