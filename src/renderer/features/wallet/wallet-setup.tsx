import { Fragment } from 'react';
import { useStore } from 'zustand';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { Collection, Environment, Output } from '#shared/ipc/index.ts';
import { runFacts } from '#shared/wallet/run-facts.ts';
import { stakeProblem } from '#shared/wallet/money.ts';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { WalletStore } from './wallet-store.ts';

/** Says what the test does, takes the stake and the sessions of the next run, and shows the facts of the last one. */
export function WalletSetup({
  store,
  environment,
  plan,
  requests,
  collections,
}: {
  readonly store: WalletStore;
  readonly environment: Environment;
  readonly plan: Output<'wallet.plan'>;
  readonly requests: readonly ReportedRequest[];
  readonly collections: readonly Pick<Collection, 'id' | 'name'>[];
}) {
  const { setForm, ...form } = useStore(store);
  const text = (name: 'stake' | 'first' | 'second') => ({
    code: true,
    value: form[name],
    onText: (value: string) => setForm({ [name]: value }),
  });
  const source =
    environment.kind === 'sandbox' ? "Empty: the built-in provider's players." : 'Empty: from the token command or the pool.';
  return (
    <PageFrame label="Setup" pane="details">
      <div className="scroll-pane stack-wide">
        <h2>Test my wallet</h2>
        <p className="quiet small">
          Croupier calls your wallet as the provider does, also with the retries and mistakes that a provider makes, follows each
          balance, and puts the money back after each case.
        </p>
        <Field
          layout="stack"
          label="Stake"
          hint={`At most in all. In one case ${plan.most.all}, of a second player ${plan.most.players[1]}, in one bet ${plan.small} ${plan.currency}.`}
          error={stakeProblem(form.stake.trim())}
        >
          <TextField {...text('stake')} inputMode="decimal" placeholder={plan.stake} />
        </Field>
        <Field layout="stack" label="Session token" hint={source}>
          <TextField {...text('first')} type="password" />
        </Field>
        {form.first.trim() === '' ? null : (
          <Field layout="stack" label="Second player's token" hint="Without it, cases with two players are skipped.">
            <TextField {...text('second')} type="password" />
          </Field>
        )}
        <Checkbox checked={form.strict} onChange={(strict) => setForm({ strict })}>
          Customary cases must hold, too
        </Checkbox>
        {collections.length === 0 ? null : (
          <Field layout="stack" label="Own cases" hint="From wallet-cases.yaml of a collection.">
            <Select
              options={[{ value: '', label: 'None' }, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
              value={form.collectionId}
              onChange={(collectionId) => setForm({ collectionId })}
            />
          </Field>
        )}
        <dl className="pairs small numbers">
          {runFacts(requests).map(({ name, text, bad }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd className={bad ? 'bad' : undefined}>{text}</dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </PageFrame>
  );
}
