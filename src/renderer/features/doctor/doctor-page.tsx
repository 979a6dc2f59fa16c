import { useState, type DragEvent, type ReactNode } from 'react';
import { Activity } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { operations, type OperationName } from '#shared/provider/index.ts';
import { ClockLine } from '#renderer/calls/clock-line.tsx';
import type { ClockStore } from '#renderer/calls/clock-store.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { SplitPane } from '#renderer/ui/split-pane.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { ComparedInputs } from './compared-inputs.tsx';
import type { Subject } from './doctor-fields.ts';
import type { DoctorStore, Searching } from './doctor-store.ts';
import { verdictWords } from './doctor-words.ts';
import { FindingPane } from './finding-pane.tsx';
import { PastePane } from './paste-pane.tsx';
import styles from './doctor-page.module.css';

/** Width below which one pane is shown at a time. */
const narrowQuery = '(max-width: 900px)';

export interface DoctorPageProps {
  readonly store: DoctorStore;
  readonly clock: ClockStore;
  readonly now: () => number;
  readonly environments: readonly Environment[];
  /** The environment that is selected in the workbench; null if there is none. */
  readonly selected: Environment | null;
  /** Returns the state of an environment's key in a sentence or two. */
  readonly keyLineOf: (environmentId: string) => string;
  readonly onSetKey: (environmentId: string) => void;
  readonly onOpenRequest: (environmentId: string, operation: OperationName, text: string) => void;
}

/** Says which mistake made the hash of a rejected request: the request, the two hash inputs, and the finding. */
export function DoctorPage({ store, clock, now, environments, selected, keyLineOf, onSetKey, onOpenRequest }: DoctorPageProps) {
  const { searching, subject, environmentId, view, share, setView, setShare } = useStore(store);
  const narrow = useMedia(narrowQuery);
  const { over, handlers } = useDroppedFile(store);
  const environment = environments.find(({ id }) => id === environmentId) ?? selected;
  if (environment === null) {
    return (
      <PageFrame>
        <EmptyState icon={<Activity />} title="No environment is chosen">
          The doctor needs the key of an environment. Choose one at the top right.
        </EmptyState>
      </PageFrame>
    );
  }
  const operation = operationOf(subject);
  const request = (
    <PastePane store={store} environments={environments} environment={environment} keyLine={keyLineOf(environment.id)} />
  );
  const inputs = searching.state === 'done' ? <ComparedInputs report={searching.report} /> : null;
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
    request: <div className={styles.column}>{request}</div>,
    inputs: (
      <div className={styles.column}>
        {inputs ?? (
          <EmptyState title="Nothing to compare yet">The two hash inputs stand here when a search has ended.</EmptyState>
        )}
      </div>
    ),
    finding: <div className={styles.pane}>{finding}</div>,
  };
  return (
    <div className={classNames(styles.page, over && styles.over)} {...handlers}>
      <PageHead>
        <h1>Doctor</h1>
        <span className={styles.about}>Which mistake made this hash?</span>
        {narrow ? null : <ClockLine clock={clock} environment={environment} now={now} />}
        {narrow ? <Verdict searching={searching} /> : null}
      </PageHead>
      {narrow ? (
        <Segmented
          label="Parts of the doctor"
          items={[
            { value: 'request', label: 'Request' },
            { value: 'inputs', label: 'Hash inputs' },
            { value: 'finding', label: 'Finding' },
          ]}
          value={view}
          onChange={setView}
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
            <section className={styles.column} aria-label="Request" data-pane="request">
              {request}
              <div className={styles.below}>{inputs}</div>
            </section>
          }
          second={
            <section className={styles.pane} aria-label="Verdict" data-pane="finding">
              {finding}
            </section>
          }
        />
      )}
    </div>
  );
}

/** The verdict beside the title: on a narrow window its pane may be out of sight. */
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

/** Takes a file that is dropped anywhere on the screen. */
function useDroppedFile(store: DoctorStore) {
  const [over, setOver] = useState(false);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      startWork(store.getState().addFile(event.dataTransfer.files[0]));
    },
  };
  return { over, handlers };
}
