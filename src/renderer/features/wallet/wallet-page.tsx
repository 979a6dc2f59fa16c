import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { Download, GitCompareArrows, Play, Square } from 'lucide-react';
import { useStore } from 'zustand';
import type { Collection, Environment } from '#shared/ipc/index.ts';
import { changesSince, gradeWords, movedMoney } from '#shared/wallet/run-facts.ts';
import { Asked } from '#renderer/calls/asked.tsx';
import { durationText, timeText } from '#renderer/calls/call-words.ts';
import { runExportItems } from '#renderer/calls/run-export.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { useToday } from '#renderer/ui/day.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { ListPanes, type BesideList } from '#renderer/ui/list-panes.tsx';
import { Menu } from '#renderer/ui/menu.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { RowList } from '#renderer/ui/row-list.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import { CaseDetails, type CaseDetailsActions } from './case-details.tsx';
import { caseRows, casesOf, groupsOf, isBad, nameParts, notPutBack, stateWords, type CaseRow } from './case-rows.ts';
import { WalletSetup } from './wallet-setup.tsx';
import { walletRuns, type KnownRuns, type WalletStore } from './wallet-store.ts';
import styles from './wallet-page.module.css';

export interface WalletPageProps extends CaseDetailsActions {
  readonly store: WalletStore;
  readonly runs: KnownRuns;
  /** The heading with the tabs of the wallet's screens. */
  readonly lead: ReactNode;
  /** The environment in use. */
  readonly environment: Environment | null;
  readonly beside: Omit<BesideList, 'pane' | 'title'>;
  /** Open collections, which may have cases of their own. */
  readonly collections: readonly Pick<Collection, 'id' | 'name'>[];
}

