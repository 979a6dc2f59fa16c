import { Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { EnvironmentsContext } from '#renderer/calls/environment-name.tsx';
import { ExplainingContext } from '#renderer/calls/explaining.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { ScreenReaderContext } from '#renderer/editor/screen-reader.ts';
import { CommandKeysContext, shownKeys, type Keys } from '#renderer/ui/command-keys.ts';
import { DayContext } from '#renderer/ui/day.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { Announced } from '#renderer/ui/announced.tsx';
import { Notices } from '#renderer/ui/notice.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { DroppedFilesContext, useDroppedFiles } from '#renderer/ui/use-dropped-files.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { moveFocusByDefault } from '#renderer/ui/focus-rule.ts';
import { COMPACT, useMedia } from '#renderer/ui/use-media.ts';
import { writesForScreenReader } from './appearance.ts';
import { screens } from './areas.tsx';
import type { AssistStore } from './assist-store.ts';
import { withShortcuts, type Command } from './commands.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { createExplaining } from './explaining.ts';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';
import { ManualArea } from './manual-area.tsx';
import { Palette } from './palette.tsx';
import { RunStartArea } from './runs-area.tsx';
import { Rail } from './rail.tsx';
import { StatusBar } from './status-bar.tsx';
import { drawerId, TopBar } from './top-bar.tsx';
import { areas, type AreaName } from '#shared/areas.ts';
import type { Workbench } from './workbench.ts';
import styles from './shell.module.css';
import { openCall } from './open-call.ts';

const AssistDialog = lazyDialog(async () => (await import('./assist-dialog.tsx')).AssistDialog);
const SecretArea = lazyDialog(async () => (await import('./secret-area.tsx')).SecretArea);
const HelpSheet = lazyDialog(async () => (await import('./help-sheet.tsx')).HelpSheet);

/** The frame around every area. */
export function Shell({
  workbench,
  commands,
  assist,
}: {
  workbench: Workbench;
  commands: readonly Command[];
  assist: AssistStore;
}) {
  const assists = useStore(assist, ({ shown }) => shown !== null);
  // What else the store holds changes nothing here: drawing the shell again draws all that is in it.
  const { name, sidebar, drawer, overlay, notices } = useStore(
    workbench.shell,
    useShallow(({ area, sidebar, drawer, overlay, notices }) => ({ name: area, sidebar, drawer, overlay, notices })),
  );
  const { closeNotice, setDrawer, setOverlay } = workbench.shell.getState();
  const environments = useStore(workbench.environments, ({ list }) => (list.state === 'ready' ? list : null));
  // Many parts below show times of day: at midnight all of them are drawn again.
  useSyncExternalStore(workbench.day.watch, workbench.day.get);
  const title = titleOf(name);
  useEffect(() => {
    // A browser's tab and the desktop's window say which screen it is.
    document.title = `${title} - Croupier`;
  }, [title]);
  const { Sidebar, keep } = screens[name];
  const compact = useMedia(COMPACT);
  const isOver = drawer && compact;
  const lists = useRef<HTMLDivElement>(null);
  const asksAboutSecrets = useStore(workbench.secretQuestions, ({ secrets }) => secrets !== null);
  const shortcuts = useStore(workbench.shortcuts, ({ changed }) => changed);
  const listens = useStore(workbench.shell, ({ screenReader, info }) =>
    writesForScreenReader(screenReader, info?.screenReader ?? null),
  );
  const rowKeys = useStore(workbench.shell, (state) => state.rowKeys === 'on');
  const keysFor = useCallback((given: Keys) => shownKeys(given, shortcuts, rowKeys), [shortcuts, rowKeys]);
  const { take, open: openPacks } = workbench.packs.getState();
  // Core says of other files why they are not packs.
  const { over, handlers } = useDroppedFiles((files) => startWork(openPacks(files)));
  const explaining = useMemo(() => createExplaining(workbench), [workbench]);
  const [kept, setKept] = useState<readonly AreaName[]>([]);
  if (keep === true && !kept.includes(name)) setKept([...kept, name]);

  const shown = useRef(name);
  useEffect(() => {
    if (shown.current === name) return;
    shown.current = name;
    announcer.say(title);
    moveFocusByDefault(document, '#content [data-item][tabindex="0"]', firstField);
  }, [name, title]);

  useEffect(() => {
    setDrawer(false);
    // A request that is opened, from a menu of the list too, would lie under the drawer.
    return workbench.requests.subscribe((state, before) => {
      if (state.activeId !== before.activeId) setDrawer(false);
    });
  }, [workbench, compact, setDrawer]);

  useEffect(() => {
    const list = lists.current;
    if (!isOver || list === null) return;
    list.querySelector<HTMLElement>('[aria-current="page"]')?.focus();
    // The chosen item would lie under the drawer.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('li button, [role="option"], [data-opens]') !== null) setDrawer(false);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      setDrawer(false);
      document.querySelector<HTMLElement>(`[aria-controls="${drawerId}"]`)?.focus();
    };
    list.addEventListener('click', onClick);
    list.addEventListener('keydown', onKeyDown);
    return () => {
      list.removeEventListener('click', onClick);
      list.removeEventListener('keydown', onKeyDown);
    };
  }, [isOver, setDrawer]);

  return (
    <EnvironmentsContext value={environments}>
      <DayContext value={workbench.day}>
        <CommandKeysContext value={keysFor}>
          <DroppedFilesContext value={take}>
            <div className={classNames(styles.shell, over && 'drop-over')} {...handlers}>
              <a className={styles.skip} href="#content">
                Skip to the content
              </a>
              <ErrorBoundary small name="The top bar">
                <TopBar workbench={workbench} title={title} hasList={Sidebar !== undefined} />
              </ErrorBoundary>
              <ErrorBoundary small name="The connection banner">
                <ConnectionBanner connection={workbench.connection} saveTyped={workbench.saveTyped} />
              </ErrorBoundary>
              <div className={styles.body}>
                {isOver ? <div className={styles.scrim} aria-hidden="true" onClick={() => setDrawer(false)} /> : null}
                <div
                  ref={lists}
                  id={drawerId}
                  className={classNames(styles.lists, isOver && styles.open)}
                  data-floats={isOver || undefined}
                >
                  <ErrorBoundary small name="The list of areas">
                    <Rail workbench={workbench} compact={compact} />
                  </ErrorBoundary>
                  {Sidebar === undefined ? null : (
                    <aside
                      className={classNames(styles.side, !sidebar && styles.closed)}
                      aria-label={`${title}: list`}
                      data-pane="side"
                    >
                      <ErrorBoundary key={name} name={`The list of ${title.toLowerCase()}`}>
                        <Sidebar workbench={workbench} />
                      </ErrorBoundary>
                    </aside>
                  )}
                </div>
                <ScreenReaderContext value={listens}>
                  <main id="content" className={styles.main} tabIndex={-1} data-pane="main" aria-label={title} inert={isOver}>
                    <ExplainingContext value={explaining}>
                      {keep === true ? null : <AreaPage key={name} name={name} workbench={workbench} />}
                      {areas.map((one) =>
                        kept.includes(one.name) ? (
                          <div key={one.name} className="fill-column" hidden={one.name !== name}>
                            <AreaPage name={one.name} shown={one.name === name} workbench={workbench} />
                          </div>
                        ) : null,
                      )}
                    </ExplainingContext>
                  </main>
                </ScreenReaderContext>
              </div>
              <div className={styles.foot}>
                <ErrorBoundary small name="The status bar">
                  <StatusBar workbench={workbench} />
                </ErrorBoundary>
                <Notices items={notices} onClose={closeNotice} />
              </div>
              <ErrorBoundary small name="The command palette">
                <Palette workbench={workbench} commands={commands} />
              </ErrorBoundary>
              <ErrorBoundary small name="The repeat dialog">
                <RepeatArea workbench={workbench} />
              </ErrorBoundary>
              <ErrorBoundary small name="The secrets dialog">
                {asksAboutSecrets ? <SecretArea store={workbench.secretQuestions} /> : null}
              </ErrorBoundary>
              <ErrorBoundary small name="The run dialog">
                <RunStartArea workbench={workbench} />
              </ErrorBoundary>
              <ErrorBoundary small name="The help">
                <ManualArea workbench={workbench} />
              </ErrorBoundary>
              <ErrorBoundary small name="The focus dialog">
                {assists ? <AssistDialog store={assist} /> : null}
              </ErrorBoundary>
              <ErrorBoundary small name="The list of shortcuts">
                {overlay === 'help' ? (
                  <HelpSheet commands={withShortcuts(commands, shortcuts)} onClose={() => setOverlay('none')} />
                ) : null}
              </ErrorBoundary>
              <Announced />
            </div>
          </DroppedFilesContext>
        </CommandKeysContext>
      </DayContext>
    </EnvironmentsContext>
  );
}

