import type { ComponentProps, ReactNode } from 'react';
import { Slot, Tooltip as RadixTooltip } from 'radix-ui';
import type { Keys } from './command-keys.ts';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

/** Wraps the whole page once, so that tooltips share one delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <RadixTooltip.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
    </RadixTooltip.Provider>
  );
}

/**
 * Describes its one focusable child, on hover and on keyboard focus. `names`: it shows the child's own name, which a screen reader has
 * said by then.
 */
export function Tooltip({
  content,
  keys,
  command,
  side = 'bottom',
  names = false,
  children,
}: Keys & {
  content: ReactNode;
  names?: boolean;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{names ? <Undescribed>{children}</Undescribed> : children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content className={styles.content} side={side} sideOffset={6} collisionPadding={8}>
          {content}
          <Kbd keys={keys} command={command} />
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

/** Passes on what the trigger adds to its child, except that the tooltip describes it. */
function Undescribed({ 'aria-describedby': _tooltip, ...added }: ComponentProps<typeof Slot.Root>) {
  return <Slot.Root {...added} />;
}
