import { useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Check, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Said } from './announced.tsx';
import { classNames } from './class-names.ts';
import { FieldContext } from './field-context.ts';
import { foundChoices, moveChoice, type Choice } from './found-choices.ts';
import { useOpener, type MenuAction } from './menu.tsx';
import { rowsInSight } from './table-window.ts';
import { TextField } from './text-field.tsx';
import styles from './find-menu.module.css';
import menu from './menu.module.css';

/** Equals the height of `.choice`; the window is computed from it. */
const rowHeight = 30;
const shownRows = 12;
const noneFound = 'Nothing found. Try part of a name.';

/**
 * A menu with so many choices that the user finds one by typing. Only those in sight are drawn. `trigger` is one button. Arrow
 * keys, Page Up and Down move through the choices that were found, Enter takes one, Escape closes.
 */
export function FindMenu<C extends Choice>({
  trigger,
  label,
  choices,
  chosen,
  draw,
  actions = [],
  align = 'start',
  open,
  onOpenChange,
  onChoose,
}: {
  trigger: ReactNode;
  /** Names the list and the field: `Environments`. */
  label: string;
  choices: readonly C[];
  chosen: string | null;
  /** Content of a choice's row, which is 30 px high; without it, the text of the choice. */
  draw?: (choice: C) => ReactNode;
  /** Below the list. */
  actions?: readonly MenuAction[];
  align?: 'start' | 'end';
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onChoose: (id: string) => void;
}) {
  const giveBack = useOpener(open);
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange} modal>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.panel}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={giveBack}
        >
          {/* The outer field labels and describes the value that is chosen, not the text that is typed here. */}
          <FieldContext value={null}>
            <Found
              label={label}
              choices={choices}
              chosen={chosen}
              draw={draw}
              onChoose={(id) => {
                onOpenChange(false);
                onChoose(id);
              }}
            />
          </FieldContext>
          {actions.length === 0 ? null : (
            <div className={styles.actions}>
              {actions.map((action) => (
                <button
                  key={action.label}
                  type="button"
                  className={menu.item}
                  onClick={() => {
                    onOpenChange(false);
                    action.onSelect();
                  }}
                >
                  {action.icon}
                  {action.label}
                </button>
              ))}
            </div>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Found<C extends Choice>({
  label,
  choices,
  chosen,
  draw,
  onChoose,
}: {
  label: string;
  choices: readonly C[];
  chosen: string | null;
  draw: ((choice: C) => ReactNode) | undefined;
  onChoose: (id: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const found = useMemo(() => foundChoices(choices, typed), [choices, typed]);
  const [active, setActive] = useState(() =>
    Math.max(
      choices.findIndex((choice) => choice.id === chosen),
      0,
    ),
  );
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const at = Math.min(active, found.length - 1);
  const height = Math.min(found.length, shownRows) * rowHeight;
  const { start, end } = rowsInSight(top, height, rowHeight, found.length, 3);

  const begin = useEffectEvent(() => {
    const list = box.current;
    if (list === null) return;
    // Centres the current choice.
    list.scrollTop = at * rowHeight - height / 2;
    setTop(list.scrollTop);
  });
  useLayoutEffect(() => begin(), []);

  function show(index: number): void {
    const list = box.current;
    if (list === null) return;
    const from = index * rowHeight;
    if (from < list.scrollTop) list.scrollTop = from;
    else if (from + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = from + rowHeight - list.clientHeight;
    setTop(list.scrollTop);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = found[at];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (choice !== undefined && choice.disabled !== true) onChoose(choice.id);
      return;
    }
    const next = moveChoice(event.key, at, found, shownRows - 1);
    if (next === null) return;
    event.preventDefault();
    setActive(next);
    show(next);
  }

  return (
    <>
      <TextField
        role="combobox"
        aria-label={`Find in ${label.toLowerCase()}`}
        aria-expanded={found.length > 0}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
        autoComplete="off"
        placeholder={`Find one of ${choices.length.toLocaleString('en')}`}
        prefix={<Search />}
        value={typed}
        onText={(text) => {
          setTyped(text);
          setActive(0);
          setTop(0);
          if (box.current !== null) box.current.scrollTop = 0;
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 ? <p className={styles.none}>{noneFound}</p> : null}
      <Said
        topic="find"
        text={found.length === 0 ? noneFound : `${found.length.toLocaleString('en')} of ${choices.length.toLocaleString('en')}`}
      />
      <div
        ref={box}
        role="listbox"
        id={`${id}-list`}
        aria-label={label}
        className={styles.list}
        style={{ height }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div role="presentation" style={{ height: found.length * rowHeight }} />
        {found.slice(start, end).map((choice, offset) => {
          const index = start + offset;
          return (
            <button
              key={choice.id}
              type="button"
              role="option"
              tabIndex={-1}
              id={`${id}-${index}`}
              aria-selected={choice.id === chosen}
              aria-disabled={choice.disabled === true || undefined}
              aria-posinset={index + 1}
              aria-setsize={found.length}
              className={classNames(styles.choice, index === at && styles.active, choice.id === chosen && 'strong')}
              style={{ top: index * rowHeight }}
              onPointerMove={() => setActive(index)}
              onClick={() => {
                if (choice.disabled !== true) onChoose(choice.id);
              }}
            >
              <span className={menu.label}>{draw === undefined ? choice.text : draw(choice)}</span>
              <span className={menu.check}>{choice.id === chosen ? <Check /> : null}</span>
            </button>
          );
        })}
      </div>
    </>
  );
}
