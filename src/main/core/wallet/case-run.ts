import type { CaseOutcome, CaseStepOutcome } from '#shared/collections/case-outcome.ts';
import { AppError } from '#shared/errors.ts';
import { amount } from '#shared/amount.ts';
import { answerOf } from '#shared/provider/index.ts';
import { moneyText, readMoney, sizeOf, type Money } from '#shared/wallet/money.ts';
import { effectOf, obstacleOf, termsOf, type Terms } from '#shared/wallet/terms.ts';
import { requestsOf, type CaseStep, type WalletCase } from '#shared/wallet/wallet-case.ts';
import { answerText, type Answer } from './answer.ts';
import {
  allowedChanges,
  expectedText,
  explains,
  isWithinPatience,
  leakIn,
  missOf,
  refusalFault,
  sumOf,
  wrongResponse,
} from './judge.ts';
import { observationOf } from './observation.ts';
import { createRequestMaker, jsonOf, plain, withToken, type RequestMaker, type SentRequest, type Session } from './requests.ts';
import { cameText, mostAtOnce, sentText } from './step-words.ts';
import { createWalletLine, type WalletLineDeps } from './wallet-line.ts';

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
  /** Transactions that an earlier run sent and that were booked, to be repeated; null without one. */
  readonly earlier: readonly Pick<SentRequest, 'method' | 'members'>[] | null;
}

/** A case that was run, or not. `ends`: why no other case can be. */
export interface RanCase {
  readonly outcome: CaseOutcome;
  readonly answers: readonly Answer[];
  /** The call that shows what failed; null if nothing did. */
  readonly failed: Answer | null;
  readonly ends?: string;
}

/** The reason why a run cannot begin, and the response that shows it. */
export interface Unopened {
  readonly problem: string;
  readonly answer: Answer | null;
}

/** Leavings of the steps of a case. */
interface Ledger {
  readonly answers: Answer[];
  readonly byName: Map<string, Answer>;
  /** Requests whose response nobody heard. */
  lost: readonly SentRequest[];
  readonly steps: CaseStepOutcome[];
}

/** Milliseconds after which a balance is asked for again before anybody is blamed. */
const againMs = 1_000;
const mostReplayed = 20;
const mostNamed = 50;

/** A player's balance by the record of a run. */
export interface RecordedBalance {
  readonly before: Money;
  readonly last: Money;
  /** All that the run sent. */
  readonly moved: Money;
  /** Amounts that the last balance may lack, because it was read before `until`. */
  readonly open: readonly { readonly money: Money; readonly until: number }[];
}

/** The sessions of a wallet run with their balances, and the one way to send its requests. Cases are run one after another. */
export type WalletRun = ReturnType<typeof createWalletRun>;

