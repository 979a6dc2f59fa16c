import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Braces,
  Copy,
  FileDiff,
  FileDown,
  FileInput,
  FilePlus,
  FileUp,
  FolderInput,
  FolderPlus,
  Pencil,
  Play,
  SlidersVertical,
  Trash,
  X,
} from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import type { MenuItem } from '#renderer/ui/menu.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { collectionExportFormats } from '#shared/model/formats.ts';
import type { CollectionFormat } from './export-requests.ts';
import type { TreeRow, Place } from './tree-rows.ts';

/** Actions on a row that lie outside the tree. */
export interface RowActions {
  readonly onOpen: (place: Place) => void;
  readonly onNewRequest: (place: Place) => void;
  /** Runs a request, a folder or a collection. */
  readonly onRun: (collectionId: string, path: string) => void;
  readonly onExport: (place: Place, format: CollectionFormat) => void;
  /** Opens the import into a collection or a folder. */
  readonly onImport: (place: Place | null) => void;
}

/** Moves of a row by the keyboard. */
const steps = [
  { id: 'up', label: 'Move up', keys: 'Alt+ArrowUp', icon: <ArrowUp /> },
  { id: 'down', label: 'Move down', keys: 'Alt+ArrowDown', icon: <ArrowDown /> },
  { id: 'in', label: 'Move into the folder above', keys: 'Alt+ArrowRight', icon: <ArrowRight /> },
  { id: 'out', label: 'Move out of its folder', keys: 'Alt+ArrowLeft', icon: <ArrowLeft /> },
] as const;

/** Returns the actions on a row, for its menu and for the button above the tree. */
export function rowMenu(row: TreeRow, store: CollectionsStore, actions: RowActions): MenuItem[] {
  const items = itemsFor(row, store, actions);
  if (!row.readOnly) return items;
  return [
    { heading: 'Read-only: newer format' },
    ...items.map((item) =>
      typeof item === 'object' && 'onSelect' in item && !harmless.includes(item.id ?? '') ? { ...item, disabled: true } : item,
    ),
  ];
}

/** IDs of the actions that neither save nor run anything. */
const harmless: readonly string[] = ['open', 'variables', 'compare', 'forget'];

function itemsFor(row: TreeRow, store: CollectionsStore, actions: RowActions): MenuItem[] {
  const state = store.getState();
  const run: MenuItem = {
    label: row.kind === 'request' ? 'Run this request' : 'Run',
    icon: <Play />,
    onSelect: () => actions.onRun(row.collectionId, row.path),
  };
  const make: MenuItem[] = [
    { label: 'New request', icon: <FilePlus />, onSelect: () => actions.onNewRequest(row) },
    { label: 'New folder', icon: <FolderPlus />, onSelect: () => startWork(state.newFolder(row)) },
  ];
  const exports: MenuItem = {
    label: 'Export as',
    icon: <FileDown />,
    items: collectionExportFormats.map((format) => ({ label: format.title, onSelect: () => actions.onExport(row, format) })),
  };
  const imports: MenuItem = { label: 'Import…', icon: <FileUp />, onSelect: () => actions.onImport(row) };
  const variables: MenuItem = {
    id: 'variables',
    label: 'Variables and notes',
    icon: <Braces />,
    onSelect: () => state.edit(row),
  };
  const compare: MenuItem[] =
    state.comparable(row) === null
      ? []
      : [
          {
            id: 'compare',
            label: row.problem?.conflict === true ? 'Compare both versions' : 'Compare with the last commit',
            icon: <FileDiff />,
            onSelect: () => state.compareVersions(row),
          },
        ];
  if (row.kind === 'collection') {
    return [
      run,
      ...make,
      variables,
      ...compare,
      { label: 'Environments…', icon: <SlidersVertical />, onSelect: () => state.askTeam(row.collectionId) },
      imports,
      exports,
      'separator',
      {
        id: 'forget',
        label: 'Close collection',
        keys: 'Del',
        icon: <X />,
        onSelect: () => startWork(state.forget(row.collectionId)),
      },
    ];
  }
  const open: MenuItem[] =
    row.kind === 'request' && row.problem === null
      ? [{ id: 'open', label: 'Open', icon: <FileInput />, keys: 'Enter', onSelect: () => actions.onOpen(row) }]
      : [];
  return [
    ...open,
    run,
    ...make,
    ...(row.kind === 'folder' ? [variables, imports] : []),
    ...compare,
    exports,
    'separator',
    { label: 'Rename', keys: 'F2', icon: <Pencil />, onSelect: () => state.startRename(row.key) },
    { label: 'Duplicate', command: 'duplicateTab', icon: <Copy />, onSelect: () => startWork(state.duplicate(row)) },
    { label: 'Move to…', keys: 'Alt+M', icon: <FolderInput />, onSelect: () => state.startMoving(row) },
    ...steps.map(({ id, label, keys, icon }): MenuItem => {
      return { label, keys, icon, onSelect: () => startWork(state.step(row, id)) };
    }),
    'separator',
    { label: 'Delete', keys: 'Del', danger: true, icon: <Trash />, onSelect: () => startWork(state.remove(row)) },
  ];
}
