import { RadioGroup } from 'radix-ui';
import type { KeyStatus } from '#shared/ipc/index.ts';
import { readFingerprint } from '#shared/signing/fingerprint.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { keptWords, placeWords } from './key-words.ts';
import styles from './key-pair.module.css';

type Pair = NonNullable<KeyStatus['pair']>;
type Facts = Pair['other'];
type Which = Pair['signs'];

const titles = { new: 'New key', older: 'Older key' } as const;

/** The two keys that an environment has while the new one is not proven: which of them signs, and a way to discard each. */
export function KeyPair({
  status,
  pair,
  managed,
  onChoose,
  onDiscard,
}: {
  status: KeyStatus;
  pair: Pair;
  managed: boolean;
  onChoose: (which: Which) => void;
  onDiscard: (which: Which) => void;
}) {
  const other: Which = pair.signs === 'new' ? 'older' : 'new';
  const facts: Record<Which, Facts> = { [pair.signs]: status, [other]: pair.other } as Record<Which, Facts>;
  return (
    <>
      <RadioGroup.Root
        className="stack-tight"
        aria-label="Key that signs"
        value={pair.signs}
        disabled={managed}
        onValueChange={(next) => onChoose(next as Which)}
      >
        {(['new', 'older'] as const).map((which) => (
          <div key={which} className={styles.key}>
            <RadioGroup.Item value={which} className={styles.choice ?? ''}>
              <span className="radio" aria-hidden="true">
                <RadioGroup.Indicator className="radio-dot" />
              </span>
              <span className={styles.words}>
                <span className="strong">{titles[which]}</span>
                {which === pair.signs ? (
                  <Pill tone="good" size="small">
                    signs
                  </Pill>
                ) : null}
                <KeyFacts facts={facts[which]} />
              </span>
            </RadioGroup.Item>
            {managed ? null : (
              <Button data-danger variant="quiet" aria-label={`Discard the ${which} key`} onClick={() => onDiscard(which)}>
                Discard
              </Button>
            )}
          </div>
        ))}
      </RadioGroup.Root>
      <p className="quiet small">{keptWords(facts.new, facts.older)}</p>
    </>
  );
}

function KeyFacts({ facts: { state, storage, fingerprint, bytes, setAt } }: { facts: Facts }) {
  return (
    <span className={styles.facts}>
      {fingerprint === null ? 'fingerprint not known' : <code>{readFingerprint(fingerprint).digits}</code>}
      {bytes === null ? null : <span>{bytes} bytes</span>}
      <span>{placeWords(state, storage)}</span>
      {setAt === null ? null : (
        <time dateTime={new Date(setAt).toISOString()} title={new Date(setAt).toLocaleString('en-GB')}>
          set {new Date(setAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })}
        </time>
      )}
    </span>
  );
}
