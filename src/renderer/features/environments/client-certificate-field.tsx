import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Trash } from 'lucide-react';
import { base64, bytesOfFile } from '#renderer/api/bytes.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FileButton } from '#renderer/ui/file-button.tsx';
import { SecretField, type SecretHandle } from '#renderer/ui/secret-field.tsx';
import type { EnvironmentsStore } from './environments-store.ts';

/**
 * The certificate with which an environment shows who it is. Write-only as the key's field: the files are read when they are sent, and
 * neither they nor the passphrase are in any state of the page.
 */
export function ClientCertificateField({ store, environmentId }: { store: EnvironmentsStore; environmentId: string }) {
  const known = useStore(store, (state) => state.clientCertificates[environmentId]);
  const { loadClientCertificate, setClientCertificate, removeClientCertificate } = store.getState();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const passphrase = useRef<SecretHandle>(null);
  useEffect(() => {
    startWork(loadClientCertificate(environmentId));
  }, [loadClientCertificate, environmentId]);
  if (known === undefined) return null;

  async function change(work: () => Promise<string | null>): Promise<void> {
    setBusy(true);
    const reason = await work().catch((error: unknown) => asAppError(error).message);
    setBusy(false);
    setProblem(reason);
    if (reason === null) setFiles([]);
  }
  async function send(): Promise<string | null> {
    const contents = await Promise.all(files.map(async (file) => base64(await bytesOfFile(file, file.name))));
    return setClientCertificate(environmentId, contents, passphrase.current?.read() ?? '');
  }
  const { certificate, storage } = known;
  return (
    <>
      <Field
        label="Client certificate"
        note="this machine only"
        group
        error={problem ?? undefined}
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
              setProblem(null);
              setFiles(chosen.filter((file) => file !== undefined));
            }}
          />
          {certificate === null ? null : (
            <Button
              data-danger
              variant="quiet"
              icon={<Trash />}
              disabled={busy}
              onClick={() => startWork(change(() => removeClientCertificate(environmentId)))}
            >
              Remove certificate
            </Button>
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
              onInput={() => undefined}
              onLeave={() => undefined}
              onEnter={() => startWork(change(send))}
            />
            <Button busy={busy} onClick={() => startWork(change(send))}>
              Set certificate
            </Button>
          </div>
        </Field>
      )}
    </>
  );
}
