import type { CallSummary } from '#shared/ipc/index.ts';
import { folderOf, nameOf, requestOfFile } from '#shared/collections/file-names.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { AssistStore } from './assist-store.ts';
import type { CommandActions } from './commands.ts';
import { activePlace } from '#renderer/features/collections/active-place.ts';
import { newId } from '#renderer/features/environments/environment-list.ts';
import { chosenCalls } from '#renderer/features/history/chosen-calls.ts';
import { compare, compareChosen } from './comparing.ts';
import { createLauncherActions } from './launcher-actions.ts';
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

/** Creates the actions of the commands from the stores. */
export function createActions(workbench: Workbench, { movePane, goToAddress }: PageMoves, assist: AssistStore): CommandActions {
  const { collections, environments, history, launcher, manual, repeats, requests, runStart, shell } = workbench;
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
    const { area } = shell.getState();
    const chosen = area === 'history' ? chosenCalls(history.getState()) : [];
    const call = area === 'requests' ? activeTab()?.call : chosen.length === 1 ? chosen[0] : null;
    return call === undefined || call === null || call.state === 'pending' ? null : call;
  };
  /** The same without a call of a support pack, which nothing can be done with. */
  const callInSight = () => {
    const call = callToRead();
    return call?.pack === undefined ? call : null;
  };
  /** Returns the call that is selected in the history, of which the last accepted one is wanted. */
  const acceptedWanted = () =>
    shell.getState().area === 'history' && history.getState().ticked.size === 0 && workbench.comparison.getState().pair === null
      ? callToRead()
      : null;
  /** Returns the call in sight, or those chosen in the history. */
  const callsChosen = (): readonly CallSummary[] => {
    if (shell.getState().area === 'history') {
      const chosen = chosenCalls(history.getState());
      return chosen.some(({ pack }) => pack !== undefined) ? [] : chosen;
    }
    const call = callInSight();
    return call === null ? [] : [call];
  };
  /** Returns the row with the keyboard, or the file of the request in sight. */
  const rowInSight = () => {
    const shown = shell.getState().area === 'requests' ? (activeTab()?.file ?? null) : null;
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
  const launcherShown = () => shell.getState().area === 'launcher';
  const senders = createSenders(workbench);
  const sender = () => senders[shell.getState().area];
  return {
    area: () => shell.getState().area,
    show: (area) => shell.getState().show(area),
    openPalette: (mode) => shell.getState().setOverlay(mode),
    copyDiagnostics: () => startWork(shell.getState().copyDiagnostics()),
    openHelp: () => shell.getState().setOverlay('help'),
    explainFocus: () => assist.getState().explain(),
    openPlainText() {
      if (assist.getState().openText()) return;
      const text = 'Nothing has a plain text here. An editor, a response, a hash input and a comparison do.';
      shell.getState().notify({ tone: 'note', text });
    },
    manual: {
      open: () => shell.getState().overlay === 'manual',
      toggle: () => toggleManual(workbench),
      goBack: () => manual.getState().goBack(),
      goForward: () => manual.getState().goForward(),
    },
    toggleSidebar: () => shell.getState().toggleSidebar(),
    choose: (change) => shell.getState().choose(change),
    switchEnvironment: () => shell.getState().setEnvironmentMenu(!shell.getState().environmentMenu),
    undo: () => startWork(shell.getState().undo()),
    canUndo: () => shell.getState().undos.length > 0,
    movePane,
    newEnvironment() {
      environments.getState().startNew();
      shell.getState().show('environments');
    },
    hasEnvironment: () => environments.getState().currentId !== null,
    setKey() {
      const { currentId, openKey } = environments.getState();
      if (currentId !== null) openKey(currentId);
      shell.getState().show('environments');
    },
    editEnvironment() {
      const { currentId, open } = environments.getState();
      if (currentId !== null) open(currentId);
      shell.getState().show('environments');
    },
    saveEnvironment() {
      startWork(environments.getState().save(openForm() ?? newId));
    },
    canSaveEnvironment: () => openForm() !== null,
    sendOrCancel() {
      const inArea = sender();
      if (inArea === null) return;
      const { sending, send, cancel } = inArea;
      if (sending()) cancel();
      else send();
    },
    canSend: () => sender()?.sending() === true || sender()?.ready() === true,
    cancel: () => sender()?.cancel(),
    sending: () => sender()?.sending() === true,
    launcher: createLauncherActions(workbench),
    tabs: () => (launcherShown() ? launcher : requests).getState().tabs.length,
    newTab() {
      shell.getState().show('requests');
      requests.getState().newTab();
    },
    duplicateTab() {
      // The keys of a row of the tree, while the keyboard is there.
      const place = collections.getState().focused ? activePlace(collections.getState()) : null;
      if (place === null) requests.getState().duplicateTab();
      else if (place.path !== '') startWork(collections.getState().duplicate(place));
    },
    saveRequest: () => startWork(requests.getState().save()),
    saveRequestAs: () => requests.getState().startSaveAs(),
    openDirectory() {
      shell.getState().show('requests');
      collections.getState().startOpening();
    },
    openPack: () => choosePack(workbench),
    importFiles() {
      const place = placeInSight();
      shell.getState().show('requests');
      collections.getState().setPart('collections');
      workbench.imports.getState().ask(place);
    },
    newFromStarter() {
      shell.getState().show('requests');
      collections.getState().setPart('collections');
      workbench.starters.getState().ask(null);
    },
    closeTab: () => (launcherShown() ? launcher : requests).getState().closeTab(),
    reopenTab() {
      shell.getState().show('requests');
      requests.getState().reopenTab();
    },
    canReopen: () => requests.getState().closed.length > 0,
    selectTabAt: (index) => (launcherShown() ? launcher : requests).getState().selectTabAt(index),
    toggleOrientation: () => requests.getState().toggleOrientation(),
    toggleHashPane: () => requests.getState().toggleHashPane(),
    toggleProviderLog: () => toggleProviderLog(workbench),
    isTimeFrozen: () => workbench.clock.getState().frozenAt !== null,
    freezeTime: () => workbench.clock.getState().freeze(),
    releaseTime: () => workbench.clock.getState().release(),
    openOverrides: () => requests.getState().setOverridesOpen(true),
    hasChosen: () => callsChosen().length > 0,
    pinCalls() {
      const calls = callsChosen();
      startWork(workbench.callActions.pin(calls, !calls.every(({ pinned }) => pinned)));
    },
    exportCalls() {
      const [first] = callsChosen();
      if (first === undefined) return;
      if (shell.getState().area !== 'history') history.getState().setActive(first.id);
      shell.getState().show('history');
      history.getState().setExporting(true);
    },
    deleteCalls: () => startWork(workbench.callActions.remove(callsChosen())),
    hasCollection: () => placeInSight() !== null,
    editVariables() {
      const place = placeInSight();
      if (place === null) return;
      shell.getState().show('requests');
      collections.getState().edit(place);
    },
    canCompareVersions() {
      const row = rowInSight();
      return row !== null && collections.getState().comparable(row) !== null;
    },
    compareVersions() {
      const row = rowInSight();
      if (row !== null) collections.getState().compareVersions(row);
    },
    chooseCode: () => shell.getState().setOverlay('everything', 'copy the call as '),
    goToAddress() {
      shell.getState().show('requests');
      goToAddress();
    },
    copyAs(form) {
      const call = callInSight();
      if (call !== null) startWork(workbench.callCopies.getState().run(call.id, form, 'clipboard'));
    },
    copyAnswer() {
      const id = activeTab()?.callId ?? null;
      if (id !== null) startWork(shell.getState().copyAnswer(id));
    },
    pasteIntoDoctor() {
      shell.getState().show('doctor');
      workbench.doctor.getState().focusPaste();
    },
    newRun() {
      // The row with the keyboard; else the whole collection of the request in sight.
      const row = collections.getState().focused ? activePlace(collections.getState()) : null;
      const file = shell.getState().area === 'requests' ? (activeTab()?.file ?? null) : null;
      if (row !== null) runStart.getState().startRun(row.collectionId, row.path);
      else runStart.getState().startRun(file?.collectionId);
    },
    forgetPlayer() {
      const { area, show } = shell.getState();
      const call = area === 'history' || area === 'requests' ? callInSight() : null;
      show('history');
      startWork(workbench.forget.getState().open(call?.id ?? null));
    },
    hasCall: () => callInSight() !== null,
    editAndResign() {
      const call = callInSight();
      if (call === null) return;
      // A tab of its own beside the tab that has the call already; from the history, the call with its response.
      const shown = shell.getState().area === 'requests' ? activeTab()?.call : null;
      if (shown === null || shown === undefined) return openCall(workbench, call.id);
      requests.getState().openDraft(shown.draft, shown);
    },
    canExamine: () => callToRead() !== null,
    openInDoctor() {
      const call = callToRead();
      if (call !== null) startWork(openInDoctor(workbench, call.id));
    },
    hasValues: () => (activeTab()?.call?.response ?? null) !== null,
    useValue: (as) => startWork(makeOfValue(workbench, as)),
    canKeepExample() {
      const tab = activeTab();
      return tab?.file?.gone === false && (tab.call?.response ?? null) !== null;
    },
    keepExample() {
      const tab = activeTab();
      if (tab !== null) requests.getState().startKeeping(tab.id);
    },
    repeatExactly() {
      const call = callInSight();
      if (call !== null) startWork(repeats.getState().repeat(call.id));
    },
    canCopyAnswer: () => (activeTab()?.call?.responseBytes ?? null) !== null,
    compareLastGood() {
      const call = acceptedWanted();
      if (call !== null) return compareChosen(workbench, [call]);
      const offered = lastGood();
      if (offered !== null) compare(workbench, offered.goodId, offered.id, 'requests');
    },
    canCompareLastGood: () => acceptedWanted() !== null || (shell.getState().area === 'requests' && lastGood() !== null),
    compareTicked: () => compareChosen(workbench, tickedCalls()),
    canCompareTicked: () => workbench.comparison.getState().pair === null && tickedCalls().length === 2,
  };
}
