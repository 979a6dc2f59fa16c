import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { KeyRound, RefreshCw, Trash } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import type { KeyStatus } from '#shared/ipc/index.ts';
import { readFingerprint } from '#shared/signing/fingerprint.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import type { SecretHandle } from '#renderer/ui/secret-field.tsx';
import type { EnvironmentsStore } from './environments-store.ts';
import { KeyEntry } from './key-entry.tsx';
import { keptWords, keyWords, placeWords } from './key-words.ts';
import styles from './key-field.module.css';

/** The private key: whether there is one, and the field through which it enters, which is emptied when it is sent. */
export function KeyField({
  store,
  environmentId,
  managed,
}: {
  store: EnvironmentsStore;
  environmentId: string;
  managed: boolean;
}) {
  const view = useStore(store, (state) => state.keys[environmentId]);
  const { setKey, removeKey, loadKey, chooseKey, discardKey } = useStore(store);
  const input = useRef<SecretHandle>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [replacing, setReplacing] = useState(false);

  const words = keyWords(view);
  const wanted = useStore(store, ({ keyWanted }) => keyWanted === environmentId);
  const status = view?.state === 'known' ? view.status : null;
  const pair = status?.pair ?? null;
  const present = status?.state === 'present' || status?.state === 'locked' || pair !== null;
  const asks = !managed && view !== undefined && view.state !== 'loading' && (!present || replacing);
  useEffect(() => {
    if (!wanted || view === undefined || view.state === 'loading') return;
    input.current?.focus();
    store.setState({ keyWanted: null });
  }, [store, wanted, view]);

  async function send() {
    const key = input.current?.read() ?? '';
    if (key === '' || busy) return;
    setBusy(true);
    input.current?.write('');
    setFailed(null);
    const problem = await setKey(environmentId, key);
    setBusy(false);
    setFailed(problem === null ? null : `${problem} Enter it again.`);
    setReplacing(problem !== null);
  }

  return (
    <div className={styles.key}>
      <div className={styles.status}>
        <KeyRound className="faint" />
        <Pill tone={words.tone} size="small">
          {words.short}
        </Pill>
        {status === null || pair !== null || status.fingerprint === null ? null : (
          <span className="quiet">
            fingerprint <code>{readFingerprint(status.fingerprint).digits}</code>
          </span>
        )}
        {status === null || pair !== null || status.bytes === null ? null : <span className="quiet">{status.bytes} bytes</span>}
        <span className="line-tight at-end">
          {words.tone === 'bad' ? (
            <IconButton small label="Check again" icon={<RefreshCw />} onClick={() => startWork(loadKey(environmentId))} />
          ) : null}
          {present && !managed ? (
            <>
              <Button variant="quiet" onClick={() => setReplacing(!replacing)} aria-expanded={replacing}>
                {replacing ? (pair === null ? 'Keep this key' : 'Keep both') : 'Replace'}
              </Button>
              <Button data-danger variant="quiet" icon={<Trash />} onClick={() => startWork(removeKey(environmentId))}>
                {pair === null ? 'Remove' : 'Remove both'}
              </Button>
            </>
          ) : null}
        </span>
      </div>
      {status === null || pair === null ? null : (
        <KeyPair
          status={status}
          pair={pair}
          managed={managed}
          onChoose={(which) => startWork(chooseKey(environmentId, which))}
          onDiscard={(which) => startWork(discardKey(environmentId, which))}
        />
      )}
      {words.detail === null || managed ? null : <p className="quiet small">{words.detail}</p>}

      {asks ? (
        <KeyEntry
          ref={input}
          label={present ? 'New private key' : 'Private key'}
          hint={`${status !== null && status.message === null ? 'Goes to the keychain. ' : ''}Croupier never shows the key and doesn't trim it.${present ? ` ${replaceWords(pair !== null)}` : ''}`}
          error={failed ?? undefined}
          busy={busy}
          onEnter={() => startWork(send())}
          action={(isEmpty) => (
            <Button variant="plain" waits={isEmpty ? 'Paste the key first.' : null} busy={busy} onClick={() => startWork(send())}>
              {present ? 'Replace key' : 'Set key'}
            </Button>
          )}
        />
      ) : null}
    </div>
  );
}

function replaceWords(hasTwo: boolean): string {
  return hasTwo
    ? 'It replaces the new key. The older key is kept.'
    : 'The current key is kept until a call signed with the new one gets code 0.';
}

type Pair = NonNullable<KeyStatus['pair']>;
type Facts = Pair['other'];
type Which = Pair['signs'];

const titles = { new: 'New key', older: 'Older key' } as const;

/** The two keys that an environment has while the new one is not proven: which of them signs, and a way to discard each. */
function KeyPair({
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
          <div key={which} className={styles.one}>
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
