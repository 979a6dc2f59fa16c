import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Download, GitCompareArrows, Play, SearchX, Square } from 'lucide-react';
import { useStore } from 'zustand';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { Collection, Environment } from '#shared/ipc/index.ts';
import { compareRuns, latencies, type Latency, gradeWords } from '#shared/wallet/run-facts.ts';
import { durationText, timeText } from '#renderer/calls/call-words.ts';
import { ConfirmSend } from '#renderer/calls/confirm-send.tsx';
import { runExportItems } from '#renderer/calls/run-export.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { ListPanes, type BesideList } from '#renderer/ui/list-panes.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Refusal } from '#renderer/ui/refusal.tsx';
import { RowList } from '#renderer/ui/row-list.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import { CaseDetails, type CaseDetailsActions } from './case-details.tsx';
import { caseRows, groupsOf, leftMoney, stateWords, type CaseRow, type GroupRow } from './case-rows.ts';
import { nameParts } from './told-case.ts';
import { WalletSetup } from './wallet-setup.tsx';
import { everyGroup, runBefore, type WalletReport, type WalletStore } from './wallet-store.ts';
import styles from './wallet-page.module.css';

type Ready = Extract<WalletReport, { state: 'ready' }>;

export interface WalletPageProps extends CaseDetailsActions {
  readonly store: WalletStore;
  /** The heading with the tabs of the wallet's screens. */
  readonly lead: ReactNode;
  /** The environment in use. */
  readonly environment: Environment | null;
  readonly beside: Omit<BesideList, 'pane' | 'title'>;
  /** Open collections, which may have cases of their own. */
  readonly collections: readonly Pick<Collection, 'id' | 'name'>[];
}

/** Tests the operator's wallet: the cases of each group, what each showed, and beside them the one that is chosen. */
export function WalletPage(props: WalletPageProps) {
  const { store, lead, environment } = props;
  const { report, load, environmentId } = useStore(store);
  const id = environment?.id ?? null;
  // An answer recorded in it meanwhile may let more cases be made.
  useEffect(() => startWork(store.getState().load(id)), [store, id, environment]);
  if (report.state === 'ready' && environment !== null && environmentId === id) {
    return <Cases {...props} report={report} environment={environment} />;
  }
  return (
    <PageFrame>
      <PageHead>{lead}</PageHead>
      {environment === null ? (
        <EmptyState title="No environment">Create an environment first.</EmptyState>
      ) : report.state === 'failed' ? (
        <FailedState title="The cases could not be read" message={report.message} retry={() => startWork(load(id))} />
      ) : (
        <Skeleton rows={12} label="Loading the cases" />
      )}
    </PageFrame>
  );
}

