import { useStore } from 'zustand';
import { Keyboard, Menu as MenuIcon, Monitor, Moon, Search, Settings, Sun, SunMoon } from 'lucide-react';
import { currentEnvironment, hasUnsaved } from '#renderer/features/environments/environments-store.ts';
import { useAriaKeys } from '#renderer/ui/command-keys.ts';
import { choiceSettings } from '#shared/choices.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { Brand } from './brand.tsx';
import { EnvironmentSwitcher } from './environment-switcher.tsx';
import type { Workbench } from './workbench.ts';
import rail from './rail.module.css';
import styles from './top-bar.module.css';

const themes = [
  { theme: 'system', command: 'themeSystem', Icon: Monitor },
  { theme: 'light', command: 'themeLight', Icon: Sun },
  { theme: 'dark', command: 'themeDark', Icon: Moon },
] as const;

/** ID of the drawer that holds areas and list in a compact window. */
export const drawerId = 'lists';

/**
 * Name, palette, environment. A production environment tints the bar, and says so in words beside its name. In a compact window the
 * name of the screen opens the drawer, in place of Croupier's.
 */
export function TopBar({ workbench, title, hasList }: { workbench: Workbench; title: string; hasList: boolean }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  const theme = useStore(workbench.shell, (state) => state.theme);
  const { chooseBy, setOverlay, show } = workbench.shell.getState();
  const production = environment?.production === true;
  return (
    <header
      className={styles.bar}
      data-pane="top"
      data-production={production || undefined}
      style={environment === null ? undefined : { ['--mark' as string]: `var(--mark-${environment.color})` }}
    >
      <DrawerButton workbench={workbench} title={title} hasList={hasList} />
      <Brand className={styles.brand} />
      <button type="button" className={styles.find} onClick={() => setOverlay('everything')}>
        <Search />
        <span className={styles.words}>Find anything</span>
        <Kbd command="palette" />
      </button>
      <EnvironmentSwitcher workbench={workbench} />
      <Menu
        align="end"
        trigger={<IconButton className={styles.appearance} label="Appearance and keys" icon={<SunMoon />} />}
        items={[
          { heading: 'Theme' },
          ...themes.map(({ theme: one, command, Icon }) => ({
            id: one,
            label: (
              <>
                <Icon aria-hidden="true" className="faint" />
                {choiceSettings.theme.options[one]}
              </>
            ),
            checked: theme === one,
            command,
            onSelect: () => chooseBy(command),
          })),
          'separator',
          { label: 'Settings', icon: <Settings />, command: 'settings', onSelect: () => show('settings') },
          { label: 'Keyboard shortcuts', icon: <Keyboard />, command: 'help', onSelect: () => setOverlay('help') },
        ]}
      />
    </header>
  );
}

/** Opens the drawer of a compact window. It carries the marks of the areas inside. */
function DrawerButton({ workbench, title, hasList }: { workbench: Workbench; title: string; hasList: boolean }) {
  const open = useStore(workbench.shell, (state) => state.drawer);
  const unsaved = useStore(workbench.environments, hasUnsaved);
  const label = `${title}: areas${hasList ? ' and list' : ''}${unsaved ? ', unsaved environment' : ''}`;
  return (
    <button
      type="button"
      className={styles.drawer}
      aria-label={label}
      aria-expanded={open}
      aria-controls={drawerId}
      aria-keyshortcuts={useAriaKeys({ command: 'sidebar' })}
      onClick={workbench.shell.getState().toggleSidebar}
    >
      <MenuIcon />
      {title}
      {unsaved ? <i className={rail.mark} aria-hidden="true" data-own-colors /> : null}
    </button>
  );
}
