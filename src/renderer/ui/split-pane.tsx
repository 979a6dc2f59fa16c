import type { PointerEvent as PressEvent, ReactNode } from 'react';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, RotateCcw } from 'lucide-react';
import { Group, Panel, Separator, useGroupRef } from 'react-resizable-panels';
import { classNames } from './class-names.ts';
import { ContextMenu } from './menu.tsx';
import styles from './split-pane.module.css';

// As styles of the elements: the library writes its own there.
const clip = { overflow: 'clip' } as const;
const scroll = { overflow: 'auto' } as const;

const sideways = [
  { label: 'Move left', icon: <ArrowLeft />, keys: 'ArrowLeft' },
  { label: 'Move right', icon: <ArrowRight />, keys: 'ArrowRight' },
] as const;
const upright = [
  { label: 'Move up', icon: <ArrowUp />, keys: 'ArrowUp' },
  { label: 'Move down', icon: <ArrowDown />, keys: 'ArrowDown' },
] as const;

/** Takes the edge where its grip was pressed beside what the library counts as the edge. */
function takeByGrip({ currentTarget, nativeEvent }: PressEvent<HTMLElement>): void {
  if (nativeEvent.defaultPrevented || !nativeEvent.isTrusted) return;
  const { x, y, width, height } = currentTarget.getBoundingClientRect();
  const { pointerId, pointerType, button, buttons, clientX, clientY } = nativeEvent;
  const [left, top] = width < height ? [x, clientY] : [clientX, y];
  const onEdge = { pointerId, pointerType, button, buttons, clientX: left, clientY: top };
  if (!currentTarget.dispatchEvent(new PointerEvent('pointerdown', { ...onEdge, bubbles: true, cancelable: true })))
    nativeEvent.preventDefault();
}

/** Percent that one choice of the edge's menu moves it by. */
const step = 10;

/**
 * Two panes with an edge that is dragged, or moved by arrow keys, Home and End, or by its menu, for those who do not drag. A double
 * click moves it back to `usual`. `share` is the first pane's part in percent, remembered by the caller; `minFirst` and `minSecond` are
 * pixels. `id` must be unique on the page. `clips` names panes whose content nothing can scroll.
 */
export function SplitPane({
  id,
  label,
  orientation = 'horizontal',
  usual = 50,
  share = usual,
  onShare,
  minFirst,
  minSecond,
  clips = 'none',
  first,
  second,
}: {
  id: string;
  /** Names the edge for screen readers: `Request and response`. */
  label: string;
  orientation?: 'horizontal' | 'vertical';
  /** The first pane's part before anybody moved the edge. */
  usual?: number;
  share?: number | undefined;
  onShare?: (share: number) => void;
  minFirst: number;
  minSecond: number;
  clips?: 'none' | 'first' | 'both';
  first: ReactNode;
  /** Null: the first pane has all the room, and stays as it is when the second one comes. */
  second: ReactNode;
}) {
  const firstId = `${id}-first`;
  const secondId = `${id}-second`;
  const group = useGroupRef();
  const remember = (layout: Readonly<Record<string, number>>) => {
    const next = layout[firstId];
    if (next !== undefined) onShare?.(Math.round(next * 10) / 10);
  };
  const moveTo = (wanted: number) => {
    const first = Math.min(Math.max(wanted, 0), 100);
    const layout = group.current?.setLayout({ [firstId]: first, [secondId]: 100 - first });
    if (layout !== undefined) remember(layout);
  };
  const moveBy = (percent: number) => moveTo((group.current?.getLayout()[firstId] ?? usual) + percent);
  const [back, forth] = orientation === 'horizontal' ? sideways : upright;
  return (
    <Group
      groupRef={group}
      // A new orientation is a new layout: otherwise the library keeps the old one's pixels.
      key={orientation}
      id={id}
      orientation={orientation}
      className={styles.group}
      style={clip}
      defaultLayout={second === null ? { [firstId]: 100 } : { [firstId]: share, [secondId]: 100 - share }}
      onLayoutChanged={(layout, meta) => {
        if (meta.isUserInteraction) remember(layout);
      }}
    >
      <Panel id={firstId} minSize={minFirst} className={styles.pane} style={clips === 'none' ? scroll : clip}>
        {first}
      </Panel>
      {second === null ? null : (
        <>
          <ContextMenu
            items={[
              { ...back, onSelect: () => moveBy(-step) },
              { ...forth, onSelect: () => moveBy(step) },
              { label: 'Reset', icon: <RotateCcw />, onSelect: () => moveTo(usual) },
            ]}
          >
            <Separator
              aria-label={label}
              disableDoubleClick
              onDoubleClick={() => moveTo(usual)}
              onPointerDown={takeByGrip}
              className={classNames(styles.edge, orientation === 'vertical' && styles.flat)}
            />
          </ContextMenu>
          <Panel id={secondId} minSize={minSecond} className={styles.pane} style={clips === 'both' ? clip : scroll}>
            {second}
          </Panel>
        </>
      )}
    </Group>
  );
}
