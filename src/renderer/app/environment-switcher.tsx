import { useStore } from 'zustand';
import { ChevronDown, Plus, SlidersVertical } from 'lucide-react';
import { EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { identityText } from '#shared/signing/environment-words.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import { keyWords } from '#renderer/features/environments/key-words.ts';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { Menu, type MenuItem } from '#renderer/ui/menu.tsx';
import type { Workbench } from './workbench.ts';
import styles from './top-bar.module.css';

/** Where requests go and as whom; opens the list of the others. */
export function EnvironmentSwitcher({ workbench }: { workbench: Workbench }) {
  const environment = useStore(workbench.environments, currentEnvironment);
  const { list, keys, select, startNew } = useStore(workbench.environments);
  const open = useStore(workbench.shell, (state) => state.environmentMenu);
  const { setEnvironmentMenu, show } = workbench.shell.getState();
  const environments = list.state === 'ready' ? list.environments : [];
  const items: readonly MenuItem[] = [
    { kind: 'heading', id: 'heading', label: 'Send requests to' },
    ...environments.map((one): MenuItem => {
      const key = keyWords(keys[one.id]);
      return {
        kind: 'choice',
        id: one.id,
        label: (
          <>
            <ColorMark color={one.color} production={one.production} />
            <EnvironmentName name={one.name} title={one.name} className={styles.choice} />
          </>
        ),
        detail: [
          identityText(one),
          ...(one.production ? ['production'] : []),
          ...(key.tone === 'warn' || key.tone === 'bad' ? [key.short.toLowerCase()] : []),
        ].join(', '),
        checked: one.id === environment?.id,
        onSelect: () => select(one.id),
      };
    }),
    { kind: 'separator', id: 'line' },
    {
      kind: 'action',
      id: 'edit',
      label: 'Edit environments',
      icon: <SlidersVertical />,
      onSelect: () => {
        if (environment !== null) workbench.environments.getState().open(environment.id);
        show('environments');
      },
    },
    {
      kind: 'action',
      id: 'new',
      label: 'New environment',
      icon: <Plus />,
      onSelect: () => {
        startNew();
        show('environments');
      },
    },
  ];
  return (
    <Menu
      align="end"
      open={open}
      onOpenChange={setEnvironmentMenu}
      items={items}
      trigger={
        <button type="button" className={styles.environment} title={environment?.name}>
          <span className="visually-hidden">Environment: </span>
          {environment === null ? (
            <span className={styles.quiet}>{list.state === 'loading' ? 'Loading' : 'No environment'}</span>
          ) : (
            <>
              <ColorMark color={environment.color} production={environment.production} />
              <EnvironmentName name={environment.name} className={styles.name} />
              {environment.production ? <span className={styles.production}>production</span> : null}
              <span className={styles.quiet}>{identityText(environment)}</span>
            </>
          )}
          <ChevronDown aria-hidden="true" />
        </button>
      }
    />
  );
}
