import type { Call } from '#shared/ipc/outputs/calls.ts';
import { HeaderTable } from '#renderer/calls/header-table.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import styles from './header-list.module.css';

/** The headers as received and as sent, in their order. */
export function HeaderList({ call }: { readonly call: Call }) {
  return (
    <div className="scroll-pane">
      <Headers title="Received" headers={call.response?.headers ?? []} />
      <Headers title="Sent" headers={call.request.headers} />
    </div>
  );
}

function Headers({ title, headers }: { readonly title: string; readonly headers: readonly (readonly [string, string])[] }) {
  const text = () => headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <section className={styles.section} aria-label={`${title} headers`}>
      <header>
        <h3 className="ink">{title}</h3>
        <span>{headers.length}</span>
        <CopyButton small text={text} label={`Copy the ${title.toLowerCase()} headers`} />
      </header>
      {headers.length === 0 ? (
        <p className="faint small">None</p>
      ) : (
        <HeaderTable caption={`${title} headers`} headers={headers} />
      )}
    </section>
  );
}
