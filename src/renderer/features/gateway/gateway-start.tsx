import { useId, useState, type ReactNode, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { ConfirmSend } from '#renderer/calls/confirm-send.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { formErrors, walletUrlOf, type GatewayForm } from './gateway-form.ts';
import type { GatewayStore } from './gateway-store.ts';
import styles from './gateway-start.module.css';

/** Says what the gateway does, and starts it. */
export function GatewayStart({
  store,
  lead,
  environments,
  environment,
  onBack,
}: {
  readonly store: GatewayStore;
  readonly lead: ReactNode;
  readonly environments: readonly Environment[];
  readonly environment: Environment;
  /** Shows what passed before; null if nothing did. */
  readonly onBack: (() => void) | null;
}) {
  const { form, asking, setForm, start, dismiss } = useStore(store);
  const [tried, setTried] = useState(false);
  const id = useId();
  const found = formErrors(form, environment);
  const errors = tried ? found : noErrors;
  const text = (name: 'port' | 'address' | 'allow') => ({
    value: form[name],
    onText: (value: string) => setForm({ [name]: value } satisfies Partial<GatewayForm>),
  });
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setTried(true);
    if (Object.values(found).every((error) => error === undefined)) startWork(start(environment));
  }
  return (
    <PageFrame>
      <PageHead
        actions={
          <>
            {onBack === null ? null : (
              <Button variant="quiet" onClick={onBack}>
                Show exchanges
              </Button>
            )}
            <Button variant="primary" type="submit" form={id} busy={asking.state === 'busy'}>
              Start
            </Button>
          </>
        }
      >
        {lead}
      </PageHead>
      <form id={id} aria-label="Gateway" className="fill-scroll" onSubmit={submit}>
        <div className={styles.column}>
          <div className="stack-tight">
            <h2>Watch what your backend sends</h2>
            <p className="quiet">
              Use the gateway&apos;s URL as the base URL of your backend. Croupier passes every request on, records both sides and
              checks each hash.
            </p>
          </div>
          {asking.state === 'refused' ? (
            <p role="alert" className="box on-bad">
              {asking.message}
            </p>
          ) : null}
          <Field label="Environment" hint="Requests go to its base URL.">
            <Select
              options={environments.map(({ id: value, name: label }) => ({ value, label }))}
              value={environment.id}
              onChange={(environmentId) => setForm({ environmentId })}
            />
          </Field>
          <Field label="Port" error={errors.port}>
            <TextField {...text('port')} code inputMode="numeric" placeholder="any free port" />
          </Field>
          <Checkbox checked={form.toWallet} onChange={(toWallet) => setForm({ toWallet })}>
            Also the provider&apos;s calls to the wallet
          </Checkbox>
          {form.toWallet ? (
            <Field label="Your wallet's URL" error={errors.walletUrl} hint="The gateway shows a URL to give to the provider.">
              <TextField
                code
                placeholder="https://wallet.operator.example"
                value={walletUrlOf(form, environment)}
                onText={(walletUrl) => setForm({ walletUrl })}
              />
            </Field>
          ) : null}
          <Checkbox checked={form.anyPartner} onChange={(anyPartner) => setForm({ anyPartner })}>
            Pass other partners too
          </Checkbox>
          <details className={styles.network}>
            <summary>Other computers</summary>
            <div className="stack-wide">
              <Field label="Address" error={errors.address} hint="This computer's, where they reach it.">
                <TextField {...text('address')} code placeholder="only this computer" />
              </Field>
              <Field label="Allowed networks" error={errors.allow} hint="Only these can connect.">
                <TextField {...text('allow')} code placeholder="10.1.0.0/16, 192.168.7.20" />
              </Field>
            </div>
          </details>
        </div>
      </form>
      <ConfirmSend
        question={asking.state === 'unconfirmed' ? asking.question : null}
        onConfirm={(confirmed) => startWork(asking.state === 'unconfirmed' ? asking.again(confirmed) : null)}
        onClose={dismiss}
      />
    </PageFrame>
  );
}

const noErrors: Partial<ReturnType<typeof formErrors>> = {};
