import type { CaseOutcome, CaseStepOutcome } from '#shared/collections/case-outcome.ts';
import { AppError } from '#shared/errors.ts';
import { amount } from '#shared/amount.ts';
import { answerOf } from '#shared/provider/index.ts';
import { moneyText, readMoney, type Money } from '#shared/wallet/money.ts';
import { effectOf, obstacleOf, termsOf, type Terms } from '#shared/wallet/terms.ts';
import { requestsOf, type CaseStep, type WalletCase } from '#shared/wallet/wallet-case.ts';
import { answerText, methodOf, type Answer } from './answer.ts';
import { allowedChanges, explains, isWithinPatience, leakIn, missOf, refusalFault, wrongResponse } from './judge.ts';
import { observationOf } from './observation.ts';
import { createRequestMaker, type RequestMaker, type SentRequest, type Session } from './requests.ts';
import { createStepWords, mostAtOnce } from './step-words.ts';
import { createWalletLine, plain, type WalletLineDeps } from './wallet-line.ts';

export interface WalletRunDeps extends Omit<WalletLineDeps, 'path'> {
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Masks the tokens in a text that comes from responses. */
  readonly mask: (text: string, answers: readonly Answer[]) => string;
}

export interface WalletRunSettings {
  readonly runId: string;
  readonly tokens: readonly string[];
  /** JSON number; empty for the usual one. */
  readonly stake: string;
  readonly gameId: string;
  readonly strict: boolean;
  /** Requests of an earlier run with what was booked for them, to be repeated; null without one. */
  readonly earlier: readonly EarlierRequest[] | null;
}

/** A transaction that an earlier run sent and that was booked: the body, without its token. */
export interface EarlierRequest {
  readonly method: SentRequest['method'];
  readonly members: SentRequest['members'];
}

/** A case that was run, or not. `ends`: why no other case can be. */
export interface RanCase {
  readonly outcome: CaseOutcome;
  readonly answers: readonly Answer[];
  /** The call that shows what failed; null if nothing did. */
  readonly failed: Answer | null;
  readonly ends?: string;
}

/** Milliseconds after which a balance is asked for again before anybody is blamed. */
const againMs = 1_000;
const mostReplayed = 20;
const mostNamed = 50;

/** The sessions of a wallet run with their balances, and the one way to send its requests. Cases are run one after another. */
export type WalletRun = ReturnType<typeof createWalletRun>;

