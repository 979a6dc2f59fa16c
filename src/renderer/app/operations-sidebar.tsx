import { memo, useState } from 'react';
import { useStore } from 'zustand';
import { operations, operationTitle, routeOf, type Operation } from '#shared/provider/index.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import type { RequestStore } from '#renderer/features/request/tabs/request-store.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { ContextMenu } from '#renderer/ui/menu.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { filterOperations, operationGroups } from './operation-list.ts';
import type { Workbench } from './workbench.ts';
import { sidebarRow } from '#renderer/ui/sidebar.tsx';

/** Every operation of the specification, in groups, with its section; operations whose action name is not shown say so. */
export function OperationsSidebar({ workbench }: { workbench: Workbench }) {
  const [text, setText] = useState('');
  const environment = useStore(workbench.environments, currentEnvironment);
  const active = useStore(workbench.requests, (state) => state.tabs.find((tab) => tab.id === state.activeId)?.operation ?? null);
  const groups = operationGroups(filterOperations(operations, text));

  return (
    <div className="small">
      <div className="sticky-head">
        <SearchField label="Filter operations" value={text} onText={setText} />
      </div>
      {groups.length === 0 ? (
        <EmptyState small title="No matching operations">
          Try part of a name or a section number.
        </EmptyState>
      ) : null}
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2 className="side-heading">{group.title}</h2>
          <ul>
            {group.operations.map((operation) => (
              <OperationRow
                key={operation.name}
                operation={operation}
                active={operation.name === active}
                unnamed={routeOf(operation, environment?.answers ?? {}) === null}
                store={workbench.requests}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface OperationRowProps {
  readonly operation: Operation;
  readonly active: boolean;
  readonly unnamed: boolean;
  readonly store: RequestStore;
}

const OperationRow = memo(function OperationRow({ operation, active, unnamed, store }: OperationRowProps) {
  const { name, section, summary } = operation;
  const { newTab, openOperation } = store.getState();
  return (
    <li>
      <ContextMenu
        items={[
          { label: 'Open', onSelect: () => openOperation(name) },
          { label: 'Open in a new request', onSelect: () => newTab(name) },
        ]}
      >
        <button
          type="button"
          className={sidebarRow(active, 'side-row wrap')}
          aria-current={active || undefined}
          title={summary}
          onClick={() => openOperation(name)}
        >
          <span className="code">{operationTitle(operation.name)}</span>
          {unnamed ? (
            <span className="at-end">
              <Pill tone="warn" size="small" round>
                open point
              </Pill>
            </span>
          ) : (
            <span className="faint tiny code at-end">§{section}</span>
          )}
        </button>
      </ContextMenu>
    </li>
  );
});
