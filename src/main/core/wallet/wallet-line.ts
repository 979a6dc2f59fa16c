import type { Environment } from '#shared/ipc/index.ts';
import { newTokenPath } from '#shared/provider/tokens.ts';
import type { AnnouncedCall, RunCall } from '../calls/calls.ts';
import { readAnswer, textsIn, type Answer } from './answer.ts';
import { plain, type SentRequest, type Session } from './requests.ts';

export interface WalletLineDeps {
  readonly environment: Environment;
  readonly announce: (request: RunCall) => Promise<AnnouncedCall>;
  /** Returns milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  /** Returns the path of the case whose requests are sent now, under which the history has them. */
  readonly path: () => string;
}

const mostReads = 50;

/** Creates the one way in which a wallet run sends its requests. */
export function createWalletLine(runId: string, { environment, announce, monotonic, path }: WalletLineDeps) {
  /** Every refusal so far, for the case that looks at all of them. */
  const refusals: Answer[] = [];
  /** Milliseconds of each call since they were taken last, by its method. */
  let timings: Record<string, number[]> = {};
  let sentCount = 0;

  async function announceOne({ method, body, cut }: SentRequest): Promise<AnnouncedCall> {
    const draft = {
      environmentId: environment.id,
      operation: method,
      form: method === 'cancel' ? 'open' : 'main',
      text: body,
      overrides: {},
    };
    return announce({
      draft,
      environment,
      ticket: `${runId}:wallet:${(sentCount += 1)}`,
      collectionRun: { id: runId, path: path() },
      inTurn: (write) => write(),
      ...(cut === undefined ? {} : { cut }),
    });
  }

  /** Sends requests at once, at most `lanes` at a time. All of them are in the history before the first one leaves. */
  async function sendAll(
    requests: readonly SentRequest[],
    lanes: number,
    goesOn: (found: readonly Answer[]) => boolean = () => true,
  ): Promise<Answer[]> {
    const found: Answer[] = [];
    for (let from = 0; from < requests.length && goesOn(found); from += lanes) {
      const part = requests.slice(from, from + lanes);
      const ready = await Promise.all(part.map(announceOne));
      found.push(
        ...(await Promise.all(
          ready.map(async (call, index) => {
            const began = monotonic();
            const delivered = await call.send();
            return readAnswer(part[index] as SentRequest, delivered, began, monotonic());
          }),
        )),
      );
    }
    for (const { sent, delivered } of found)
      if (delivered.call.durationMs !== null) (timings[sent.method] ??= []).push(delivered.call.durationMs);
    refusals.push(...found.filter(({ kind }) => kind === 'refused'));
    return found;
  }

  async function sendOne(request: SentRequest): Promise<Answer> {
    const [answer] = await sendAll([request], 1);
    return answer as Answer;
  }

  const asking = (session: Session, token = session.token) =>
    plain('playerInfo', session, [['externalToken', JSON.stringify(token)]]);
  const askFor = (session: Session, token?: string) => sendOne(asking(session, token));

  /** Sends the readers again and again until the work is done. Returns the responses to both. */
  async function whileReading(readers: readonly SentRequest[], work: () => Promise<Answer[]>): Promise<Answer[]> {
    let isOver = false;
    const working = work().finally(() => (isOver = true));
    const read = readers.map(async (reader) => {
      const found: Answer[] = [];
      do found.push(await sendOne(reader));
      while (!isOver && found.length < mostReads);
      return found;
    });
    const [found, ...others] = await Promise.all([working, ...read]);
    return [...found, ...others.flat()];
  }

  /** Opens so many connections, so that requests at once arrive together. */
  const warmUp = (count: number, session: Session) =>
    sendAll(
      Array.from({ length: count }, () => asking(session)),
      count,
    );

  /** Takes the new token from a response: from its recorded place, otherwise the text in it that opens the session. */
  async function newTokenIn(answer: Answer): Promise<string | null> {
    if (answer.kind !== 'booked' || answer.object === null) return null;
    const { session } = answer.sent;
    const recorded = newTokenPath(environment.answers);
    for (const { path, value: candidate } of textsIn(answer.object)) {
      const isElsewhere = recorded !== null && path.join('\n') !== recorded.join('\n');
      if (isElsewhere || candidate === '' || candidate === session.token || path.join() === 'message') continue;
      const asked = await askFor(session, candidate);
      if (asked.kind === 'booked' && asked.balance !== null) return candidate;
    }
    return null;
  }

  function takeTimings(): Record<string, number[]> {
    const taken = timings;
    timings = {};
    return taken;
  }

  return { takeTimings, refusals: refusals as readonly Answer[], sendAll, sendOne, askFor, whileReading, warmUp, newTokenIn };
}
