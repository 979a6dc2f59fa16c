import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Trash } from 'lucide-react';
import type { Environment, Way } from '#shared/ipc/index.ts';
import { base64, bytesOfFile } from '#renderer/api/bytes.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FileButton } from '#renderer/ui/file-button.tsx';
import { SecretField, type SecretHandle } from '#renderer/ui/secret-field.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { Apart } from './environment-apart.ts';
import type { EnvironmentsStore } from './environments-store.ts';

/** A saved environment, and the store that shows and sets what this machine keeps apart from it: at once, apart from the form. */
interface ApartProps {
  readonly store: EnvironmentsStore;
  readonly environment: Pick<Environment, 'id' | 'name'>;
}

/** Reads what is kept apart, and changes it: one change at a time, with the reason why it failed. */
function useApart<Kind extends keyof Apart>({ store, environment: { id } }: ApartProps, kind: Kind) {
  const known = useStore(store, ({ apart }) => apart[id]?.[kind]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    startWork(store.getState().loadApart(id, kind));
  }, [store, id, kind]);
  /** Resolves to whether it was done. */
  async function change(work: Promise<string | null>): Promise<boolean> {
    setBusy(true);
    const reason = await work;
    setBusy(false);
    setProblem(reason);
    return reason === null;
  }
  return { known, busy, error: problem ?? undefined, forget: () => setProblem(null), change };
}

function Remove({ words = 'Remove', busy, onClick }: { words?: string; busy: boolean; onClick: () => void }) {
  return (
    <Button data-danger variant="quiet" icon={<Trash />} disabled={busy} onClick={onClick}>
      {words}
    </Button>
  );
}

/** The program of this machine that yields session tokens. */
export function TokenCommandField(props: ApartProps) {
  const { id, name } = props.environment;
  const { known, busy, error, forget, change } = useApart(props, 'tokenCommand');
  const [typed, setTyped] = useState<string | null>(null);
  if (known === undefined) return null;
  const { command, settable } = known;
  const text = typed ?? command;

  async function save(next: string): Promise<void> {
    if (await change(props.store.getState().setTokenCommand(id, next))) setTyped(null);
  }
  const ready = text.trim() !== '' && text !== command && !busy;
  const remove = command === '' ? null : <Remove busy={busy} onClick={() => startWork(save(''))} />;
  if (!settable) {
    return (
      <Field
        label="Token command"
        note="this machine only"
        group
        error={error}
        hint={
          <>
            A browser page can&apos;t choose a program. Use a terminal:{' '}
            <code>croupier env set {/\s/.test(name) ? `"${name}"` : name} --token-command COMMAND</code>
          </>
        }
      >
        <div className="line">
          {command === '' ? <span className="grow quiet">None</span> : <code className="grow">{command}</code>}
          {remove}
        </div>
      </Field>
    );
  }
  return (
    <Field
      label="Token command"
      note="this machine only"
      error={error}
      hint="A program with arguments, run without a shell. It must print one token per line, CSV, or JSON with token and playerId."
    >
      <div className="line">
        <TextField
          code
          className="grow"
          placeholder="/opt/tools/session-token --brand 7"
          value={text}
          onText={(next) => {
            setTyped(next);
            forget();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && ready) startWork(save(text));
          }}
        />
        <Button
          waits={ready || busy ? null : text.trim() === '' ? 'Enter a command first.' : 'Nothing to save'}
          busy={busy}
          onClick={() => startWork(save(text))}
        >
          Set command
        </Button>
        {remove}
      </div>
    </Field>
  );
}

/** The hosts that a VPN leads to. */
export function PrivateHostsField(props: ApartProps) {
  const { known, busy, error, forget, change } = useApart(props, 'privateHosts');
  const [typed, setTyped] = useState<string | null>(null);
  if (known === undefined) return null;
  const saved = known.join('\n');
  const text = typed ?? saved;

  async function save(): Promise<void> {
    const hosts = text.split('\n').filter((line) => line.trim() !== '');
    if (await change(props.store.getState().setPrivateHosts(props.environment.id, hosts))) setTyped(null);
  }
  return (
    <Field
      label="Private hosts"
      note="one per line, this machine only"
      error={error}
      hint="Pictures and games may come from these hosts although they have private addresses."
    >
      <div className="line">
        <TextArea
          code
          className="grow"
          rows={2}
          placeholder="games.corp.example"
          value={text}
          onText={(next) => {
            setTyped(next);
            forget();
          }}
        />
        <Button waits={text !== saved || busy ? null : 'Nothing to save'} busy={busy} onClick={() => startWork(save())}>
          Set hosts
        </Button>
      </div>
    </Field>
  );
}

