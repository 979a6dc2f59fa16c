import { useId, type ReactNode } from 'react';
import { announcer } from './announcer.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/**
 * A dialog with a form: Cancel, and the button named `submit`, which Enter in a field presses, too. While it is `busy` nothing is
 * submitted again; `waits` is the reason why the form cannot be submitted yet. `below` is under the form.
 */
export function FormDialog({
  title,
  description,
  width,
  submit,
  busy = false,
  waits = null,
  onSubmit,
  onClose,
  below,
  children,
}: {
  title: string;
  description?: ReactNode;
  width?: 'small' | 'medium' | 'large';
  submit: string;
  busy?: boolean;
  waits?: string | null;
  onSubmit: () => void;
  onClose: () => void;
  below?: ReactNode;
  children: ReactNode;
}) {
  const form = useId();
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      {...(width === undefined ? {} : { width })}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={busy} waits={waits}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (waits !== null) announcer.say(waits);
          else if (!busy) onSubmit();
        }}
      >
        {children}
      </form>
      {below}
    </Dialog>
  );
}
