import { TabStrip, type StripTab } from '#renderer/ui/tab-strip.tsx';
import type { LaunchTab } from './launch-tab.ts';
import type { LauncherStore } from './launcher-store.ts';

/** ID of the panel that all tabs control. */
export const launchPanelId = 'launch-tab-panel';

/** The open launches. Closing one ends its games. */
export function LaunchTabs({
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
