import { PackageOpen, TriangleExclamationPoint, X } from 'lucide-react';
import { maskedInPack } from '#shared/calls/pack-words.ts';
import type { ListedPack } from '#shared/ipc/index.ts';
import { timeText } from '#renderer/calls/call-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { now } from '#renderer/ui/use-now.ts';
import styles from './pack-line.module.css';

/** Returns how many calls a support pack has, and who wrote it when. */
export function packFacts({ calls, madeAt, program }: ListedPack, now: number): string {
  return `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}, written ${timeText(Date.parse(madeAt), now)} by ${program}`;
}

/** Facts about the support pack whose calls are listed: who wrote it and when, what it masks, and the way to close it. */
export function PackLine({ pack, onClose }: { pack: ListedPack; onClose: () => void }) {
  const masked = maskedInPack(pack);
  return (
    <section className={styles.line} aria-label="Support pack">
      <PackageOpen />
      <div className={styles.words}>
        <p>
          <strong title={pack.name}>{pack.name}</strong> <span>{packFacts(pack, now())}. Read-only.</span>
        </p>
        {masked === null ? null : <p className="quiet">{masked}</p>}
        {pack.page === 'different' ? (
          <p className="sign-line">
            <TriangleExclamationPoint className="warn" />
            <span>The HTML page next to it belongs to another pack or was changed. Only the JSON is shown.</span>
          </p>
        ) : null}
      </div>
      <Button icon={<X />} onClick={onClose}>
        Close pack
      </Button>
    </section>
  );
}
