import { useRef, type ReactNode } from 'react';
import { Dialog as RadixDialog } from 'radix-ui';
import { X } from 'lucide-react';
import { classNames } from './class-names.ts';
import button from './icon-button.module.css';
import styles from './dialog.module.css';

/**
 * A modal question or form. `actions` are at the right of its foot, the main one last; Escape and the cross close it. The focus
 * goes back to its earlier element.
 */
export function Dialog({
  onClose,
  title,
  description,
  actions,
  width = 'medium',
  tone = 'plain',
  children,
}: {
  onClose: () => void;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  width?: 'small' | 'medium' | 'large';
  tone?: 'plain' | 'bad';
  children?: ReactNode;
}) {
  const before = useRef<Element | null>(null);
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="scrim" />
        <RadixDialog.Content
          data-modal
          className={classNames(styles.content, styles[width], tone === 'bad' && styles.bad)}
          onOpenAutoFocus={() => (before.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            // By default it goes to the dialog's own trigger, which these do not have, and is lost.
            event.preventDefault();
            if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
          {description === undefined ? null : (
            <RadixDialog.Description className={styles.description} asChild>
              <div>{description}</div>
            </RadixDialog.Description>
          )}
          {children === undefined ? null : <div className={styles.body}>{children}</div>}
          {actions === undefined ? null : <div className={styles.foot}>{actions}</div>}
          {/* Last, so that the focus begins on the dialog's question; without a tooltip, which would take the first Escape. */}
          <RadixDialog.Close className={classNames(button.button, styles.close)} aria-label="Close">
            <X />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
