import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { commandTable } from '#shared/commands.ts';
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
import { choiceGroups, choiceNames, choiceSettings, type ChoiceSetting } from '#shared/choices.ts';
import { UpdateLine, UpdateUrl } from './updates.tsx';
import type { Workbench } from './workbench.ts';

/** The settings of this home, beside those of each environment. */
export function SettingsArea({ workbench }: { workbench: Workbench }) {
  const groups = [
    useChoices(workbench, 'appearance'),
    useChoices(workbench, 'accessibility'),
    useKeyboard(workbench),
    useKept(workbench),
    useAbout(workbench),
  ];
  return <SettingsPage groups={groups} />;
}

function useChoices({ shell }: Workbench, group: keyof typeof choiceGroups): SettingsGroup {
  const { info, choose, ...chosen } = useStore(shell);
  return {
    id: group,
    title: choiceGroups[group],
    settings: choiceNames
      .filter((id) => choiceSettings[id].group === group)
      .map((id) => {
        const { title, words, options, detail }: ChoiceSetting = choiceSettings[id];
        return {
          id,
          title,
          words,
          detail: detail?.(info),
          control: (
            <SegmentedChoice
              label={title}
              options={Object.entries(options).map(([value, label]) => ({ value, label }))}
              value={chosen[id]}
              onChange={(value) => choose({ [id]: value })}
            />
          ),
        };
      }),
  };
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
    note: [...(count === 0 ? [] : [`${count} changed`]), ...(clashes === 0 ? [] : [`${clashes} conflicting`])].join(', '),
    actions:
      count === 0 ? undefined : (
        <Button variant="quiet" onClick={() => reset()}>
          Reset all
        </Button>
      ),
    settings: rows.map(({ id, title, group, keys, shared }) => ({
      id,
      title,
      // The title of a screen alone would not say that the keys lead there.
      detail: group === 'Go to' ? group : undefined,
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
    title: 'Storage',
    settings: [
      {
        id: 'calls',
        title: 'Calls',
        words: 'history retention limit age size disk',
        detail: status === null ? 'Counting…' : `${callsText(status.calls)}, ${sizeText(status.bytes)} on disk.`,
        control: (
          <>
            <Button disabled={status === null} onClick={() => setChoosing(true)}>
              {status === null ? 'Keep…' : `${retentionLine(status.retention)}…`}
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

function useAbout(workbench: Workbench): SettingsGroup {
  const { shell } = workbench;
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
              id: 'updates',
              title: 'New versions',
              words: 'update check notice url',
              detail: <UpdateLine workbench={workbench} />,
              control: <UpdateUrl workbench={workbench} />,
            },
            {
              id: 'home',
              title: 'Data folder',
              words: 'home directory path settings.json',
              detail: info.home,
              control: <CopyButton label="Copy the path" text={info.home} />,
            },
            {
              id: 'keychain',
              title: 'Keychain',
              detail: info.keychainMessage,
              control: info.keychainMessage === null ? 'In use' : 'Not in use',
            },
            {
              id: 'diagnostics',
              title: 'Diagnostics',
              words: 'report fault versions proxy sizes',
              detail: 'For bug reports: versions, keychain, proxy, data folder sizes and recent faults. No keys, paths or names.',
              control: <Button onClick={() => startWork(shell.getState().copyDiagnostics())}>Copy diagnostics</Button>,
            },
            {
              id: 'licences',
              title: 'Licences',
              words: 'copyright notices third-party packages',
              detail: 'Of Croupier and its packages.',
              control: <Licences read={shell.getState().licences} />,
            },
          ],
  };
}

function Licences({ read }: { read: () => Promise<string> }) {
  const [text, setText] = useState<string | null>(null);
  return (
    <>
      <Button onClick={() => startWork(read().then(setText))}>Show licences</Button>
      {text === null ? null : <TextDialog title="Licences" text={text} onClose={() => setText(null)} />}
    </>
  );
}
