import { useStore } from 'zustand';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { Collection, Environment, Output } from '#shared/ipc/index.ts';
import { latencies, movedMoney, patienceMs } from '#shared/wallet/run-facts.ts';
import { stakeProblem } from '#shared/wallet/money.ts';
import { durationText } from '#renderer/calls/call-words.ts';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { WalletStore } from './wallet-store.ts';

/** Says what the test does, takes the stake and the sessions of the next run, and shows how long the calls of the last one took. */
export function WalletSetup({
  store,
  environment,
  plan,
  outcomes,
  collections,
  canRepeat,
}: {
  readonly store: WalletStore;
  readonly environment: Environment;
  readonly plan: Output<'wallet.plan'>;
  readonly outcomes: readonly CaseOutcome[];
  readonly collections: readonly Pick<Collection, 'id' | 'name'>[];
  /** True if there is a run whose transactions can be repeated. */
  readonly canRepeat: boolean;
}) {
  const { form, setForm } = useStore(store);
  const { stake, first, second, strict, collectionId, repeats } = form;
  const times = latencies(outcomes);
  const moved = movedMoney(outcomes);
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
          hint={`The most that the run may lose. One bet is at most ${plan.small} ${plan.currency}.`}
          error={stakeProblem(stake.trim()) ?? undefined}
        >
          <TextField
            code
            inputMode="decimal"
            placeholder={plan.stake}
            value={stake}
            onText={(text) => setForm({ stake: text })}
          />
        </Field>
        <Field layout="stack" label="Session token" hint={source}>
          <TextField code type="password" value={first} onText={(text) => setForm({ first: text })} />
        </Field>
        {first.trim() === '' ? null : (
          <Field layout="stack" label="Second player's token" hint="Without it, cases with two players are skipped.">
            <TextField code type="password" value={second} onText={(text) => setForm({ second: text })} />
          </Field>
        )}
        <Checkbox checked={strict} onChange={(value) => setForm({ strict: value })}>
          Customary cases must hold, too
        </Checkbox>
        {canRepeat ? (
          <Checkbox checked={repeats} onChange={(value) => setForm({ repeats: value })}>
            Repeat the last run&apos;s transactions
          </Checkbox>
        ) : null}
        {collections.length === 0 ? null : (
          <Field layout="stack" label="Own cases" hint="From wallet-cases.yaml of a collection.">
            <Select
              options={[{ value: '', label: 'None' }, ...collections.map(({ id, name }) => ({ value: id, label: name }))]}
              value={collectionId}
              onChange={(value) => setForm({ collectionId: value })}
            />
          </Field>
        )}
        {moved.map(({ playerId, moved: sum, left }) => (
          <p key={playerId} className="small numbers">
            {playerId}: moved {sum}, {/[1-9]/.test(left) ? <span className="bad">{left} not put back</span> : 'all put back'}
          </p>
        ))}
        {times.length === 0 ? null : (
          <table className="plain-table small numbers">
            <caption className="visually-hidden">Response times</caption>
            <thead>
              <tr>
                {['Method', 'Calls', 'Median', '95th', 'Worst'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map(({ method, calls, median, ninetyFifth, worst }) => (
                <tr key={method}>
                  <th scope="row" className="code">
                    /{method}
                  </th>
                  <td>{calls.toLocaleString('en')}</td>
                  <td>{durationText(median)}</td>
                  <td>{durationText(ninetyFifth)}</td>
                  <td className={worst > patienceMs ? 'bad' : undefined}>{durationText(worst)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {times.length === 0 ? null : <p className="quiet small">The first providers give up after 4 s.</p>}
      </div>
    </PageFrame>
  );
}
