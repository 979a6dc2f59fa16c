import { Fragment, memo, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { explainCall } from '#shared/explanation/explain-call.ts';
import type { Explanation, ExplanationAction } from '#shared/explanation/explanation.ts';
import { plainText, type Words } from '#shared/explanation/sentence.ts';
import type { Call } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Said } from '#renderer/ui/announced.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { useExplaining } from './explaining.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { LOW, useMedia } from '#renderer/ui/use-media.ts';
import styles from './explanation.module.css';

/**
 * Explains the response of a call; draws nothing if there is nothing to explain. `responseText`: the body, null until it is read.
 */
export const CallExplanation = memo(function CallExplanation({
  call,
  responseText,
}: {
  readonly call: Call;
  readonly responseText: string | null;
}) {
  const explanation = useExplanation(call, responseText);
  const low = useMedia(LOW);
  if (explanation === null) return null;
  return (
    <aside className={classNames('card', `on-${explanation.tone}`)} aria-label="Explanation">
      <ExplanationWords explanation={explanation} call={call} folds={low} />
    </aside>
  );
});

/** Explains a call by what is known of it now, and looks for more; null if there is nothing to explain. */
function useExplanation(call: Call, responseText: string | null): Explanation | null {
  const { evidence, useEnvironment, useKey } = useExplaining();
  const environment = useEnvironment(call.environmentId);
  const keys = useKey(call.environmentId);
  const accepted = useStore(evidence, ({ found }) => found.get(call.id)?.accepted ?? null);
  const finding = useStore(evidence, ({ found }) => found.get(call.id)?.finding ?? null);
  useEffect(() => startWork(evidence.getState().find(call)), [evidence, call]);
  return useMemo(
    () => explainCall({ call, environment, accepted, keys, finding, responseText }),
    [call, environment, accepted, keys, finding, responseText],
  );
}

/** Explains a call of which only the row of a list is known, without an edge of its own; draws nothing until the call is read. */
export function RejectionWords({ id }: { readonly id: number }) {
  const { evidence } = useExplaining();
  const call = useStore(evidence, ({ found }) => found.get(id)?.call ?? null);
  useEffect(() => startWork(evidence.getState().open(id)), [evidence, id]);
  return call === null ? null : <RejectedCall call={call} />;
}

function RejectedCall({ call }: { readonly call: Call }) {
  const explanation = useExplanation(call, null);
  return explanation === null ? null : <ExplanationWords explanation={explanation} call={call} />;
}

function ExplanationWords({
  explanation,
  call,
  folds = false,
}: {
  readonly explanation: Explanation;
  readonly call: Call;
  /** True if only the title is shown until the user unfolds the rest. */
  readonly folds?: boolean;
}) {
  const { can, act } = useExplaining();
  const { title, facts, steps, links } = explanation;
  const offered = links.filter((link) => can(link, call));
  const action = (one: ExplanationAction) => <Action action={one} onAct={() => act(one, call)} />;
  const head = (
    <p className="strong">
      <Say words={title} />
    </p>
  );
  const rest = (
    <>
      {facts.length === 0 ? null : (
        <p>
          {facts.map((fact, at) => (
            <Fragment key={at}>
              {at === 0 ? null : ' '}
              <Say words={fact} />
            </Fragment>
          ))}
        </p>
      )}
      {steps.length === 0 ? null : (
        <ol aria-label="What to do" data-single={steps.length === 1 || undefined}>
          {steps.map(({ text, action: one }, at) => (
            <li key={at}>
              <Say words={text} />
              {one !== null && can(one, call) ? <> {action(one)}</> : null}
            </li>
          ))}
        </ol>
      )}
    </>
  );
  return (
    <div className={classNames(styles.words, folds && styles.low)}>
      {/* What is found later, such as a call to compare with; a response that is shown again is not said again. */}
      <Said text={[title, ...facts].map(plainText).join(' ')} />
      {folds && facts.length + steps.length > 0 ? (
        <details className={styles.told}>
          <summary>{head}</summary>
          {rest}
        </details>
      ) : (
        <div className={styles.told}>
          {head}
          {rest}
        </div>
      )}
      {offered.length === 0 ? null : (
        <div className={styles.links}>
          {offered.map((link) => (
            <Fragment key={link.kind}>{action(link)}</Fragment>
          ))}
        </div>
      )}
    </div>
  );
}

function Say({ words }: { readonly words: Words }) {
  return words.map((part, at) => (typeof part === 'string' ? part : <code key={at}>{part.code}</code>));
}

function Action({ action, onAct }: { readonly action: ExplanationAction; readonly onAct: () => void }) {
  if (action.kind === 'copyUrl') return <CopyButton variant="quiet" text={action.url} words="Copy the URL" />;
  return (
    <button type="button" className="link strong target" onClick={onAct}>
      {labelOf(action)}
    </button>
  );
}

function labelOf(action: Exclude<ExplanationAction, { kind: 'copyUrl' }>): string {
  switch (action.kind) {
    case 'openLog':
      return 'Open the log';
    case 'openPoint':
      return 'Record it';
    case 'compare':
      return `Compare with call ${action.number}`;
    case 'openDoctor':
      return 'Open in Doctor';
    case 'setSerialization':
      return `Set ${action.value}`;
    case 'setKey':
      return 'Set the key';
    case 'chooseKey':
      return `Sign with the ${action.key} key`;
    case 'openEnvironment':
      return 'Open the environment';
    case 'openFindings':
      return 'Open the findings';
    case 'openLauncher':
      return 'Open in launcher';
  }
}