export function createWalletRun(settings: WalletRunSettings, deps: WalletRunDeps) {
  const { runId, stake, gameId, strict, earlier } = settings;
  const { answers, defaults } = deps.environment;
  const sessions: Session[] = [];
  const retriesHaveCode = answerOf('wallet.retry', answers) === 'code';
  let currency = defaults.currency;
  let fractions = false;
  let lostSum: Money = 0n;
  const agreeing = new Map<string, readonly string[]>();
  /** The smallest balance that the run began with. */
  let least: Money | null = null;
  let opened: Promise<Unopened | null> | null = null;
  let path = '';

  const terms = (): Terms => termsOf({ currency, answers, stake, fractions, ...(least === null ? {} : { balance: least }) });
  const line = createWalletLine(runId, { ...deps, path: () => path });
  const { refusals } = line;
  const text = (money: Money) => moneyText(money, terms().decimals === 'yes' ? terms().digits : 0);
  const said = (answer: Answer) => deps.mask(answerText(answer), [answer]);

  /** Asks for the players of the tokens. Returns why the run cannot begin, or null. */
  async function open(): Promise<Unopened | null> {
    for (const token of settings.tokens) {
      const asked: Session = { playerId: '', token, replaced: null, balance: 0n, start: 0n, before: 0n };
      const answer = await line.askFor(asked);
      const { balance, kind, delivered, member } = answer;
      const playerId = member('playerId');
      const own = member('currency') ?? '';
      const unopened = (problem: string): Unopened => ({ problem, answer });
      const place = `session token ${sessions.length + 1}`;
      if (delivered.call.failure !== null) return unopened(`/playerInfo had no response: ${said(answer)}.`);
      if (kind === 'refused' && member('code') !== null)
        return unopened(`/playerInfo doesn't accept ${place}: ${said(answer)}. Use a token of an open session.`);
      if (playerId === null || balance === null)
        return unopened(`/playerInfo doesn't tell playerId and balance of ${place}: ${said(answer)}.`);
      if (balance < 0n) return unopened(`The balance of ${playerId} is ${text(balance)}. Use a player who has no less than 0.`);
      if (sessions.length === 0) currency = own === '' ? currency : own;
      else if (own !== '' && own !== currency)
        return unopened(`The players have different currencies, ${currency} and ${own}. Use two players of one currency.`);
      else if (playerId === sessions[0]?.playerId)
        return unopened(
          `Both tokens open ${playerId}. Use the token of another player; if it is one, the wallet mixes up sessions.`,
        );
      fractions ||= (member('balance') ?? '').includes('.');
      sessions.push({ ...asked, playerId, balance });
      if (least === null || balance < least) least = balance;
    }
    return sessions.length === 0 ? { problem: 'There is no session token.', answer: null } : null;
  }

  /** Takes the new tokens of a step. Returns how many work. */
  async function takeTokens(found: readonly Answer[]): Promise<number> {
    let working = 0;
    for (const answer of found.filter(({ sent }) => sent.method === 'generateNewToken')) {
      const fresh = await line.newTokenIn(answer);
      if (fresh === null) continue;
      working += 1;
      const { session } = answer.sent;
      session.replaced = session.token;
      session.token = fresh;
    }
    return working;
  }

  /** Reads the present balances. What a step itself has read last is not asked for again. Fails with `refused` if the wallet does not tell one. */
  async function readBalances([first, ...others]: readonly Answer[] = []): Promise<void> {
    for (const session of sessions) {
      const { playerId } = session;
      const tells = ({ sent, kind, balance, member }: Answer) =>
        sent.session === session && kind === 'booked' && balance !== null && (member('playerId') ?? playerId) === playerId;
      const isKnown = first?.sent.method === 'playerInfo' && others.length === 0 && tells(first);
      const answer = isKnown ? first : await line.askFor(session);
      if (!tells(answer) || answer.balance === null) {
        const other = answer.kind === 'booked' ? `, playerId ${answer.member('playerId') ?? 'missing'}` : '';
        throw new AppError('refused', `/playerInfo doesn't tell the balance of ${playerId}: ${said(answer)}${other}.`);
      }
      session.balance = answer.balance;
    }
  }

  /** Reads the balances a while later: a wallet may be slow to tell them. */
  async function readAgain(): Promise<void> {
    await new Promise<void>((resolve) => deps.later(resolve, againMs));
    await readBalances();
  }

  /** Sends the requests of a step. Those that only read are sent again and again until the others are over. */
  async function sendStep(step: CaseStep, made: readonly (readonly SentRequest[])[]): Promise<Answer[]> {
    const all = mixed(made);
    const lanes = lanesOf(step, all.length);
    const [first] = all;
    // Connections that are open already: so the requests arrive together.
    if (first !== undefined && all.length > 1 && lanes > 1) await line.warmUp(Math.min(lanes, all.length), first.session);
    const isPatient = step.check?.includes('patience') === true;
    const readers = step.check?.includes('betweenStates') === true ? all.filter(({ method }) => method === 'playerInfo') : [];
    return line.whileReading(readers, () =>
      line.sendAll(
        all.filter((one) => !readers.includes(one)),
        lanes,
        (sofar) => !isPatient || isWithinPatience(sofar),
      ),
    );
  }

  /** Sends a step and judges it. `unexplained`: a movement of money that nothing explains, in words; null without one. */
  async function runStep(step: CaseStep, made: readonly (readonly SentRequest[])[], ledger: Ledger) {
    for (const session of sessions) session.before = session.balance;
    const found = await sendStep(step, made);
    ledger.answers.push(...found);
    for (const [index, { as }] of requestsOf(step).entries()) {
      const answer = found.find(({ sent }) => sent === made[index]?.[0]);
      if (as !== undefined && answer !== undefined) ledger.byName.set(as, answer);
    }
    const working = await takeTokens(found);
    const renewal = found.find(({ sent, kind }) => sent.method === 'generateNewToken' && kind === 'booked');
    const isTokenMissing = renewal !== undefined && working === 0;
    if (isTokenMissing && (await line.askFor(renewal.sent.session)).kind !== 'booked')
      throw new AppError(
        'refused',
        'No text in the response to /generateNewToken opens the session, and the old token no longer does.',
      );
    const inFlight = mostAtOnce(found);
    const outcome = (moved: string, fault: string, note = fault): CaseStepOutcome => ({
      sent: sentText(step, made, (part) => deps.mask(part, found), inFlight),
      calls: found.map(({ delivered }) => delivered.call.id),
      expected: expectedText(step),
      came: cameText(found.map(said), moved, note),
      passed: fault === '',
    });
    const { lost } = ledger;
    ledger.lost = step.expect === 'lost' ? found.map(({ sent }) => sent) : [];
    if (step.expect === 'lost') return { step: outcome('', ''), found, failed: null, unexplained: null };

    const lostOf = (session: Session) => lost.filter((one) => one.session === session).map(({ effect }) => effect);
    const changes = sessions.map((session) => ({ session, ...allowedChanges(step.expect, found, session, lostOf(session)) }));
    const changeOf = ({ balance, before }: Session) => balance - before;
    const fits = () => changes.every(({ session, allows }) => allows(changeOf(session)));
    let late = '';
    await readBalances(found);
    if (!fits()) {
      const soon = sessions.map((session) => ({ session, balance: session.balance }));
      await readAgain();
      const changed = soon.find(({ session, balance }) => session.balance !== balance);
      if (changed !== undefined && fits())
        late = `the balance was ${text(changed.balance)} right after it and ${text(changed.session.balance)} a second later`;
    }
    const signed = (change: Money) => `${change > 0n ? '+' : ''}${text(change)}`;
    const moves = changes.flatMap(({ session, changes: wanted, allows }) => {
      const change = changeOf(session);
      const instead = allows(change) ? '' : `, not ${wanted.map(signed).join(' or ')}`;
      if (change === 0n) return instead === '' ? [] : [`${session.playerId} unchanged${instead}`];
      return [`${session.playerId} ${signed(change)}${instead}`];
    });
    const moved = moves.length === 0 ? 'no money moved' : moves.join('; ');
    const wrong = wrongResponse(step.expect, found, retriesHaveCode);
    const beside = {
      terms: terms(),
      first: ledger.byName.get(requestsOf(step)[0]?.of ?? '') ?? null,
      previous: ledger.answers.at(-found.length - 1) ?? null,
      retriesHaveCode,
    };
    const faults = [
      late,
      fits() ? '' : moved,
      sessions.some(({ balance }) => balance < 0n) ? `${moved}, so the balance is below 0` : '',
      wrong === null ? '' : said(wrong),
      isTokenMissing ? 'no text in the response opens the session as another token' : '',
      step.expect === 'oneToken' && working !== 1 ? `${amount(working, 'new token')} work` : '',
      ...(step.check ?? []).map((check) => deps.mask(missOf(check, found, beside) ?? '', found)),
    ];
    const fault = faults.find((one) => one !== '') ?? '';
    const note = fault === '' && inFlight === 1 && lanesOf(step, found.length) > 1 ? 'never two at once' : fault;
    const isExplained = fits() || sessions.every(({ balance, start }) => explains(ledger.answers, balance - start));
    return {
      step: outcome(moved, fault, note),
      found,
      failed: fault === '' ? null : (wrong ?? found.find(({ sent }) => sent.effect !== 0n) ?? found[0] ?? null),
      unexplained: isExplained ? null : `${moved}, which no combination of the requests of this case explains.`,
    };
  }

  /** Closes rounds of a session and changes its balance by `need`, by /win and /bet, whose responses are added to `heard`. */
  async function putBack(session: Session, need: Money, openBets: number, maker: RequestMaker, heard: Answer[]) {
    const player = sessions.indexOf(session) === 0 ? 1 : 2;
    const send = async (call: 'bet' | 'win', money: Money) => {
      const [request] = maker.make({ call, player, amount: `=${moneyText(money)}` });
      if (request === undefined) return false;
      heard.push(await line.sendOne(request));
      // Without a response it may be booked: another one could pay twice.
      return heard.at(-1)?.kind !== 'refused';
    };
    if (need < 0n) {
      await send('bet', -need);
      await send('win', 0n);
    }
    let left = need < 0n ? 0n : need;
    for (let bet = 0; bet < openBets; bet += 1) {
      if (await send('win', left)) left = 0n;
      else if (bet > 0) break;
    }
    if (left > 0n && !(await send('win', left))) {
      await send('bet', terms().unit);
      await send('win', left + terms().unit);
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
      const session = sessions.find(({ playerId }) => JSON.stringify(playerId) === jsonOf(members, 'playerId'));
      if (session === undefined) return [];
      const effect = effectOf(method, readMoney(jsonOf(members, 'amount') ?? '') ?? 0n);
      return [plain(method, session, withToken(members, session.token), effect)];
    });
    return requests.slice(0, mostReplayed);
  }

  /** Yields the steps of a case with their requests, made when their turn comes: balances and tokens are those of the moment. */
  function* stepsOf({ special, steps }: WalletCase, maker: RequestMaker): Generator<[CaseStep, (readonly SentRequest[])[]]> {
    if (special === 'replay') for (const request of replayed()) yield [{ call: 'again', expect: 'recognised' }, [[request]]];
    for (const step of steps) yield [step, requestsOf(step).map((one) => maker.make(one))];
  }

  /** Runs the steps of a case until one does not hold. Returns the last responses, and what is broken; null if everything held. */
  async function runSteps(one: WalletCase, maker: RequestMaker, ledger: Ledger) {
    let last: readonly Answer[] = [];
    const end = (broken: string | null, failed: Answer | null, ends: string | null) => ({ last, broken, failed, ends });
    if (one.special === 'refusals' || one.special === 'leaks') {
      const { step, failed } = reviewed(one.special);
      if (refusals.length > 0) ledger.steps.push(step);
      return end(step.passed ? null : step.came, failed, null);
    }
    try {
      for (const [step, requests] of stepsOf(one, maker)) {
        if (requests.some((list) => list.length === 0)) continue;
        const { step: outcome, found, failed, unexplained } = await runStep(step, requests, ledger);
        ledger.steps.push(outcome);
        last = found;
        if (!outcome.passed) return end(outcome.came, failed, unexplained);
      }
      return end(null, null, null);
    } catch (error) {
      if (!isUntold(error)) throw error;
      assume(ledger.answers);
      return end(error.message, null, error.message);
    }
  }

  async function run(one: WalletCase, place: number, at: string): Promise<RanCase | Unopened> {
    const unopened = await (opened ??= open());
    if (unopened !== null) return unopened;
    path = at;
    const { id, grade, section } = one;
    const balances = sessions.map(({ balance }) => balance);
    const scene = { answers, terms: terms(), balances, hasEarlierRun: earlier !== null, lost: lostSum };
    const obstacle = obstacleOf(one, scene);
    const base = { id, grade, section, answer: null, moved: [], timings: {} };
    if (obstacle !== null) {
      const { verdict, why, point } = obstacle;
      const waitsFor = point === undefined ? {} : { waitsFor: point };
      return { outcome: { ...base, verdict, saw: why, ...waitsFor, steps: [] }, answers: [], failed: null };
    }
    const ledger: Ledger = { answers: [], byName: new Map(), lost: [], steps: [] };
    const maker = makerOf(id, place);
    for (const session of sessions) session.start = session.balance;
    const { last, failed, ...held } = await runSteps(one, maker, ledger);
    const after = sessions.map((session) => ({ session, balance: session.balance }));
    if (id === 'money-12' && last[0]?.kind === 'booked' && held.broken === null) fractions = true;
    const observed = held.broken === null ? observationOf(one, last.at(-1), ledger.answers, answers, agreeing) : null;
    const disagrees = observed?.agrees === false;
    const unread = await settle(ledger, maker, held.ends);
    const ends = held.ends ?? unread;
    const broken = held.broken ?? ends;
    const verdict = (() => {
      // Nobody may overlook that a run stopped.
      if (broken !== null) return grade !== 'required' && !strict && ends === null ? 'warns' : 'fails';
      if (disagrees) return 'fails';
      if (grade === 'open') return 'observed';
      return ledger.steps.length === 0 ? 'skipped' : 'holds';
    })();
    const seen = disagrees || grade === 'open' ? (observed?.saw ?? `Your wallet: ${ledger.steps.at(-1)?.came ?? ''}`) : '';
    const outcome: CaseOutcome = {
      ...base,
      verdict,
      saw: verdict === 'skipped' ? nothingSent[one.special ?? 'steps'] : (broken ?? seen),
      steps: ledger.steps,
      answer: observed?.answer ?? null,
      moved: after.flatMap(({ session: { playerId, start, balance: now }, balance }) =>
        start === balance && start === now
          ? []
          : [{ playerId, before: text(start), after: text(balance), left: text(now - start) }],
      ),
      timings: line.takeTimings(),
    };
    return { outcome, answers: ledger.answers, failed, ...(ends === null ? {} : { ends }) };
  }

  /** Puts back what the run left moved. */
  async function restore(begun: ReadonlyMap<string, RecordedBalance>) {
    for (const [playerId, { before, last, open }] of begun)
      if ((last !== before || open.length > 0) && sessions.every((one) => one.playerId !== playerId))
        throw new AppError('refused', `The run may have left money of ${playerId} moved. Give a session token of this player.`);
    const moves = sessions.map((session) => {
      const { playerId, balance } = session;
      const { before, last, moved, open } = begun.get(playerId) ?? { before: balance, last: balance, moved: 0n, open: [] };
      const need = before - balance;
      const unread = open.reduce((sum, { money }) => sum + money, 0n);
      if (need !== 0n && (sizeOf(need) > moved || sizeOf(balance - last) > unread))
        throw new AppError(
          'refused',
          `The run doesn't explain the balance of ${playerId}, ${text(balance)}: it began with ${text(before)} and read ${text(last)} last. Nothing was put back.`,
        );
      return { session, before, balance, need };
    });
    path = 'restore';
    const maker = makerOf('restore', 0);
    for (const { session, need } of moves) await putBack(session, need, 0, maker, []);
    await readBalances();
    if (moves.some(({ session, before }) => session.balance !== before)) await readAgain();
    return moves.map(({ session: { playerId, balance: now }, before, balance }) => ({
      playerId,
      before: text(balance),
      after: text(now),
      left: text(now - before),
    }));
  }

  /** Takes what the wallet confirmed for the balances, where it does not tell them. */
  function assume(answers: readonly Answer[]): void {
    for (const session of sessions) session.balance = session.start + sumOf(bookedOf(session, answers));
  }

  /**
   * Puts the money of a case back. What nobody can explain is not put back: it may be somebody else's. Returns why the run cannot go on, or null.
   */
  async function settle(ledger: Ledger, maker: RequestMaker, ends: string | null): Promise<string | null> {
    const needs = sessions.map((session) => {
      const booked = bookedOf(session, ledger.answers);
      const count = (...methods: string[]) => booked.filter(({ sent }) => methods.includes(sent.method)).length;
      const openBets = Math.max(0, count('bet') - count('win', 'cancel'));
      const moved = ends === null ? session.balance - session.start : sumOf(booked);
      return { session, openBets, need: -moved };
    });
    if (ends === null && needs.every(({ need, openBets }) => need === 0n && openBets === 0)) return null;
    const heard = [...ledger.answers];
    let unread: string | null = null;
    try {
      for (const { session, need, openBets } of needs) await putBack(session, need, openBets, maker, heard);
      await readBalances();
      if (sessions.some(({ balance, start }) => balance !== start)) await readAgain();
    } catch (error) {
      if (!isUntold(error)) throw error;
      assume(heard);
      unread = error.message;
    }
    for (const { balance, start } of sessions) lostSum += sizeOf(balance - start);
    return unread;
  }

  /** Looks at every refusal so far. */
  function reviewed(kind: 'refusals' | 'leaks') {
    const faults = refusals.flatMap((answer) => {
      const others = sessions.filter((session) => session !== answer.sent.session).map(({ playerId }) => playerId);
      const words = kind === 'refusals' ? refusalFault(answer) : leakIn(answer, others);
      return words === null ? [] : [{ words: deps.mask(words, [answer]), answer }];
    });
    const [first] = faults;
    const all = amount(refusals.length, 'refusal');
    const step: CaseStepOutcome = {
      sent: `${all} of this run`,
      calls: faults.map(({ answer }) => answer.delivered.call.id).slice(0, mostNamed),
      expected: kind === 'refusals' ? 'a code other than 0 and a message' : 'no trace and no other player',
      came: first?.words ?? `all ${all} are so`,
      passed: first === undefined,
    };
    return { step, failed: first?.answer ?? null };
  }

  return {
    sessions: sessions as readonly Session[],
    open,
    run,
    restore,
  };
}

