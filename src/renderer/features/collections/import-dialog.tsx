import { amount } from '#shared/amount.ts';
import { noticeLines, type NoticeLine } from '#shared/collections/import-notices.ts';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { FileUp, FolderUp } from 'lucide-react';
import type { ImportPlan } from '#shared/ipc/index.ts';
import { importFormats } from '#shared/model/formats.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Said } from '#renderer/ui/announced.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { Field } from '#renderer/ui/field.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { useDroppedFiles } from '#renderer/ui/use-dropped-files.ts';
import type { CollectionsStore } from './collections-store.ts';
import type { ImportQuestion, ImportStore } from './import-store.ts';
import type { Place } from './tree-rows.ts';
import { placeIn, PlaceFields, useUsableCollections } from './place-fields.tsx';
import styles from './import-dialog.module.css';

const tools = [...new Set(importFormats.map(({ from }) => from))];

/** Asks for files of other tools, says what they would become, and imports them into a collection. */
export function ImportDialog({ store, collections }: { store: ImportStore; collections: CollectionsStore }) {
  const state = useStore(store);
  const usable = useUsableCollections(collections);
  const { question } = state;
  if (question === null) return null;
  const { source, plan, problem, writing, progress, keepsSecrets } = question;
  const place = question.place === null ? placeIn(usable, { collectionId: '', path: '' }) : placeIn(usable, question.place);
  return (
    <FormDialog
      title="Import requests"
      width="large"
      description={`From ${tools.slice(0, -1).join(', ')} or ${tools.at(-1) ?? ''}. Existing files stay.`}
      submit={plan === null ? 'Import' : `Import ${amount(plan.requests.length, 'request')}`}
      busy={writing}
      waits={importWaits(question, place)}
      onSubmit={() => startWork(state.run())}
      onClose={state.dismiss}
    >
      {source === null ? <Sources store={store} /> : null}
      {source === null ? null : (
        <p className="line strong">
          <span>{source.name}</span>
          <Button variant="quiet" disabled={writing} onClick={state.clear}>
            Choose others
          </Button>
        </p>
      )}
      {place === null ? (
        <p className="bad small">No collection is open. Close this and open one first.</p>
      ) : (
        <PlaceAndPlan store={store} place={place} usable={usable} />
      )}
      {source !== null && plan === null && problem === null ? (
        <p className="faint small">
          {readingText(progress)}
          <Said topic="import" text={readingText(progress)} />
        </p>
      ) : null}
      {problem === null ? null : (
        <p className="bad small" role="alert">
          {problem}
        </p>
      )}
      {plan === null ? null : (
        <Plan plan={plan} keepsSecrets={keepsSecrets} onKeepsSecrets={writing ? null : state.setKeepsSecrets} />
      )}
    </FormDialog>
  );
}

function PlaceAndPlan({
  store,
  place,
  usable,
}: {
  store: ImportStore;
  place: NonNullable<ReturnType<typeof placeIn>>;
  usable: ReturnType<typeof useUsableCollections>;
}) {
  const { question, setPlace } = useStore(store);
  const asked = question?.place ?? null;
  // The place that is shown is the one that is imported into.
  useEffect(() => {
    if (asked?.collectionId !== place.collectionId || asked.path !== place.path) setPlace(place);
  }, [asked, place, setPlace]);
  return <PlaceFields collections={usable} place={place} onChange={setPlace} />;
}

function readingText(progress: ImportQuestion['progress']): string {
  if (progress === null || progress.total === 0) return 'Reading…';
  return `Reading: ${progress.done.toLocaleString('en')} of ${progress.total.toLocaleString('en')}`;
}

/** Returns the reason why nothing can be imported yet; null if it can. */
function importWaits({ source, plan, problem }: ImportQuestion, place: Place | null): string | null {
  if (place === null) return 'No collection is open.';
  if (plan === null)
    return problem === null
      ? source === null
        ? 'Choose files or paste text first.'
        : 'Croupier is reading the files.'
      : problem;
  return plan.requests.length + plan.folders.length > 0 ? null : 'These files have nothing to import.';
}

