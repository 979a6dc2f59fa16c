import { useStore } from 'zustand';
import type { RoundLookup } from '#shared/ipc/index.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { OptionList } from '#renderer/ui/option-list.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import type { RoundsStore } from './rounds-store.ts';
import { Sidebar, sidebarRow } from '#renderer/ui/sidebar.tsx';
import { now } from '#renderer/ui/use-now.ts';
import styles from './rounds-sidebar.module.css';

/** The rounds that were looked up in this session, newest first. Their calls stay in the history. */
export function RoundsSidebar({ store }: { store: RoundsStore }) {
  const { recent, environmentId, openKey, open } = useStore(store);
  const shown = recent.filter((entry) => entry.environmentId === environmentId);
  return (
    <Sidebar title="Looked up">
      {shown.length === 0 ? (
        <div>
          <EmptyState small title="None yet">
            Lookups stay here until the page closes.
          </EmptyState>
        </div>
      ) : (
        <OptionList
          label="Looked up"
          rows={shown}
          rowKey={({ key }) => key}
          currentKey={openKey}
          rowClass={({ key }) => sidebarRow(key === openKey, styles.row)}
          onOpen={({ key }) => open(key)}
          draw={({ at, date, lookup }) => {
            const said = summary(lookup);
            return (
              <>
                <span className="short code" title={lookup.roundId}>
                  {lookup.roundId}
                </span>
                <Pill tone={said.tone} size="small">
                  {said.text}
                </Pill>
                <span className={styles.facts}>
                  {date}, asked {timeText(at, now())}
                </span>
              </>
            );
          }}
        />
      )}
    </Sidebar>
  );
}

function summary({ round }: RoundLookup): ReturnType<typeof outcomeOf> {
  if (round.records === null) return outcomeOf(round.call);
  if (round.records.length === 0) return { tone: 'plain', text: 'no records' };
  return { tone: 'good', text: `${round.records.length} ${round.records.length === 1 ? 'record' : 'records'}` };
}
