import { useEffect, useState } from 'react';
import { CircleStop, Send } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment, ProbePlan, ProbeStep } from '#shared/ipc/index.ts';
import { Asked } from '#renderer/calls/asked.tsx';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { PageHead } from '#renderer/ui/page-frame.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { optionsOf } from '#renderer/ui/options.ts';
import { narrowQuery } from './narrow.ts';
import { ProbeFindings } from './probe-findings.tsx';
import type { ProbeStore } from './probe-store.ts';
import styles from './probe-view.module.css';

export interface ProbeViewProps {
  readonly store: ProbeStore;
  readonly environment: Environment;
  readonly onOpenCall: (id: number) => void;
}

/** Finds out how a provider checks hashes by calls that only read: the plan with what each call showed, and the conclusions. */
export function ProbeView({ store, environment, onOpenCall }: ProbeViewProps) {
  const { plan, moved, steps, report, enter } = useStore(store);
  const narrow = useMedia(narrowQuery);
  const [part, setPart] = useState<'plan' | 'findings'>('plan');
  useEffect(() => startWork(enter(environment.id)), [enter, environment]);
  if (plan.state !== 'ready')
    return <NotLoaded of={plan} rows={12} label="Loading the plan" title="No plan" retry={() => enter(environment.id)} />;
  const planned = (
    <div className="fill-column scrolls">
      <PlanHead store={store} plan={plan.plan} />
      <PlanList plan={plan.plan} moved={moved} steps={steps} ended={report !== null} onOpenCall={onOpenCall} />
    </div>
  );
  const findings = <ProbeFindings store={store} onOpenCall={onOpenCall} />;
  return (
    <>
      <Asked store={store} />
      {narrow ? (
        <Segmented
          label="Parts of the plan"
          items={optionsOf({ plan: 'Plan', findings: 'Findings' })}
          value={part}
          onChange={setPart}
        >
          {part === 'plan' ? planned : findings}
        </Segmented>
      ) : (
        <SplitPane
          id="probes"
          label="Plan and findings"
          minFirst={320}
          minSecond={320}
          clips="both"
          first={
            <section className="fill-column scrolls" aria-label="Plan" data-pane="plan">
              {planned}
            </section>
          }
          second={
            <section className="fill-column scrolls" aria-label="Findings" data-pane="findings">
              {findings}
            </section>
          }
        />
      )}
    </>
  );
}

function PlanHead({ store, plan }: { readonly store: ProbeStore; readonly plan: ProbePlan }) {
  const { moved, asking, steps, cancelled, setMoved, start, cancel } = useStore(store);
  const most = moved ? plan.callsMoved : plan.calls;
  const isAsking = asking.state === 'busy';
  return (
    <div className={styles.head}>
      <PageHead
        kind="pane"
        className={styles.title}
        actions={
          isAsking ? (
            <Button icon={<CircleStop />} command="cancel" disabled={cancelled} onClick={() => startWork(cancel())}>
              Cancel
            </Button>
          ) : (
            <Button variant="primary" icon={<Send />} command="send" onClick={() => startWork(start())}>
              Send up to {most} calls
            </Button>
          )
        }
      >
        <h2>Plan for {plan.environmentName}</h2>
      </PageHead>
      <div className={styles.about}>
        <p>
          These calls only read. Croupier sends one per second to <code>{plan.url}</code> and stops early once it knows enough.
        </p>
        <Checkbox checked={moved} onChange={setMoved} disabled={isAsking}>
          Also send shifted times to find the provider&apos;s time zone and tolerance. Takes up to two minutes.
        </Checkbox>
        {isAsking ? (
          <div className="line-wrap numbers">
            <progress aria-label="Calls of the plan" max={most} value={steps.length} />
            <span>
              {steps.length} of up to {most} calls answered
            </span>
          </div>
        ) : null}
      </div>
    </div>
  );
}

function PlanList({
  plan,
  moved,
  steps,
  ended,
  onOpenCall,
}: {
  readonly plan: ProbePlan;
  readonly moved: boolean;
  readonly steps: readonly ProbeStep[];
  readonly ended: boolean;
  readonly onOpenCall: (id: number) => void;
}) {
  const shown = plan.probes.filter(({ when, id }) => when !== 'moved' || moved || steps.some((step) => step.id === id));
  return (
    <ol className={styles.list} aria-label="Questions">
      {shown.map((probe) => {
        const asked = steps.filter(({ id }) => id === probe.id);
        return (
          <li key={probe.id}>
            <p className="strong">
              {probe.question}
              {asked.length > 0 ? null : <span className={styles.note}> {notAsked(probe, ended)}</span>}
            </p>
            <p className="faint">Sends {probe.sends}.</p>
            {asked.map((step) => (
              <p key={step.callId} className={styles.step}>
                <Pill size="small" tone={answerTones[step.answer]}>
                  {step.answer}
                </Pill>
                <span>
                  {step.code === null ? 'No code' : `Code ${step.code}`}. {step.follows}
                </span>
                <Button variant="quiet" onClick={() => onOpenCall(step.callId)}>
                  Open call {step.callId}
                </Button>
              </p>
            ))}
          </li>
        );
      })}
    </ol>
  );
}

function notAsked({ when }: ProbePlan['probes'][number], ended: boolean): string {
  if (ended) return 'not asked';
  return when === 'ifNeeded' ? 'if needed' : '';
}

const answerTones: Readonly<Record<ProbeStep['answer'], PillTone>> = { yes: 'good', no: 'note', unclear: 'warn' };
