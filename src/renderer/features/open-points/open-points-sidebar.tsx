import { useStore } from 'zustand';
import { Check, Circle, TriangleExclamationPoint } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import { allOpenPoints, type OpenPointId } from '#shared/provider/index.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { OptionList } from '#renderer/ui/option-list.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { filterPoints, pointState, type PointFilter, type PointState } from './filter-points.ts';
import { draftKey, type OpenPointsStore } from './open-points-store.ts';
import { SidebarColumn, sidebarRow } from '#renderer/ui/sidebar.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './open-points-sidebar.module.css';

const filters = optionsOf<PointFilter>({
  all: 'All points',
  open: 'Unanswered',
  answered: 'Answered',
  invalid: 'Answer not valid',
});

const stateWords = { open: ', no answer', answered: ', answered', invalid: ', answer not valid' } as const;

function StateIcon({ state }: { state: PointState }) {
  if (state === 'answered') return <Check className="good" />;
  if (state === 'invalid') return <TriangleExclamationPoint className="bad" />;
  return <Circle className="faint" />;
}

/** The open points as a list, with a search, a filter and the number of those with an answer in the current environment. */
export function OpenPointsSidebar({
  store,
  environment,
  onOpen,
}: {
  store: OpenPointsStore;
  environment: Environment | null;
  onOpen: (id: OpenPointId) => void;
}) {
  const { text, filter, openId, drafts, setText, setFilter } = useStore(store);
  const shown = filterPoints(allOpenPoints, filter, text, environment);
  const answered = allOpenPoints.filter((point) => pointState(point, environment) === 'answered').length;
  const invalid = allOpenPoints.filter((point) => pointState(point, environment) === 'invalid').length;
  return (
    <SidebarColumn>
      <div className="sticky-head stack">
        <SearchField label="Search open points" value={text} onText={setText} />
        <Select aria-label="Which points" options={filters} value={filter} onChange={setFilter} />
      </div>
      <output className={styles.count}>
        {answered} of {allOpenPoints.length} answered
        {invalid === 0 ? null : <span className="bad">{`, ${invalid} not valid`}</span>}
      </output>
      {shown.length === 0 ? (
        <EmptyState small title="No matching points">
          Change the search or the filter.
        </EmptyState>
      ) : (
        <OptionList
          label="Open points"
          rows={shown}
          rowKey={({ id }) => id}
          currentKey={openId}
          rowClass={({ id }) => sidebarRow(id === openId, 'side-row sign-line')}
          onOpen={({ id }) => onOpen(id)}
          draw={(point) => {
            const state = pointState(point, environment);
            const unsaved = environment !== null && drafts[draftKey(environment.id, point.id)] !== undefined;
            return (
              <>
                <StateIcon state={state} />
                <span className="grow">
                  {point.title}
                  <span className="visually-hidden">{stateWords[state]}</span>
                </span>
                {unsaved ? <span className="warn tiny">unsaved</span> : null}
              </>
            );
          }}
        />
      )}
    </SidebarColumn>
  );
}
