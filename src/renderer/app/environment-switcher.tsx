import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { ChevronDown, Plus, SlidersVertical } from 'lucide-react';
import type { Environment } from '#shared/ipc/index.ts';
import { EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { identityText } from '#shared/calls/environment-words.ts';
import { currentEnvironment, type EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import { keyWords } from '#renderer/features/environments/key-words.ts';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import type { Choice } from '#renderer/ui/found-choices.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { FindMenu } from '#renderer/ui/find-menu.tsx';
import { Menu, type MenuAction, type MenuItem } from '#renderer/ui/menu.tsx';
import type { Workbench } from './workbench.ts';
import styles from './top-bar.module.css';

/** Number of environments from which one is found by typing; fewer are in sight together. */
const manyFrom = 12;

/** Shows the environment that requests go to, and opens the list of the others. */
export function EnvironmentSwitcher({ workbench }: { workbench: Workbench }) {
  const { environments: store } = workbench;
  const environment = useStore(store, currentEnvironment);
  const { list, select, startNew } = useStore(
    store,
    useShallow((state) => ({ list: state.list, select: state.select, startNew: state.startNew })),
  );
  const open = useStore(workbench.shell, (state) => state.environmentMenu);
  const { setEnvironmentMenu, show } = workbench.shell.getState();
  const environments = list.state === 'ready' ? list.environments : none;
  const connect = () => {
    startNew();
    show('environments');
  };
  const actions: readonly MenuAction[] = [
    {
      label: 'Edit environments',
      icon: <SlidersVertical />,
      onSelect: () => {
        if (environment !== null) store.getState().open(environment.id);
        show('environments');
      },
    },
    {
      label: 'New environment',
      icon: <Plus />,
      onSelect: connect,
    },
  ];
  const trigger = (
    <button type="button" className={styles.environment} title={environment?.name}>
      <span className="visually-hidden">Environment: </span>
      {environment === null ? (
        <span className={styles.quiet}>{list.state === 'loading' ? 'Loading' : 'No environment'}</span>
      ) : (
        <>
          <ColorMark color={environment.color} production={environment.production} />
          <EnvironmentName name={environment.name} className="strong" />
          {environment.production ? <span className={styles.production}>production</span> : null}
          <span className={styles.quiet}>{identityText(environment)}</span>
        </>
      )}
      <ChevronDown className="faint" />
    </button>
  );
  const shared = { align: 'end', open, onOpenChange: setEnvironmentMenu, trigger } as const;
  if (environments.length >= manyFrom) {
    return (
      <ManyEnvironments
        {...shared}
        store={store}
        environments={environments}
        chosen={environment?.id ?? null}
        actions={actions}
      />
    );
  }
  const items: readonly MenuItem[] = [
    { heading: 'Send requests to' },
    ...environments.map((one): MenuItem => {
      return {
        id: one.id,
        label: <Named environment={one} />,
        detail: <Facts store={store} environment={one} />,
        checked: one.id === environment?.id,
        onSelect: () => select(one.id),
      };
    }),
    'separator',
    ...actions,
  ];
  return (
    <>
      <Menu {...shared} items={items} />
      {environments.length > 0 && environments.every(({ kind }) => kind === 'sandbox') ? (
        <IconButton label="Connect your provider" icon={<Plus />} onClick={connect} />
      ) : null}
    </>
  );
}

const none: readonly Environment[] = [];

type EnvironmentChoice = Choice & { readonly environment: Environment };

function ManyEnvironments({
  store,
  environments,
  ...menu
}: {
  store: EnvironmentsStore;
  environments: readonly Environment[];
} & Pick<Parameters<typeof FindMenu>[0], 'align' | 'open' | 'onOpenChange' | 'trigger' | 'chosen' | 'actions'>) {
  const choices = useMemo(
    () =>
      environments.map((environment): EnvironmentChoice => {
        const { id, name, production } = environment;
        return { id, text: `${name} ${identityText(environment)}${production ? ' production' : ''}`, environment };
      }),
    [environments],
  );
  return (
    <FindMenu
      {...menu}
      label="Environments"
      choices={choices}
      draw={({ environment }) => (
        <>
          <Named environment={environment} />
          <span className={styles.facts}>
            <Facts store={store} environment={environment} />
          </span>
        </>
      )}
      onChoose={(id) => store.getState().select(id)}
    />
  );
}

function Named({ environment: { name, color, production } }: { environment: Environment }) {
  return (
    <>
      <ColorMark color={color} production={production} />
      <EnvironmentName name={name} title={name} />
    </>
  );
}

/** Shows an environment's identity, and the state of its key if something is wrong with it. Asks for that state when it is seen. */
function Facts({ store, environment }: { store: EnvironmentsStore; environment: Environment }) {
  const { id, production } = environment;
  const view = useStore(store, (state) => state.keys[id]);
  useEffect(() => store.getState().seeKey(id), [store, id]);
  const key = keyWords(view);
  const missing = key.tone === 'warn' || key.tone === 'bad' ? [key.short.toLowerCase()] : [];
  return <>{[identityText(environment), ...(production ? ['production'] : []), ...missing].join(', ')}</>;
}
