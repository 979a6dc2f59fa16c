import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { KeyRound, RefreshCw, Trash } from 'lucide-react';
import { readFingerprint } from '#shared/signing/fingerprint.ts';
import { inspectKey, shortKeyWarning } from '#shared/signing/key.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { SecretField, type SecretHandle } from '#renderer/ui/secret-field.tsx';
import type { EnvironmentsStore } from './environments-store.ts';
import { KeyPair } from './key-pair.tsx';
import { keyWords } from './key-words.ts';
import styles from './key-field.module.css';

/**
 * The private key: whether there is one, and the one field through which it enters. The field is write-only: its text is read once
 * when it is sent, emptied right after, and never held in the page's state.
 */
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
  const [seen, setSeen] = useState<{ warnings: readonly string[]; trimmable: boolean; empty: boolean }>(nothing);
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

  function look(text: string, lostBreaks = false) {
    const found = text === '' ? { warnings: [], trimmed: null } : inspectKey(text);
    const warnings = lostBreaks ? ['The field removed a pasted line break. Check the key'] : [];
    const typedShort = shortKeyWarning(new TextEncoder().encode(text).length);
    if (typedShort !== null) warnings.push(typedShort);
    setSeen({ warnings: [...warnings, ...found.warnings], trimmable: found.trimmed !== null, empty: text === '' });
    setFailed(null);
  }

  function trim() {
    const field = input.current;
    if (field === null) return;
    field.write(inspectKey(field.read()).trimmed ?? field.read());
    look(field.read());
    field.focus();
  }

  async function send() {
    const key = input.current?.read() ?? '';
    if (key === '' || busy) return;
    setBusy(true);
    input.current?.write('');
    setSeen(nothing);
    const problem = await setKey(environmentId, key);
    setBusy(false);
    setFailed(problem === null ? null : `${problem} Enter it again.`);
    setReplacing(problem !== null);
  }

  return (
    <div className={styles.key}>
      <div className={styles.status}>
        <KeyRound aria-hidden="true" />
        <Pill tone={words.tone} size="small">
          {words.short}
        </Pill>
        {status === null || pair !== null || status.fingerprint === null ? null : (
          <span className={styles.print}>
            fingerprint <code>{readFingerprint(status.fingerprint).digits}</code>
            {readFingerprint(status.fingerprint).kind === 'session' ? ' of this session only' : ''}
          </span>
        )}
        {status === null || pair !== null || status.bytes === null ? null : (
          <span className={styles.print}>{status.bytes} bytes</span>
        )}
        <span className={styles.actions}>
          {words.tone === 'bad' ? (
            <IconButton small label="Look again" icon={<RefreshCw />} onClick={() => startWork(loadKey(environmentId))} />
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
      {words.detail === null || managed ? null : <p className={styles.detail}>{words.detail}</p>}
      {managed ? (
        <p className={styles.detail}>The built-in provider makes a new key at each start and sets it here by itself.</p>
      ) : null}
      {asks ? (
        <Field
          layout="stack"
          label={present ? 'New private key' : 'Private key'}
          hint={
            seen.warnings.length === 0
              ? `${status !== null && status.message === null ? 'Goes to the keychain' : 'Enters'} through this field once and is never shown again. Nothing is trimmed on the way.${present ? ` ${replaceWords(pair !== null)}` : ''}`
              : undefined
          }
          warning={
            seen.warnings.length === 0 ? undefined : (
              <>
                {seen.warnings.map((warning) => (
                  <span key={warning} className={styles.warning}>
                    {warning}
                  </span>
                ))}
                {seen.trimmable ? (
                  <button type="button" className={styles.trim} onClick={trim}>
                    Use trimmed form
                  </button>
                ) : null}
              </>
            )
          }
          error={failed ?? undefined}
        >
          <div className={styles.entry}>
            <SecretField
              ref={input}
              placeholder="Paste the key that the provider gave you"
              disabled={busy}
              onInput={look}
              onEnter={() => startWork(send())}
            />
            <Button
              variant="plain"
              waits={seen.empty ? 'Paste the key first.' : null}
              busy={busy}
              onClick={() => startWork(send())}
            >
              {present ? 'Replace key' : 'Set key'}
            </Button>
          </div>
        </Field>
      ) : null}
    </div>
  );
}

function replaceWords(hasTwo: boolean): string {
  return hasTwo
    ? 'It takes the place of the new key; the older one stays.'
    : 'The key that is there now is kept until a call signed with the new one gets code 0.';
}

const nothing = { warnings: [], trimmable: false, empty: true } as const;
