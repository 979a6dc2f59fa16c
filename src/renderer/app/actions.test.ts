import { describe, expect, it } from 'vitest';
import type { Client } from '#shared/ipc/index.ts';
import { startedTab } from '#renderer/features/request/tabs/request-tab.ts';
import type { AreaName } from '#shared/areas.ts';
import { commandTable, type CommandId } from '#shared/commands.ts';
import { createQuietWorkbench } from '#testing/quiet-workbench.ts';
import { someCall } from '#testing/some-call.ts';
import { createBehaviours } from './actions.ts';

function setUp(area: AreaName = 'requests') {
  const asked: string[] = [];
  const call = (name: string) => (asked.push(name), new Promise(() => undefined));
  const client = { call, on: () => () => undefined, body: () => new Promise(() => undefined) } as unknown as Client;
  let made = 0;
  const workbench = createQuietWorkbench(client, { newId: () => `id-${(made += 1)}` });
  const moved: unknown[] = [];
  const assist = { getState: () => ({ explain: () => moved.push('explain'), openText: () => false }) } as never;
  const moves = { movePane: (step: number) => moved.push(step), goToAddress: () => moved.push('address') };
  const behaviours = createBehaviours(workbench, moves, assist);
  workbench.shell.setState({ area });
  const { requests, launcher, history, shell } = workbench;
  return {
    workbench,
    asked,
    moved,
    run: (id: CommandId) => behaviours[id].run(),
    ids: () => commandTable.flatMap(({ id }) => ((behaviours[id].when?.holds() ?? true) ? [id] : [])),
    /** Opens a request with this call. */
    openTab(call: object | null = null) {
      const tab = startedTab(`tab ${requests.getState().tabs.length}`, {
        operation: 'bet',
        form: 'main',
        text: '',
        overrides: {},
      });
      const opened = { ...tab, call: call as never, callId: call === null ? null : 7 };
      requests.setState(({ tabs }) => ({ tabs: [...tabs, opened], activeId: tab.id }));
    },
    openGame(state: 'view' | 'frame' | 'closed') {
      launcher.getState().newTab(null);
      const slot = { launch: { id: 'l' }, shown: { state, muted: false }, entries: [] } as never;
      launcher.setState(({ tabs }) => ({ tabs: tabs.map((tab) => ({ ...tab, slots: [slot], shownId: 'l' })) }));
    },
    tick(...ids: number[]) {
      const calls = ids.map((id) => ({ id, state: 'completed' }));
      history.setState({
        list: { state: 'ready', calls, total: 2, search: null } as never,
        ticked: new Map(calls.map((one) => [one.id, one as never])),
      });
    },
    shown: () => shell.getState(),
  };
}

const gameCommands: CommandId[] = ['reloadGame', 'closeGame', 'playGame', 'muteGame', 'screenshot', 'exportFolder', 'exportHar'];

