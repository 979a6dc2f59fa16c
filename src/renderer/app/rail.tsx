import { useStore } from 'zustand';
import { hasUnsaved } from '#renderer/features/environments/environments-store.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { Tooltip } from '#renderer/ui/tooltip.tsx';
import { areas } from '#shared/areas.ts';
import { screens } from './areas.tsx';
import type { Workbench } from './workbench.ts';
import styles from './rail.module.css';

/** The areas, as icons with their names on hover and focus. */
export function Rail({ workbench }: { workbench: Workbench }) {
  const current = useStore(workbench.shell, (state) => state.area);
  const unsaved = useStore(workbench.environments, hasUnsaved);
  const { show } = workbench.shell.getState();

  function entry(area: (typeof areas)[number]) {
    const marked = area.name === 'environments' && unsaved;
    return (
      <li key={area.name}>
        <Tooltip names content={marked ? `${area.title}, unsaved changes` : area.title} command={area.name} side="right">
          <button
            type="button"
            aria-label={marked ? `${area.title}, unsaved changes` : area.title}
            aria-current={area.name === current ? 'page' : undefined}
            className={classNames(styles.area, area.name === current && styles.on)}
            onClick={() => show(area.name)}
          >
            {screens[area.name].icon}
            {marked ? <i className={styles.mark} aria-hidden="true" data-own-colors /> : null}
          </button>
        </Tooltip>
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
