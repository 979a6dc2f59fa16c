import { amount } from '#shared/amount.ts';
import { memo, Suspense, useMemo } from 'react';
import { MessageSquareText, WandSparkles } from 'lucide-react';
import type { Environment } from '#shared/model/environment.ts';
import type { Finding, SandboxPlayer } from '#shared/ipc/index.ts';
import { formatJson } from '#shared/json/format.ts';
import { parseJson } from '#shared/json/parse.ts';
import { pointerStep } from '#shared/json/pointer.ts';
import {
  validatePayload,
  contextOf,
  fieldNotes,
  formWith,
  routeOf,
  type KnownGames,
  type Operation,
} from '#shared/provider/index.ts';
import type { RequestSubstitution } from '#shared/variables/substitute-request.ts';
import { payloadExcess } from '#shared/provider/payload-limits.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';
import { inputRange, type VariableUse } from '#shared/variables/substitute.ts';
import type { PrepareError } from '#shared/request/envelope.ts';
import { JsonEditor } from '#renderer/editor/json-editor.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Segmented, type SegmentedItem } from '#renderer/ui/segmented.tsx';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import type { RequestLayout } from '../request-layout.ts';
import { AboutOperation } from '../about-operation.tsx';
import { RequestForm } from './request-form.tsx';
import type { RequestStore } from '../tabs/request-store.ts';
import type { RequestTab, RequestView } from '../tabs/request-tab.ts';
import type { TabExtras } from '../tabs/tab-file.ts';
import { sourceWords, type KnownVariable } from '../tabs/tab-variables.ts';
import type { NextRequest } from '../use-next-request.ts';
import { useSettled } from './use-settled.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';

const ChecksView = lazyPage(async () => (await import('../checks/checks-view.tsx')).ChecksView);
const ExamplesView = lazyPage(async () => (await import('../examples/examples-view.tsx')).ExamplesView);
const EnvelopeView = lazyPage(async () => (await import('./envelope-view.tsx')).EnvelopeView);

interface PayloadPaneProps {
  readonly store: RequestStore;
  readonly tab: RequestTab;
  readonly operation: Operation;
  readonly environment: Environment | null;
  /** Null unless the envelope is shown. */
  readonly next: NextRequest | null;
  readonly problem: PrepareError | null;
  readonly filled: RequestSubstitution | null;
  readonly known: readonly KnownVariable[];
  readonly players: readonly SandboxPlayer[];
  readonly games: KnownGames | null;
  readonly comments: boolean;
  readonly about: RequestLayout['about'];
  readonly now: () => number;
  readonly onOpenPoint: (openPointId: string) => void;
}

const SETTLE_MS = 150;
const MINUTE_MS = 60_000;

/** The payload as a form, as text, and inside the body that will be sent. */
export const PayloadPane = memo(function PayloadPane(props: PayloadPaneProps) {
  const { store, tab, operation, environment, next, problem, filled, known, games, comments } = props;
  const { overrides } = tab;
  const actions = store.getState();
  const answers = useMemo(() => environment?.answers ?? {}, [environment]);
  const form = formWith(operation, tab.form, answers);
  const subject = useMemo(() => checkedText(tab.text, filled), [tab.text, filled]);
  const settled = useSettled(subject, SETTLE_MS, `${tab.id} ${tab.form}`);
  // An expiry passes while nobody types; a large text is not read again each second for it.
  const hasExpiry = form.fields.some(({ format }) => format === 'dateTime');
  const minute = Math.floor(useNow(props.now, MINUTE_MS, hasExpiry) / MINUTE_MS) * MINUTE_MS;
  const checked = useMemo(() => {
    const context = environment === null ? null : contextOf(environment, overrides, minute, games);
    return placedFindings(validatePayload(operation, form.id, settled.text, context), settled);
  }, [operation, form, settled, environment, overrides, minute, games]);
  const still = settled.typed === tab.text;
  const findings = useMemo(
    () => (still ? withProblem([...checked, ...variableFindings(filled, settled.typed)], problem) : checked),
    [checked, problem, still, filled, settled],
  );
  const help = useMemo(
    () => ({
      fields: form.fields,
      section: operation.section,
      since: form.since,
      notes: (field: (typeof form.fields)[number]) => fieldNotes(operation, field, answers),
      variables: { known, uses: filled?.ok === true ? filled.uses.map(usedVariable) : [] },
    }),
    [form, operation, answers, known, filled],
  );
  const names = { data: 'Data', body: 'Body', envelope: 'Fields' };
  const textName = names[operation.payload];

  const { examples } = tab.extras;
  const hasExamples = tab.file !== null || examples.length > 0;
  const items: SegmentedItem<RequestView>[] = [
    { value: 'form', label: 'Form' },
    { value: 'data', label: textName },
    { value: 'checks', label: 'Checks', badge: countOf(tab.extras) },
    { value: 'envelope', label: routeOf(operation, answers)?.signed === false ? 'Next body' : 'Envelope' },
    ...(hasExamples ? [{ value: 'examples' as const, label: 'Examples', badge: examples.length || undefined }] : []),
  ];
  const view = tab.view === 'examples' && !hasExamples ? 'form' : tab.view;
  return (
    <PageFrame label="Request" pane="request">
      <h2 className="visually-hidden">Request</h2>
      <Segmented
        label="Request view"
        items={items}
        value={view}
        onChange={(view) => actions.setView(tab.id, view)}
        aside={
          view === 'data' ? (
            <>
              <Count findings={findings} />
              <IconButton
                small
                label={comments ? 'Hide comments from the spec' : 'Show comments from the spec'}
                icon={<MessageSquareText />}
                aria-pressed={comments}
                onClick={actions.toggleComments}
              />
              <IconButton
                small
                label="Format"
                icon={<WandSparkles />}
                disabled={payloadExcess(tab.text) !== null}
                onClick={() => actions.setText(tab.id, formatJson(tab.text))}
              />
            </>
          ) : view === 'checks' || view === 'examples' ? null : (
            <Count findings={findings} />
          )
        }
      >
        {view === 'form' && (
          <RequestForm
            key={tab.id}
            operation={operation}
            form={form}
            text={tab.text}
            environment={environment}
            findings={findings}
            players={props.players}
            games={props.games}
            now={props.now}
            onText={(text) => actions.setText(tab.id, text)}
            about={
              <AboutOperation
                key={operation.name}
                answers={answers}
                operation={operation}
                form={form}
                kept={props.about[operation.name]}
                sent={tab.callId !== null}
                onOpen={(open) => actions.setAbout(operation.name, open)}
                onOpenPoint={props.onOpenPoint}
              />
            }
            onForm={(next) => actions.setForm(tab.id, next)}
            onOpenEditor={() => actions.setView(tab.id, 'data')}
            onOpenPoint={props.onOpenPoint}
          />
        )}
        {view === 'data' && (
          <JsonEditor
            documentId={tab.id}
            label={`${textName} of ${operation.name}, JSON`}
            text={tab.text}
            onChange={(text) => actions.setText(tab.id, text)}
            help={help}
            findings={findings}
            comments={comments}
            placeholder={<Skeleton rows={8} label="Loading the editor" />}
          />
        )}
        <Suspense fallback={<Skeleton rows={8} label="Loading the view" />}>
          {view === 'checks' && (
            <ChecksView
              key={tab.id}
              extras={tab.extras}
              // A later call has results of its own.
              run={tab.run?.callId === tab.callId ? tab.run : null}
              onChange={(extras) => actions.setExtras(tab.id, extras)}
              onRemove={(of, at) => actions.removeEntry(tab.id, of, at)}
            />
          )}
          {view === 'examples' && (
            <ExamplesView
              key={tab.id}
              examples={examples}
              onChange={(next) => actions.setExtras(tab.id, { ...tab.extras, examples: next })}
            />
          )}
          {view === 'envelope' &&
            (next?.prepared.request === undefined || next.prepared.request === null ? (
              <EmptyState title="Nothing to send yet" small>
                {problem === null ? 'Choose an environment first.' : placed(problem)}
              </EmptyState>
            ) : (
              <EnvelopeView request={next.prepared.request} digest={next.digest} held={next.prepared.held} />
            ))}
        </Suspense>
      </Segmented>
    </PageFrame>
  );
});

