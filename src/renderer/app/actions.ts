import type { CallSummary } from '#shared/ipc/index.ts';
import { areas, type AreaName } from '#shared/areas.ts';
import { choiceCommands, type ChoiceCommandId } from '#shared/choices.ts';
import { folderOf, nameOf, requestOfFile } from '#shared/collections/file-names.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { CopyForm } from '#renderer/calls/copy-call.ts';
import type { AssistStore } from './assist-store.ts';
import { needs, type Behaviours } from './commands.ts';
import { activePlace } from '#renderer/features/collections/active-place.ts';
import { newId } from '#renderer/features/environments/environment-list.ts';
import { chosenCalls } from '#renderer/features/history/chosen-calls.ts';
import { compare, compareChosen } from './comparing.ts';
import { launcherBehaviours } from './launcher-actions.ts';
import { toggleManual } from './manual-area.tsx';
import { createSenders, tabInSight } from './senders.ts';
import { openCall } from './open-call.ts';
import { choosePack } from './open-packs.ts';
import { openInDoctor } from './doctor-area.tsx';
import { toggleProviderLog } from './provider-log-beside.tsx';
import { makeOfValue } from './value-at-cursor.ts';
import type { Workbench } from './workbench.ts';

/** Ways of the keyboard through the page. */
interface PageMoves {
  readonly movePane: (step: 1 | -1) => void;
  readonly goToAddress: () => void;
}

