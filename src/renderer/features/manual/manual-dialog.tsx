import type { ReactNode } from 'react';
import { ArrowLeft, ArrowRight, List, X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useStore } from 'zustand';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { headingAt } from './headings.ts';
import type { ManualStore } from './manual-store.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import button from '#renderer/ui/icon-button.module.css';
import styles from './manual-dialog.module.css';

/** The frame of the help over everything else: its bar, and below it `children`. `onClosed` returns the focus. */
export function ManualDialog({
  open,
  store,
  onClose,
  onClosed,
  children,
}: {
  open: boolean;
  store: ManualStore;
  onClose: () => void;
  onClosed: () => void;
  children: ReactNode;
}) {
  const { back, forward, listShown, goBack, goForward, toggleList } = useStore(store);
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="scrim" />
        <RadixDialog.Content
          data-modal
          className={styles.content}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            // A dialog below kept the focus until now.
            const { visit } = store.getState();
            const heading = visit === null ? null : headingAt(document, visit);
            if (heading !== null) heading.focus({ preventScroll: true });
            else if (event.target instanceof HTMLElement) event.target.focus();
          }}
          onEscapeKeyDown={(event) => {
            // In the search, Escape empties it first.
            if (event.target instanceof HTMLInputElement && event.target.value !== '') event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
        >
          <div className={styles.bar}>
            <RadixDialog.Title asChild>
              <h1>Help</h1>
            </RadixDialog.Title>
            <IconButton label="Back" command="manualBack" icon={<ArrowLeft />} disabled={back.length === 0} onClick={goBack} />
            <IconButton
              label="Forward"
              command="manualForward"
              icon={<ArrowRight />}
              disabled={forward.length === 0}
              onClick={goForward}
            />
            <IconButton
              label="List of pages"
              icon={<List />}
              className={styles.toList}
              aria-expanded={listShown}
              onClick={toggleList}
            />
            <RadixDialog.Close className={classNames(button.button, styles.close)} aria-label="Close help" aria-keyshortcuts="F1">
              <X />
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