/** The text whose shape is checked, and the text as typed. */
interface CheckedText {
  readonly typed: string;
  readonly text: string;
  readonly uses: readonly VariableUse[];
}

/** Returns the text that would be sent; while a variable has no value, the typed text with something in its place. */
function checkedText(typed: string, filled: RequestSubstitution | null): CheckedText {
  if (filled === null) return { typed, text: typed, uses: none };
  if (!filled.ok) return { typed, text: withStandIns(typed), uses: none };
  return { typed, text: filled.draft.text, uses: filled.uses.filter(({ field }) => field === '/data') };
}

/** Moves findings to their positions in the typed text. */
function placedFindings(findings: readonly Finding[], { uses }: CheckedText): readonly Finding[] {
  if (uses.length === 0) return findings;
  return findings.map((finding) =>
    finding.start === undefined ? finding : { ...finding, ...inputRange(uses, finding.start, finding.end ?? finding.start + 1) },
  );
}

/** Makes each variable without a value a finding at its position, and at the field around it. */
function variableFindings(filled: RequestSubstitution | null, text: string): readonly Finding[] {
  if (filled === null || filled.ok) return none;
  const parsed = parseJson(withStandIns(text));
  const members = parsed.ok && parsed.root.kind === 'object' ? parsed.root.members : [];
  return filled.errors
    .filter(({ field }) => field === '/data')
    .map(({ message, start, end }) => {
      const member = members.find(({ value }) => start >= value.start && end <= value.end);
      return {
        rule: 'variable',
        severity: 'error',
        path: member === undefined ? '' : pointerStep(member.key),
        message,
        start,
        end,
      };
    });
}

function usedVariable({ name, value, source }: VariableUse): KnownVariable {
  return { name, value, source: sourceWords[source] };
}

function countOf({ take, expect }: TabExtras): number | undefined {
  const count = Object.keys(take).length + expect.length;
  return count === 0 ? undefined : count;
}

const none = [] as const;

function Count({ findings }: { readonly findings: readonly Finding[] }) {
  const severe = findings.filter((finding) => finding.severity !== 'note').length;
  const parts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [amount(count, severity)];
  });
  return <span className={severe > 0 ? 'warn' : undefined}>{parts.join(', ')}</span>;
}

/** Makes the reason why the request cannot be prepared a finding at its position, unless the checks already have it. */
function withProblem(findings: readonly Finding[], problem: PrepareError | null): readonly Finding[] {
  if (problem?.offset === undefined) return findings;
  if (findings.some((finding) => finding.start === problem.offset)) return findings;
  return [...findings, { rule: 'syntax', severity: 'error', path: '', message: problem.message, start: problem.offset }];
}

function placed(problem: PrepareError): string {
  const place = problem.line === undefined ? '' : ` (line ${problem.line}, column ${problem.column ?? 1})`;
  return `${problem.message}${place}`;
}
