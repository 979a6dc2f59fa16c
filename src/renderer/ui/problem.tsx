import type { ReactNode } from 'react';

/**
 * The problem of a control that no `Field` holds: the control names it by `id` in `aria-describedby`. It is an alert where it stands,
 * and not news of the announcer, which would say it a second time, apart from its field.
 */
export function Problem({ id, className, children }: { id?: string; className: string | undefined; children: ReactNode }) {
  return (
    <p id={id} role="alert" className={className}>
      {children}
    </p>
  );
}
