import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Trash } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { SecretField, type SecretHandle } from '#renderer/ui/secret-field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { Way } from '#shared/ipc/index.ts';
import type { EnvironmentsStore } from './environments-store.ts';

/** Shows how the calls of a saved environment leave, and the login of the proxy, which is set at once. The password field is write-only, as a key's. */
export function ProxyLoginField({ store, environmentId }: { store: EnvironmentsStore; environmentId: string }) {
  const way = useStore(store, (state) => state.ways[environmentId]);
  const { loadWay, setProxyLogin } = store.getState();
  const [user, setUser] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const password = useRef<SecretHandle>(null);
  useEffect(() => {
    startWork(loadWay(environmentId));
  }, [loadWay, environmentId]);
  if (way === undefined) return null;

  async function save(login: { readonly user: string; readonly password: string } | null): Promise<void> {
    setBusy(true);
    const reason = await setProxyLogin(environmentId, login);
    setBusy(false);
    setProblem(reason);
    if (reason !== null) return;
    setUser('');
    password.current?.write('');
  }
  return (
    <>
      <Field label="Calls now go" group error={way.problem ?? undefined} hint={way.problem === null ? way.why : undefined}>
        <span className="quiet">{way.proxy === null ? 'directly' : `through ${way.proxy}`}</span>
      </Field>
      {way.proxy === null || way.login === 'address' ? null : (
        <>
          <Field label="Proxy user">
            <TextField value={user} onText={setUser} />
          </Field>
          <Field label="Proxy password" error={problem ?? undefined} hint={loginHints[way.login ?? 'none']}>
            <div className="line">
              <SecretField
                ref={password}
                placeholder=""
                disabled={busy}
                onInput={noWork}
                onLeave={noWork}
                onEnter={() => startWork(save({ user, password: password.current?.read() ?? '' }))}
              />
              <Button
                waits={user !== '' || busy ? null : 'Enter a user name first.'}
                busy={busy}
                onClick={() => startWork(save({ user, password: password.current?.read() ?? '' }))}
              >
                Set login
              </Button>
              {way.login === null ? null : (
                <Button data-danger variant="quiet" icon={<Trash />} disabled={busy} onClick={() => startWork(save(null))}>
                  Remove
                </Button>
              )}
            </div>
          </Field>
        </>
      )}
    </>
  );
}

const noWork = () => undefined;

const loginHints: Readonly<Record<Exclude<Way['login'], null | 'address'> | 'none', string>> = {
  none: 'For a proxy that asks for a login.',
  keychain: 'The login is in the keychain.',
  session: 'The login is kept until Croupier exits.',
};
