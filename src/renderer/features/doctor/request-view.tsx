import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { operations, type OperationName } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { useDroppedFiles } from '#renderer/ui/use-dropped-files.ts';
import { useMedia } from '#renderer/ui/use-media.ts';
import { optionsOf } from '#renderer/ui/options.ts';
import { narrowQuery } from './narrow.ts';
import { ComparedInputs, TwoRequests } from './compared-inputs.tsx';
import type { Subject } from './doctor-fields.ts';
import type { DoctorStore, Searching } from './doctor-store.ts';
import { verdictWords } from './doctor-words.ts';
import { FindingPane } from './finding-pane.tsx';
import { PastePane } from './paste-pane.tsx';
import styles from './request-view.module.css';

export interface RequestViewProps {
  readonly store: DoctorStore;
  readonly environments: readonly Environment[];
  /** The environment whose key is used. */
  readonly environment: Environment;
  /** Returns the state of an environment's key in a sentence or two. */
  readonly keyLineOf: (environmentId: string) => string;
  readonly onSetKey: (environmentId: string) => void;
  readonly onOpenRequest: (environmentId: string, operation: OperationName, text: string) => void;
}

/** Finds the mistake in the hash of a rejected request: the request, the two hash inputs, and the finding. */
export function RequestView({ store, environments, environment, keyLineOf, onSetKey, onOpenRequest }: RequestViewProps) {
  const { reading, chosen, edited, searching, subject, comparison, view, share, setView, setShare } = useStore(store);
  const narrow = useMedia(narrowQuery);
  const { over, handlers } = useDroppedFiles(([file]) => startWork(store.getState().addFile(file)));
  const operation = operationOf(subject);
  const request = (
    <PastePane store={store} environments={environments} environment={environment} keyLine={keyLineOf(environment.id)} />
  );
  const report = searching.state === 'done' ? searching.report : null;
  const inputs =
    comparison === null ? null : (
      <>
        <ComparedInputs comparison={comparison} report={report} fidelity={subject.fidelity} />
        {reading.state === 'read' && !edited ? <TwoRequests requests={reading.recognition.requests} chosen={chosen} /> : null}
      </>
    );
  const finding = (
    <FindingPane
      store={store}
      keyOf={environment.name}
      onSetKey={() => onSetKey(environment.id)}
      onOpenRequest={
        operation === null ? null : (dataText) => onOpenRequest(environment.id, operation, textOf(operation, subject, dataText))
      }
    />
  );
  const panes: Readonly<Record<typeof view, ReactNode>> = {
    request: <div className="fill-column scrolls">{request}</div>,
    inputs: (
      <div className="fill-column scrolls">
        {inputs ?? (
          <EmptyState title="Nothing to compare yet">
            The expected hash input appears here once the request and its time are known.
          </EmptyState>
        )}
      </div>
    ),
    finding: <div className="fill-column">{finding}</div>,
  };
  return (
    <div className={classNames(styles.page, over && 'drop-over')} {...handlers}>
      {narrow ? (
        <Segmented
          label="Parts of the doctor"
          items={optionsOf({ request: 'Request', inputs: 'Hash inputs', finding: 'Finding' })}
          value={view}
          onChange={setView}
          aside={<Verdict searching={searching} />}
        >
          {panes[view]}
        </Segmented>
      ) : (
        <SplitPane
          id="doctor"
          label="Request and finding"
          share={share}
          onShare={setShare}
          minFirst={320}
          minSecond={320}
          clips="both"
          first={
            <section className="fill-column scrolls" aria-label="Request" data-pane="request">
              {request}
              <div className={styles.below}>{inputs}</div>
            </section>
          }
          second={
            <section className="fill-column" aria-label="Verdict" data-pane="finding">
              {finding}
            </section>
          }
        />
      )}
    </div>
  );
}

/** The verdict beside the tabs: its pane may be out of sight. */
function Verdict({ searching }: { readonly searching: Searching }) {
  if (searching.state === 'searching') return <Pill tone="note">Searching</Pill>;
  if (searching.state !== 'done') return null;
  const { tone, text } = verdictWords(searching.report);
  return <Pill tone={tone}>{text}</Pill>;
}

function operationOf(subject: Subject): OperationName | null {
  return subject.operations[0] ?? operations.find(({ action }) => action === subject.fields.action)?.name ?? null;
}

/** Returns the text of a request: that of data, or for gameList its extra field. */
function textOf(operation: OperationName, { currency }: Subject, dataText: string): string {
  if (operation !== 'gameList') return dataText;
  return currency === null ? '' : JSON.stringify({ currency });
}
