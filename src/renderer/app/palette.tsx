import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Command as Cmdk } from 'cmdk';
import {
  BookOpen,
  Braces,
  CircleQuestionMark,
  CornerDownLeft,
  FilePen,
  LayoutGrid,
  RotateCcwClock,
  Search,
  Send,
  Undo2,
} from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { operations, operationTitle, allOpenPoints } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { findRequests, phrasesOf } from '#renderer/features/collections/find-requests.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { findGames } from '#renderer/features/games/listed-games.ts';
import type { Found } from '#renderer/features/manual/search-pages.ts';
import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { fileTitle } from '#renderer/features/request/tabs/tab-file.ts';
import { CallEnvironment, EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { paletteCommands, type Command } from './commands.ts';
import { PaletteField } from './palette-field.tsx';
import { paletteScore } from './palette-score.ts';
import { openManualAt } from './manual-area.tsx';
import { openCall } from './open-call.ts';
import type { Searched } from './shell-store.ts';
import type { Workbench } from './workbench.ts';
import styles from './palette.module.css';
import { identityText } from '#shared/calls/environment-words.ts';
import { subjectText } from '#shared/calls/subject-words.ts';

/** Finds operations, open requests, recorded calls, environments, open points and commands, and goes there. */
export function Palette({ workbench, commands }: { workbench: Workbench; commands: readonly Command[] }) {
  const overlay = useStore(workbench.shell, (state) => state.overlay);
  const { setOverlay } = workbench.shell.getState();
  const open = overlay === 'everything' || overlay === 'quick';
  return (
    <RadixDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) setOverlay('none');
      }}
    >
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="scrim" />
        <RadixDialog.Content data-modal className={styles.content} aria-describedby={undefined}>
          <RadixDialog.Title className="visually-hidden">
            {overlay === 'quick' ? 'Quick open' : 'Find anything'}
          </RadixDialog.Title>
          <PaletteList key={overlay} workbench={workbench} commands={commands} quick={overlay === 'quick'} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function PaletteList({ workbench, commands, quick }: { workbench: Workbench; commands: readonly Command[]; quick: boolean }) {
  const [text, setText] = useState(() => workbench.shell.getState().paletteText);
  const [openedAt] = useState(() => Date.now());
  const found = useStore(workbench.shell, (state) => state.found);
  const undos = useStore(workbench.shell, (state) => state.undos);
  const searched = useStore(workbench.shell, (state) => state.searched);
  const { findCalls, setOverlay, show, undo } = workbench.shell.getState();
  const requests = useStore(workbench.requests);
  const { list, currentId, select } = useStore(workbench.environments);
  const environments = list.state === 'ready' ? list.environments : noEnvironments;
  const foundEnvironments = useMemo(
    () => (quick ? noEnvironments : findEnvironments(environments, text, currentId)),
    [quick, environments, text, currentId],
  );
  const tabs = useMemo(() => (quick ? findTabs(requests.tabs, text) : noTabs), [quick, requests.tabs, text]);
  const environment = useStore(workbench.environments, currentEnvironment);
  const games = useStore(workbench.games, (state) => (text.trim() === '' ? noGames : state.shown));
  const foundGames = games.state === 'ready' ? findGames(games.games, text, 6) : [];
  const opened = useStore(workbench.collections, (state) => state.list);
  const files = useMemo(
    () => findRequests(opened.state === 'ready' ? opened.collections : [], text, 12, paletteScore),
    [opened, text],
  );
  const [help, setHelp] = useState<readonly Found[]>([]);
  useEffect(() => {
    let stale = false;
    const find = async () => {
      // Its pages are fetched once they are searched.
      const found = quick || text.trim() === '' ? [] : (await import('#renderer/features/manual/find-help.ts')).findHelp(text, 5);
      if (!stale) setHelp(found);
    };
    startWork(find());
    return () => {
      stale = true;
    };
  }, [quick, text]);
  useEffect(() => {
    if (environment !== null) workbench.games.getState().enter(environment);
  }, [workbench, environment]);

  function go(run: () => void) {
    setOverlay('none');
    run();
  }

  return (
    <Cmdk
      label={quick ? 'Quick open' : 'Find anything'}
      loop
      filter={(id, text, words) => (isSearched.test(id) ? least : paletteScore(text, words ?? []))}
    >
      <div className={styles.field}>
        <Search className="faint" />
        <PaletteField
          text={text}
          onText={(next) => {
            setText(next);
            findCalls(next);
          }}
          empty={emptyWords[searched]}
          placeholder={
            quick
              ? 'Open requests, collection files, operations, games, calls'
              : 'Operations, files, games, environments, calls, open points, commands'
          }
        />
      </div>
      <Cmdk.List className={styles.list} label="Found">
        <Cmdk.Empty className={styles.empty}>
          {emptyWords[searched]}
          {searched === 'ended' ? '. Try part of a name, a section such as §4, or text from a call.' : null}
        </Cmdk.Empty>
        {tabs.length > 0 ? (
          <Cmdk.Group heading="Open requests">
            {tabs.map(({ tab, at }) => (
              <Item
                key={tab.id}
                id={`tab ${tab.id}`}
                words={tabWords(tab)}
                icon={<FilePen />}
                onSelect={() => go(() => (show('requests'), requests.selectTab(tab.id)))}
                aside={<Kbd command={tabCommands[at]} />}
              >
                <code>{tabTitle(tab)}</code>
                {tab.dirty ? <span className="faint tiny">edited</span> : null}
              </Item>
            ))}
          </Cmdk.Group>
        ) : null}
        {files.length === 0 ? null : (
          <Cmdk.Group heading="Collections">
            {files.map((file) => (
              <Item
                key={`${file.collectionId}/${file.path}`}
                id={`file ${file.collectionId}/${file.path}`}
                words={phrasesOf(file)}
                icon={<Braces />}
                onSelect={() => go(() => (show('requests'), startWork(requests.openFile(file.collectionId, file.path))))}
                aside={file.operation === null ? null : <code className="faint tiny">{file.operation}</code>}
              >
                <span>{file.name}</span>
                <span className="faint tiny">
                  {file.collection}/{file.path}
                </span>
              </Item>
            ))}
          </Cmdk.Group>
        )}
        <Cmdk.Group heading="Operations">
          {operations.map((operation) => (
            <Item
              key={operation.name}
              id={`operation ${operation.name}`}
              words={[operationTitle(operation.name), operation.summary, operation.group, `§${operation.section}`]}
              icon={<Send />}
              onSelect={() => go(() => (show('requests'), requests.openOperation(operation.name)))}
              aside={<span className="faint tiny">§{operation.section}</span>}
            >
              <code>{operationTitle(operation.name)}</code>
              <span className="faint tiny">{operation.summary}</span>
            </Item>
          ))}
        </Cmdk.Group>
        {foundGames.length === 0 ? null : (
          // Their own search knows accents and IDs; the palette's filter would order thousands.
          <Cmdk.Group heading="Games">
            {foundGames.map((listed) => (
              <Item
                key={listed.at}
                id={`game ${listed.at}`}
                words={[listed.game.name]}
                icon={<LayoutGrid />}
                onSelect={() => go(() => (show('games'), workbench.games.getState().showGame(listed)))}
                aside={<code className="faint tiny">{listed.game.id}</code>}
              >
                {listed.game.name === '' ? 'No name' : listed.game.name}
              </Item>
            ))}
          </Cmdk.Group>
        )}
        {quick ? null : (
          <Cmdk.Group heading="Environments">
            {foundEnvironments.map((environment) => (
              <Item
                key={environment.id}
                id={`environment ${environment.id}`}
                words={environmentWords(environment)}
                icon={<ColorMark color={environment.color} production={environment.production} />}
                onSelect={() => go(() => select(environment.id))}
                aside={
                  <span className="faint tiny">
                    {identityText(environment)}
                    {environment.production ? ', production' : ''}
                    {environment.id === currentId ? ', in use' : ''}
                  </span>
                }
              >
                <span className={styles.divided}>
                  Use <EnvironmentName name={environment.name} title={environment.name} />
                </span>
              </Item>
            ))}
          </Cmdk.Group>
        )}
        {quick ? null : (
          <Cmdk.Group heading="Commands">
            {paletteCommands(commands, text.trim() !== '').map(({ command, needs }) => (
              <Item
                key={command.id}
                id={`command ${command.id}`}
                words={[command.title, command.group]}
                icon={<CornerDownLeft />}
                off={needs !== null}
                onSelect={needs === null ? () => go(command.run) : stay}
                aside={needs === null ? <Kbd command={command.id} /> : <span className="tiny">Needs {needs}</span>}
              >
                {command.title}
              </Item>
            ))}
          </Cmdk.Group>
        )}
        {quick || undos.length === 0 ? null : (
          <Cmdk.Group heading="Can be undone">
            {undos.map(({ id, what }) => (
              <Item
                key={id}
                id={`undo ${id}`}
                words={[`Undo: ${what}`]}
                icon={<Undo2 />}
                onSelect={() => go(() => startWork(undo(id)))}
                aside={id === undos[0]?.id ? <Kbd command="undo" /> : null}
              >
                Undo: {what}
              </Item>
            ))}
          </Cmdk.Group>
        )}
        {found.length === 0 ? null : (
          // Core searched these; the palette's own filter would throw most of them out.
          <Cmdk.Group heading={text.trim() === '' ? 'Latest calls' : 'Calls'}>
            {found.map((call) => {
              const outcome = outcomeOf(call);
              return (
                <Item
                  key={call.id}
                  id={`call ${call.id}`}
                  words={[operationTitle(call.operation)]}
                  icon={<RotateCcwClock />}
                  onSelect={() => go(() => openCall(workbench, call.id))}
                  aside={
                    <Pill tone={outcome.tone} size="small">
                      {outcome.text}
                    </Pill>
                  }
                >
                  <code>{operationTitle(call.operation)}</code>
                  <span className="quiet">{subjectText(call.subject ?? [])}</span>
                  <span className={classNames('faint tiny', styles.divided)}>
                    {timeText(call.sentAt, openedAt)}, <CallEnvironment call={call} />
                  </span>
                </Item>
              );
            })}
          </Cmdk.Group>
        )}
        {quick ? null : (
          <Cmdk.Group heading="Open points">
            {allOpenPoints.map((point) => (
              <Item
                key={point.id}
                id={`point ${point.id}`}
                words={[point.title, point.id, point.section]}
                icon={<CircleQuestionMark />}
                onSelect={() => go(() => (show('openPoints'), workbench.openPoints.getState().open(point.id)))}
              >
                {point.title}
              </Item>
            ))}
          </Cmdk.Group>
        )}
        {help.length === 0 ? null : (
          <Cmdk.Group heading="Help">
            {help.map(({ page, pageTitle, heading, title }) => (
              <Item
                key={`${page} ${heading}`}
                id={`help ${page} ${heading}`}
                words={[]}
                icon={<BookOpen />}
                onSelect={() => go(() => openManualAt(workbench, page, heading))}
                aside={heading === null ? null : <span className="faint tiny">{pageTitle}</span>}
              >
                {title}
              </Item>
            ))}
          </Cmdk.Group>
        )}
      </Cmdk.List>
    </Cmdk>
  );
}