function Cases({
  store,
  lead,
  environment,
  beside,
  collections,
  report,
  ...actions
}: WalletPageProps & { readonly report: Ready; readonly environment: Environment }) {
  const { live, asking, group, chosen, before, restored, showGroup, choose, start, stop, restore, compare, exportAs } =
    useStore(store);
  const [badOnly, setBadOnly] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const today = useToday();
  const { plan, run, told } = report;
  const rows = useMemo(
    () => caseRows(plan.cases, told, run === null || run.state === 'running' || live?.whole === true ? 'planned' : 'notRun'),
    [plan, told, run, live?.whole],
  );
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const since = useMemo(() => (before === null ? null : sinceOf(before.cases, rows)), [before, rows]);
  const shownGroup = groups.find(({ title }) => title === group) ?? groups[0];
  const inGroup = shownGroup?.rows ?? rows;
  const bad = inGroup.filter(({ state }) => state === 'fails' || state === 'warns');
  const shown = badOnly ? bad : inGroup;
  const row = rows.find(({ id }) => id === chosen) ?? null;
  const left = run === null || live !== null ? [] : leftMoney(rows);
  const walletUrl = environment.walletUrl === '' ? environment.baseUrl : environment.walletUrl;
  const inTurns = beside.place === 'tab';
  const earlier = runBefore(report);
  const stopped =
    run === null || live !== null ? '' : (rows.find(({ state, told: own }) => state === 'notRun' && own !== null)?.saw ?? '');
  const isNew = run === null && told.size === 0;
  const small = useMedia('(max-width: 560px)');
  const columns = useMemo(() => columnsFor(isNew, small, since), [isNew, small, since]);
  return (
    <PageFrame ref={page}>
      <PageHead
        actions={
          <>
            <span className={styles.stake}>
              at stake at most {plan.stake} {plan.currency}, {plan.small} a bet
            </span>
            {earlier === null || live !== null ? null : (
              <Button icon={<GitCompareArrows />} aria-pressed={before !== null} onClick={() => startWork(compare())}>
                {before === null ? 'Compare with the run before' : `Compared with ${timeText(before.run.startedAt, today)}`}
              </Button>
            )}
            {run === null || live !== null ? null : (
              <Menu
                align="end"
                trigger={<Button icon={<Download />}>Report</Button>}
                items={runExportItems(exportAs, run.runId).toReversed()}
              />
            )}
            {live === null ? (
              <Button
                variant="primary"
                icon={<Play />}
                command="send"
                busy={asking.state === 'starting'}
                onClick={() => startWork(start())}
              >
                {run === null ? 'Run' : 'Run again'}
              </Button>
            ) : (
              <Button icon={<Square />} command="cancel" busy={live.stopping} onClick={() => startWork(stop())}>
                {live.stopping ? 'Stopping' : 'Stop'}
              </Button>
            )}
          </>
        }
      >
        {lead}
        <code className={styles.url} title={walletUrl}>
          {walletUrl}
        </code>
      </PageHead>
      {asking.state === 'refused' ? <Refusal message={asking.message} onClose={store.getState().dismiss} /> : null}
      <Sum rows={rows} report={report} live={live} />
      {stopped === '' ? null : (
        <WarningLine said="where it is read">
          <p>{stopped}</p>
        </WarningLine>
      )}
      {run === null || restored.has(run.runId) || (left.length === 0 && run.state !== 'interrupted') ? null : (
        <WarningLine said="where it is read">
          <p>
            {left.length === 0
              ? 'The run was interrupted. It may have left money moved.'
              : `The run left money moved: ${left.join(', ')}.`}
          </p>
          <Button onClick={() => startWork(restore(run.runId))}>Put back</Button>
        </WarningLine>
      )}
      <div className="fill-row">
        {inTurns ? null : (
          <nav className={styles.groups} aria-label="Groups" data-pane="side">
            <RowList
              label="Groups of cases"
              rows={groups}
              rowKey={({ title }) => title}
              height={30}
              currentKey={shownGroup?.title ?? null}
              draw={(one) => <Group group={one} told={told.size > 0} />}
              onOpen={({ title }) => showGroup(title)}
            />
          </nav>
        )}
        <div className="fill-column">
          <ListPanes
            id="wallet"
            label="Cases and the selected one"
            listTitle="Cases"
            beside={{
              ...beside,
              title: row === null ? 'Setup' : row.id,
              pane:
                row === null ? (
                  <WalletSetup
                    {...{ store, environment, plan, collections }}
                    outcomes={outcomesOf(rows)}
                    canRepeat={run !== null}
                  />
                ) : (
                  <CaseDetails
                    row={row}
                    environment={environment}
                    busy={live !== null || asking.state === 'starting'}
                    onRun={() => startWork(start([row.id]))}
                    onClose={() => choose(null)}
                    {...actions}
                  />
                ),
            }}
            bar={
              isNew && !inTurns && shownGroup?.title === everyGroup ? null : (
                <div className="bar wrap small">
                  {inTurns ? (
                    <Select
                      aria-label="Group"
                      fit
                      options={groups.map(({ title }) => ({ value: title, label: title }))}
                      value={shownGroup?.title ?? everyGroup}
                      onChange={showGroup}
                    />
                  ) : null}
                  {isNew ? null : (
                    <Checkbox checked={badOnly} onChange={setBadOnly}>
                      Failures and warnings ({bad.length.toLocaleString('en')})
                    </Checkbox>
                  )}
                  {since === null ? null : <output className="quiet">{sinceText(since)}</output>}
                  {shownGroup?.title === everyGroup ? null : (
                    <span className="at-end one-line">
                      <Button disabled={live !== null} onClick={() => startWork(start(inGroup.map(({ id }) => id)))}>
                        Run this group
                      </Button>
                    </span>
                  )}
                </div>
              )
            }
            list={
              shown.length === 0 ? (
                <EmptyState icon={<SearchX />} title="Nothing to show">
                  No case of these fails or warns.
                </EmptyState>
              ) : (
                <DataTable
                  label="Cases"
                  columns={columns}
                  rows={shown}
                  rowKey={({ id }) => id}
                  selectedKey={chosen}
                  activeKey={chosen}
                  onOpen={({ id }) => choose(id)}
                  onOpenByClick
                  onActive={({ id }) => {
                    if (id !== chosen) choose(id);
                  }}
                />
              )
            }
            foot={null}
            onBackToRow={() => page.current?.querySelector<HTMLElement>('table [data-item][tabindex="0"]')?.focus()}
          />
        </div>
      </div>
      <ConfirmSend
        question={asking.state === 'unconfirmed' ? asking.question : null}
        onConfirm={(confirmed) => startWork(store.getState().confirm(confirmed))}
        onClose={store.getState().dismiss}
      />
    </PageFrame>
  );
}

function Group({ group: { title, rows, holds, bad }, told }: { readonly group: GroupRow; readonly told: boolean }) {
  return (
    <span className="line small">
      <span className="short">{title}</span>
      <span className={classNames('tiny numbers one-line at-end', bad ? 'bad' : 'faint')}>
        {told ? `${holds.toLocaleString('en')} of ${rows.length.toLocaleString('en')}` : rows.length.toLocaleString('en')}
      </span>
    </span>
  );
}

