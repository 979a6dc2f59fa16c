import { useId } from 'react';
import { Plus, X } from 'lucide-react';
import { useStore } from 'zustand';
import { uncheckedText } from '#shared/collections/run-words.ts';
import type { Collection, CollectionNode, Environment } from '#shared/ipc/index.ts';
import { identityText, namesOf, shortName } from '#shared/calls/environment-words.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Asked } from '#renderer/calls/asked.tsx';
import { answerOf } from '#shared/provider/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { inputOf, problemsOf, type FormProblems, type RunForm } from './run-form.ts';
import type { KnownTree, RunStartState, RunStartStore } from './run-start-store.ts';
import { Problem } from '#renderer/ui/problem.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './run-dialog.module.css';

/** Asks what to run, where and with which data; and before production, for a confirmation. */
export function RunDialog({ store, environments }: { store: RunStartStore; environments: readonly Environment[] }) {
  const state = useStore(store);
  const { form, asking } = state;
  if (asking.state === 'unconfirmed') return <Asked store={store} />;
  return form === null ? null : <RunForms state={state} form={form} environments={environments} />;
}

function RunForms({ state, form, environments }: { state: RunStartState; form: RunForm; environments: readonly Environment[] }) {
  const { asking, submit, dismiss } = state;
  const problems = problemsOf(form);
  const names = namesOf(environments);
  const { failedOf } = form;
  const readOnly = state.tree.state === 'ready' ? state.tree.readOnly : null;
  const refused = readOnly ?? (asking.state === 'refused' ? asking.message : null);
  return (
    <FormDialog
      width="large"
      title={failedOf === null ? 'Run a collection' : `Retry failed requests of ${failedOf.title}`}
      description={
        failedOf === null
          ? undefined
          : 'Also runs the requests they depend on. Enter the same repeats, data rows and variables as before.'
      }
      submit="Run"
      busy={asking.state === 'busy'}
      waits={
        readOnly !== null
          ? 'The collection is read-only.'
          : inputOf(form) === null
            ? (Object.values(problems)[0] ?? 'A field is not valid.')
            : null
      }
      onSubmit={() => startWork(submit())}
      onClose={dismiss}
    >
      {refused === null ? null : (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      <WhatFields state={state} form={form} problems={problems} />
      <Field label="Environment" error={problems.environment} hint={limitWords(environments, form.environmentId)}>
        <Select
          options={[
            ...(environments.some(({ id }) => id === form.environmentId)
              ? []
              : [{ value: form.environmentId, label: 'Choose one' }]),
            ...environments.map((one) => ({
              value: one.id,
              whole: one.name,
              label: `${shortName(one.name, names)} (${identityText(one)}${one.production ? ', production' : ''})`,
            })),
          ]}
          value={form.environmentId}
          onChange={(environmentId) => state.change({ environmentId })}
        />
      </Field>
      <HowFields state={state} form={form} problems={problems} />
      <VariableFields state={state} form={form} problems={problems} />
      <DataFields state={state} form={form} problems={problems} />
    </FormDialog>
  );
}

/** Returns the rate limit recorded for an environment; null without one. */
function limitWords(environments: readonly Environment[], id: string): string | null {
  const environment = environments.find((one) => one.id === id);
  const limit = environment === undefined ? null : answerOf('rate.limits', environment.answers);
  return limit === null ? null : `Recorded rate limit: ${limit}. Set a delay to stay below it.`;
}

interface Fields {
  readonly state: RunStartState;
  readonly form: RunForm;
  readonly problems: FormProblems;
}

const otherDirectory = { value: '', label: 'Another folder' };

function WhatFields({ state, form, problems }: Fields) {
  const { collections, tree, change } = state;
  const known: readonly Collection[] = collections.state === 'ready' ? collections.collections : [];
  const byDirectory = form.collectionId === '';
  return (
    <>
      <Field label="Collection" error={collections.state === 'failed' ? collections.message : undefined}>
        <Select
          options={[
            ...known.map(({ id, name, problem }) => ({ value: id, label: problem === null ? name : `${name} (cannot be read)` })),
            // Until the list is loaded.
            ...(byDirectory || known.some(({ id }) => id === form.collectionId)
              ? []
              : [{ value: form.collectionId, label: 'Loading' }]),
            otherDirectory,
          ]}
          value={form.collectionId}
          onChange={(collectionId) => change({ collectionId })}
        />
      </Field>
      {byDirectory ? (
        <Field
          label="Collection folder"
          hint="An absolute path, such as to a folder in Croupier's starter-collections."
          error={form.directory === '' ? undefined : problems.collection}
        >
          <TextField code value={form.directory} onText={(directory) => change({ directory })} />
        </Field>
      ) : null}
      <Field
        label="Folder or request"
        hint={byDirectory ? 'A folder or a .yaml file. Leave empty for all.' : uncheckedIn(tree, form.path)}
        error={tree.state === 'failed' ? tree.message : undefined}
      >
        {byDirectory ? (
          <TextField code value={form.path} placeholder="all" onText={(path) => change({ path })} />
        ) : (
          <Select options={partsOf(tree, form.path)} value={form.path} onChange={(path) => change({ path })} />
        )}
      </Field>
    </>
  );
}

/** Says how many of the chosen requests have no check of their own; undefined if each has one. */
function uncheckedIn(tree: KnownTree, chosen: string): string | undefined {
  if (tree.state !== 'ready') return undefined;
  const requests = tree.nodes.filter(
    ({ kind, path }) => kind === 'request' && (chosen === '' || path === chosen || path.startsWith(`${chosen}/`)),
  );
  const words = uncheckedText(requests.filter(({ unchecked }) => unchecked).length, requests.length);
  return words === '' ? undefined : `${words}: only code 0, or HTTP 200, is expected.`;
}

function partsOf(tree: KnownTree, chosen: string): readonly { value: string; label: string }[] {
  const nodes: readonly CollectionNode[] = tree.state === 'ready' ? tree.nodes : [];
  const parts = nodes.map(({ path, name, kind }) => {
    const depth = '\u2003'.repeat(path.split('/').length - 1);
    return { value: path, label: `${depth}${name}${kind === 'folder' ? ' /' : ''}` };
  });
  const all = [{ value: '', label: 'All requests' }, ...parts];
  return all.some(({ value }) => value === chosen) ? all : [...all, { value: chosen, label: chosen }];
}

const numbers = [
  { name: 'repeat', label: 'Repeat', suffix: 'times' },
  { name: 'delay', label: 'Delay', suffix: 'ms' },
  { name: 'parallel', label: 'Parallel', suffix: 'at once' },
] as const;

function HowFields({ state, form, problems }: Fields) {
  const { change } = state;
  return (
    <>
      <div className={styles.tags}>
        <Field layout="stack" label="Only with tags" hint="Also runs the requests they depend on." error={problems.tags}>
          <TextField code value={form.tags} placeholder="all" onText={(tags) => change({ tags })} />
        </Field>
        <Field layout="stack" label="Without tags" error={problems.excludeTags}>
          <TextField code value={form.excludeTags} placeholder="none" onText={(excludeTags) => change({ excludeTags })} />
        </Field>
      </div>
      <div className={styles.numbers}>
        {numbers.map(({ name, label, suffix }) => (
          <Field key={name} layout="stack" label={label} error={problems[name]}>
            <TextField inputMode="numeric" value={form[name]} suffix={suffix} onText={(text) => change({ [name]: text })} />
          </Field>
        ))}
      </div>
      <div className="stack">
        <Checkbox checked={form.bail} onChange={(bail) => change({ bail })}>
          Stop at the first failure
        </Checkbox>
        <Checkbox checked={form.reportUnreadable} onChange={(reportUnreadable) => change({ reportUnreadable })}>
          Report unreadable files as errors and run the rest
        </Checkbox>
        <Checkbox checked={form.skipUnknownChecks} onChange={(skipUnknownChecks) => change({ skipUnknownChecks })}>
          Skip unknown checks
        </Checkbox>
      </div>
    </>
  );
}

function VariableFields({ state, form, problems }: Fields) {
  const { change, addVariable } = state;
  const { variables } = form;
  const ids = useId();
  return (
    <Field group label="Variables" hint="Override collection and environment variables. Data rows override these.">
      <ul className={styles.variables}>
        {variables.map((line, at) => (
          <li key={line.id}>
            <TextField
              code
              aria-label={`Name of variable ${at + 1}`}
              aria-invalid={problems[`variable ${line.id}`] !== undefined || undefined}
              aria-describedby={problems[`variable ${line.id}`] === undefined ? undefined : `${ids}${line.id}`}
              placeholder="name"
              value={line.name}
              onText={(name) => change({ variables: variables.map((one) => (one === line ? { ...line, name } : one)) })}
            />
            <TextField
              code
              aria-label={`Value of variable ${at + 1}`}
              placeholder="value"
              value={line.value}
              onText={(value) => change({ variables: variables.map((one) => (one === line ? { ...line, value } : one)) })}
            />
            <IconButton
              label={`Remove variable ${at + 1}`}
              icon={<X />}
              onClick={() => change({ variables: variables.filter((one) => one !== line) })}
            />
            {problems[`variable ${line.id}`] === undefined ? null : (
              <Problem id={`${ids}${line.id}`} className={styles.problem}>
                {problems[`variable ${line.id}`]}
              </Problem>
            )}
          </li>
        ))}
      </ul>
      <Button icon={<Plus />} onClick={addVariable}>
        {' '}
        Add a variable{' '}
      </Button>
    </Field>
  );
}

const dataKinds = optionsOf({ none: 'None', file: 'File', text: 'Pasted' });

const formats = optionsOf({ csv: 'CSV', jsonl: 'JSON lines' });

function DataFields({ state, form, problems }: Fields) {
  const { change } = state;
  return (
    <Field group label="Data rows" hint="One iteration per row. Columns become variables.">
      <div className="stack">
        <div className="wrap">
          <SegmentedChoice
            label="Where the data rows are"
            options={dataKinds}
            value={form.data}
            onChange={(data) => change({ data })}
          />
          {form.data === 'none' ? null : (
            <SegmentedChoice
              label="Format of the rows"
              options={formats}
              value={form.format}
              onChange={(format) => change({ format })}
            />
          )}
        </div>
        {form.data === 'file' ? (
          <TextField
            code
            aria-label="File with data rows"
            placeholder="absolute path"
            value={form.dataFile}
            onText={(dataFile) => change({ dataFile })}
          />
        ) : null}
        {form.data === 'text' ? (
          <TextArea
            code
            aria-label="Data rows"
            rows={5}
            placeholder={form.format === 'csv' ? 'player,stake\nplayer-1,1.50' : '{"player": "player-1", "stake": 1.50}'}
            value={form.dataText}
            onText={(dataText) => change({ dataText })}
          />
        ) : null}
        {problems.data === undefined ? null : <p className="faint tiny">{problems.data}</p>}
      </div>
    </Field>
  );
}
