import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Check, CircleExclamationPoint, Info, TriangleExclamationPoint, X } from 'lucide-react';
import { announcer } from './announcer.ts';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import styles from './notice.module.css';

/** One notice: what happened, and what to do about it. `lasting` ones stay until they are closed. */
export interface NoticeItem {
  readonly id: string;
  readonly tone: 'good' | 'note' | 'warn' | 'bad';
  readonly text: ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly lasting?: boolean;
  /** Called when it is closed. */
  readonly onClose?: () => void;
}

/** A change that can be taken back, until the page goes or twenty later ones can. */
export interface Undo {
  /** Names the change, such as `removed staging`. */
  readonly what: string;
  /** Takes it back. Resolves to false if it could not, after a notice has said why. */
  readonly run: () => Promise<boolean>;
}

/**
 * Shows a notice; stores get it to speak outside their own page. A notice replaces the one with the same ID. `undo` stays within reach
 * after the notice is gone.
 */
export type Notify = (notice: Omit<NoticeItem, 'id'> & { readonly id?: string; readonly undo?: Undo }) => void;

const icons = { good: Check, note: Info, warn: TriangleExclamationPoint, bad: CircleExclamationPoint };
const shownForMs = 8_000;

/**
 * The notices beside the facts at the foot, each said once when it comes; a pointer or focus on them holds their time. They have a
 * place of their own there and lie over nothing.
 */
export function Notices({ items, onClose }: { items: readonly NoticeItem[]; onClose: (id: string) => void }) {
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const box = region.current;
    if (box === null) return undefined;
    const sized = new ResizeObserver(() => setNoticeRoom(box.offsetHeight));
    sized.observe(box);
    return () => sized.disconnect();
  }, []);
  return (
    <section ref={region} className={styles.region} aria-label="Notices" data-passing>
      <div className={styles.stack}>
        {items.map((item) => (
          <Notice key={item.id} item={item} onClose={onClose} />
        ))}
      </div>
    </section>
  );
}

/** Sets the height in pixels that notices have at the page's foot: a dialog ends above them. */
function setNoticeRoom(pixels: number): void {
  document.documentElement.style.setProperty('--notice-room', `${pixels}px`);
}

function Notice({ item, onClose }: { item: NoticeItem; onClose: (id: string) => void }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || item.lasting === true) return;
    const timer = setTimeout(() => onClose(item.id), shownForMs);
    return () => clearTimeout(timer);
  }, [held, item, onClose]);
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => announcer.say(text.current?.textContent ?? '', { urgent: item.tone === 'bad' }), [item]);
  const Icon = icons[item.tone];
  const { action } = item;
  return (
    <div
      className={classNames(styles.notice, `on-${item.tone}`)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon />
      <div ref={text} className={styles.text}>
        {item.text}
      </div>
      {action === undefined ? null : (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            action.run();
            onClose(item.id);
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton small label="Close notice" side="top" icon={<X />} onClick={() => onClose(item.id)} />
    </div>
  );
}