/** Path of the calls, and the login of the proxy. The password field is write-only, as a key's. */
export function ProxyLoginField(props: ApartProps) {
  const { known: way, busy, error, change } = useApart(props, 'way');
  const [user, setUser] = useState('');
  const password = useRef<SecretHandle>(null);
  if (way === undefined) return null;

  async function save(login: { readonly user: string; readonly password: string } | null): Promise<void> {
    if (!(await change(props.store.getState().setProxyLogin(props.environment.id, login)))) return;
    setUser('');
    password.current?.write('');
  }
  const set = () => startWork(save({ user, password: password.current?.read() ?? '' }));
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
          <Field label="Proxy password" error={error} hint={loginHints[way.login ?? 'none']}>
            <div className="line">
              <SecretField ref={password} placeholder="" disabled={busy} onInput={noWork} onLeave={noWork} onEnter={set} />
              <Button waits={user !== '' || busy ? null : 'Enter a user name first.'} busy={busy} onClick={set}>
                Set login
              </Button>
              {way.login === null ? null : <Remove busy={busy} onClick={() => startWork(save(null))} />}
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

/**
 * The certificate with which an environment shows who it is. Write-only as the key's field: the files are read when they are sent, and
 * neither they nor the passphrase are in any state of the page.
 */
export function ClientCertificateField(props: ApartProps) {
  const { id } = props.environment;
  const { known, busy, error, forget, change } = useApart(props, 'clientCertificate');
  const { setClientCertificate, removeClientCertificate } = props.store.getState();
  const [files, setFiles] = useState<readonly File[]>([]);
  const passphrase = useRef<SecretHandle>(null);
  if (known === undefined) return null;

  async function changeTo(work: Promise<string | null>): Promise<void> {
    if (await change(work)) setFiles([]);
  }
  async function send(): Promise<string | null> {
    try {
      const contents = await Promise.all(files.map(async (file) => base64(await bytesOfFile(file, file.name))));
      return await setClientCertificate(id, contents, passphrase.current?.read() ?? '');
    } catch (thrown) {
      return asAppError(thrown).message;
    }
  }
  const { certificate, storage } = known;
  return (
    <>
      <Field
        label="Client certificate"
        note="this machine only"
        group
        error={error}
        hint="A PKCS#12 file, or a certificate and its key in PEM. The key goes to the keychain."
      >
        <div className="line">
          <span className="grow">
            {files.length > 0
              ? files.map(({ name }) => name).join(', ')
              : certificate === null
                ? 'None'
                : `${certificate.name}, issued by ${certificate.issuer}, valid until ${new Date(certificate.expiresAt).toISOString().slice(0, 10)}`}
            {storage === 'session' && files.length === 0 ? ', until Croupier exits: no keychain accepted the key' : ''}
          </span>
          <FileButton
            label="Client certificate files"
            accept=".p12,.pfx,.pem,.crt,.cer,.key"
            multiple
            disabled={busy}
            onFile={(...chosen) => {
              forget();
              setFiles(chosen.filter((file) => file !== undefined));
            }}
          />
          {certificate === null ? null : (
            <Remove words="Remove certificate" busy={busy} onClick={() => startWork(changeTo(removeClientCertificate(id)))} />
          )}
        </div>
      </Field>
      {files.length === 0 ? null : (
        <Field label="Passphrase" note="of the file or key" hint="Leave it empty if there is none.">
          <div className="line">
            <SecretField
              ref={passphrase}
              placeholder=""
              disabled={busy}
              onInput={noWork}
              onLeave={noWork}
              onEnter={() => startWork(changeTo(send()))}
            />
            <Button busy={busy} onClick={() => startWork(changeTo(send()))}>
              Set certificate
            </Button>
          </div>
        </Field>
      )}
    </>
  );
}
