import { AppError } from '#shared/errors.ts';
import type { Call, Environment, ParsedInput, RoundLookup } from '#shared/ipc/index.ts';
import { answerOf } from '#shared/provider/index.ts';
import { logMonthOf, monthZoneOf } from '#shared/rounds/log-month.ts';
import { refusalOf, summaryOf } from './call-response.ts';
import type { SendRequest } from './calls.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { responseSubject, unreadWords } from '../untrusted/measure.ts';

/** Asks a provider about one round. Fails with `invalid_input` for a date without a month to look in, and as `calls.send` does. */
export function createRounds(deps: {
  send: (request: SendRequest) => Promise<Call>;
  body: (callId: number) => Uint8Array;
  environment: (id: string) => Environment;
  reading: Pick<Reading, 'run'>;
  now: () => number;
}) {
  const { send, body, environment, reading, now } = deps;

  /** Reads the response of a call in a job; null if it has none, and its refusal says why. */
  async function read<Name extends 'rounds.records' | 'rounds.replay'>(name: Name, call: Call) {
    if (call.code !== 0 || call.state !== 'answered') return null;
    const bytes = body(call.id);
    return reading.run(name, bytes, { subject: responseSubject, bytes: bytes.length });
  }
  return {
    async lookup({ environmentId, roundId, date, ticket, confirmed }: ParsedInput<'rounds.lookup'>): Promise<RoundLookup> {
      const { timeZone: own, answers } = environment(environmentId);
      const timeZone = monthZoneOf({ timeZone: own, answers });
      const monthOf = logMonthOf(date, now(), timeZone);
      if (!monthOf.ok) throw new AppError('invalid_input', monthOf.message, { path: 'date' });
      const { logMonth, month, currentMonth } = monthOf;
      // The digits go into the text as they are: no number of JavaScript holds them all.
      const id = answerOf('roundId.type', answers) === 'text' ? `"${roundId}"` : roundId;
      const text = `{"roundId": ${id}, "logMonth": ${logMonth}}`;
      const ask = async (operation: 'getGameRound' | 'roundReplayInfo') => {
        const draft = { environmentId, operation, form: 'main', text, overrides: {} };
        return send({ draft, ticket, confirmed });
      };

      const asked = await ask('getGameRound');
      const found = await read('rounds.records', asked).catch(unreadProblem);
      const round: RoundLookup['round'] = {
        call: summaryOf(asked),
        records: found !== null && 'records' in found ? found.records : null,
        problem: refusalOf(asked) ?? found?.problem ?? null,
      };
      const common = { roundId, logMonth, timeZone, month, currentMonth, round };
      if (asked.state === 'cancelled') return { ...common, replay: null };

      const call = await ask('roundReplayInfo').catch(stoppedBetween);
      if (call === null) return { ...common, replay: null };
      const replay = await read('rounds.replay', call).catch(unreadProblem);
      return {
        ...common,
        replay: {
          call: summaryOf(call),
          record: replay !== null && 'record' in replay ? replay.record : null,
          problem: refusalOf(call) ?? replay?.problem ?? null,
          checks: replay !== null && 'checks' in replay ? [...replay.checks] : [],
        },
      };
    },
  };
}

/** A response that was not read has nothing that could be judged. */
function unreadProblem(error: unknown): { readonly problem: string } {
  const words = unreadWords(error);
  if (words === null) throw error;
  return { problem: words };
}

/** Cancelled after the first response had come: that one is shown. */
function stoppedBetween(error: unknown): null {
  if (error instanceof AppError && error.code === 'cancelled') return null;
  throw error;
}
