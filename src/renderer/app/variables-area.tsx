import { useMemo } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import type { TakenAccess } from '#renderer/features/collections/taken-values.tsx';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { takenFor } from '#renderer/features/request/results-store.ts';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';
import type { Workbench } from './workbench.ts';

const EditVariables = lazyDialog(async () => (await import('#renderer/features/collections/edit-variables.tsx')).EditVariables);

/** The variables of a collection or a folder, joined with the values from earlier responses in the chosen environment. */
export function VariablesArea({ workbench: { collections, environments, results, variables } }: { workbench: Workbench }) {
  const environment = useStore(environments, currentEnvironment);
  const known = useStore(results, (state) => state.taken);
  const environmentId = environment?.id ?? '';
  const environmentName = environment?.name ?? null;
  const taken = useMemo(
    (): TakenAccess => ({
      environment: environmentName,
      of: (collectionId) => takenFor({ taken: known }, collectionId, environmentId),
      want(collectionId) {
        if (environmentId !== '') startWork(results.getState().want(collectionId, environmentId));
      },
      forget: (collectionId, name) => results.getState().forget(collectionId, environmentId, name),
    }),
    [environmentId, environmentName, known, results],
  );
  const editing = useStore(collections, (state) => state.editing !== null);
  if (!editing) return null;
  return <EditVariables store={collections} variables={variables} taken={taken} />;
}
