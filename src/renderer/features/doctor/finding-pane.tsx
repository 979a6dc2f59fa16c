import { useEffect, type ReactNode } from 'react';
import { Activity, CircleStop, Send } from 'lucide-react';
import { useStore } from 'zustand';
import type { DoctorReport, Fix, FoundMistake } from '#shared/ipc/index.ts';
import { isPastSingles, languageNames, probablyKey, secondLine, stagesAfter } from '#shared/doctor/words.ts';
import { CopyFix, FixLines } from '#renderer/calls/fix-lines.tsx';
import { Said } from '#renderer/ui/announced.tsx';
import { announcer } from '#renderer/ui/announcer.ts';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { isAboutKey, type DoctorStore } from './doctor-store.ts';
import type { Subject } from './doctor-fields.ts';
import { findingText, guessWords, headlineOf, otherWords, verdictWords, whoOf } from './doctor-words.ts';
import { TriedStages } from './tried-stages.tsx';
import styles from './finding-pane.module.css';

export interface FindingPaneProps {
  readonly store: DoctorStore;
  /** Name of the environment whose key is used. */
  readonly keyOf: string;
  readonly onSetKey: () => void;
  /** Opens the request with this text of data; null if its operation is not known. */
  readonly onOpenRequest: ((dataText: string) => void) | null;
}

/** Reports that a screen reader has heard: each once, also one that was there before this was drawn. */
const said = new WeakSet<DoctorReport>();

