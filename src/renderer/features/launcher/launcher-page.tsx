import { useEffect } from 'react';
import { Camera, PackageOpen, Settings2, Square } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { ConfirmSend } from '#renderer/calls/confirm-send.tsx';
import { OtherEnvironment } from '#renderer/calls/other-environment.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { tabId, TabStrip, type StripTab } from '#renderer/ui/tab-strip.tsx';
import { EvidenceDialog } from './records/evidence-dialog.tsx';
import { FirstLaunch } from './settings/first-launch.tsx';
import { fieldText } from './tabs/launch-form.ts';
import { launchOrCancel } from './launch-commands.ts';
import { LaunchSettings } from './settings/launch-settings.tsx';
import { launchTitle } from './launch-words.ts';
import { activeSlot, type LaunchTab } from './tabs/launch-tab.ts';
import type { LauncherStore } from './tabs/launcher-store.ts';
import { RecordPane } from './records/record-pane.tsx';
import { PicturesDialog } from './screens/pictures-dialog.tsx';
import { GameScreens } from './screens/game-screens.tsx';
import { TokenPoolDialog } from './settings/token-pool-dialog.tsx';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './launcher-page.module.css';

const modes = optionsOf({ real: 'real', fun: 'fun', both: 'both' });

export interface LauncherPageProps {
  readonly store: LauncherStore;
  readonly environment: Environment;
  /** True if settings, game and record do not fit beside each other. */
  readonly narrow: boolean;
  /** True if the host itself shows games, with everything observed. */
  readonly embeds: boolean;
  readonly onOpenCall: (id: number) => void;
  readonly onOpenPoint: (id: string) => void;
  readonly onOpenGames: () => void;
}

/** Launches games and watches them: the settings, the game, and its record. */
export function LauncherPage(props: LauncherPageProps) {
  const { store, environment } = props;
  const tabs = useStore(store, (state) => state.tabs);
  const activeId = useStore(store, (state) => state.activeId);
  const names = useStore(store, (state) => (state.games?.environmentId === environment.id ? state.games.names : null));
  useEffect(() => {
    startWork(store.getState().load());
  }, [store]);
  useEffect(() => {
    startWork(store.getState().loadGames(environment.id));
  }, [store, environment.id]);
  const nameOf = (tab: LaunchTab) => tabName(tab, names);
  return (
    <div className={styles.page}>
      <LaunchTabs store={store} tabs={tabs} activeId={activeId} environmentId={environment.id} nameOf={nameOf} />
      {/* Every tab stays drawn: a frame that leaves the page would begin its game again. */}
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={tab.id === activeId ? launchPanelId : undefined}
          aria-labelledby={tabId(launchPanelId, tab.id)}
          className="fill-column"
          hidden={tab.id !== activeId}
        >
          <LaunchPanel {...props} tab={tab} name={nameOf(tab)} />
        </div>
      ))}
      <PicturesDialog store={store} />
      <EvidenceDialog store={store} />
    </div>
  );
}

function LaunchPanel(props: LauncherPageProps & { readonly tab: LaunchTab; readonly name: string }) {
  const { store, environment, narrow, tab, onOpenCall, onOpenGames } = props;
  const actions = store.getState();
  const settings = useStore(store, (state) => state.settings);
  const share = useStore(store, (state) => state.shares.record);
  const poolOpen = useStore(store, (state) => state.poolTab === tab.id);
  const { preparing } = tab;
  const certificateHelp = !props.embeds && environment.kind === 'sandbox' ? environment.baseUrl : null;
  const game =
    tab.slots.length === 0 ? (
      <FirstLaunch
        store={store}
        asking={preparing.state === 'sending' && preparing.what === 'launch'}
        ready={(tab.typed.gameId ?? '') !== ''}
        onOpenGames={onOpenGames}
      />
    ) : (
      <SplitPane
        id={`launch-${tab.id}`}
        label="Game and record"
        usual={66}
        share={share}
        onShare={(next) => actions.setShare('record', next)}
        minFirst={280}
        minSecond={narrow ? 200 : 320}
        clips="first"
        first={<GameScreens store={store} tab={tab} certificateHelp={certificateHelp} onOpenCall={onOpenCall} />}
        second={<RecordPane store={store} tab={tab} />}
      />
    );
  return (
    <>
      <LaunchLine {...props} settings={settings} />
      {preparing.state === 'refused' ? (
        <WarningLine>
          <p>{preparing.message}</p>
          <Button variant="quiet" onClick={() => actions.dismiss(tab.id)}>
            Close
          </Button>
        </WarningLine>
      ) : null}
      <OtherEnvironment call={activeSlot(tab)?.launch.call ?? null} environment={environment} />
      <div className={classNames(styles.parts, narrow && styles.narrow)}>
        <div className={styles.settings} hidden={narrow && !settings}>
          <LaunchSettings
            store={store}
            tab={tab}
            environment={environment}
            onOpenPoint={props.onOpenPoint}
            onOpenGames={onOpenGames}
            onOpenCall={onOpenCall}
            embeds={props.embeds}
          />
        </div>
        <div className={styles.game} hidden={narrow && settings}>
          {game}
        </div>
      </div>
      {poolOpen ? (
        <TokenPoolDialog store={store} environmentName={environment.name} gameId={fieldText(tab.typed, 'gameId', environment)} />
      ) : null}
      <ConfirmSend
        question={preparing.state === 'unconfirmed' ? preparing.question : null}
        onConfirm={(confirmed) => actions.confirm(tab.id, confirmed)}
        onClose={() => actions.dismiss(tab.id)}
      />
    </>
  );
}