/** Tests the operator's wallet: the cases of each group, what each showed, and beside them the one that is chosen. */
export function WalletPage({ store, runs, lead, environment, beside, collections, ...actions }: WalletPageProps) {
  const { plan, told, asking, environmentId, chosen, compares, restored, load, show, start, restore, ...wallet } =
    useStore(store);
  const { list, live: progress, cancelling, visit, cancel, exportAs, load: loadRuns } = useStore(runs);
  const page = useRef<HTMLDivElement>(null);
  const today = useToday();
  const id = environment?.id ?? null;
  useEffect(() => visit(false), [visit]);
  // An answer recorded in it meanwhile may let more cases be made.
  useEffect(() => startWork(load(id)), [load, id, environment]);
  const { shown, earlier, live } = useMemo(() => walletRuns(list, id), [list, id]);
  const rows = useMemo(() => caseRows(plan?.cases ?? [], shown, told), [plan, shown, told]);
  const isRead = list.state === 'ready' && shown.every(({ runId }) => told.has(runId));
  if (environment === null || environmentId !== id || plan === null || !isRead) {
    const failed = asking.state === 'refused' ? { ...asking, state: 'failed' as const } : list.state === 'failed' ? list : null;
    return (
      <PageFrame>
        <PageHead>{lead}</PageHead>
        {environment === null ? (
          <EmptyState title="No environment">Create an environment first.</EmptyState>
        ) : (
          <NotLoaded
            of={failed ?? { state: 'loading' }}
            rows={12}
            label="Loading the cases"
            title="The cases could not be read"
            retry={() => (asking.state === 'refused' ? asking.again(false) : loadRuns())}
          />
        )}
      </PageFrame>
    );
  }
  const groups = groupsOf(rows);
  const group = groups.find(({ name }) => name === wallet.group) ?? groups[0];
  const row = rows.find((one) => one.id === chosen) ?? null;
  const requests = rows.flatMap((one) => one.told?.request ?? []);
  const made = casesOf(requests);
  const before = compares && earlier !== null ? told.get(earlier.runId) : undefined;
  const since = before && changesSince(casesOf(before.values()), made);
  const changes = Array.from(
    Map.groupBy(since?.values() ?? [], (change) => change),
    ([change, all]) => `${countText(all)} ${change}`,
  );
  const counts = [
    { found: rows, sum: 'cases', tone: 'ink' },
    ...Object.entries(stateWords).map(([state, words]) => ({ ...words, found: rows.filter((one) => one.state === state) })),
  ].filter(({ found }) => found.length > 0);
  const isNew = shown.length === 0;
  const calls = made.flatMap(({ timings }) => Object.values(timings).flat());
  // Cases that were run again have calls of their own.
  const took = durationText(shown.length === 1 ? (shown[0]?.durationMs ?? null) : null);
  // The run that ended.
  const run = live === null ? (shown.at(-1) ?? null) : null;
  const stopped = rows.find((one) => one.state === 'not run' && one.told !== null)?.saw ?? '';
  const left = notPutBack(movedMoney(made));
  const unknown = run?.state === 'interrupted' ? 'The run was interrupted. It may have left money moved.' : '';
  const money = restored === run?.runId ? '' : left === '' ? unknown : `The run left money moved: ${left}.`;
  const walletUrl = environment.walletUrl || environment.baseUrl;
  const inTurns = beside.place === 'tab';
  const isStopping = live !== null && cancelling.has(live.runId);
  const choose = (one: CaseRow) => show({ chosen: one.id });
  return (
    <PageFrame ref={page}>
      <PageHead
        actions={
          <>
            {beside.place === 'beside' ? (
              <span className="quiet small one-line">
                at stake at most {plan.stake} {plan.currency}, {plan.small} a bet
              </span>
            ) : null}
            {earlier === null || run === null ? null : (
              <Button icon={<GitCompareArrows />} aria-pressed={compares} onClick={() => show({ compares: !compares })}>
                {compares ? `Compared with ${timeText(earlier.startedAt, today)}` : 'Compare with the run before'}
              </Button>
            )}
            {run === null ? null : (
              <Menu
                align="end"
                trigger={<Button icon={<Download />}>Report</Button>}
                items={runExportItems(exportAs, run.runId).toReversed()}
              />
            )}
            <Button
              variant={live === null ? 'primary' : 'plain'}
              icon={live === null ? <Play /> : <Square />}
              command={live === null ? 'send' : 'cancel'}
              busy={asking.state === 'busy' || isStopping}
              onClick={() => startWork(live === null ? start() : cancel(live.runId))}
            >
              {live !== null ? (isStopping ? 'Stopping' : 'Stop') : isNew ? 'Run' : 'Run again'}
            </Button>
          </>
        }
      >
        {lead}
        <code className="short quiet small" title={walletUrl}>
          {walletUrl}
        </code>
      </PageHead>
      <Asked store={store} />
      <div className={styles.sum}>
        <p role="group" aria-label="Totals">
          {counts.map(({ found, sum, tone }) => (
            <span key={sum} className="quiet">
              <b className={`strong numbers ${tone}`}>{countText(found)}</b> <small className="faint tiny">{sum}</small>
            </span>
          ))}
        </p>
        {live === null ? (
          <p className={styles.facts}>
            {isNew ? 'Nothing was sent yet.' : [`${countText(calls)} calls`, took].filter((text) => text !== '').join(' in ')}
            {since === undefined ? null : <output>{changes.join(', ') || 'Nothing fixed, nothing failing.'}</output>}
          </p>
        ) : (
          <p className={styles.facts}>
            {live.totals.requests.toLocaleString('en')} of {live.planned.toLocaleString('en')} cases done
            <span className="faint">{nameParts(progress.get(live.runId)?.current ?? '').name}</span>
          </p>
        )}
      </div>
      {run === null || `${stopped}${money}` === '' ? null : (
        <WarningLine said="where it is read">
          <p>{`${stopped} ${money}`.trim()}</p>
          {money === '' ? null : <Button onClick={() => startWork(restore(run.runId))}>Put back</Button>}
        </WarningLine>
      )}
      <div className="fill-row">
        {inTurns ? null : (
          <nav className={styles.groups} aria-label="Groups" data-pane="side">
            <RowList
              label="Groups of cases"
              rows={groups}
              rowKey={({ name }) => name}
              height={30}
              currentKey={group.name}
              draw={({ name, title, rows: own }) => (
                <span className="line small">
                  <span className="short">{title}</span>
                  <span className={classNames('tiny numbers one-line at-end', own.some(isBad) ? 'bad' : 'faint')}>
                    {isNew || name === 'bad' ? '' : `${countText(own.filter(({ state }) => state === 'holds'))} of `}
                    {countText(own)}
                  </span>
                </span>
              )}
              onOpen={({ name }) => show({ group: name })}
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
                  <WalletSetup {...{ store, environment, plan, collections, requests }} />
                ) : (
                  <CaseDetails {...{ store, environment, row, ...actions }} busy={live !== null || asking.state === 'busy'} />
                ),
            }}
            bar={
              inTurns || group.only.length > 0 ? (
                <div className="bar wrap small">
                  {inTurns ? (
                    <Select
                      aria-label="Group"
                      fit
                      options={groups.map(({ name, title }) => ({ value: name, label: title }))}
                      value={group.name}
                      onChange={(name) => show({ group: name })}
                    />
                  ) : null}
                  {group.only.length === 0 ? null : (
                    <Button className="at-end" disabled={live !== null} onClick={() => startWork(start(group.only))}>
                      Run this group
                    </Button>
                  )}
                </div>
              ) : null
            }
            list={
              <DataTable
                label="Cases"
                columns={columnsFor(isNew, since)}
                rows={group.rows}
                rowKey={(one) => one.id}
                selectedKey={chosen}
                activeKey={chosen}
                onOpen={choose}
                onOpenByClick
                // Whoever only passes by, to Setup, opens none.
                onActive={(one, by) => {
                  if (by === 'key' || row !== null) choose(one);
                }}
              />
            }
            onBackToRow={() => page.current?.querySelector<HTMLElement>('table [data-item][tabindex="0"]')?.focus()}
          />
        </div>
      </div>
    </PageFrame>
  );
}

const countText = ({ length }: { readonly length: number }): string => length.toLocaleString('en');

/** Returns the columns: before the first run with what each case could cost, later with what it showed. */
function columnsFor(isNew: boolean, since?: ReadonlyMap<string, string>): readonly Column<CaseRow>[] {
  const verdictOf = ({ state, risk }: CaseRow) => (state !== 'planned' ? state : isNew ? (risk ?? 'whole balance') : '');
  const sinceOf = (one: CaseRow) => since?.get(one.id) ?? '';
  return [
    {
      id: 'case',
      title: 'Case',
      width: 'minmax(100px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name, state }) => (
        <span className="line faint">
          {state === 'planned' ? null : (
            <i className={classNames('dot', stateWords[state].tone)} aria-hidden="true" data-own-colors />
          )}
          <span className="in-column ink">{name}</span>
        </span>
      ),
    },
    {
      id: 'grade',
      title: 'Grade',
      width: '76px',
      text: ({ grade }) => gradeWords[grade],
      cell: ({ grade }) => <span className="quiet tiny">{gradeWords[grade]}</span>,
    },
    ...(since === undefined ? [] : [{ id: 'since', title: 'Since before', width: '92px', text: sinceOf }]),
    {
      id: 'state',
      title: isNew ? 'At risk' : 'Verdict',
      width: '96px',
      text: verdictOf,
      cell: (one) =>
        one.state === 'planned' ? (
          verdictOf(one)
        ) : (
          <Pill tone={stateWords[one.state].tone} size="small">
            {one.state}
          </Pill>
        ),
    },
  ];
}