/** The three ways in: files, a directory, and a text. Anything can be dropped, too. */
function Sources({ store }: { store: ImportStore }) {
  const { take, takeText } = store.getState();
  const [text, setText] = useState('');
  const files = useRef<HTMLInputElement>(null);
  const directory = useRef<HTMLInputElement>(null);
  const { over, handlers, chosen } = useDroppedFiles((given) => startWork(take(given)));
  return (
    <>
      <div className={classNames(styles.drop, over && 'drop-over')} {...handlers}>
        <span>Drop files here, or</span>
        <Button icon={<FileUp />} onClick={() => files.current?.click()}>
          Choose files…
        </Button>
        <Button icon={<FolderUp />} onClick={() => directory.current?.click()}>
          Choose a Bruno folder…
        </Button>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label="Files to import"
          onChange={({ target }) => startWork(chosen([...(target.files ?? [])]))}
        />
        <input
          ref={(input) => {
            directory.current = input;
            input?.setAttribute('webkitdirectory', '');
          }}
          type="file"
          hidden
          aria-label="Folder to import"
          onChange={({ target }) => {
            const given = [...(target.files ?? [])];
            if (given.length > 0) startWork(take(given));
          }}
        />
      </div>
      <Field label="Or paste text, such as cURL commands" layout="stack">
        <TextArea code rows={5} value={text} onText={setText} />
      </Field>
      <div className="wrap">
        <Button waits={text.trim() === '' ? 'Paste text first.' : null} onClick={() => takeText(text)}>
          Read the text
        </Button>
      </div>
    </>
  );
}

function Plan({
  plan,
  keepsSecrets,
  onKeepsSecrets,
}: {
  plan: ImportPlan;
  keepsSecrets: boolean;
  /** Null while it cannot be chosen. */
  onKeepsSecrets: ((keeps: boolean) => void) | null;
}) {
  const { requests, folders, notCarried, secrets, signing } = plan;
  const names = [...new Set(secrets.filter(({ asked, kept }) => asked || kept).map(({ name }) => name))];
  const checked = signing
    .filter(({ outcome }) => outcome !== 'unknown')
    .map(({ path, message }) => ({ place: path, reason: message }));
  const losses = notCarried.map(({ where, what, why }) => ({ place: where === '' ? what : `${where}: ${what}`, reason: why }));
  return (
    <section className="stack" aria-label="Import preview">
      <h3>
        {amount(requests.length, 'request')}
        {folders.length === 0 ? '' : ` in ${amount(folders.length, 'folder')}`}
      </h3>
      <ul className={styles.list}>
        {requests.slice(0, mostShown).map(({ path, request }) => (
          <li key={path}>
            <code>{request.operation}</code> <span className="faint">{path}</span>
          </li>
        ))}
      </ul>
      <More all={requests.length} />
      {checked.length === 0 ? null : (
        <ul className={styles.list} aria-label="Hashes">
          <NoticeLines lines={noticeLines(checked, 'request', ({ place, reason }) => `${place}: ${reason}`)} />
        </ul>
      )}
      {names.length === 0 ? null : (
        <Checkbox checked={keepsSecrets} onChange={onKeepsSecrets ?? (() => undefined)} disabled={onKeepsSecrets === null}>
          Include values that look like secrets: {names.join(', ')}
        </Checkbox>
      )}
      <h3>{notCarried.length === 0 ? 'Everything is imported' : `${amount(notCarried.length, 'part')} left out`}</h3>
      <ul className={styles.list}>
        <NoticeLines lines={noticeLines(losses, 'part', ({ place, reason }) => `${place}. ${reason}`)} />
      </ul>
    </section>
  );
}

function NoticeLines({ lines }: { lines: readonly NoticeLine[] }) {
  return (
    <>
      {lines.slice(0, mostShown).map(({ text, such }) => (
        <li key={`${text} ${such.join()}`}>
          {text}
          {such.length === 0 ? null : <div className="faint small">{such.join(' · ')}</div>}
        </li>
      ))}
      {lines.length <= mostShown ? null : (
        <li className="faint small">and {(lines.length - mostShown).toLocaleString('en')} more</li>
      )}
    </>
  );
}

const mostShown = 100;

function More({ all }: { all: number }) {
  return all <= mostShown ? null : <p className="faint small">and {(all - mostShown).toLocaleString('en')} more</p>;
}