/** Returns the title on the tab. */
function tabTitle({ file, operation }: RequestTab): string {
  return file === null ? operationTitle(operation) : fileTitle(file.path);
}

const tabCommands = ['tab1', 'tab2', 'tab3', 'tab4', 'tab5', 'tab6', 'tab7', 'tab8', 'tab9'] as const;

/** Entries that were searched elsewhere: they fit, and stand below what the palette's own filter ranks. */
const isSearched = /^(?:game|call|help) /;
const least = Number.MIN_VALUE;

const emptyWords: Readonly<Record<Searched, string>> = {
  going: 'Searching the history',
  ended: 'Nothing found',
  failed: 'The history could not be searched',
};

/** Number of entries of one kind; more are found by typing. */
const mostOfAKind = 12;

const noEnvironments: readonly Environment[] = [];
const noTabs: readonly FoundTab[] = [];

interface FoundTab {
  readonly tab: RequestTab;
  /** Index among the tabs, which decides its keys. */
  readonly at: number;
}

function environmentWords({ name }: Environment): string[] {
  return [name, 'environment', 'switch'];
}

function tabWords(tab: RequestTab): string[] {
  return [tabTitle(tab), tab.file?.path ?? ''];
}

/** Returns the environments that fit best; before anything is typed the first, with the one in use. */
function findEnvironments(all: readonly Environment[], text: string, currentId: string | null): readonly Environment[] {
  if (all.length <= mostOfAKind) return all;
  if (text.trim() !== '') return best(all, (environment) => paletteScore(text, environmentWords(environment)));
  return [...all.filter(({ id }) => id === currentId), ...all.filter(({ id }) => id !== currentId).slice(0, mostOfAKind - 1)];
}

function findTabs(all: readonly RequestTab[], text: string): readonly FoundTab[] {
  const tabs = all.map((tab, at) => ({ tab, at }));
  if (tabs.length <= mostOfAKind || text.trim() === '') return tabs.slice(0, mostOfAKind);
  return best(tabs, ({ tab }) => paletteScore(text, tabWords(tab)));
}

function best<T>(all: readonly T[], scoreOf: (one: T) => number): readonly T[] {
  const scored = all.map((one) => ({ one, score: scoreOf(one) })).filter(({ score }) => score > 0);
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostOfAKind)
    .map(({ one }) => one);
}

const stay = () => undefined;
const noGames = { state: 'none' } as const;

function Item({
  id,
  words,
  icon,
  aside,
  off = false,
  onSelect,
  children,
}: {
  id: string;
  words: readonly string[];
  icon: ReactNode;
  aside?: ReactNode;
  /** True if it can do nothing now: it says why. */
  off?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Cmdk.Item value={id} keywords={[...words]} onSelect={onSelect} className={classNames(styles.item, off && 'faint')}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={styles.text}>{children}</span>
      {aside}
    </Cmdk.Item>
  );
}