/** The field that the keyboard goes to in an area without a row. */
const firstField = '#content :is(input:not([type="checkbox"], [type="radio"]), textarea):not(:disabled, [tabindex="-1"])';

function titleOf(name: AreaName): string {
  return areas.find((area) => area.name === name)?.title ?? '';
}

/** An area's content, with a placeholder while its code is fetched and if it cannot be drawn. */
function AreaPage({
  name,
  shown,
  workbench,
}: {
  name: AreaName;
  /** Absent for an area that is drawn only while it is in sight. */
  shown?: boolean;
  workbench: Workbench;
}) {
  const title = titleOf(name);
  const { Page } = screens[name];
  return (
    <ErrorBoundary name={title} {...(shown === undefined ? {} : { shown })}>
      <Suspense fallback={<Skeleton rows={12} label={`Loading ${title.toLowerCase()}`} />}>
        <Page workbench={workbench} />
      </Suspense>
    </ErrorBoundary>
  );
}

const RepeatDialog = lazyDialog(async () => (await import('#renderer/calls/repeat-dialog.tsx')).RepeatDialog);

/** The questions about exact repeats, over whichever area asked them. */
function RepeatArea({ workbench }: { workbench: Workbench }) {
  const asks = useStore(workbench.repeats, ({ job }) => ['asking', 'unconfirmed', 'refused'].includes(job.state));
  if (!asks) return null;
  return <RepeatDialog store={workbench.repeats} onEdit={(id) => openCall(workbench, id)} />;
}