/** Creates what each command does, and when it can, from the stores. */
export function createBehaviours(workbench: Workbench, { movePane, goToAddress }: PageMoves, assist: AssistStore): Behaviours {
  const { collections, environments, history, launcher, manual, repeats, requests, runStart, shell } = workbench;
  const area = () => shell.getState().area;
  const inRequests = () => area() === 'requests';
  const inLauncher = () => area() === 'launcher';
  const activeTab = () => tabInSight(workbench);
  const tickedCalls = () => (history.getState().ticked.size === 0 ? [] : chosenCalls(history.getState()));
  /** Returns the call of the tab in sight and the accepted call that it can be compared with; null without either. */
  const lastGood = () => {
    const id = activeTab()?.callId ?? null;
    const good = id === null ? undefined : workbench.evidence.getState().found.get(id)?.accepted?.call.id;
    return id === null || good === undefined ? null : { id, goodId: good };
  };
  /** Returns the call in sight, or the one selected in the history or in a pack; null for none, several, and a call under way. */
  const callToRead = (): CallSummary | null => {
    const chosen = area() === 'history' ? chosenCalls(history.getState()) : [];
    const call = inRequests() ? activeTab()?.call : chosen.length === 1 ? chosen[0] : null;
    return call === undefined || call === null || call.state === 'pending' ? null : call;
  };
  /** The same without a call of a support pack, which nothing can be done with. */
  const callInSight = () => {
    const call = callToRead();
    return call?.pack === undefined ? call : null;
  };
  /** Returns the call that is selected in the history, of which the last accepted one is wanted. */
  const acceptedWanted = () =>
    area() === 'history' && history.getState().ticked.size === 0 && workbench.comparison.getState().pair === null
      ? callToRead()
      : null;
  /** Returns the call in sight, or those chosen in the history. */
  const callsChosen = (): readonly CallSummary[] => {
    if (area() === 'history') {
      const chosen = chosenCalls(history.getState());
      return chosen.some(({ pack }) => pack !== undefined) ? [] : chosen;
    }
    const call = callInSight();
    return call === null ? [] : [call];
  };
  /** Returns the row with the keyboard, or the file of the request in sight. */
  const rowInSight = () => {
    const shown = inRequests() ? (activeTab()?.file ?? null) : null;
    return collections.getState().focused ? activePlace(collections.getState()) : shown;
  };
  /** Returns the collection, or the folder, around them. */
  const placeInSight = () => {
    const place = rowInSight();
    if (place === null) return null;
    const isRequest = requestOfFile(nameOf(place.path)) !== null;
    return { collectionId: place.collectionId, path: isRequest ? folderOf(place.path) : place.path };
  };
  const openForm = (): string | null => {
    const { openId, editing } = environments.getState();
    return openId !== null && editing[openId] !== undefined ? openId : null;
  };
  const tabs = () => (inLauncher() ? launcher : requests).getState();
  const hasTabs = (least = 1) => (inRequests() || inLauncher()) && tabs().tabs.length >= least;
  const hasTab = () => inRequests() && hasTabs();
  const anOpenRequest = needs('an open request', hasTab);
  const senders = createSenders(workbench);
  const sender = () => senders[area()];
  const isSending = () => sender()?.sending() === true;
  const aCall = needs('one call', () => callInSight() !== null);
  const anOperation = needs('one call of an operation', () => (callInSight()?.operation ?? null) !== null);
  const calls = needs('a call', () => callsChosen().length > 0);
  const anEnvironment = needs('an environment', () => environments.getState().currentId !== null);
  const requestsInSight = needs('Requests in view', inRequests);
  const hasResponse = () => (activeTab()?.call?.response ?? null) !== null;
  const openHelp = needs('the help to be open', () => shell.getState().overlay === 'manual');
  const isFrozen = () => workbench.clock.getState().frozenAt !== null;
  const savesEnvironment = () => area() === 'environments' && openForm() !== null;
  const canCompareLastGood = () => acceptedWanted() !== null || (inRequests() && lastGood() !== null);
  const canCompareTicked = () =>
    area() === 'history' && workbench.comparison.getState().pair === null && tickedCalls().length === 2;
  const atEnvironments = (run: (state: ReturnType<typeof environments.getState>) => void) => () => {
    run(environments.getState());
    shell.getState().show('environments');
  };
  const atRequests = (run: () => void) => () => {
    shell.getState().show('requests');
    run();
  };
  const atCollections = (run: () => void) => atRequests(() => (collections.getState().setPart('collections'), run()));
  const withCall = (run: (call: CallSummary) => void) => () => {
    const call = callInSight();
    if (call !== null) run(call);
  };
  const copyAs = (form: CopyForm) => ({
    when: aCall,
    run: withCall(({ id }) => startWork(workbench.callCopies.getState().run(id, form, 'clipboard'))),
  });
  const ofValue = (as: 'check' | 'take') => ({
    when: needs('a response in Requests', () => inRequests() && hasResponse()),
    run: () => startWork(makeOfValue(workbench, as)),
  });
  const tab = (number: number) => ({
    when: needs(`${number} open tabs`, () => hasTabs(number)),
    run: () => tabs().selectTabAt(number - 1),
  });
  const toAreas = Object.fromEntries(areas.map(({ name }) => [name, { run: () => shell.getState().show(name) }]));
  const choices = Object.fromEntries(choiceCommands.map(({ id }) => [id, { run: () => shell.getState().chooseBy(id) }]));
  return {
    send: {
      when: needs('something to send', () => isSending() || sender()?.ready() === true),
      run: () => (isSending() ? sender()?.cancel() : sender()?.send()),
    },
    cancel: { when: needs('a call under way', isSending), run: () => sender()?.cancel() },
    newTab: { run: atRequests(() => requests.getState().newTab()) },
    duplicateTab: {
      when: anOpenRequest,
      run() {
        // The keys of a row of the tree, while the keyboard is there.
        const place = collections.getState().focused ? activePlace(collections.getState()) : null;
        if (place === null) requests.getState().duplicateTab();
        else if (place.path !== '') startWork(collections.getState().duplicate(place));
      },
    },
    closeTab: { when: needs('an open tab', () => hasTabs()), run: () => tabs().closeTab() },
    save: {
      when: needs('an open request or environment', () => hasTab() || savesEnvironment()),
      run: () => startWork(savesEnvironment() ? environments.getState().save(openForm() ?? newId) : requests.getState().save()),
    },
    saveRequestAs: { when: anOpenRequest, run: () => requests.getState().startSaveAs() },
    openDirectory: { run: atRequests(() => collections.getState().startOpening()) },
    openPack: { run: () => choosePack(workbench) },
    importFiles: {
      run() {
        const place = placeInSight();
        atCollections(() => workbench.imports.getState().ask(place))();
      },
    },
    newFromStarter: { run: atCollections(() => workbench.starters.getState().ask(null)) },
    reopenTab: {
      when: needs('a closed request', () => requests.getState().closed.length > 0),
      run: atRequests(() => requests.getState().reopenTab()),
    },
    overrides: { when: anOpenRequest, run: () => requests.getState().setOverridesOpen(true) },
    address: { run: atRequests(goToAddress) },
    code: { when: aCall, run: () => shell.getState().setOverlay('everything', 'copy as ') },
    copyAsCurl: copyAs('curl'),
    copyAsPhp: copyAs('phpSigning'),
    copyAsNode: copyAs('nodeSigning'),
    copyAsPython: copyAs('pythonSigning'),
    copyAsHar: copyAs('har'),
    copyHashInput: copyAs('hashInput'),
    copyRequestBody: copyAs('body'),
    copyAnswer: {
      when: needs('a response in Requests', () => inRequests() && (activeTab()?.call?.responseBytes ?? null) !== null),
      run() {
        const id = activeTab()?.callId ?? null;
        if (id !== null) startWork(shell.getState().copyResponse(id));
      },
    },
    pinCalls: {
      when: calls,
      run() {
        const calls = callsChosen();
        startWork(workbench.callActions.pin(calls, !calls.every(({ pinned }) => pinned)));
      },
    },
    exportCalls: {
      when: calls,
      run() {
        const [first] = callsChosen();
        if (first === undefined) return;
        if (area() !== 'history') history.getState().setActive(first.id);
        shell.getState().show('history');
        history.getState().setExporting(true);
      },
    },
    deleteCalls: { when: calls, run: () => startWork(workbench.callActions.remove(callsChosen())) },
    compareLastGood: {
      when: needs('an accepted call to compare with', canCompareLastGood),
      run() {
        const call = acceptedWanted();
        if (call !== null) return compareChosen(workbench, [call]);
        const offered = lastGood();
        if (offered !== null) compare(workbench, offered.goodId, offered.id, 'requests');
      },
    },
    compareTicked: {
      when: needs('two ticked calls in History', canCompareTicked),
      run: () => compareChosen(workbench, tickedCalls()),
    },
    freezeTime: { when: needs('time that is not frozen', () => !isFrozen()), run: () => workbench.clock.getState().freeze() },
    releaseTime: { when: needs('frozen time', isFrozen), run: () => workbench.clock.getState().release() },
    variables: {
      when: needs('a collection', () => placeInSight() !== null),
      run() {
        const place = placeInSight();
        if (place !== null) atRequests(() => collections.getState().edit(place))();
      },
    },
    compareVersions: {
      when: needs('a request with another version', () => {
        const row = rowInSight();
        return row !== null && collections.getState().comparable(row) !== null;
      }),
      run() {
        const row = rowInSight();
        if (row !== null) collections.getState().compareVersions(row);
      },
    },
    newRun: {
      run() {
        // The row with the keyboard; else the whole collection of the request in sight.
        const row = collections.getState().focused ? activePlace(collections.getState()) : null;
        const file = inRequests() ? (activeTab()?.file ?? null) : null;
        if (row !== null) runStart.getState().startRun(row.collectionId, row.path);
        else runStart.getState().startRun(file?.collectionId);
      },
    },
    forgetPlayer: {
      run() {
        const call = area() === 'history' || inRequests() ? callInSight() : null;
        shell.getState().show('history');
        startWork(workbench.forget.getState().open(call?.id ?? null));
      },
    },
    editAndResign: {
      when: anOperation,
      run: withCall(({ id }) => {
        // A tab of its own beside the tab that has the call already; from the history, the call with its response.
        const shown = inRequests() ? activeTab()?.call : null;
        if (shown === null || shown === undefined) return openCall(workbench, id);
        requests.getState().openDraft(shown.draft, shown);
      }),
    },
    checkValue: ofValue('check'),
    takeValue: ofValue('take'),
    keepExample: {
      when: needs('a response to a saved request', () => inRequests() && activeTab()?.file?.gone === false && hasResponse()),
      run() {
        const one = activeTab();
        if (one !== null) requests.getState().startKeeping(one.id);
      },
    },
    repeatExactly: { when: anOperation, run: withCall(({ id }) => startWork(repeats.getState().repeat(id))) },
    openInDoctor: {
      when: needs('a call', () => callToRead() !== null),
      run() {
        const call = callToRead();
        if (call !== null) startWork(openInDoctor(workbench, call.id));
      },
    },
    tab1: tab(1),
    tab2: tab(2),
    tab3: tab(3),
    tab4: tab(4),
    tab5: tab(5),
    tab6: tab(6),
    tab7: tab(7),
    tab8: tab(8),
    tab9: tab(9),
    palette: { run: () => shell.getState().setOverlay('everything') },
    quickOpen: { run: () => shell.getState().setOverlay('quick') },
    ...(toAreas as Record<AreaName, Behaviours[AreaName]>),
    explainFocus: { run: () => assist.getState().explain() },
    plainText: {
      run() {
        if (assist.getState().openText()) return;
        const text = 'There is nothing to view here. Focus an editor, a response, a hash input or a comparison first.';
        shell.getState().notify({ tone: 'note', text });
      },
    },
    manual: { run: () => toggleManual(workbench) },
    // Also without a page to go back to: a browser would leave the workbench.
    manualBack: { when: openHelp, run: () => manual.getState().goBack() },
    manualForward: { when: openHelp, run: () => manual.getState().goForward() },
    pasteIntoDoctor: {
      run() {
        shell.getState().show('doctor');
        workbench.doctor.getState().focusPaste();
      },
    },
    ...launcherBehaviours(workbench),
    switchEnvironment: { run: () => shell.getState().setEnvironmentMenu(!shell.getState().environmentMenu) },
    setKey: {
      when: anEnvironment,
      run: atEnvironments(({ currentId, openKey }) => {
        if (currentId !== null) openKey(currentId);
      }),
    },
    editEnvironment: {
      when: anEnvironment,
      run: atEnvironments(({ currentId, open }) => {
        if (currentId !== null) open(currentId);
      }),
    },
    newEnvironment: { run: atEnvironments(({ startNew }) => startNew()) },
    sidebar: { run: () => shell.getState().toggleSidebar() },
    orientation: { when: requestsInSight, run: () => requests.getState().toggleOrientation() },
    hashPane: { when: requestsInSight, run: () => requests.getState().toggleHashPane() },
    providerLog: { run: () => toggleProviderLog(workbench) },
    undo: {
      when: needs('something to undo', () => shell.getState().undos.length > 0),
      run: () => startWork(shell.getState().undo()),
    },
    nextPane: { run: () => movePane(1) },
    previousPane: { run: () => movePane(-1) },
    ...(choices as Record<ChoiceCommandId, Behaviours[ChoiceCommandId]>),
    copyDiagnostics: { run: () => startWork(shell.getState().copyDiagnostics()) },
    help: { run: () => shell.getState().setOverlay('help') },
  };
}