/** Names the game and the mode of the launch, with the actions. */
function LaunchLine(props: LauncherPageProps & { readonly tab: LaunchTab; readonly name: string; readonly settings: boolean }) {
  const { store, environment, narrow, embeds, tab, name, settings } = props;
  const actions = store.getState();
  const busy = useStore(store, (state) => state.busy);
  const earlier = useStore(store, (state) => (state.keeping?.kept ?? 0) > 0);
  const slot = activeSlot(tab);
  const viewed = slot?.shown.state === 'view';
  const launchId = slot?.launch.id ?? null;
  const gameId = tab.typed.gameId ?? '';
  const sending = tab.preparing.state === 'sending';
  const isReplay = gameId === '' && slot?.launch.source === 'replay';
  return (
    <header className={styles.line}>
      <h1 className={styles.title} title={name}>
        {name}
      </h1>
      {gameId === '' || name === `Game ${gameId}` ? null : <span className={classNames('code', 'faint')}>{gameId}</span>}
      {/* A replay has no mode, and nothing to launch again, until a game is chosen for its tab. */}
      {isReplay ? null : (
        <SegmentedChoice
          label="Mode"
          options={modes}
          value={tab.mode}
          onChange={(mode) => actions.setMode(tab.id, mode)}
          disabled={sending}
        />
      )}
      <div className={styles.actions}>
        {narrow && (tab.slots.length > 0 || !settings || earlier) ? (
          <Button icon={<Settings2 />} aria-pressed={settings} onClick={() => actions.setSettings(!settings)}>
            {!settings ? 'Settings' : tab.slots.length > 0 ? 'Show the game' : 'Earlier launches'}
          </Button>
        ) : null}
        {embeds ? (
          <Button
            className={styles.compact}
            icon={<Camera />}
            disabled={!viewed || busy !== null}
            busy={busy === 'screenshot'}
            onClick={() => launchId !== null && startWork(actions.takeScreenshot(launchId))}
          >
            Screenshot
          </Button>
        ) : null}
        <Button
          aria-label="Export evidence"
          icon={<PackageOpen />}
          disabled={launchId === null || busy !== null}
          busy={busy === 'export'}
          onClick={() => launchId !== null && startWork(actions.showEvidence(launchId))}
        >
          Export<span className={styles.rest}> evidence</span>
        </Button>
        {sending ? (
          <Button icon={<Square />} command="send" onClick={() => launchOrCancel(store, environment)}>
            Cancel
          </Button>
        ) : isReplay ? null : (
          <Button
            variant={gameId === '' && tab.slots.length === 0 ? 'plain' : 'primary'}
            command="send"
            onClick={() => launchOrCancel(store, environment)}
          >
            {tab.slots.length === 0 ? 'Launch' : 'Launch again'}
          </Button>
        )}
      </div>
    </header>
  );
}

function tabName(tab: LaunchTab, names: ReadonlyMap<string, string> | null): string {
  const gameId = (tab.typed.gameId ?? '').trim();
  if (tab.gameName !== '') return tab.gameName;
  const known = names?.get(gameId) ?? '';
  if (known !== '') return known;
  if (gameId !== '') return `Game ${gameId}`;
  const [slot] = tab.slots;
  return slot === undefined ? 'New launch' : launchTitle(slot.launch);
}

/** ID of the panel that all tabs control. */
const launchPanelId = 'launch-tab-panel';

/** The open launches. Closing one ends its games. */
function LaunchTabs({
  store,
  tabs,
  activeId,
  environmentId,
  nameOf,
}: {
  store: LauncherStore;
  /** The environment in which a new launch begins. */
  environmentId: string;
  tabs: readonly LaunchTab[];
  activeId: string | null;
  nameOf: (tab: LaunchTab) => string;
}) {
  const { selectTab, closeTab, newTab } = store.getState();
  const strip = tabs.map((tab): StripTab => {
    const busy = tab.preparing.state === 'sending';
    const open = tab.slots.some(({ shown }) => shown.state === 'view' || shown.state === 'frame');
    return { id: tab.id, name: nameOf(tab), busy, mark: open && !busy ? { word: 'open', title: 'The game is open' } : null };
  });
  return (
    <TabStrip
      label="Launches"
      tabs={strip}
      activeId={activeId}
      panelId={launchPanelId}
      add={{ label: 'New launch', run: () => newTab(environmentId) }}
      onSelect={selectTab}
      onClose={closeTab}
    />
  );
}
