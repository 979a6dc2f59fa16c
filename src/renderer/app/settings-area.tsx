import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { commandTable } from '#shared/commands.ts';
import type { AppInfo } from '#shared/ipc/index.ts';
import { keysOf, sharedKeys } from '#shared/shortcuts.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { KeptList } from '#renderer/features/history/kept-list.tsx';
import { RetentionDialog } from '#renderer/features/history/retention-dialog.tsx';
import { retentionLine, sizeText } from '#renderer/features/history/retention-words.ts';
import { ChordControl } from '#renderer/features/settings/chord-control.tsx';
import { SettingsPage, type SettingsGroup } from '#renderer/features/settings/settings-page.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { isApplePlatform, keyText } from '#renderer/ui/key-label.ts';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { TextDialog } from '#renderer/ui/text-dialog.tsx';
import { callsText } from '#shared/history/retention-words.ts';
import type { Workbench } from './workbench.ts';

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

const contrasts = [
  { value: 'system', label: 'System' },
  { value: 'normal', label: 'Normal' },
  { value: 'more', label: 'More' },
] as const;

const screenReaders = [
  { value: 'system', label: 'System' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const;

/** The settings of this home, beside those of each environment. */
export function SettingsArea({ workbench }: { workbench: Workbench }) {
  const groups = [
    useAppearance(workbench),
    useAccessibility(workbench),
    useKeyboard(workbench),
    useKept(workbench),
    useAbout(workbench),
  ];
  return <SettingsPage groups={groups} />;
}

function useAppearance({ shell }: Workbench): SettingsGroup {
  const theme = useStore(shell, (state) => state.theme);
  return {
    id: 'appearance',
    title: 'Appearance',
    settings: [
      {
        id: 'theme',
        title: 'Theme',
        words: 'light dark system colours',
        control: (
          <SegmentedChoice label="Theme" options={themes} value={theme} onChange={(next) => shell.getState().setTheme(next)} />
        ),
      },
    ],
  };
}

function useAccessibility({ shell }: Workbench): SettingsGroup {
  const { contrast, screenReader, info, setContrast, setScreenReader } = useStore(shell);
  return {
    id: 'accessibility',
    title: 'Accessibility',
    settings: [
      {
        id: 'screenReader',
        title: 'Screen reader',
        words: 'orca nvda jaws voiceover blind speech',
        detail: `Editors give their text to a screen reader. ${heardText(info)}`,
        control: (
          <SegmentedChoice label="Screen reader" options={screenReaders} value={screenReader} onChange={setScreenReader} />
        ),
      },
      {
        id: 'contrast',
        title: 'Contrast',
        words: 'high more colours theme',
        detail: 'More: text at least 7:1, every edge at least 4.5:1.',
        control: <SegmentedChoice label="Contrast" options={contrasts} value={contrast} onChange={setContrast} />,
      },
    ],
  };
}

/** Returns what "System" knows of a screen reader here. */
function heardText(info: AppInfo | null): string {
  if (info === null) return '';
  if (info.screenReader !== null) return info.screenReader ? 'The system reports one.' : 'The system reports none.';
  return 'A browser does not tell, nor does Linux; choose On if you use a screen reader.';
}

function useKeyboard({ shortcuts }: Workbench): SettingsGroup {
  const { changed, assign, reset } = useStore(shortcuts);
  const apple = isApplePlatform(navigator.platform);
  const titles = new Map(commandTable.map(({ id, title }) => [id, title]));
  const rows = commandTable.map(({ id, title, group }) => {
    const keys = keysOf(id, changed);
    const shared = [...sharedKeys(id, changed).values()].flat().map((other) => titles.get(other) ?? other);
    return { id, title, group, keys, shared };
  });
  const clashes = rows.filter(({ shared }) => shared.length > 0).length;
  const count = Object.keys(changed).length;
  return {
    id: 'keyboard',
    title: 'Keyboard',
    note: [
      `${commandTable.length} commands`,
      ...(count === 0 ? [] : [`${count} changed`]),
      ...(clashes === 0 ? [] : [`${clashes} with keys of another`]),
    ].join(', '),
    actions:
      count === 0 ? undefined : (
        <Button variant="quiet" onClick={() => reset()}>
          Reset all
        </Button>
      ),
    settings: rows.map(({ id, title, group, keys, shared }) => ({
      id,
      title,
      detail: group,
      words: `shortcut ${keys.map((chord) => keyText(chord, apple)).join(' ')}`,
      control: (
        <ChordControl
          title={title}
          keys={keys}
          changed={changed[id] !== undefined}
          shared={shared}
          onAssign={(chords) => assign(id, chords)}
          onReset={() => reset(id)}
        />
      ),
    })),
  };
}

function useKept({ forget, shell, storage }: Workbench): SettingsGroup {
  const status = useStore(storage, (state) => state.status);
  const [choosing, setChoosing] = useState(false);
  useEffect(() => startWork(storage.getState().load()), [storage]);
  return {
    id: 'kept',
    title: 'What is kept',
    settings: [
      {
        id: 'calls',
        title: 'Calls',
        words: 'history retention limit age size disk',
        detail:
          status === null
            ? 'Counting…'
            : `${callsText(status.calls)}, ${sizeText(status.bytes)} on disk. ${retentionLine(status.retention)}.`,
        control: (
          <>
            <Button disabled={status === null} onClick={() => setChoosing(true)}>
              Change…
            </Button>
            {choosing && status !== null ? (
              <RetentionDialog store={storage} status={status} onClose={() => setChoosing(false)} />
            ) : null}
          </>
        ),
      },
      {
        id: 'forget',
        title: 'Forget a player',
        words: 'remove delete personal data',
        detail: 'Removes calls, launches, reports, examples and evidence that name the player.',
        control: (
          <Button
            onClick={() => {
              shell.getState().show('history');
              startWork(forget.getState().open(null));
            }}
          >
            Forget…
          </Button>
        ),
      },
    ],
    foot: <KeptList store={storage} />,
  };
}

function useAbout({ shell }: Workbench): SettingsGroup {
  const info = useStore(shell, (state) => state.info);
  return {
    id: 'about',
    title: 'About',
    settings:
      info === null
        ? []
        : [
            { id: 'version', title: 'Version', control: `${info.version}, ${info.host}` },
            {
              id: 'home',
              title: 'Home',
              words: 'directory folder path settings.json',
              detail: info.home,
              control: <CopyButton label="Copy the path" text={info.home} />,
            },
            {
              id: 'keychain',
              title: 'Keychain',
              detail: info.keychainMessage,
              control: info.keychainMessage === null ? 'Keeps the keys' : 'Not in use',
            },
            {
              id: 'diagnostics',
              title: 'Diagnostics',
              words: 'report fault versions proxy sizes',
              detail:
                'Versions, keychain, proxy, sizes of the home and the last faults: for a report. No key, path or name is in it.',
              control: <Button onClick={() => startWork(shell.getState().copyDiagnostics())}>Copy diagnostics</Button>,
            },
            {
              id: 'licences',
              title: 'Licences',
              words: 'copyright notices third-party packages',
              detail: 'Of Croupier and of the packages that it holds.',
              control: <Licences read={shell.getState().licences} />,
            },
          ],
  };
}

function Licences({ read }: { read: () => Promise<string> }) {
  const [text, setText] = useState<string | null>(null);
  return (
    <>
      <Button onClick={() => startWork(read().then(setText))}>Show the licences</Button>
      {text === null ? null : <TextDialog title="Licences" text={text} onClose={() => setText(null)} />}
    </>
  );
}
