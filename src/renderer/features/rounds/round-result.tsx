import { useMemo } from 'react';
import { Check, Play, SearchX, X } from 'lucide-react';
import { amount } from '#shared/amount.ts';
import type { ReplayRecord, RoundLookup, RoundRecord, CallSummary } from '#shared/ipc/index.ts';
import { answerOf, meaningsOf, type Answers, type KnownGames } from '#shared/provider/index.ts';
import { CallLine } from '#renderer/calls/call-line.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { totalRecords, type RoundTotal } from './round-totals.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './round-result.module.css';
import { CallProblem } from '#renderer/calls/call-problem.tsx';

/** Shows the provider's responses about a round: its records, and its replay. */
export function RoundResult({
  lookup,
  answers,
  games,
  onOpenCall,
  onOpenReplay,
}: {
  lookup: RoundLookup;
  /** The answers recorded for the environment of the look-up. */
  answers: Answers;
  games: KnownGames['byId'] | null;
  onOpenCall: (id: number) => void;
  onOpenReplay: (callId: number) => void;
}) {
  const { round, replay } = lookup;
  return (
    <div className={classNames('fill-row', styles.result)}>
      <section className={styles.records} aria-label="Records of the round">
        <div className={styles.head}>
          <h2 className="small">Records</h2>
          <CallLine call={round.call} onOpen={onOpenCall} />
        </div>
        {round.records === null ? (
          <RoundProblem call={round.call} title="No records" problem={round.problem} onOpenCall={onOpenCall} />
        ) : round.records.length === 0 ? (
          <EmptyState icon={<SearchX />} title="No records">
            {emptyWords(lookup.logMonth, answers)}
          </EmptyState>
        ) : (
          <Records records={round.records} games={games} answers={answers} />
        )}
      </section>
      <section className={styles.replay} aria-label="Replay of the round">
        <div className={styles.head}>
          <h2 className="small">Replay</h2>
          {replay === null ? null : <CallLine call={replay.call} onOpen={onOpenCall} />}
        </div>
        {replay === null ? (
          <p className={classNames('quiet small', styles.card)}>Not requested: the lookup was cancelled first.</p>
        ) : replay.record === null ? (
          <RoundProblem call={replay.call} title="No replay" problem={replay.problem} onOpenCall={onOpenCall} />
        ) : (
          <Replay record={replay.record} checks={replay.checks} onOpen={() => onOpenReplay(replay.call.id)} />
        )}
      </section>
    </div>
  );
}

/** Returns the meaning of an empty response: with a recorded answer, whether the round is unknown to the provider. */
export function emptyWords(logMonth: number, answers: Answers): string {
  const found = `The response is an empty list, with logMonth ${logMonth}.`;
  const advice = 'Check that the ID is that of the bet transaction and that the day is in the right month.';
  const recorded = answerOf('rounds.unknown', answers);
  if (recorded === 'empty')
    return `${found} According to the recorded answer, the provider reports an unknown round this way. ${advice}`;
  if (recorded === 'code') {
    return `${found} According to the recorded answer, an unknown round gets a code other than 0. So the round has no records, or the answer is wrong.`;
  }
  return `${found} ${advice}`;
}

function Records({
  records,
  games,
  answers,
}: {
  records: readonly RoundRecord[];
  games: KnownGames['byId'] | null;
  answers: Answers;
}) {
  const rows = useMemo(() => records.map((record, at) => ({ record, at })), [records]);
  const columns = useMemo(() => columnsFor(games, answers), [games, answers]);
  const totals = useMemo(() => totalRecords(records), [records]);
  return (
    <DataTable
      label="Records of the round"
      columns={columns}
      rows={rows}
      rowKey={({ at }) => at}
      footer={
        <div className="wrap quiet small">
          <span>{amount(records.length, 'record')}</span>
          {totals.map((total) => (
            <Total key={total.currency} total={total} alone={totals.length === 1} />
          ))}
        </div>
      }
    />
  );
}

