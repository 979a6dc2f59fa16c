import { useEffect, useId, useRef, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { Copy, Ellipsis, Globe, Trash } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { ColorMark } from '#renderer/ui/color-mark.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import type { SecretHandle } from '#renderer/ui/secret-field.tsx';
import { editedFrom, suggestedName } from './environment-draft.ts';
import { EnvironmentForm } from './environment-form.tsx';
import { newId } from './environment-list.ts';
import type { EnvironmentsStore } from './environments-store.ts';
import { KeyEntry } from './key-entry.tsx';
import { KeyField } from './key-field.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import styles from './environment-page.module.css';

/** The screen's title while no environment is open, whose name it is otherwise. */
const noneOpen = <h1 className="visually-hidden">Environments</h1>;

/** One environment as a form, with its key and the actions on it. */
export function EnvironmentPage({
  store,
  onUse,
  follows,
}: {
  store: EnvironmentsStore;
  /** Takes the user to the request that is sent to a new environment first. */
  onUse: () => void;
  /** Name of the file that the open environment follows; null for none. */
  follows: string | null;
}) {
  const { list, openId, currentId, editing, discard, duplicate, load, remove, save, select, startNew } = useStore(store);
  const formId = useId();
  const isSaving = openId !== null && editing[openId]?.saving === true;
  const wasSaving = useRef(false);
  useEffect(() => {
    if (wasSaving.current && !isSaving) focusFirstError(formId);
    wasSaving.current = isSaving;
  }, [formId, isSaving]);
  if (list.state !== 'ready') {
    return (
      <>
        {noneOpen}
        <NotLoaded of={list} rows={10} label="Loading environments" title="The environments could not be read" retry={load} />
      </>
    );
  }
  const saved = list.environments.find((environment) => environment.id === openId) ?? null;
  const open = openId === null ? undefined : editing[openId];
  const edited = open?.edited ?? (saved === null ? null : editedFrom(saved));
  if (openId === null || edited === null) {
    return (
      <>
        {noneOpen}
        <EmptyState
          icon={<Globe />}
          title="No environment open"
          action={
            <Button variant="primary" onClick={startNew}>
              New environment
            </Button>
          }
        >
          An environment holds the URLs, platform, partner ID and key that the provider gave you.
        </EmptyState>
      </>
    );
  }
  async function createAndUse(): Promise<void> {
    const made = await save(newId);
    if (made === null) return;
    select(made);
    onUse();
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (openId !== null) startWork(openId === newId ? createAndUse() : save(openId));
  }
  const title = edited.name || (openId === newId ? suggestedName(edited.baseUrl) || 'New environment' : (saved?.name ?? ''));
  return (
    <PageFrame>
      <PageHead
        kind="form"
        actions={
          <>
            {open === undefined ? null : (
              <Button variant="quiet" onClick={() => discard(openId)}>
                Discard changes
              </Button>
            )}
            {openId === newId ? (
              <Button command="save" busy={isSaving} onClick={() => startWork(save(openId))}>
                Create
              </Button>
            ) : null}
            {saved !== null && openId !== currentId ? <Button onClick={() => select(saved.id)}>Use for requests</Button> : null}
            {openId === newId ? (
              <Button variant="primary" type="submit" form={formId} busy={isSaving}>
                Create and use
              </Button>
            ) : (
              <Button
                variant="primary"
                type="submit"
                form={formId}
                command="save"
                waits={open === undefined ? 'Nothing to save' : null}
                busy={isSaving}
              >
                Save
              </Button>
            )}
            {saved === null ? null : (
              <Menu
                align="end"
                trigger={<IconButton label="More for this environment" icon={<Ellipsis />} />}
                items={[
                  { label: 'Duplicate', icon: <Copy />, onSelect: () => startWork(duplicate(saved.id)) },
                  'separator',
                  { label: 'Remove', icon: <Trash />, danger: true, onSelect: () => startWork(remove(saved.id)) },
                ]}
              />
            )}
          </>
        }
      >
        <h1 className="line">
          <ColorMark color={edited.color} production={edited.production === true} />
          <span className="short" title={title}>
            {title}
          </span>
        </h1>
        {openId === currentId ? (
          <Pill tone="good" size="small">
            in use
          </Pill>
        ) : null}
        {edited.production ? (
          <Pill tone="bad" size="small">
            production
          </Pill>
        ) : null}
      </PageHead>
      <form id={formId} className="fill-scroll" onSubmit={submit}>
        <div className={styles.column}>
          {open === undefined || open.message === null ? null : (
            <p role="alert" className="box on-bad">
              {open.message}
            </p>
          )}
          {saved?.kind === 'sandbox' ? (
            <p className="box on-note">The built-in provider sets the URLs, platform, partner, key and certificate.</p>
          ) : null}
          {follows === null ? null : (
            <p className="box on-note">
              Linked to {follows}: Croupier also saves changes there, except the key, player, token command, private hosts, client
              certificate, colour and limits.
            </p>
          )}
          <EnvironmentForm
            key={openId}
            store={store}
            id={openId}
            environments={list.environments}
            saved={saved}
            edited={edited}
            errors={open?.errors ?? {}}
            keyField={
              saved === null ? (
                <NewKey store={store} onEnter={() => startWork(createAndUse())} />
              ) : (
                <Field label="Private key" group>
                  <KeyField store={store} environmentId={saved.id} managed={saved.kind === 'sandbox'} />
                </Field>
              )
            }
          />
        </div>
      </form>
    </PageFrame>
  );
}

/** Gives the keyboard to the first control that the form was refused for, which reads its error. */
function focusFirstError(formId: string): void {
  const wrong = document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid="true"]');
  (wrong?.matches('[role="radiogroup"]') === true ? wrong.querySelector<HTMLElement>('button') : wrong)?.focus();
}

function NewKey({ store, onEnter }: { store: EnvironmentsStore; onEnter: () => void }) {
  const input = useRef<SecretHandle>(null);
  useEffect(() => {
    store.setState({ newKey: () => input.current?.read() ?? '' });
    return () => store.setState({ newKey: null });
  }, [store]);
  return (
    <KeyEntry
      ref={input}
      layout="row"
      label="Private key"
      hint="You can set it later. Croupier never shows the key and doesn't trim it."
      onEnter={onEnter}
    />
  );
}