export function createWalletRun(settings: WalletRunSettings, deps: WalletRunDeps) {
  const { runId, stake, gameId, strict, earlier } = settings;
  const { environment } = deps;
  const { answers } = environment;
  const sessions: Session[] = [];
  const retriesHaveCode = answerOf('wallet.retry', answers) === 'code';
  let currency = environment.defaults.currency;
  let fractions = false;
  let lostSum: Money = 0n;
  /** The smallest balance that the run began with. */
  let least: Money | null = null;
  let opened: Promise<string | null> | null = null;
  let lastOpened: Answer | null = null;
  let path = '';

  const terms = (): Terms => termsOf({ currency, answers, stake, fractions, ...(least === null ? {} : { balance: least }) });
  const line = createWalletLine(runId, { ...deps, path: () => path });
  const { refusals } = line;
  const text = (money: Money) => moneyText(money, terms().decimals === 'yes' ? terms().digits : 0);

  /** Returns the present balance. Fails with `refused` if the wallet does not tell it. */
  async function balanceOf(session: Session): Promise<Money> {
    const answer = await line.askFor(session);
    if (answer.kind === 'booked' && answer.balance !== null) return answer.balance;
    throw new AppError('refused', `/playerInfo doesn't tell the balance of ${session.playerId}: ${said(answer)}.`);
  }

  const said = (answer: Answer) => deps.mask(answerText(answer), [answer]);
  const { cameText, outcomeOf } = createStepWords(said, text);

  /** Asks for the players of the tokens. Returns why the run cannot begin, or null. */
  async function open(): Promise<string | null> {
    for (const token of settings.tokens) {
      const session: Session = { playerId: '', token, replaced: null, balance: 0n };
      const answer = await line.askFor(session);
      const playerId = answer.member('playerId');
      lastOpened = answer;
      if (answer.delivered.call.failure !== null) return `/playerInfo had no response: ${said(answer)}`;
      if (answer.kind === 'refused' && answer.member('code') !== null)
        return `/playerInfo doesn't accept session token ${sessions.length + 1}: ${said(answer)}. Use a token of an open session.`;
      if (playerId === null || answer.balance === null)
        return `/playerInfo doesn't tell playerId and balance of session token ${sessions.length + 1}: ${said(answer)}.`;
      const own = answer.member('currency') ?? '';
      if (sessions.length === 0) currency = own === '' ? currency : own;
      else if (own !== '' && own !== currency)
        return `The players have different currencies, ${currency} and ${own}. Use two players of one currency.`;
      else if (playerId === sessions[0]?.playerId)
        return `Both tokens open ${playerId}. Use the token of another player; if it is one, the wallet mixes up sessions.`;
      fractions ||= (answer.member('balance') ?? '').includes('.');
      sessions.push({ ...session, playerId, balance: answer.balance });
      if (least === null || answer.balance < least) least = answer.balance;
    }
    return sessions.length === 0 ? 'There is no session token.' : null;
  }

  async function takeTokens(found: readonly Answer[]): Promise<number> {
    let working = 0;
    for (const answer of found.filter((one) => methodOf(one) === 'generateNewToken')) {
      const fresh = await line.newTokenIn(answer);
      if (fresh === null) continue;
      working += 1;
      answer.sent.session.replaced = answer.sent.session.token;
      answer.sent.session.token = fresh;
    }
    return working;
  }

  /** Returns the present balances of all sessions. What a step itself has read last is not asked for again. */
  async function readBalances(found: readonly Answer[]): Promise<Money[]> {
    const last = found.length === 1 ? found[0] : undefined;
    const balances: Money[] = [];
    for (const session of sessions) {
      const known =
        last !== undefined && methodOf(last) === 'playerInfo' && last.kind === 'booked' && last.sent.session === session
          ? last.balance
          : null;
      balances.push(known ?? (await balanceOf(session)));
    }
    return balances;
  }

  interface Ledger {
    readonly answers: Answer[];
    readonly byName: Map<string, Answer>;
    /** Effects of requests whose response nobody heard. */
    lost: SentRequest[];
    readonly steps: CaseStepOutcome[];
  }

  interface StepResult {
    readonly step: CaseStepOutcome;
    readonly failed: Answer | null;
    readonly found: readonly Answer[];
    /** A movement of money that nothing explains, in words; null without one. */
    readonly unexplained: string | null;
  }

  async function runStep(step: CaseStep, made: readonly (readonly SentRequest[])[], ledger: Ledger): Promise<StepResult> {
    const requests = requestsOf(step);
    const all = mixed(made);
    const eachInTurn = requests.some(({ each }) => each !== undefined);
    const lanes = eachInTurn ? 1 : Math.max(...requests.map((one) => one.lanes ?? 0)) || all.length;
    // Connections that are open already: so the requests arrive together.
    if (all.length > 1 && lanes > 1) await line.warmUp(Math.min(lanes, all.length), all[0]?.session);
    const before = sessions.map(({ balance }) => balance);
    const isPatient = step.check?.includes('patience') === true;
    const readers = step.check?.includes('betweenStates') === true ? all.filter(({ method }) => method === 'playerInfo') : [];
    const found = await line.whileReading(readers, () =>
      line.sendAll(
        all.filter((one) => !readers.includes(one)),
        lanes,
        (sofar) => !isPatient || isWithinPatience(sofar),
      ),
    );
    ledger.answers.push(...found);
    for (const [index, { as }] of requests.entries()) {
      const answer = found.find(({ sent }) => sent === made[index]?.[0]);
      if (as !== undefined && answer !== undefined) ledger.byName.set(as, answer);
    }
    const working = await takeTokens(found);
    const renewal = found.find((one) => methodOf(one) === 'generateNewToken' && one.kind === 'booked');
    const isTokenMissing = renewal !== undefined && working === 0;
    if (isTokenMissing && (await line.askFor(renewal.sent.session)).kind !== 'booked')
      throw new AppError(
        'refused',
        'No text in the response to /generateNewToken opens the session, and the old token no longer does.',
      );
    if (step.expect === 'lost') {
      ledger.lost = found.map(({ sent }) => sent);
      return { step: outcomeOf(step, all, found, ''), failed: null, found, unexplained: null };
    }
    const { lost } = ledger;
    ledger.lost = [];
    const lostOf = (session: Session) => lost.filter((one) => one.session === session).map(({ effect }) => effect);
    let after = await readBalances(found);
    const allowed = sessions.map((session) => allowedChanges(step.expect, found, session, lostOf(session)));
    const changeOf = (index: number, balances: readonly Money[]) => (balances[index] ?? 0n) - (before[index] ?? 0n);
    const fits = (balances: readonly Money[]) => allowed.every(({ allows }, index) => allows(changeOf(index, balances)));
    const explained = (balances: readonly Money[]) =>
      sessions.every((session, index) => explains(found, lostOf(session), changeOf(index, balances)));
    let late = '';
    if (!fits(after)) {
      const soon = after;
      await new Promise<void>((resolve) => deps.later(resolve, againMs));
      after = await readBalances([]);
      const which = sessions.findIndex((_, index) => soon[index] !== after[index]);
      if (fits(after))
        late = `the balance was ${text(soon[which] ?? 0n)} right after it and ${text(after[which] ?? 0n)} a second later`;
    }
    for (const [index, session] of sessions.entries()) session.balance = after[index] ?? session.balance;
    const wrong = wrongResponse(step.expect, found, retriesHaveCode);
    const signed = (change: Money) => `${change > 0n ? '+' : ''}${text(change)}`;
    const changes = sessions.flatMap(({ playerId }, index) => {
      const change = changeOf(index, after);
      const { changes: wanted = [], allows } = allowed[index] ?? {};
      const instead = allows?.(change) === false ? `, not ${wanted.map(signed).join(' or ')}` : '';
      return change === 0n && instead === '' ? [] : [`${playerId} ${signed(change)}${instead}`];
    });
    const moved = changes.length === 0 ? 'no money moved' : changes.join('; ');
    let fault = late;
    if (fault === '' && !fits(after)) fault = moved;
    if (fault === '' && after.some((balance) => balance < 0n)) fault = `${moved}, so the balance is below 0`;
    if (fault === '' && wrong !== null) fault = said(wrong);
    if (fault === '' && isTokenMissing) fault = 'no text in the response opens the session as another token';
    if (fault === '' && step.expect === 'oneToken' && working !== 1) fault = `${amount(working, 'new token')} work`;
    if (fault === '') {
      for (const check of step.check ?? []) {
        const [request] = requests;
        const miss = missOf(check, found, {
          terms: terms(),
          first: ledger.byName.get(request?.of ?? '') ?? null,
          previous: ledger.answers.at(-found.length - 1) ?? null,
          before: before[0] ?? 0n,
          after: after[0] ?? 0n,
          retriesHaveCode,
        });
        if (miss !== null) fault = deps.mask(miss.came, found);
        if (fault !== '') break;
      }
    }
    const unexplained =
      fits(after) || explained(after) ? null : `${moved}, which no combination of the requests of this case explains.`;
    const inFlight = mostAtOnce(found);
    const notTogether = all.length > 1 && lanes > 1 && inFlight === 1 && fault === '' ? 'never two at once' : '';
    return {
      step: {
        ...outcomeOf(step, all, found, moved, inFlight),
        came: cameText(found, moved, fault || notTogether),
        passed: fault === '',
      },
      failed: fault === '' ? null : (wrong ?? found.find(({ sent }) => sent.effect !== 0n) ?? found[0] ?? null),
      found,
      unexplained,
    };
  }

  /** Closes rounds and puts money back by /win and /bet. */
  async function putBack(needs: readonly Money[], openBets: readonly number[], maker: RequestMaker): Promise<void> {
    for (const index of sessions.keys()) {
      const need = needs[index] ?? 0n;
      const player = index === 0 ? 1 : 2;
      const send = async (call: 'bet' | 'win', money: Money) => {
        const [request] = maker.make({ call, player, amount: `=${moneyText(money)}` });
        return request === undefined ? null : line.sendOne(request);
      };
      let left = need;
      if (left < 0n) {
        await send('bet', -left);
        await send('win', 0n);
        left = 0n;
      }
      const bets = openBets[index] ?? 0;
      for (let bet = 0; bet < bets; bet += 1) {
        const answer = await send('win', left);
        if (answer?.kind === 'booked') left = 0n;
        else if (bet > 0) break;
      }
      if (left > 0n && (await send('win', left))?.kind !== 'booked') {
        await send('bet', terms().unit);
        await send('win', left + terms().unit);
      }
    }
  }

  const makerOf = (caseId: string, place: number) =>
    createRequestMaker({
      answers,
      idStart: `cr-${runId.slice(-8)}-${caseId}`,
      number: `${parseInt(runId.slice(-6), 16) || 1}${String(place).padStart(3, '0')}`,
      gameId,
      terms,
      sessions,
    });

  /** Returns transactions of an earlier run, each with the present token of its player. */
  function replayed(): readonly SentRequest[] {
    const requests = (earlier ?? []).flatMap(({ method, members }): SentRequest[] => {
      const playerId = members.find(([name]) => name === 'playerId')?.[1];
      const session = sessions.find((one) => JSON.stringify(one.playerId) === playerId);
      if (session === undefined) return [];
      const own = members.map(([name, json]) => [name, name === 'externalToken' ? JSON.stringify(session.token) : json] as const);
      const money = readMoney(own.find(([name]) => name === 'amount')?.[1] ?? '') ?? 0n;
      return [plain(method, session, own, effectOf(method, money))];
    });
    return requests.slice(0, mostReplayed);
  }

  return {
    sessions: sessions as readonly Session[],
    /** Asks for the players, once. Returns why the run cannot go on, or null. */
    open: (): Promise<string | null> => (opened ??= open()),
    /** Returns the last response to that; null before. */
    lastOpened: () => lastOpened,
    restore,
    async run(one: WalletCase, place: number, at: string): Promise<RanCase> {
      path = at;
      const scene = {
        answers,
        terms: terms(),
        balances: sessions.map(({ balance }) => balance),
        players: sessions.length,
        hasEarlierRun: earlier !== null,
        lost: lostSum,
      };
      const obstacle = obstacleOf(one, scene);
      const ledger: Ledger = { answers: [], byName: new Map(), lost: [], steps: [] };
      const base = { id: one.id, grade: one.grade, section: one.section, answer: null, moved: [], timings: {} };
      if (obstacle !== null) {
        const { verdict, why, point } = obstacle;
        const waitsFor = point === undefined ? {} : { waitsFor: point };
        const outcome: CaseOutcome = { ...base, verdict, saw: why, ...waitsFor, steps: [] };
        return { outcome, answers: [], failed: null };
      }
      const maker = makerOf(one.id, place);
      const start = sessions.map(({ balance }) => balance);
      let failed: Answer | null = null;
      let broken: string | null = null;
      let ends: string | undefined;
      let lastFound: readonly Answer[] = [];
      try {
        if ((one.special === 'refusals' || one.special === 'leaks') && refusals.length > 0) {
          const { step, failed: wrong } = reviewed(one.special);
          ledger.steps.push(step);
          if (!step.passed) [failed, broken] = [wrong, step.came];
        } else {
          const steps: Iterable<readonly [CaseStep, readonly (readonly SentRequest[])[]]> =
            one.special === 'replay' ? replayed().map((request) => [again, [[request]]] as const) : made(one.steps, maker);
          for (const [step, requests] of steps) {
            if (requests.some((list) => list.length === 0)) continue;
            const result = await runStep(step, requests, ledger);
            ledger.steps.push(result.step);
            lastFound = result.found;
            if (result.unexplained !== null) ends = result.unexplained;
            if (result.step.passed) continue;
            [failed, broken] = [result.failed, result.step.came];
            break;
          }
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        [broken, ends] = [error.message, error.message];
      }
      const after = sessions.map(({ balance }) => balance);
      if (one.id === 'money-12' && lastFound[0]?.kind === 'booked' && broken === null) fractions = true;
      const last = lastFound.at(-1);
      const from = start[last === undefined ? 0 : sessions.indexOf(last.sent.session)] ?? 0n;
      const observed = broken === null ? observationOf(one, last, ledger.answers, from, answers) : null;
      const disagrees = observed !== null && !observed.agrees;
      // Nobody may overlook that a run stopped.
      const isWarning = one.grade !== 'required' && !strict && ends === undefined;
      const verdict =
        broken !== null
          ? isWarning
            ? 'warns'
            : 'fails'
          : disagrees
            ? 'fails'
            : one.grade === 'open'
              ? 'observed'
              : ledger.steps.length === 0
                ? 'skipped'
                : 'holds';
      const saw =
        broken ?? (disagrees || one.grade === 'open' ? (observed?.saw ?? `Your wallet: ${ledger.steps.at(-1)?.came ?? ''}`) : '');
      const left = await settle(start, after, ledger, maker, ends);
      const outcome: CaseOutcome = {
        ...base,
        verdict,
        saw: verdict === 'skipped' ? nothingSent[one.special ?? 'steps'] : saw,
        steps: ledger.steps,
        answer: observed?.answer ?? null,
        moved: sessions.flatMap(({ playerId }, index) =>
          start[index] === after[index] && left[index] === 0n
            ? []
            : [{ playerId, before: text(start[index] ?? 0n), after: text(after[index] ?? 0n), left: text(left[index] ?? 0n) }],
        ),
        timings: line.takeTimings(),
      };
      return { outcome, answers: ledger.answers, failed, ...(ends === undefined ? {} : { ends }) };
    },
  };

  /** Puts back what the run left moved since `begun`; `moved` is all that it sent for a player. */
  async function restore(begun: ReadonlyMap<string, { readonly before: Money; readonly moved: Money }>) {
    const needs = sessions.map(({ playerId, balance }) => (begun.get(playerId)?.before ?? balance) - balance);
    for (const [index, { playerId, balance }] of sessions.entries()) {
      const need = needs[index] ?? 0n;
      const moved = begun.get(playerId)?.moved ?? 0n;
      if ((need < 0n ? -need : need) <= moved) continue;
      throw new AppError(
        'refused',
        `The balance of ${playerId} is ${text(balance)}, ${text(need < 0n ? -need : need)} from what it was; the run moved ${text(moved)} at most. Somebody else has played. Nothing was put back.`,
      );
    }
    path = 'restore';
    await putBack(
      needs,
      sessions.map(() => 0),
      makerOf('restore', 0),
    );
    const now = await readBalances([]);
    return sessions.map(({ playerId, balance }, index) => ({
      playerId,
      before: text(balance),
      after: text(now[index] ?? 0n),
      left: text((now[index] ?? 0n) - balance - (needs[index] ?? 0n)),
    }));
  }

  /** Puts the money of a case back; returns what is left for each session. What nobody can explain is not put back: it may be somebody else's. */
  async function settle(
    start: readonly Money[],
    after: readonly Money[],
    ledger: Ledger,
    maker: RequestMaker,
    ends: string | undefined,
  ): Promise<Money[]> {
    const booked = (session: Session) => ledger.answers.filter(({ sent, kind }) => sent.session === session && kind === 'booked');
    const openBets = sessions.map((session) => {
      // A repeated transaction is one.
      const count = (...methods: string[]) =>
        new Set(booked(session).flatMap((one) => (methods.includes(methodOf(one)) ? [`${methodOf(one)} ${idIn(one.sent)}`] : [])))
          .size;
      return Math.max(0, count('bet') - count('win', 'cancel'));
    });
    const needs = sessions.map((session, index) =>
      ends === undefined
        ? (start[index] ?? 0n) - (after[index] ?? 0n)
        : -booked(session).reduce((sum, { sent }) => sum + sent.effect, 0n),
    );
    if (needs.every((need) => need === 0n) && openBets.every((count) => count === 0)) return needs.map(() => 0n);
    try {
      await putBack(needs, openBets, maker);
      const now = await readBalances([]);
      for (const [index, session] of sessions.entries()) session.balance = now[index] ?? session.balance;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    const left = sessions.map(({ balance }, index) => balance - (start[index] ?? 0n));
    for (const one of left) lostSum += one < 0n ? -one : one;
    return left;
  }

  /** Looks at every refusal so far. */
  function reviewed(kind: 'refusals' | 'leaks') {
    const players = sessions.map(({ playerId }) => playerId);
    const faults = refusals.flatMap((answer) => {
      const others = players.filter((player) => player !== answer.sent.session.playerId);
      const words = kind === 'refusals' ? refusalFault(answer) : leakIn(answer, others);
      return words === null ? [] : [{ words: deps.mask(words, [answer]), answer }];
    });
    const [first] = faults;
    return {
      step: {
        sent: `${amount(refusals.length, 'refusal')} of this run`,
        calls: faults.map(({ answer }) => answer.delivered.call.id).slice(0, mostNamed),
        expected: kind === 'refusals' ? 'a code other than 0 and a message' : 'no trace and no other player',
        came: first?.words ?? `all ${amount(refusals.length, 'refusal')} are so`,
        passed: first === undefined,
      },
      failed: first?.answer ?? null,
    };
  }
}

/** Says why nothing of a case was sent. */
const nothingSent = {
  steps: 'No token of these sessions has the form that it needs.',
  refusals: 'No request of this run was refused.',
  leaks: 'No request of this run was refused.',
  replay: 'The earlier run booked nothing of these players.',
} as const;

const again: CaseStep = { call: 'again', expect: 'recognised' };

/** Yields steps with their requests, made when their turn comes: balances and tokens are those of the moment. */
function* made(
  steps: readonly CaseStep[],
  maker: RequestMaker,
): Generator<readonly [CaseStep, readonly (readonly SentRequest[])[]]> {
  for (const step of steps) yield [step, requestsOf(step).map((one) => maker.make(one))];
}

/** Returns requests in turns: the first of each list, then the second of each. */
function mixed(lists: readonly (readonly SentRequest[])[]): readonly SentRequest[] {
  const most = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

function idIn({ members }: SentRequest): string {
  return members.find(([name]) => name === 'transactionId')?.[1] ?? '';
}