function Total({ total: { currency, rows, bet, win }, alone }: { total: RoundTotal; alone: boolean }) {
  const unread = 'not summed: a value is not a plain number';
  return (
    <span>
      {alone ? 'Total' : `Total of ${rows}`}: bet <code>{bet ?? unread}</code>, win <code>{win ?? unread}</code> {currency}
    </span>
  );
}

interface Row {
  readonly record: RoundRecord;
  readonly at: number;
}

/** Returns a value with its recorded meaning; `not recorded` if there are recorded values and it is none of them. */
export function withMeaning(value: string | null, meanings: ReadonlyMap<string, string> | null): string {
  if (value === null) return 'none';
  if (meanings === null) return value;
  const meaning = meanings.get(value);
  if (meaning === undefined) return `${value} (not recorded)`;
  return meaning === '' ? value : `${value} (${meaning})`;
}

function columnsFor(games: KnownGames['byId'] | null, answers: Answers): readonly Column<Row>[] {
  const [actions, sources] = [meaningsOf('getGameRound.action', answers), meaningsOf('getGameRound.source', answers)];
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
    return `${gameId} ${games?.get(gameId)?.name ?? ''}`.trim();
  };
  return [
    plain('actionTime', 'Time', '152px'),
    plain('action', 'Action', actions === null ? '76px' : 'minmax(76px, 1fr)', {
      text: ({ record }) => withMeaning(record.action, actions),
    }),
    plain('bet', 'Bet', '70px', { align: 'end' }),
    plain('win', 'Win', '70px', { align: 'end' }),
    plain('currencyName', 'Currency', '68px'),
    { id: 'game', title: 'Game', width: 'minmax(126px, 1fr)', text: game },
    plain('url', 'URL', 'minmax(130px, 1fr)', {
      cell: ({ record: { url } }) =>
        url === null || url === '' ? (
          <span className="quiet small">{url === null ? 'none' : 'empty'}</span>
        ) : (
          <span className="line-tight">
            <CopyButton small label="Copy URL" text={url} />
            <span className="short">{url}</span>
          </span>
        ),
    }),
    plain('source', 'Source', sources === null ? '58px' : 'minmax(58px, 1fr)', {
      text: ({ record }) => withMeaning(record.source, sources),
    }),
    plain('id', 'ID', '72px'),
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
  onOpen: () => void;
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
        <p className="quiet small">The response has no replayLink.</p>
      ) : (
        <>
          <h3>Replay link</h3>
          <p className={styles.link}>{replayLink}</p>
          <ul className="stack small">
            {checks.map(({ rule, passed, message }) => (
              <li key={rule} className={classNames('sign-line', !passed && 'bad')}>
                {passed ? <Check className="good" /> : <X />}
                <span>
                  <span className="visually-hidden">{passed ? 'Passed: ' : 'Failed: '}</span>
                  {message}
                </span>
              </li>
            ))}
          </ul>
          <div className="wrap">
            <Button variant="primary" icon={<Play />} onClick={onOpen}>
              Open replay
            </Button>
            <CopyButton words="Copy link" text={replayLink} />
          </div>
        </>
      )}
    </div>
  );
}

/** Shows why one of the two calls brought nothing; `title` is for a response that was good and empty. */
function RoundProblem({
  call,
  title,
  problem,
  onOpenCall,
}: {
  call: CallSummary;
  title: string;
  problem: string | null;
  onOpenCall: (id: number) => void;
}) {
  const words = problem ?? 'The response does not have the documented shape. Open the call to see it.';
  if (call.code === 0 && call.state === 'answered') {
    return (
      <EmptyState icon={<SearchX />} title={title}>
        {words}
      </EmptyState>
    );
  }
  return (
    <div className={styles.problem}>
      <CallProblem
        call={call}
        title={call.state === 'cancelled' ? 'Cancelled' : 'No response'}
        otherwise={words}
        onOpen={onOpenCall}
      />
    </div>
  );
}