/** Says why nothing of a case was sent. */
const nothingSent = {
  steps: 'No token of these sessions has the form that it needs.',
  refusals: 'No request of this run was refused.',
  leaks: 'No request of this run was refused.',
  replay: 'The earlier run booked nothing of these players.',
} as const;

/** Returns requests in turns: the first of each list, then the second of each. */
function mixed(lists: readonly (readonly SentRequest[])[]): readonly SentRequest[] {
  const most = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

/** Returns how many requests of a step leave at once. */
function lanesOf(step: CaseStep, count: number): number {
  const requests = requestsOf(step);
  return requests.some(({ each }) => each !== undefined) ? 1 : Math.max(...requests.map(({ lanes = 0 }) => lanes)) || count;
}

/** Returns whether an error is the wallet's, which does not tell a balance; Croupier's own, as with a full disk, is no verdict about a wallet. */
const isUntold = (error: unknown): error is AppError => error instanceof AppError && error.code === 'refused';

/** Returns the responses to a session that said yes; those to a repeated transaction are one. */
function bookedOf(session: Session, answers: readonly Answer[]): readonly Answer[] {
  const booked = answers.filter(({ sent, kind }) => sent.session === session && kind === 'booked');
  const idIn = ({ members }: SentRequest) => jsonOf(members, 'transactionId') ?? '';
  return [...new Map(booked.map((answer) => [`${answer.sent.method} ${idIn(answer.sent)}`, answer])).values()];
}
