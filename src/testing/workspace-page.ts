import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlainRequests } from './fake-client.ts';
import type { OwnWorkspace } from '#renderer/api/page-workspace.ts';
import { createWorkspaceKeeper } from '#renderer/features/request/kept/workspace-keeper.ts';
import type { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import type { TestApp } from './app.ts';

let ids = 0;

/**
 * Creates a page's requests and their keeper, on the real core. `fault` fails calls that begin with `faultAt`, as a full disk does;
 * writes wait for `held`.
 */
export function pageOn(
  { app, client, home }: TestApp,
  options: { mine?: OwnWorkspace | null; lastWords?: number; waiting?: readonly string[] } = {},
) {
  const state = {
    fault: null as AppError | null,
    faultAt: 'workspaces.',
    held: null as Promise<void> | null,
    reachable: true,
    writes: 0,
  };
  const listeners = new Set<(name: string, payload: unknown) => void>();
  const join = () => app.subscribe((name, payload) => listeners.forEach((listener) => listener(name, payload)));
  const asked: Client = {
    ...client,
    async call(name, input) {
      if (state.fault !== null && name.startsWith(state.faultAt)) throw state.fault;
      if (name === 'workspaces.write') {
        state.writes += 1;
        await state.held;
      }
      return client.call(name, input);
    },
    on(wanted, listener) {
      const heard = (name: string, payload: unknown) => name === wanted && listener(payload as never);
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
  const requests = createPlainRequests(asked, { newId: () => `tab-${++ids}` });
  let place = options.mine ?? null;
  const keeper = createWorkspaceKeeper(asked, {
    page: `page-${++ids}`,
    requests,
    hasLine: true,
    lastWords: options.lastWords ?? Number.POSITIVE_INFINITY,
    isReachable: () => state.reachable,
    later: () => () => undefined,
    place: {
      take() {
        const found = place;
        place = null;
        return found;
      },
      put: (mine) => void (place = mine),
      hold: () => undefined,
      held: async () => [...(options.waiting ?? [])],
    },
    onMasked: () => undefined,
  });
  const page = {
    state,
    requests,
    keeper,
    kept: () => keeper.store.getState(),
    actions: requests.getState(),
    texts: () => requests.getState().tabs.map(({ text }) => text),
    place: () => place,
    leave: () => undefined as void,
    join,
    async open() {
      const opening = keeper.start();
      page.leave = join();
      const saved = await opening;
      if (saved !== null) requests.getState().restoreWorkspace(saved);
      return page;
    },
    tab(text: string) {
      requests.getState().newTab('bet');
      const id = requests.getState().activeId ?? '';
      requests.getState().setText(id, text);
      return id;
    },
    /** Waits until everything is on the disk. */
    async settle() {
      await keeper.settled();
      const behind = requests.getState().tabs.filter(({ id, text }) => keptText(home, id, keeper.mine()?.id) !== text);
      if (behind.length > 0) throw new Error(`Not on the disk: ${behind.map(({ id }) => id).join(', ')}`);
    },
  };
  return page;
}

export type TestPage = ReturnType<typeof pageOn>;

/** Returns the stored text of a tab in a workspace, or in any if none is named: a page that came back has a copy beside it. */
export function keptText(home: string, id: string, workspace = ''): string | null {
  const root = join(home, 'workspaces');
  const file = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.startsWith(workspace) && name.endsWith(`/${id}.tab.json`))
    .at(-1);
  return file === undefined ? null : (JSON.parse(readFileSync(join(root, file), 'utf8')) as { text: string }).text;
}
