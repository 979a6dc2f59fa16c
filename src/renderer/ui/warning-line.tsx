import type { ReactNode } from 'react';
import { TriangleExclamationPoint } from 'lucide-react';

/**
 * A line across a page that warns about the part below it: a sentence in a `p`, and the actions. `said` is the way in which a
 * screen reader hears of it: at once, when it is quiet, or only when it is read.
 */
export function WarningLine({
  said = 'alert',
  label,
  icon = <TriangleExclamationPoint />,
  children,
}: {
  said?: 'alert' | 'status' | 'where it is read';
  label?: string;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="bar on-warn small" role={said === 'where it is read' ? undefined : said} aria-label={label}>
      {icon}
      {children}
    </div>
  );
}
