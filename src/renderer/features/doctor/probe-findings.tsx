import { amount } from '#shared/amount.ts';
import { Activity } from 'lucide-react';
import { useStore } from 'zustand';
import type { ProbeReport } from '#shared/ipc/index.ts';
import { findOpenPoint } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Said } from '#renderer/ui/announced.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';
import type { ProbeStore } from './probe-store.ts';
import styles from './probe-findings.module.css';

type Finding = ProbeReport['findings'][number];

const kinds: Readonly<Record<Finding['kind'], { readonly tone: PillTone; readonly text: string }>> = {
  fault: { tone: 'bad', text: 'Wrong' },
  fact: { tone: 'good', text: 'Known' },
  open: { tone: 'plain', text: 'Unresolved' },
};

/** Shows what the codes of a plan prove, with the calls as evidence, and the answers that can be recorded. */
export function ProbeFindings({ store, onOpenCall }: { readonly store: ProbeStore; readonly onOpenCall: (id: number) => void }) {
  const { asking, steps, report } = useStore(store);
  const busy = asking.state === 'busy';
  return (
    <>
      <Said
        text={
          // The provider answered the first call: before, the plan may be asked about or refused.
          busy && steps.length > 0
            ? 'Sending the plan'
            : report === null
              ? ''
              : `${endWords(report)} ${amount(report.findings.length, 'finding')}.`
        }
      />
      {report === null ? (
        <EmptyState icon={<Activity />} title={busy ? 'Asking the provider' : 'No hash, only code 8?'}>
          {busy ? (
            <p>Findings appear here when the plan ends.</p>
          ) : (
            <>
              <p>
                Croupier sends calls that each differ in one thing: key, time, or form of data. The codes show which is wrong.
              </p>
              <p>Nothing is sent until you start the plan.</p>
            </>
          )}
        </EmptyState>
      ) : (
        <div className={styles.report}>
          <p className={styles.end}>{endWords(report)}</p>
          <ul aria-label="Findings of the plan">
            {report.findings.map((finding) => (
              <li key={finding.text}>
                <Pill size="small" tone={kinds[finding.kind].tone}>
                  {kinds[finding.kind].text}
                </Pill>
                <div>
                  <p>{finding.text}</p>
                  {finding.fix === null ? null : <p className="quiet">{finding.fix}</p>}
                  <p className={styles.calls}>
                    {finding.calls.map((id) => (
                      <Button key={id} variant="quiet" onClick={() => onOpenCall(id)}>
                        Call {id}
                      </Button>
                    ))}
                  </p>
                </div>
              </li>
            ))}
          </ul>
          <Answers store={store} report={report} />
        </div>
      )}
    </>
  );
}

/** Offers to record the answers to open points that the calls show. */
function Answers({ store, report: { answers } }: { readonly store: ProbeStore; readonly report: ProbeReport }) {
  const recording = useStore(store, (state) => state.recording);
  if (answers.length === 0) return null;
  return (
    <section className={styles.answers} aria-label="Answers to open points">
      <h3>Answers to open points</h3>
      <ul>
        {answers.map(({ point, label, value, before }) => (
          <li key={point} className="wrap">
            <span>
              {findOpenPoint(point)?.title ?? point}: <strong>{label}</strong>
            </span>
            {before === null || before === value ? null : <span className="faint">currently {before}</span>}
          </li>
        ))}
      </ul>
      <Said text={recording.state === 'recorded' ? recordedWords : ''} />
      {recording.state === 'recorded' ? (
        <p>{recordedWords}</p>
      ) : (
        <Button
          variant="primary"
          busy={recording.state === 'saving'}
          disabled={recording.state === 'saving'}
          onClick={() => startWork(store.getState().record())}
        >
          Record {answers.length === 1 ? 'this answer' : `these ${answers.length} answers`}
        </Button>
      )}
      {recording.state === 'failed' ? <p role="alert">{recording.message}</p> : null}
    </section>
  );
}

function endWords({ state, message, steps }: ProbeReport): string {
  const calls = `${steps.length} ${steps.length === 1 ? 'call' : 'calls'}`;
  if (message !== null) return message;
  return state === 'cancelled'
    ? `Cancelled after ${calls}. An incomplete plan can't be recorded.`
    : `The plan ended after ${calls}.`;
}

const recordedWords = 'Recorded in the environment, with the date and the calls as evidence.';
