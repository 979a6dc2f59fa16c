import { useRef } from 'react';
import { CalendarDays, Search, Square } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { answerOf } from '#shared/provider/index.ts';
import { logMonthOf, monthZoneOf } from '#shared/rounds/log-month.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { now } from '#renderer/ui/use-now.ts';
import {
  dateProblem,
  fromPicker,
  lookUpWaits,
  monthName,
  nearMonthEdge,
  roundIdProblem,
  toPicker,
  todayIn,
} from './round-question.ts';
import type { RoundsStore } from './rounds-store.ts';
import styles from './round-form.module.css';

/** Asks for a round: its ID, its day, and the logMonth of that day. */
export function RoundForm({
  store,
  environment,
  onEditEnvironment,
}: {
  store: RoundsStore;
  environment: Environment;
  onEditEnvironment: () => void;
}) {
  const { roundId, date, asking, ask, lookUp, cancel } = useStore(store);
  const picker = useRef<HTMLInputElement>(null);
  const zone = monthZoneOf(environment);
  const recordedZone = answerOf('rounds.monthZone', environment.answers) !== null;
  const source = answerOf('roundId.source', environment.answers);
  const idProblem = roundIdProblem(roundId);
  const shape = dateProblem(date);
  const month = shape === null ? logMonthOf(date, now(), zone) : null;
  const today = todayIn(zone, now());
  const waits = lookUpWaits({ roundId, date }, zone, now());
  const dateError = date === '' ? null : (shape ?? (month?.ok === false ? month.message : null));
  return (
    <form
      className={styles.form}
      aria-label="Round"
      onSubmit={(event) => {
        event.preventDefault();
        if (waits === null) startWork(lookUp());
      }}
    >
      <div className={styles.id}>
        <Field
          layout="stack"
          label="roundId"
          code
          error={idProblem}
          hint={source === null ? null : `Recorded answer: the ${source} of /bet.`}
        >
          <TextField
            code
            inputMode="numeric"
            placeholder="9007199254740993"
            value={roundId}
            onText={(text) => ask({ roundId: text })}
            suffix={exactness(roundId.trim(), idProblem)}
          />
        </Field>
      </div>
      <div className={styles.date}>
        <Field layout="stack" label="Round day" error={dateError}>
          <TextField
            code
            placeholder="dd-mm-yyyy"
            value={date}
            onText={(text) => ask({ date: text })}
            suffix={<IconButton small label="Pick a day" icon={<CalendarDays />} onClick={() => picker.current?.showPicker()} />}
          />
        </Field>
        <input
          ref={picker}
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          className={styles.picker}
          max={toPicker(today)}
          value={toPicker(date)}
          onChange={(event) => {
            if (event.target.value !== '') ask({ date: fromPicker(event.target.value) });
          }}
        />
      </div>
      <div className="stack-tight">
        <span className="small">
          <code>logMonth</code>
        </span>
        <output className={styles.value} aria-label="logMonth">
          {month?.ok === true ? month.logMonth : '–'}
        </output>
      </div>
      <div className={styles.send}>
        {asking.state === 'busy' ? (
          <Button icon={<Square />} command="send" onClick={() => startWork(cancel())}>
            Cancel
          </Button>
        ) : (
          <Button type="submit" variant="primary" icon={<Search />} command="send" waits={waits}>
            Look up
          </Button>
        )}
      </div>
      <p className={styles.explain}>
        {month?.ok === true ? (
          <>
            {month.logMonth === 0
              ? 'The current month in '
              : `${amount(month.logMonth, 'month')} before ${monthName(month.currentMonth)}, the current month in `}
            <button type="button" className="link" onClick={onEditEnvironment}>
              {zone}
            </button>
            {recordedZone ? ', the recorded month zone.' : '.'}
            {!recordedZone && (nearMonthEdge(date) || nearMonthEdge(today))
              ? " Near a month's end, the provider may count another month. If the round isn't found, try the day before or after."
              : null}
          </>
        ) : (
          <>logMonth counts back from the current month, which is 0.</>
        )}
      </p>
    </form>
  );
}

/** Says of a number that other programs damage that it is sent digit by digit. */
function exactness(id: string, problem: string | null): string | null {
  if (id === '' || problem !== null) return null;
  return BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER) ? 'exact beyond 2⁵³' : null;
}
