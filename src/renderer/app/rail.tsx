import { useStore } from 'zustand';
import { hasUnsaved } from '#renderer/features/environments/environments-store.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { Tooltip } from '#renderer/ui/tooltip.tsx';
import { areas } from '#shared/areas.ts';
import { screens } from './areas.tsx';
import type { Workbench } from './workbench.ts';
import styles from './rail.module.css';

/** The areas, as icons with their names on hover and focus; in the drawer of a compact window, with their names beside them. */
export function Rail({ workbench, compact }: { workbench: Workbench; compact: boolean }) {
  const current = useStore(workbench.shell, (state) => state.area);
  const unsaved = useStore(workbench.environments, hasUnsaved);
  const { show } = workbench.shell.getState();
  const place = areas.find(({ name }) => name === current)?.place;
  const shown = place === 'wallet' ? place : current;

  function entry(area: (typeof areas)[number]) {
    const marked = area.name === 'environments' && unsaved;
    const name = marked ? `${area.title}, unsaved changes` : area.title;
    const button = (
      <button
        type="button"
        aria-label={name}
        aria-current={area.name === shown ? 'page' : undefined}
        className={classNames(styles.area, area.name === shown && styles.on)}
        onClick={() => show(area.name)}
      >
        {screens[area.name].icon}
        {compact ? <span>{area.title}</span> : null}
        {marked ? <i className={styles.mark} aria-hidden="true" data-own-colors /> : null}
      </button>
    );
    return (
      <li key={area.name}>
        {compact ? (
          button
        ) : (
          <Tooltip names content={name} command={area.name} side="right">
            {button}
          </Tooltip>
        )}
      </li>
    );
  }

  return (
    <nav className={styles.rail} aria-label="Areas" data-pane="rail">
      <ul>{areas.filter((area) => area.place === 'top').map(entry)}</ul>
      <ul>{areas.filter((area) => area.place === 'bottom').map(entry)}</ul>
    </nav>
  );
}
