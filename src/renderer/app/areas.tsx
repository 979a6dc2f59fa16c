import type { ReactNode } from 'react';
import {
  Activity,
  CircleQuestionMark,
  CirclePlay,
  LayoutGrid,
  ListChecks,
  Receipt,
  RotateCcwClock,
  Send,
  Settings,
  SlidersVertical,
  Wallet,
  Waypoints,
} from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { followedFile } from '#renderer/features/collections/team-environments.ts';
import { currentEnvironment, sharersOf } from '#renderer/features/environments/environments-store.ts';
import { EnvironmentsSidebar } from '#renderer/features/environments/environments-sidebar.tsx';
import { GamesSidebar } from '#renderer/features/games/games-sidebar.tsx';
import { OpenPointsSidebar } from '#renderer/features/open-points/open-points-sidebar.tsx';
import { RoundsSidebar } from '#renderer/features/rounds/rounds-sidebar.tsx';
import { DoctorArea } from './doctor-area.tsx';
import { GatewayArea } from './gateway-area.tsx';
import { HistoryArea } from './history-area.tsx';
import { RunsArea, RunsList } from './runs-area.tsx';
import { launchFromCall, launchFromCatalogue, LauncherArea } from './launcher-area.tsx';
import { WalletArea } from './wallet-area.tsx';
import type { AreaName } from '#shared/areas.ts';
import { RequestsArea } from './requests-area.tsx';
import { openCall } from './open-call.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { RequestsSidebar } from './requests-sidebar.tsx';
import type { Workbench } from './workbench.ts';

const EnvironmentPage = lazyPage(
  async () => (await import('#renderer/features/environments/environment-page.tsx')).EnvironmentPage,
);
const GamesPage = lazyPage(async () => (await import('#renderer/features/games/games-page.tsx')).GamesPage);
const OpenPointsPage = lazyPage(async () => (await import('#renderer/features/open-points/open-points-page.tsx')).OpenPointsPage);
const RoundsPage = lazyPage(async () => (await import('#renderer/features/rounds/rounds-page.tsx')).RoundsPage);
const SettingsArea = lazyPage(async () => (await import('./settings-area.tsx')).SettingsArea);

/** The screen of one area. */
export interface Screen {
  readonly icon: ReactNode;
  /** True if it stays drawn, out of sight, once it was shown, because its content would otherwise begin again. */
  readonly keep?: boolean;
  readonly Sidebar?: (props: { workbench: Workbench }) => ReactNode;
  readonly Page: (props: { workbench: Workbench }) => ReactNode;
}

/** The screen of each area in the table of areas. */
export const screens: Readonly<Record<AreaName, Screen>> = {
  requests: { icon: <Send />, Sidebar: RequestsSidebar, Page: RequestsArea },
  games: { icon: <LayoutGrid />, Sidebar: GamesList, Page: GamesArea },
  launcher: { icon: <CirclePlay />, keep: true, Page: LauncherArea },
  rounds: { icon: <Receipt />, Sidebar: RoundsList, Page: RoundsArea },
  runs: { icon: <ListChecks />, Sidebar: RunsList, Page: RunsArea },
  wallet: { icon: <Wallet />, Page: WalletArea },
  gateway: { icon: <Waypoints />, Page: GatewayArea },
  history: { icon: <RotateCcwClock />, Page: HistoryArea },
  doctor: { icon: <Activity />, Page: DoctorArea },
  openPoints: { icon: <CircleQuestionMark />, Sidebar: PointsList, Page: OpenPointsArea },
  environments: {
    icon: <SlidersVertical />,
    Sidebar: ({ workbench }) => <EnvironmentsSidebar store={workbench.environments} />,
    Page: EnvironmentArea,
  },
  settings: { icon: <Settings />, Page: SettingsArea },
};

function EnvironmentArea({ workbench }: { workbench: Workbench }) {
  const openId = useStore(workbench.environments, (state) => state.openId);
  const follows = useStore(workbench.collections, (state) => followedFile(state, openId));
  const onUse = () => {
    workbench.shell.getState().show('requests');
    workbench.moveFocus('[data-send]');
  };
  return <EnvironmentPage store={workbench.environments} follows={follows} onUse={onUse} />;
}

function GamesList({ workbench }: { workbench: Workbench }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  return <GamesSidebar store={workbench.games} environment={environment} />;
}

function GamesArea({ workbench }: { workbench: Workbench }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  const { show } = workbench.shell.getState();
  const requests = workbench.requests.getState();
  return (
    <GamesPage
      store={workbench.games}
      loader={workbench.thumbnails}
      environment={environment}
      onOpenCall={(id) => openCall(workbench, id)}
      onOpenDraft={(draft) => {
        show('requests');
        requests.openDraft(draft);
      }}
      onOpenPoint={(id) => {
        show('openPoints');
        workbench.openPoints.getState().open(id);
      }}
      onLaunch={({ game, mode }) => {
        if (environment === null) return;
        launchFromCatalogue(workbench, { environmentId: environment.id, gameId: game.id, gameName: game.name, mode });
      }}
    />
  );
}

function RoundsList({ workbench }: { workbench: Workbench }) {
  return <RoundsSidebar store={workbench.rounds} />;
}

function RoundsArea({ workbench }: { workbench: Workbench }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  const { show } = workbench.shell.getState();
  return (
    <RoundsPage
      gameLists={workbench.gameLists}
      store={workbench.rounds}
      environment={environment}
      onOpenCall={(id) => openCall(workbench, id)}
      onOpenBet={() => {
        show('requests');
        workbench.requests.getState().openOperation('bet');
      }}
      onEditEnvironment={() => {
        if (environment !== null) workbench.environments.getState().open(environment.id);
        show('environments');
      }}
      onOpenReplay={(callId) => launchFromCall(workbench, callId)}
    />
  );
}

function PointsList({ workbench }: { workbench: Workbench }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  return (
    <OpenPointsSidebar store={workbench.openPoints} environment={environment} onOpen={workbench.openPoints.getState().open} />
  );
}

function OpenPointsArea({ workbench }: { workbench: Workbench }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  const sharers = useStore(
    workbench.environments,
    useShallow((state) => (environment === null ? [] : sharersOf(state, environment))),
  );
  return (
    <OpenPointsPage
      store={workbench.openPoints}
      environment={environment}
      sharers={sharers}
      onOpenPoint={workbench.openPoints.getState().open}
      onOpenOperation={(name) => {
        workbench.shell.getState().show('requests');
        workbench.requests.getState().openOperation(name);
      }}
    />
  );
}
