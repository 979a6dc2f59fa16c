import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { folderOf } from '#shared/collections/file-names.ts';
import { longestSubjectBody, subjectOf, type SubjectField } from '#shared/provider/subject.ts';
import { operationByName } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { MenuItem } from '#renderer/ui/menu.tsx';
import { TabStrip } from '#renderer/ui/tab-strip.tsx';
import type { RequestStore } from './request-store.ts';
import type { RequestTab } from './request-tab.ts';
import { fileTitle } from './tab-file.ts';
import { tabTitles } from './tab-titles.ts';
import type { WorkspaceKeeper } from '../kept/workspace-keeper.ts';

/** ID of the panel that all tabs control. */
export const tabPanelId = 'request-tab-panel';

/** The open requests. */
export const RequestTabs = memo(function RequestTabs({
  store,
  keeper,
  activeId,
  readOnlyOf,
  collectionName,
}: {
  readonly store: RequestStore;
  readonly keeper: WorkspaceKeeper;
  readonly activeId: string | null;
  readonly readOnlyOf: (collectionId: string) => string | null;
  readonly collectionName: (collectionId: string) => string;
}) {
  // One string per tab, so that typing draws nothing here.
  const heads = useStore(
    store,
    useShallow((state) =>
      state.tabs.map((tab) =>
        [
          tab.id,
          tab.operation,
          !tab.dirty ? 0 : tab.call?.maskedKeys === undefined ? 1 : 2,
          tab.sending.state === 'sending' ? 1 : 0,
          tab.file?.path ?? '',
          tab.file?.collectionId ?? '',
          tab.call?.environmentName ?? tab.origin?.environmentName ?? '',
          JSON.stringify(tab.file === null ? subjectOfTab(tab) : []),
        ].join('\n'),
      ),
    ),
  );
  const problems = useStore(keeper.store, (state) => state.problems);
  const tabs = useMemo(() => {
    const facts = heads.map((head) => {
      const [id = '', operation = '', , , path = '', collectionId = '', environment = '', subject = '[]'] = head.split('\n');
      return {
        id,
        name: path === '' ? operationLabel(operation as RequestTab['operation']) : fileTitle(path),
        subject: JSON.parse(subject) as SubjectField[],
        folder: folderOf(path),
        collection: path === '' ? '' : collectionName(collectionId),
        environment,
      };
    });
    const titles = tabTitles(facts);
    return heads.map((head) => {
      const [id = '', , dirty, sending, path = '', collectionId = ''] = head.split('\n');
      return {
        id,
        ...(titles.get(id) ?? { name: '', detail: '', whole: '' }),
        busy: sending === '1',
        collectionId,
        mark: problems.has(id) ? notKept : dirty === '0' ? null : path !== '' ? unsaved : dirty === '1' ? changed : masked,
      };
    });
  }, [heads, problems, collectionName]);
  const { selectTab, closeTab, moveTab, duplicateTab, reopenTab, newTab, save, startSaveAs } = store.getState();
  const isReadOnly = (at: number) => readOnlyOf(tabs[at]?.collectionId ?? '') !== null;
  const menu = ({ id }: { id: string }, at: number): MenuItem[] => [
    ...(isReadOnly(at) ? [{ heading: 'Read-only: newer format' } as const] : []),
    { label: 'Save', command: 'save', disabled: isReadOnly(at), onSelect: () => startWork(save(id)) },
    { label: 'Save as…', onSelect: () => startSaveAs(id) },
    'separator',
    { label: 'Duplicate', command: 'duplicateTab', onSelect: () => duplicateTab(id) },
    { label: 'Move left', disabled: at === 0, onSelect: () => moveTab(id, at - 1) },
    { label: 'Move right', disabled: at === tabs.length - 1, onSelect: () => moveTab(id, at + 1) },
    'separator',
    { label: 'Reopen closed tab', command: 'reopenTab', onSelect: () => reopenTab() },
    { label: 'Close', command: 'closeTab', onSelect: () => closeTab(id) },
  ];
  return (
    <TabStrip
      label="Open requests"
      code
      tabs={tabs}
      activeId={activeId}
      panelId={tabPanelId}
      add={{ label: 'New request', command: 'newTab', run: () => newTab() }}
      onSelect={selectTab}
      onClose={closeTab}
      onMove={moveTab}
      menu={menu}
    />
  );
});

/** Reads what tells a request from others, once for each text. */
function subjectOfTab(tab: RequestTab): readonly SubjectField[] {
  const known = subjects.get(tab);
  if (known !== undefined) return known;
  const subject = tab.text.length > longestSubjectBody ? [] : subjectOf(tab.text);
  subjects.set(tab, subject);
  return subject;
}

const subjects = new WeakMap<RequestTab, readonly SubjectField[]>();

const notKept = { word: 'not backed up', title: 'Not backed up: your edits are only in this window' };
const unsaved = { word: 'changed', title: 'Changed, not saved' };
const masked = { word: 'changed', title: 'The history keeps this request with the private key masked' };
const changed = { word: 'changed', title: 'Changed, not sent' };

/** Returns the name of an operation on a tab: a wallet method is a path. */
function operationLabel(name: RequestTab['operation']): string {
  return operationByName(name).endpoint === 'wallet' ? `/${name}` : name;
}
