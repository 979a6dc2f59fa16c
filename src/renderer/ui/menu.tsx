import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { ContextMenu as RadixContextMenu, DropdownMenu } from 'radix-ui';
import { Check, ChevronRight } from 'lucide-react';
import { classNames } from './class-names.ts';
import { useAriaKeys, type Keys } from './command-keys.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

/** An entry that does something; `id` names it if its label may change. */
export type MenuAction = Keys & {
  readonly id?: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
};

/** One of a group of entries of which one is on. */
interface MenuChoice {
  readonly id: string;
  readonly label: ReactNode;
  readonly detail?: ReactNode;
  readonly checked: boolean;
  readonly onSelect: () => void;
}

/** A menu that opens beside its entry. */
interface SubMenu {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  readonly items: readonly MenuItem[];
}

/** One entry of a menu. */
export type MenuItem = MenuAction | MenuChoice | SubMenu | { readonly heading: string } | 'separator';

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
  const giveBack = useOpener(open === true);
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
          onCloseAutoFocus={onCloseAutoFocus ?? giveBack}
        >
          {entries(items, DropdownMenu)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/**
 * Returns the handler that gives the focus back to where it was when something was opened, which is not its trigger if a chord opened it.
 */
export function useOpener(open: boolean): (event: Event) => void {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return (event) => {
    const { current } = opener;
    if (!(current instanceof HTMLElement) || current === document.body || !current.checkVisibility()) return;
    event.preventDefault();
    current.focus();
  };
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

/** Draws the entries. Adjacent choices are one group, whose size a screen reader hears. */
function entries(items: readonly MenuItem[], parts: Parts): ReactNode[] {
  const drawn: ReactNode[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined) continue;
    if (!isChoice(item)) {
      drawn.push(entry(item, parts, at));
      continue;
    }
    const end = items.findIndex((other, index) => index > at && !isChoice(other));
    const group = items.slice(at, end === -1 ? items.length : end).filter(isChoice);
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

function isChoice(item: MenuItem): item is MenuChoice {
  return typeof item === 'object' && 'checked' in item;
}

function entry(item: Exclude<MenuItem, MenuChoice>, parts: Parts, at: number) {
  if (item === 'separator') return <parts.Separator key={at} className={styles.separator ?? ''} />;
  if ('heading' in item) {
    return (
      <parts.Label key={at} className={styles.heading ?? ''}>
        {item.heading}
      </parts.Label>
    );
  }
  if (!('items' in item)) return <Action key={item.id ?? item.label} item={item} parts={parts} />;
  return (
    <parts.Sub key={item.label}>
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
}

function Action({ item, parts }: { item: MenuAction; parts: Parts }) {
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
