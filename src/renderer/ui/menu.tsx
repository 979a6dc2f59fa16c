import type { ReactNode } from 'react';
import { ContextMenu as RadixContextMenu, DropdownMenu } from 'radix-ui';
import { Check, ChevronRight } from 'lucide-react';
import { classNames } from './class-names.ts';
import { useAriaKeys, type Keys } from './command-keys.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

/** One entry of a menu. A choice is one of a group of which one is on; a menu opens beside its entry. */
export type MenuItem =
  | (Keys & {
      readonly kind: 'action';
      readonly id: string;
      readonly label: string;
      readonly icon?: ReactNode;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      readonly onSelect: () => void;
    })
  | {
      readonly kind: 'choice';
      readonly id: string;
      readonly label: ReactNode;
      readonly detail?: ReactNode;
      readonly checked: boolean;
      readonly onSelect: () => void;
    }
  | {
      readonly kind: 'menu';
      readonly id: string;
      readonly label: string;
      readonly icon?: ReactNode;
      readonly disabled?: boolean;
      readonly items: readonly MenuItem[];
    }
  | { readonly kind: 'heading'; readonly id: string; readonly label: string }
  | { readonly kind: 'separator'; readonly id: string };

/** A button's menu; `trigger` is one Button or IconButton. */
export function Menu({
  trigger,
  items,
  align = 'start',
  open,
  onOpenChange,
  onCloseAutoFocus,
}: {
  trigger: ReactNode;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
  /** Given if something other than the trigger opens it, too. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Prevent its default to keep the focus from going back to the trigger. */
  onCloseAutoFocus?: (event: Event) => void;
}) {
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={styles.menu}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
        >
          {entries(items, DropdownMenu)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The same menu on a right click, or the menu key, over its one child. Everything in it must be reachable elsewhere, too. */
export function ContextMenu({
  items,
  onCloseAutoFocus,
  children,
}: {
  items: readonly MenuItem[];
  /** Prevent its default to keep the focus from going back to its earlier element. */
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}) {
  return (
    <RadixContextMenu.Root modal={false}>
      <RadixContextMenu.Trigger asChild>{children}</RadixContextMenu.Trigger>
      <RadixContextMenu.Portal>
        <RadixContextMenu.Content
          className={styles.menu}
          collisionPadding={8}
          {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
        >
          {entries(items, RadixContextMenu)}
        </RadixContextMenu.Content>
      </RadixContextMenu.Portal>
    </RadixContextMenu.Root>
  );
}

type Parts = Pick<
  typeof DropdownMenu,
  'Item' | 'RadioGroup' | 'RadioItem' | 'Label' | 'Separator' | 'Sub' | 'SubTrigger' | 'SubContent' | 'Portal'
>;
type Choice = Extract<MenuItem, { kind: 'choice' }>;

/** Draws the entries. Adjacent choices are one group, whose size a screen reader hears. */
function entries(items: readonly MenuItem[], parts: Parts): ReactNode[] {
  const drawn: ReactNode[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined) continue;
    if (item.kind !== 'choice') {
      drawn.push(entry(item, parts));
      continue;
    }
    const end = items.findIndex((other, index) => index > at && other.kind !== 'choice');
    const group = items.slice(at, end === -1 ? items.length : end) as readonly Choice[];
    drawn.push(
      <parts.RadioGroup key={item.id} value={group.find((choice) => choice.checked)?.id ?? ''}>
        {group.map((choice) => (
          <parts.RadioItem
            key={choice.id}
            value={choice.id}
            className={classNames(styles.item, choice.checked && 'strong')}
            onSelect={choice.onSelect}
          >
            <span className={styles.label}>{choice.label}</span>
            {choice.detail === undefined ? null : <span className={styles.detail}>{choice.detail}</span>}
            <span className={styles.check}>{choice.checked ? <Check /> : null}</span>
          </parts.RadioItem>
        ))}
      </parts.RadioGroup>,
    );
    at += group.length - 1;
  }
  return drawn;
}

function entry(item: Exclude<MenuItem, { kind: 'choice' }>, parts: Parts) {
  switch (item.kind) {
    case 'separator':
      return <parts.Separator key={item.id} className={styles.separator ?? ''} />;
    case 'heading':
      return (
        <parts.Label key={item.id} className={styles.heading ?? ''}>
          {item.label}
        </parts.Label>
      );
    case 'menu':
      return (
        <parts.Sub key={item.id}>
          <parts.SubTrigger className={styles.item ?? ''} disabled={item.disabled === true}>
            {item.icon}
            <span className={styles.label}>{item.label}</span>
            <ChevronRight />
          </parts.SubTrigger>
          <parts.Portal>
            <parts.SubContent className={styles.menu ?? ''} collisionPadding={8}>
              {entries(item.items, parts)}
            </parts.SubContent>
          </parts.Portal>
        </parts.Sub>
      );
    case 'action':
      return <Action key={item.id} item={item} parts={parts} />;
  }
}

function Action({ item, parts }: { item: Extract<MenuItem, { kind: 'action' }>; parts: Parts }) {
  const ariaKeys = useAriaKeys(item);
  return (
    <parts.Item
      className={classNames(styles.item, item.danger === true && styles.danger)}
      disabled={item.disabled === true}
      aria-keyshortcuts={ariaKeys}
      onSelect={item.onSelect}
    >
      {item.icon}
      <span className={styles.label}>{item.label}</span>
      <Kbd keys={item.keys} command={item.command} />
    </parts.Item>
  );
}
