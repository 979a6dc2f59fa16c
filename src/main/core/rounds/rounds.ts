import { AppError } from '#shared/errors.ts';
import type { Call, Confirmed, Environment, ReplayRecord, RoundLookup, RoundRecord } from '#shared/ipc/index.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { answerOf } from '#shared/provider/index.ts';
import { checkReplayLink, nodeAt, textAt } from '#shared/provider/launch-url.ts';
import { logMonthOf, monthZoneOf } from '#shared/rounds/log-month.ts';
import { readAnswer, refusalOf, summaryOf } from '../calls/answer.ts';
import type { SendRequest } from '../calls/calls.ts';

export interface RoundQuestion {
  readonly environmentId: string;
  /** Decimal digits. */
  readonly roundId: string;
  /** `dd-mm-yyyy` in the zone in which months are counted. */
  readonly date: string;
  readonly ticket: string;
  readonly confirmed: Confirmed;
}

/** Asks a provider about one round. Fails with `invalid_input` for a date without a month to look in, and as `calls.send` does. */
export function createRounds(deps: {
  send: (request: SendRequest) => Promise<Call>;
  body: (callId: number) => Uint8Array;
  environment: (id: string) => Environment;
  now: () => number;
}): { lookup(question: RoundQuestion): Promise<RoundLookup> } {
  const { send, body, environment, now } = deps;
  return {
    async lookup({ environmentId, roundId, date, ticket, confirmed }) {
      const { timeZone: own, answers } = environment(environmentId);
      const timeZone = monthZoneOf({ timeZone: own, answers });
      const found = logMonthOf(date, now(), timeZone);
      if (!found.ok) throw new AppError('invalid_input', found.message, { path: 'date' });
      const { logMonth, month, currentMonth } = found;
      // The digits go into the text as they are: no number of JavaScript holds them all.
      const id = answerOf('roundId.type', answers) === 'text' ? `"${roundId}"` : roundId;
      const text = `{"roundId": ${id}, "logMonth": ${logMonth}}`;
      const ask = async (operation: 'getGameRound' | 'roundReplayInfo') => {
        const draft = { environmentId, operation, form: 'main', text, overrides: {} };
        const call = await send({ draft, ticket, confirmed });
        return { call, answer: call.code === 0 && call.state === 'answered' ? readAnswer(body(call.id)) : null };
      };

      const asked = await ask('getGameRound');
      const records = recordsOf(asked.answer);
      const round: RoundLookup['round'] = {
        call: summaryOf(asked.call),
        records,
        problem: refusalOf(asked.call) ?? (records === null ? 'The response has no list of round records.' : null),
      };
      const common = { roundId, logMonth, timeZone, month, currentMonth, round };
      if (asked.call.state === 'cancelled') return { ...common, replay: null };

      const { call, answer } = await ask('roundReplayInfo');
      const record = replayOf(answer);
      const link = record?.replayLink ?? null;
      return {
        ...common,
        replay: {
          call: summaryOf(call),
          record,
          problem: refusalOf(call) ?? (record === null ? 'The response has no replay of this round.' : null),
          checks: link === null ? [] : [...checkReplayLink(link)],
        },
      };
    },
  };
}

function recordsOf(answer: JsonNode | null): RoundRecord[] | null {
  const data = nodeAt(answer, ['data']);
  if (data?.kind !== 'array') return null;
  return data.items.map((item) => ({
    id: textAt(item, ['id']),
    gameId: textAt(item, ['gameId']),
    action: textAt(item, ['action']),
    bet: textAt(item, ['bet']),
    win: textAt(item, ['win']),
    currencyName: textAt(item, ['currencyName']),
    roundId: textAt(item, ['roundId']),
    actionTime: textAt(item, ['actionTime']),
    source: textAt(item, ['source']),
    url: textAt(item, ['url']),
  }));
}

function replayOf(answer: JsonNode | null): ReplayRecord | null {
  const data = nodeAt(answer, ['data']);
  if (data?.kind !== 'object') return null;
  return {
    start: textAt(data, ['start']),
    end: textAt(data, ['end']),
    betAmount: textAt(data, ['betAmount']),
    winAmount: textAt(data, ['winAmount']),
    currency: textAt(data, ['currency']),
    replayLink: textAt(data, ['replayLink']),
  };
}