/** Shows the numbers of cases in each state, which add up to all cases, and what the run took. */
function Sum({
  rows,
  report: { run, told },
  live,
}: {
  readonly rows: readonly CaseRow[];
  readonly report: Ready;
  readonly live: ReturnType<WalletStore['getState']>['live'];
}) {
  const counts = Object.entries(stateWords)
    .map(([state, words]) => ({ state, ...words, count: rows.filter((row) => row.state === state).length }))
    .filter(({ count }) => count > 0);
  const outcomes = outcomesOf(rows);
  const times = latencies(outcomes);
  const calls = times.reduce((sum, one) => sum + one.calls, 0);
  const players = [...new Set(outcomes.flatMap(({ moved }) => moved.map(({ playerId }) => playerId)))];
  // Cases that were run again have calls of their own.
  const isOneRun = [...told.values()].every(({ runId }) => runId === run?.runId);
  const took = durationText(isOneRun ? (run?.durationMs ?? null) : null);
  const [bet] = times.filter(({ method }) => method === 'bet');
  return (
    <div className={styles.sum}>
      <p role="group" aria-label="Totals">
        <span>
          <b>{rows.length.toLocaleString('en')}</b> <small>cases</small>
        </span>
        {counts.map(({ state, tone, sum, count }) => (
          <span key={state}>
            <b className={tone === 'plain' ? 'quiet' : tone}>{count.toLocaleString('en')}</b> <small>{sum}</small>
          </span>
        ))}
      </p>
      <p className={styles.facts}>
        {live === null ? (
          told.size === 0 ? (
            'Nothing was sent yet.'
          ) : (
            <>
              <span>
                {players.length === 0 ? '' : `${players.join(', ')} · `}
                {calls.toLocaleString('en')} calls
                {took === '' ? '' : ` in ${took}`}
              </span>
              {bet === undefined ? null : <span className="faint">{latencyText(bet)}</span>}
            </>
          )
        ) : (
          <>
            <span>
              {live.done.toLocaleString('en')} of {live.planned.toLocaleString('en')} cases done
            </span>
            <span className="faint">{nameParts(live.current).name}</span>
          </>
        )}
      </p>
    </div>
  );
}

const latencyText = ({ method, median, ninetyFifth, worst }: Latency): string =>
  `/${method} median ${durationText(median)}, 95th ${durationText(ninetyFifth)}, worst ${durationText(worst)}`;

const outcomesOf = (rows: readonly CaseRow[]): readonly CaseOutcome[] => rows.flatMap(({ told }) => told?.request.case ?? []);

/** Returns what became of each case since an earlier run, by its ID. */
function sinceOf(before: Parameters<typeof compareRuns>[0], rows: readonly CaseRow[]): ReadonlyMap<string, string> {
  const difference = compareRuns(before, outcomesOf(rows));
  const words = {
    fixed: 'fixed',
    brokenSince: 'broken since',
    stillFailing: 'still failing',
    firstFailing: 'first run',
  } as const;
  return new Map(
    Object.entries(words).flatMap(([kind, word]) => difference[kind as keyof typeof words].map(({ id }) => [id, word] as const)),
  );
}

/** Writes `2 fixed, 1 still failing`. */
function sinceText(since: ReadonlyMap<string, string>): string {
  const words = [...since.values()];
  const parts = [...new Set(words)].map((word) => `${words.filter((one) => one === word).length.toLocaleString('en')} ${word}`);
  return parts.length === 0 ? 'Nothing fixed, nothing failing.' : parts.join(', ');
}

/** Returns the columns: before the first run with what each case could cost, later with what it showed. */
function columnsFor(isNew: boolean, small: boolean, since: ReadonlyMap<string, string> | null): readonly Column<CaseRow>[] {
  return [
    {
      id: 'case',
      title: 'Case',
      width: 'minmax(120px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name, state }) => (
        <span className="line">
          {state === 'planned' ? null : (
            <i
              className={classNames(styles.dot, stateWords[state].tone === 'plain' ? 'faint' : stateWords[state].tone)}
              aria-hidden="true"
              data-own-colors
            />
          )}
          <span className="in-column">{name}</span>
        </span>
      ),
    },
    ...(small
      ? []
      : [
          {
            id: 'grade',
            title: 'Grade',
            width: '84px',
            text: ({ grade }: CaseRow) => gradeWords[grade],
            cell: ({ grade }: CaseRow) => <span className="quiet tiny">{gradeWords[grade]}</span>,
          },
        ]),
    ...(since === null
      ? []
      : [{ id: 'since', title: 'Since before', width: '92px', text: ({ id }: CaseRow) => since.get(id) ?? '' }]),
    ...(isNew
      ? [
          {
            id: 'risk',
            title: 'At risk',
            width: '96px',
            align: 'end',
            text: ({ risk }: CaseRow) => risk ?? 'whole balance',
          } as const,
        ]
      : []),
    {
      id: 'state',
      title: 'Verdict',
      width: '86px',
      text: ({ state }) => (state === 'planned' ? '' : stateWords[state].text),
      cell: ({ state }) =>
        state === 'planned' ? null : (
          <Pill tone={stateWords[state].tone} size="small">
            {stateWords[state].text}
          </Pill>
        ),
    },
  ];
}
