import type { Client, Output, Payload } from '#shared/ipc/index.ts';
import { asAppError, startWork, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { createRunRows, type RunRows, type ShownRows } from './run-rows.ts';

/** The requests of the run that is open. */
export type ShownReport =
  | { readonly state: 'none' }
  | Loaded<{
      all: ShownRows;
      /** Requests that did not pass or are not recorded. */
      unclean: ShownRows;
      unrecorded: boolean;
      find: RunRows['find'];
      /** True if the report has more requests, which come part by part. */
      reading: boolean;
      /** True if the report holds something that another version wrote, which is not shown. */
      unknown: boolean;
    }>;

export interface RunReportState {
  readonly report: ShownReport;
}

/** Reads the report of one run and shows it as it grows. */
export type RunReport = ReturnType<typeof createRunReport>;

const drawMs = 100;

/** Creates the part of the store that shows the report. */
export function createRunReport(
  client: Client,
  { getState, setState }: StorePart<RunReportState>,
  later: (run: () => void, milliseconds: number) => () => void,
) {
  let round = 0;
  let rows: RunRows = createRunRows();
  let reading = false;
  let unknown = false;
  /** The position in the report up to which it was read. */
  let readTo = 0;
  let drawing: (() => void) | null = null;

  function stop(): void {
    drawing?.();
    drawing = null;
  }

  function drawSoon(): void {
    if (getState().report.state === 'ready') drawing ??= later(draw, drawMs);
  }

  function draw(): void {
    stop();
    const { shown, find } = rows;
    setState({
      report: {
        state: 'ready',
        all: shown('all'),
        unclean: shown('unclean'),
        unrecorded: rows.unrecorded(),
        find,
        reading,
        unknown,
      },
    });
  }

  async function readFrom(runId: string, begin: number): Promise<void> {
    round += 1;
    const mine = round;
    try {
      for (let from: number | null = begin; from !== null;) {
        const part: Output<'runs.requests'> = await client.call('runs.requests', { runId, from });
        if (mine !== round) return;
        rows.add(part.requests);
        unknown ||= part.unknown;
        from = part.next;
        readTo = part.end;
        reading = from !== null;
        // The first part is shown at once, the others as they come.
        if (reading && getState().report.state === 'ready') drawSoon();
        else draw();
      }
    } catch (thrown) {
      if (mine !== round) return;
      reading = false;
      if (getState().report.state !== 'ready') setState({ report: { state: 'failed', message: asAppError(thrown).message } });
    }
  }

  return {
    /** Forgets what was read; reading that is still under way has no effect. */
    clear() {
      round += 1;
      rows = createRunRows();
      reading = unknown = false;
      readTo = 0;
      stop();
    },
    read: (runId: string): Promise<void> => readFrom(runId, 0),
    /** Reads what was added to the report since. */
    readOn: (runId: string): Promise<void> => readFrom(runId, readTo),
    /** Adds requests that events reported. */
    add(requests: Payload<'runs.progressed'>['finished']) {
      rows.add(requests);
      drawSoon();
    },
    /** Ends the report: shows all requests of the run, `requests` in number. */
    complete(runId: string, requests: number) {
      if (rows.count() < requests) startWork(readFrom(runId, 0));
      else if (!reading) draw();
    },
  };
}
