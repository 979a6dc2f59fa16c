import { useStore } from 'zustand';
import { Keyboard, Monitor, Moon, PanelLeft, Search, Settings, Sun, SunMoon } from 'lucide-react';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { Brand } from './brand.tsx';
import { EnvironmentSwitcher } from './environment-switcher.tsx';
import type { Workbench } from './workbench.ts';
import styles from './top-bar.module.css';

const themes = [
  { theme: 'system', label: 'As the system', Icon: Monitor },
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
] as const;

/** Name, palette, environment. A production environment tints the bar, and says so in words beside its name. */
export function TopBar({ workbench, hasSidebar }: { workbench: Workbench; hasSidebar: boolean }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  const theme = useStore(workbench.shell, (state) => state.theme);
  const { setOverlay, setTheme, show, toggleSidebar } = workbench.shell.getState();
  const production = environment?.production === true;
  return (
    <header
      className={styles.bar}
      data-pane="top"
      data-production={production || undefined}
      style={environment === null ? undefined : { ['--mark' as string]: `var(--mark-${environment.color})` }}
    >
      {hasSidebar ? (
        <IconButton
          className={styles.drawer}
          label="Show the sidebar"
          command="sidebar"
          icon={<PanelLeft />}
          onClick={toggleSidebar}
        />
      ) : null}
      <Brand />
      <button type="button" className={styles.find} onClick={() => setOverlay('everything')}>
        <Search aria-hidden="true" />
        <span>Search operations, calls, games, commands</span>
        <Kbd command="palette" />
      </button>
      <EnvironmentSwitcher workbench={workbench} />
      <Menu
        align="end"
        trigger={<IconButton label="Appearance and keys" icon={<SunMoon />} />}
        items={[
          { kind: 'heading', id: 'heading', label: 'Theme' },
          ...themes.map(({ theme: one, label, Icon }) => ({
            kind: 'choice' as const,
            id: one,
            label: (
              <>
                <Icon aria-hidden="true" className={styles.themeIcon} />
                {label}
              </>
            ),
            checked: theme === one,
            onSelect: () => setTheme(one),
          })),
          { kind: 'separator', id: 'line' },
          {
            kind: 'action',
            id: 'settings',
            label: 'Settings',
            icon: <Settings />,
            command: 'settings',
            onSelect: () => show('settings'),
          },
          {
            kind: 'action',
            id: 'keys',
            label: 'Keyboard shortcuts',
            icon: <Keyboard />,
            command: 'help',
            onSelect: () => setOverlay('help'),
          },
        ]}
      />
    </header>
  );
}
