import type { Workbench } from './workbench.ts';
import styles from './wallet-lead.module.css';

const tabs = { wallet: 'Test', gateway: 'Gateway' } as const;

/** The heading of the wallet's screens, with the way from one to the other. */
export function WalletLead({ workbench, current }: { workbench: Pick<Workbench, 'shell'>; current: keyof typeof tabs }) {
  const tab = (name: typeof current) => (
    <button
      type="button"
      aria-current={name === current ? 'page' : undefined}
      className={styles.tab}
      onClick={() => workbench.shell.getState().show(name)}
    >
      {tabs[name]}
    </button>
  );
  return (
    <>
      <h1>Wallet</h1>
      <nav className="line-tight" aria-label="Wallet">
        {tab('wallet')}
        {tab('gateway')}
      </nav>
    </>
  );
}