describe('what commands do', () => {
  it('sends and closes what is shown, and nothing where nothing is', () => {
    const { openTab, ids, workbench } = setUp();
    const ofTabs: CommandId[] = ['duplicateTab', 'closeTab', 'save', 'saveRequestAs', 'overrides', 'tab1'];
    expect(ids()).not.toEqual(expect.arrayContaining(['closeTab']));
    for (const id of [...ofTabs, 'send', 'cancel'] as const) expect(ids()).not.toContain(id);
    openTab();
    openTab();
    workbench.environments.setState({ currentId: 'staging' });
    expect(ids()).toEqual(expect.arrayContaining([...ofTabs, 'send', 'tab2', 'setKey', 'editEnvironment']));
    expect(ids()).not.toContain('tab3');
    expect(ids()).not.toContain('cancel');
    workbench.shell.setState({ area: 'history' });
    for (const id of ofTabs) expect(ids()).not.toContain(id);
    expect(ids()).not.toContain('send');
  });

  it('cancels what is being sent', () => {
    const { openTab, ids, workbench } = setUp();
    openTab();
    const sending = { state: 'sending', ticket: 't', startedAt: 0, left: false, cancelled: false } as const;
    workbench.requests.setState(({ tabs }) => ({ tabs: tabs.map((tab) => ({ ...tab, sending })) }));
    expect(ids()).toEqual(expect.arrayContaining(['send', 'cancel']));
  });

  it('moves between the tabs of the area, and closes them there', () => {
    const { openTab, run, workbench } = setUp();
    openTab();
    openTab();
    run('tab1');
    expect(workbench.requests.getState().activeId).toBe('tab 0');
    run('closeTab');
    expect(workbench.requests.getState().tabs.map(({ id }) => id)).toEqual(['tab 1']);
    workbench.launcher.getState().newTab(null);
    const launch = workbench.launcher.getState().activeId;
    workbench.shell.setState({ area: 'launcher' });
    run('closeTab');
    expect(workbench.launcher.getState().activeId).not.toBe(launch);
    expect(workbench.requests.getState().tabs).toHaveLength(1);
  });

  it('saves the form of an environment where environments are shown, else the request', () => {
    const { openTab, ids, run, workbench, asked } = setUp('environments');
    openTab();
    expect(ids()).not.toContain('save');
    workbench.environments.getState().startNew();
    expect(ids()).toContain('save');
    run('save');
    expect(workbench.requests.getState().savingId).toBeNull();
    workbench.shell.setState({ area: 'requests' });
    run('save');
    expect(workbench.requests.getState().savingId).toBe('tab 0');
    expect(asked).not.toContain('collections.save');
  });

  it('acts on the game that is shown, if its host can', () => {
    const closed = setUp('launcher');
    closed.openGame('closed');
    expect(gameCommands.filter((id) => closed.ids().includes(id))).toEqual(['exportFolder', 'exportHar']);
    const framed = setUp('launcher');
    framed.openGame('frame');
    expect(gameCommands.filter((id) => framed.ids().includes(id))).toEqual([
      'reloadGame',
      'closeGame',
      'exportFolder',
      'exportHar',
    ]);
    const viewed = setUp('launcher');
    viewed.openGame('view');
    expect(gameCommands.filter((id) => viewed.ids().includes(id))).toEqual(gameCommands);
    const asked = () => viewed.asked.filter((name) => name.startsWith('launches.'));
    const before = asked().length;
    for (const id of ['reloadGame', 'muteGame', 'screenshot', 'exportHtml', 'exportHar', 'devicePhone'] as const) viewed.run(id);
    expect(asked().slice(before)).toEqual(expect.arrayContaining(['launches.screenshot', 'launches.networkLog']));
    expect(viewed.ids()).toContain('deviceTablet');
    viewed.workbench.shell.setState({ area: 'requests' });
    expect(gameCommands.filter((id) => viewed.ids().includes(id))).toEqual([]);
    expect(viewed.ids()).not.toContain('deviceTablet');
  });

  it('compares calls where there are two to compare', () => {
    const { ids, tick, workbench } = setUp('history');
    expect(ids()).not.toContain('compareTicked');
    tick(1, 2);
    expect(ids()).toEqual(expect.arrayContaining(['compareTicked', 'pinCalls', 'deleteCalls', 'exportCalls']));
    workbench.shell.setState({ area: 'requests' });
    expect(ids()).not.toContain('compareTicked');
    expect(ids()).not.toContain('compareLastGood');
  });

  it('is about the call in sight', () => {
    const { ids, openTab } = setUp();
    const ofCalls: CommandId[] = ['code', 'copyAsCurl', 'copyHashInput', 'editAndResign', 'repeatExactly', 'openInDoctor'];
    openTab();
    for (const id of [...ofCalls, 'checkValue', 'copyAnswer'] as const) expect(ids()).not.toContain(id);
    openTab(someCall({ responseBytes: 3 }));
    expect(ids()).toEqual(expect.arrayContaining([...ofCalls, 'checkValue', 'takeValue', 'copyAnswer', 'pinCalls']));
    openTab(someCall({ state: 'pending', response: null, responseBytes: null }));
    for (const id of [...ofCalls, 'checkValue', 'copyAnswer'] as const) expect(ids()).not.toContain(id);
  });

  it('moves in the help while it is open', () => {
    const { ids, workbench } = setUp();
    expect(ids()).not.toContain('manualBack');
    workbench.shell.setState({ overlay: 'manual' });
    expect(ids()).toEqual(expect.arrayContaining(['manualBack', 'manualForward']));
  });

  it('freezes the time or lets it run, and undoes what can be undone', () => {
    const { ids, run } = setUp();
    expect(ids()).toContain('freezeTime');
    expect(ids()).not.toContain('undo');
    run('freezeTime');
    expect(ids()).toContain('releaseTime');
    expect(ids()).not.toContain('freezeTime');
  });

  it('leads to other screens', () => {
    const { run, shown, moved, workbench } = setUp('settings');
    run('newTab');
    expect([shown().area, workbench.requests.getState().tabs.length]).toEqual(['requests', 1]);
    run('newEnvironment');
    expect(shown().area).toBe('environments');
    run('newFromStarter');
    expect([shown().area, workbench.collections.getState().part]).toEqual(['requests', 'collections']);
    run('games');
    expect(shown().area).toBe('games');
    run('quickOpen');
    expect(shown().overlay).toBe('quick');
    run('themeDark');
    expect(shown().theme).toBe('dark');
    for (const id of ['previousPane', 'address', 'explainFocus'] as const) run(id);
    expect(moved).toEqual([-1, 'address', 'explain']);
  });
});
