import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { classNames } from './class-names.ts';
import styles from './split-pane.module.css';

// As styles of the elements: the library writes its own there.
const clip = { overflow: 'clip' } as const;
const scroll = { overflow: 'auto' } as const;

/**
 * Two panes with an edge that pointer and arrow keys move. `share` is the first pane's part in percent, remembered by the caller;
 * `minFirst` and `minSecond` are pixels. `id` must be unique on the page. `clips` names panes whose content nothing can scroll.
 */
export function SplitPane({
  id,
  label,
  orientation = 'horizontal',
  share = 50,
  onShare,
  minFirst = 160,
  minSecond = 160,
  clips = 'none',
  first,
  second,
}: {
  id: string;
  /** Names the edge for screen readers: `Request and response`. */
  label: string;
  orientation?: 'horizontal' | 'vertical';
  share?: number | undefined;
  onShare?: (share: number) => void;
  minFirst?: number;
  minSecond?: number;
  clips?: 'none' | 'first' | 'both';
  first: ReactNode;
  /** Null: the first pane has all the room, and stays as it is when the second one comes. */
  second: ReactNode;
}) {
  const firstId = `${id}-first`;
  const secondId = `${id}-second`;
  return (
    <Group
      // A new orientation is a new layout: otherwise the library keeps the old one's pixels.
      key={orientation}
      id={id}
      orientation={orientation}
      className={styles.group}
      style={clip}
      defaultLayout={second === null ? { [firstId]: 100 } : { [firstId]: share, [secondId]: 100 - share }}
      onLayoutChanged={(layout, meta) => {
        const next = layout[firstId];
        if (meta.isUserInteraction && next !== undefined) onShare?.(Math.round(next * 10) / 10);
      }}
    >
      <Panel id={firstId} minSize={minFirst} className={styles.pane} style={clips === 'none' ? scroll : clip}>
        {first}
      </Panel>
      {second === null ? null : (
        <>
          <Separator aria-label={label} className={classNames(styles.edge, orientation === 'vertical' && styles.flat)} />
          <Panel id={secondId} minSize={minSecond} className={styles.pane} style={clips === 'both' ? clip : scroll}>
            {second}
          </Panel>
        </>
      )}
    </Group>
  );
}
