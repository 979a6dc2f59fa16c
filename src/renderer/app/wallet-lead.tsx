import type { AreaName } from '#shared/areas.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import type { Workbench } from './workbench.ts';
import styles from './wallet-lead.module.css';

const tabs = [
  { name: 'wallet', title: 'Test' },
  { name: 'gateway', title: 'Gateway' },
] as const satisfies readonly { readonly name: AreaName; readonly title: string }[];

/** The heading of the wallet's screens, with the way from one to the other. */
export function WalletLead({
  workbench,
  current,
}: {
  workbench: Pick<Workbench, 'shell'>;
  current: (typeof tabs)[number]['name'];
}) {
  const { show } = workbench.shell.getState();
  return (
    <>
      <h1>Wallet</h1>
      <nav className="line-tight" aria-label="Wallet">
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            aria-current={name === current ? 'page' : undefined}
            className={classNames(styles.tab, name === current && styles.on)}
            onClick={() => show(name)}
          >
            {title}
          </button>
        ))}
      </nav>
    </>
  );
}
