import { ListChecks } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import type { TabRun } from './tabs/request-tab.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './request-notes.module.css';

/** Number of values that are shown, and of characters of each. */
const SHOWN = 4;
const LENGTH = 40;

/** Says which values a request has from the run that it was opened from, and gives the present ones back. */
export function RunNote({ run: { callId, values }, onForget }: { readonly run: TabRun; readonly onForget: () => void }) {
  const all = Object.entries(values);
  if (all.length === 0) return null;
  const more = all.length - SHOWN;
  return (
    <div className={classNames(styles.note, styles.plain)} role="status">
      <ListChecks />
      <p>
        Variables from the run of call {callId}:{' '}
        {all.slice(0, SHOWN).map(([name, value], at) => (
          <span key={name}>
            {at === 0 ? '' : ', '}
            <code title={value}>
              {name} = {value.length > LENGTH ? `${value.slice(0, LENGTH)}…` : value}
            </code>
          </span>
        ))}
        {more > 0 ? ` and ${more} more` : ''}.
      </p>
      <Button onClick={onForget}>Use current values</Button>
    </div>
  );
}
