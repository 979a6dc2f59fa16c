import { useMemo } from 'react';
import { Check, Play, SearchX, X } from 'lucide-react';
import type { ReplayRecord, RoundLookup, RoundRecord } from '#shared/ipc/index.ts';
import { CallLine } from '#renderer/calls/call-line.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { RoundProblem } from './round-problem.tsx';
import { totalRecords, type RoundTotal } from './round-totals.ts';
import styles from './round-result.module.css';

/** What the provider said of a round: its records, and its replay. */
export function RoundResult({
  lookup,
  gameNames,
  onOpenCall,
  onOpenReplay,
}: {
  lookup: RoundLookup;
  gameNames: ReadonlyMap<string, string>;
  onOpenCall: (id: number) => void;
  /** Absent while nothing can show replays. */
  onOpenReplay: ((callId: number) => void) | undefined;
}) {
  const { round, replay } = lookup;
  return (
    <div className={styles.result}>
      <section className={styles.records} aria-label="Records of the round">
        <div className={styles.head}>
          <h2>Records</h2>
          <CallLine call={round.call} onOpen={onOpenCall} />
        </div>
        {round.records === null ? (
          <RoundProblem call={round.call} title="No records" problem={round.problem} onOpenCall={onOpenCall} />
        ) : round.records.length === 0 ? (
          <EmptyState icon={<SearchX />} title="No records">
            The answer is an empty list, with logMonth {lookup.logMonth}. See that the id is that of the bet transaction, and that
            the day is in the right month.
          </EmptyState>
        ) : (
          <Records records={round.records} gameNames={gameNames} />
        )}
      </section>
      <section className={styles.replay} aria-label="Replay of the round">
        <div className={styles.head}>
          <h2>Replay</h2>
          {replay === null ? null : <CallLine call={replay.call} onOpen={onOpenCall} />}
        </div>
        {replay === null ? (
          <p className={styles.quiet}>Not asked for: the look-up was cancelled before.</p>
        ) : replay.record === null ? (
          <RoundProblem call={replay.call} title="No replay" problem={replay.problem} onOpenCall={onOpenCall} />
        ) : (
          <Replay
            record={replay.record}
            checks={replay.checks}
            onOpen={onOpenReplay === undefined ? undefined : () => onOpenReplay(replay.call.id)}
          />
        )}
      </section>
    </div>
  );
}

function Records({ records, gameNames }: { records: readonly RoundRecord[]; gameNames: ReadonlyMap<string, string> }) {
  const rows = useMemo(() => records.map((record, at) => ({ record, at })), [records]);
  const columns = useMemo(() => columnsFor(gameNames), [gameNames]);
  const totals = useMemo(() => totalRecords(records), [records]);
  return (
    <DataTable
      label="Records of the round"
      columns={columns}
      rows={rows}
      rowKey={({ at }) => at}
      footer={
        <div className={styles.totals}>
          <span>
            {records.length.toLocaleString('en')} {records.length === 1 ? 'record' : 'records'}
          </span>
          {totals.map((total) => (
            <Total key={total.currency} total={total} alone={totals.length === 1} />
          ))}
        </div>
      }
    />
  );
}

function Total({ total: { currency, rows, bet, win }, alone }: { total: RoundTotal; alone: boolean }) {
  const unread = 'not summed, a value is no plain number';
  return (
    <span>
      {alone ? 'Sum of the rows' : `Sum of ${rows}`}: bet <code>{bet ?? unread}</code>, win <code>{win ?? unread}</code>{' '}
      {currency}
    </span>
  );
}

interface Row {
  readonly record: RoundRecord;
  readonly at: number;
}

function columnsFor(gameNames: ReadonlyMap<string, string>): readonly Column<Row>[] {
  const plain = (id: keyof RoundRecord, title: string, width: string, more: Partial<Column<Row>> = {}): Column<Row> => ({
    id,
    title,
    width,
    code: true,
    text: ({ record }) => record[id] ?? 'none',
    ...more,
  });
  const game = ({ record: { gameId } }: Row) => {
    if (gameId === null) return 'none';
    const name = gameNames.get(gameId);
    return name === undefined || name === '' ? gameId : `${gameId} ${name}`;
  };
  return [
    plain('actionTime', 'Time', '172px'),
    plain('action', 'Action', '76px'),
    plain('bet', 'Bet', '70px', { align: 'end' }),
    plain('win', 'Win', '70px', { align: 'end' }),
    plain('currencyName', 'Currency', '68px'),
    { id: 'game', title: 'Game', width: 'minmax(126px, 1fr)', text: game },
    plain('url', 'URL', 'minmax(130px, 1fr)', {
      cell: ({ record: { url } }) =>
        url === null || url === '' ? (
          <span className={styles.quiet}>{url === null ? 'none' : 'empty'}</span>
        ) : (
          <span className={styles.url}>
            <CopyButton small label="Copy the url" text={url} />
            <span>{url}</span>
          </span>
        ),
    }),
    plain('source', 'Source', '58px'),
    plain('id', 'Id', '72px'),
    plain('roundId', 'Round', '160px'),
  ];
}

function Replay({
  record,
  checks,
  onOpen,
}: {
  record: ReplayRecord;
  checks: readonly { readonly rule: string; readonly passed: boolean; readonly message: string }[];
  onOpen: (() => void) | undefined;
}) {
  const { start, end, betAmount, winAmount, currency, replayLink } = record;
  const unit = currency ?? '';
  return (
    <div className={styles.card}>
      <dl className={styles.facts}>
        <dt>start</dt>
        <dd>{start ?? 'none'}</dd>
        <dt>end</dt>
        <dd>{end ?? 'none'}</dd>
        <dt>betAmount</dt>
        <dd>{betAmount === null ? 'none' : `${betAmount} ${unit}`}</dd>
        <dt>winAmount</dt>
        <dd>{winAmount === null ? 'none' : `${winAmount} ${unit}`}</dd>
      </dl>
      {replayLink === null ? (
        <p className={styles.quiet}>The answer has no replayLink.</p>
      ) : (
        <>
          <h3>Replay link</h3>
          <p className={styles.link}>{replayLink}</p>
          <ul className={styles.checks}>
            {checks.map(({ rule, passed, message }) => (
              <li key={rule} className={passed ? styles.good : styles.bad}>
                {passed ? <Check aria-hidden="true" /> : <X aria-hidden="true" />}
                <span>
                  <span className="visually-hidden">{passed ? 'Passed: ' : 'Failed: '}</span>
                  {message}
                </span>
              </li>
            ))}
          </ul>
          <div className={styles.actions}>
            {onOpen === undefined ? null : (
              <Button variant="primary" icon={<Play aria-hidden="true" />} onClick={onOpen}>
                Open replay in launcher
              </Button>
            )}
            <CopyButton words="Copy the link" text={replayLink} />
          </div>
        </>
      )}
    </div>
  );
}