/** The doctor's verdict on the request. */
export function FindingPane(props: FindingPaneProps) {
  const { store } = props;
  const { searching, subject, cancel } = useStore(store);
  useEffect(() => {
    if (searching.state !== 'done' || said.has(searching.report)) return;
    said.add(searching.report);
    announcer.say(`${verdictWords(searching.report).text}: ${headlineOf(searching.report)}`);
  }, [searching]);
  const guess = searching.state === 'searching' ? searching.guesses[0] : undefined;
  return (
    <>
      <Said topic="guess" text={guess === undefined ? '' : `Best guess so far: ${guessWords(guess)}`} />
      <Said
        text={searching.state !== 'searching' ? '' : isPastSingles(searching.stages) ? probablyKey : 'Searching for the mistake'}
      />
      {searching.state === 'done' ? <Finding {...props} report={searching.report} subject={subject} /> : null}
      {searching.state === 'idle' ? <FirstSteps store={store} /> : null}
      {searching.state === 'failed' ? (
        <FailedState
          title="The search could not start"
          message={searching.message}
          action={
            isAboutKey(searching.code) ? (
              <Button variant="primary" onClick={props.onSetKey}>
                Set the key of {props.keyOf}
              </Button>
            ) : (
              <Button onClick={store.getState().search}>Try again</Button>
            )
          }
        />
      ) : null}
      {searching.state === 'searching' ? (
        <div className="fill-scroll">
          <div className={styles.found}>
            <Pill tone="note" round>
              Searching
            </Pill>
            <h2>{isPastSingles(searching.stages) ? probablyKey : 'Looking for the mistake'}</h2>
            <p>
              {isPastSingles(searching.stages)
                ? 'No single mistake gives this hash. Trying several at once.'
                : 'Single mistakes first, then several at once.'}
            </p>
          </div>
          <Guesses title="Best guesses so far" guesses={searching.guesses} />
          <TriedStages stages={searching.stages} perSecond={searching.perSecond} ended={null} />
          <div className={styles.stop}>
            <Button icon={<CircleStop />} command="cancel" disabled={searching.cancelled} onClick={cancel}>
              Cancel
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
}

function FirstSteps({ store }: { readonly store: DoctorStore }) {
  const { subject, reading } = useStore(store);
  const { time, hash } = subject.fields;
  const lacks = [...(time === '' ? ['time'] : []), ...(hash.trim() === '' ? ['hash'] : [])];
  if (reading.state === 'empty' && lacks.length === 2) {
    return (
      <EmptyState icon={<Activity />} title="Why is the hash wrong?">
        <p>Paste a request that the provider rejected with code 8, with its time, data and hash.</p>
        <p>The doctor names the mistake, shows the first wrong byte, and gives the fix in your language.</p>
      </EmptyState>
    );
  }
  if (reading.state === 'reading') return <EmptyState icon={<Activity />} title="Reading the text" />;
  return (
    <EmptyState icon={<Activity />} title={lacks.length === 0 ? 'Ready to search' : `No ${lacks.join(' and no ')} yet`}>
      {lacks.length === 0 ? null : `Enter the ${lacks.join(' and the ')} on the left to start the search.`}
    </EmptyState>
  );
}

function Finding({
  store,
  keyOf,
  report,
  subject,
  onOpenRequest,
}: FindingPaneProps & { readonly report: DoctorReport; readonly subject: Subject }) {
  const { verdict, advice, fixes, stages, keys, digits, expected, unseen } = report;
  const { search, searchDeeper } = store.getState();
  const isDeep = stages.some(({ stage }) => stage === 'triples');
  const words = verdictWords(report);
  const [first, ...others] = report.ways;
  const who = first === undefined ? '' : whoOf(first);
  const found = verdict === 'other' || verdict === 'sent';
  const dataText = expected.data ?? subject.fields.dataText;
  return (
    <>
      <div className="fill-scroll">
        <section className={styles.found} aria-label="Finding">
          <Pill tone={words.tone} round>
            {words.text}
          </Pill>
          <h2>{headlineOf(report)}</h2>
          {who === '' ? null : <p>{who}</p>}
          {verdict === 'none' ? <Remains keyOf={keyOf} report={report} missing={subject.missing} /> : null}
          {verdict === 'cancelled' ? <p>Nothing found so far.</p> : null}
          {secondLine(report) === '' ? null : <p>{secondLine(report)}</p>}
          {found && digits < 64 ? <p>Only {digits} digits of the hash are known. All of them match.</p> : null}
        </section>
        <Points
          label="Other explanations"
          title="Other code that gives the same bytes"
          points={others.map((way) => otherWords(way, first ?? []))}
        >
          {report.leftOff === 0 ? '' : `${report.leftOff} more are not listed. `}
          A request whose data has a slash, an é, 1.0, 0, &quot;&quot; and {'{}'} may tell them apart.
        </Points>
        {verdict === 'none' || verdict === 'cancelled' ? <Guesses title="Best guesses" guesses={report.guesses} /> : null}
        <Points title="Check next" points={advice} />
        <FixTabs store={store} fixes={fixes} />
        <Points title="Not covered" points={unseen} />
        <TriedStages
          stages={stages}
          keys={keys}
          ended={verdict === 'cancelled' ? 'stopped' : verdict === 'none' ? 'none' : 'match'}
        />
      </div>
      <footer className={styles.actions}>
        <Button
          variant={found ? 'primary' : 'plain'}
          icon={<Send />}
          waits={onOpenRequest === null ? 'The action is not known.' : null}
          onClick={() => onOpenRequest?.(dataText)}
        >
          {found ? 'Open corrected in Requests' : 'Open in Requests'}
        </Button>
        <CopyButton words="Copy finding" text={() => findingText(report, subject)} />
        {verdict === 'cancelled' ? <Button onClick={isDeep ? searchDeeper : search}>Search again</Button> : null}
        {verdict === 'none' && stagesAfter(stages).length > 0 ? <Button onClick={searchDeeper}>Search deeper</Button> : null}
      </footer>
    </>
  );
}

/** Lists what the sent text of data shows, while nothing is found. */
function Guesses({ title, guesses }: { readonly title: string; readonly guesses: readonly (readonly FoundMistake[])[] }) {
  return (
    <Points title={title} points={guesses.map(guessWords)}>
      Based on the text of data. Hashing it as sent gives another hash.
    </Points>
  );
}

/** Lists sentences below a title, and a remark on all of them; nothing without any. */
function Points(props: {
  readonly title: string;
  readonly label?: string;
  readonly points: readonly string[];
  readonly children?: ReactNode;
}) {
  const { title, label = title, points, children } = props;
  if (points.length === 0) return null;
  return (
    <section className={styles.others} aria-label={label}>
      <h3>{title}</h3>
      <ul className="bullets">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {children === undefined ? null : <p>{children}</p>}
    </section>
  );
}

/** The fix in each language, likeliest first: the code that makes the mistakes, and what to change in it. */
function FixTabs({ store, fixes }: { readonly store: DoctorStore; readonly fixes: readonly Fix[] }) {
  const language = useStore(store, (state) => state.language);
  const fix = fixes.find((one) => one.language === language) ?? fixes[0];
  if (fix === undefined) return null;
  return (
    <section className={styles.fix} aria-label="Fix">
      <Segmented
        label="Language of the fix"
        items={fixes.map((one) => ({ value: one.language, label: languageNames[one.language] }))}
        value={fix.language}
        onChange={store.getState().setLanguage}
        aside={<CopyFix fix={fix} />}
      >
        <FixLines fix={fix} />
      </Segmented>
    </section>
  );
}

/** Says what a search that found nothing leaves open. */
function Remains({
  keyOf,
  report: { keys, stages },
  missing,
}: {
  readonly keyOf: string;
  readonly report: DoctorReport;
  readonly missing: readonly string[];
}) {
  return (
    <>
      <p>
        The doctor tried {keys === 1 ? `the key of ${keyOf}` : `${keys} keys of this session, that of ${keyOf} first`}. Still
        possible:
      </p>
      <ul className="bullets">
        {missing.length === 0 ? null : <li>The text is masked or truncated at {missing.join(', ')}. Enter what was hashed.</li>}
        {stages.some(({ state }) => state === 'skipped') ? <li>The skipped stages. Paste a request with shorter data.</li> : null}
        <li>Another key. Compare its fingerprint with that of your backend&apos;s key.</li>
        <li>Data or time that changed after hashing. Log the exact bytes that your code hashes and paste those.</li>
        <li>
          More mistakes at once than were tried{stagesAfter(stages).length === 0 ? '' : ' (Search deeper takes up to a minute)'},
          or one that the doctor doesn&apos;t know.
        </li>
      </ul>
    </>
  );
}
