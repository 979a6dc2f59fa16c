import { Activity } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/provider/index.ts';
import { ClockLine } from '#renderer/calls/clock-line.tsx';
import type { ClockStore } from '#renderer/calls/clock-store.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { optionsOf } from '#renderer/ui/options.ts';
import { narrowQuery } from './narrow.ts';
import type { DoctorStore } from './doctor-store.ts';
import type { ProbeStore } from './probe-store.ts';
import { ProbeView } from './probe-view.tsx';
import { RequestView } from './request-view.tsx';

const ways = optionsOf({ request: 'From a request', codes: 'From code 8 only' });

export interface DoctorPageProps {
  readonly store: DoctorStore;
  readonly probes: ProbeStore;
  readonly clock: ClockStore;
  readonly environments: readonly Environment[];
  /** The environment that is selected in the workbench; null if there is none. */
  readonly selected: Environment | null;
  /** Returns the state of an environment's key in a sentence or two. */
  readonly keyLineOf: (environmentId: string) => string;
  readonly onSetKey: (environmentId: string) => void;
  readonly onOpenRequest: (environmentId: string, operation: OperationName, text: string) => void;
  readonly onOpenCall: (id: number) => void;
}

/** Says why hashes are not valid: from a request with its hash, or from the provider's codes alone. */
export function DoctorPage(props: DoctorPageProps) {
  const { store, probes, clock, environments, selected, onOpenCall } = props;
  const narrow = useMedia(narrowQuery);
  const { environmentId, way, setWay } = useStore(store);
  const environment = environments.find(({ id }) => id === environmentId) ?? selected;
  return (
    <PageFrame>
      <PageHead>
        <h1>Doctor</h1>
        <SegmentedChoice label="Search from" options={ways} value={way} onChange={setWay} />
        {narrow || environment === null ? null : <ClockLine clock={clock} environment={environment} />}
      </PageHead>
      {environment === null || selected === null ? (
        <EmptyState icon={<Activity />} title="No environment chosen">
          The doctor needs an environment&apos;s key. Choose one at the top right.
        </EmptyState>
      ) : way === 'request' ? (
        <RequestView {...props} environment={environment} />
      ) : (
        <ProbeView store={probes} environment={selected} onOpenCall={onOpenCall} />
      )}
    </PageFrame>
  );
}
