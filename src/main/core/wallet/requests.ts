import type { Answers } from '#shared/provider/index.ts';
import { answerOf } from '#shared/provider/index.ts';
import type { WalletName } from '#shared/model/operations.ts';
import { amountOf, effectOf, memberNames, type Terms } from '#shared/wallet/terms.ts';
import { moneyText, type Money } from '#shared/wallet/money.ts';
import type { CaseRequest, TokenForm } from '#shared/wallet/wallet-case.ts';
import { AppError } from '#shared/errors.ts';

/** A player's session in a run. The balance is the one that was read last. */
export interface Session {
  readonly playerId: string;
  token: string;
  /** The token that the present one replaced; null if it is the first. */
  replaced: string | null;
  balance: Money;
}

/** A request as it is sent: its members in order, as JSON text. */
export interface SentRequest {
  readonly method: WalletName;
  readonly members: readonly (readonly [name: string, json: string])[];
  readonly body: string;
  readonly session: Session;
  /** By how much the balance changes if it is booked. */
  readonly effect: Money;
  /** The amount that it names, where that is another one. */
  readonly named: Money;
  readonly cut: CaseRequest['cut'];
}

export interface RequestMakerDeps {
  readonly answers: Answers;
  /** The beginning of each transactionId of a case: run and case, so that support can find it. */
  readonly idStart: string;
  /** A number of its own for a case. */
  readonly number: string;
  readonly gameId: string;
  readonly terms: () => Terms;
  readonly sessions: readonly Session[];
}

/** A currency that the player does not have. */
const otherCurrencyOf = (currency: string) => (currency === 'JPY' ? 'KWD' : 'JPY');
const deepLevels = 10_000;
const longCharacters = 900_000;
const longestId = 255;

/** Makes the requests of one case. Names of requests and IDs are the case's own. */
export function createRequestMaker({ answers, idStart, number, gameId, terms, sessions }: RequestMakerDeps) {
  const named = new Map<string, SentRequest>();
  const ids = new Map<string, string>();
  /** Of bets whose win has not been made, oldest first. */
  const betIds: string[] = [];
  const winsHaveBetId = answerOf('win.bet', answers) === 'transactionId';
  let made = 0;

  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const fresh = () => `${idStart}-${(made += 1)}`;

  function idOf(label: string | undefined): string {
    if (label === undefined) return fresh();
    const id = ids.get(label) ?? fresh();
    ids.set(label, id);
    return id;
  }

  function fill(json: string): string {
    return json.replaceAll(/\{(id255|id|n|ref|player1|player2|otherCurrency|b|long|deep)\}/g, (_, name: string) => {
      switch (name) {
        case 'id':
          return idStart;
        case 'id255':
          return idStart.padEnd(longestId, 'x');
        case 'n':
          return number;
        case 'ref':
          return `${idStart}-ref`;
        case 'player1':
        case 'player2':
          return quoted(sessions[name === 'player1' ? 0 : 1]?.playerId ?? '');
        case 'otherCurrency':
          return otherCurrencyOf(terms().currency);
        case 'b':
          return moneyText(terms().small);
        case 'long':
          return 'x'.repeat(longCharacters);
        default:
          return '['.repeat(deepLevels) + ']'.repeat(deepLevels);
      }
    });
  }

  /** Returns one of the forms of a session's token; null where it has none of its own. */
  function tokenOf({ token, replaced }: Session, form: TokenForm | undefined): string | null {
    switch (form) {
      case undefined:
        return token;
      case 'unknown':
        return `${idStart}-token`;
      case 'otherCase': {
        const other = token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase();
        return other === token ? null : other;
      }
      case 'spaceBehind':
        return `${token} `;
      case 'padded255':
        return token.length < 255 ? token.padEnd(255, 'x') : null;
      case 'padded256':
        return token.length < 256 ? token.padEnd(256, 'x') : null;
      case 'replaced':
        return replaced;
      case 'injection':
        return "' OR '1'='1' -- ";
    }
  }

  function finish(
    request: CaseRequest,
    usual: Pick<SentRequest, 'method' | 'session' | 'effect' | 'named'>,
    members: (readonly [string, string])[],
  ): SentRequest {
    const own = { ...request.with };
    let list = members.flatMap(([name, json]): [string, string][] => {
      const given = own[name];
      delete own[name];
      if (given === null) return [];
      return [[name, given === undefined ? json : fill(given)]];
    });
    for (const [name, json] of Object.entries(own)) if (json !== null) list.push([name, fill(json)]);
    if (request.relaid === true)
      list = [...list].reverse().map(([name, json]) => [name, name === 'amount' ? rewritten(json) : json]);
    const space = request.relaid === true ? ' ' : '';
    const before = request.before === undefined ? [] : [fill(request.before)];
    const joined = `{${[...before, ...list.map(([name, json]) => `${JSON.stringify(name)}:${space}${json}`)].join(`,${space}`)}}`;
    const body = request.body === undefined ? joined : request.body.replaceAll('{body}', joined);
    const sent = { ...usual, members: list, body, cut: request.cut };
    if (request.as !== undefined) {
      named.set(request.as, sent);
      const id = list.find(([name]) => name === 'transactionId')?.[1];
      if (id !== undefined) ids.set(request.as, JSON.parse(id) as string);
    }
    return sent;
  }

  /** Returns a request once more, with the present token or the form that is asked for; null if there is no such token. */
  function again(request: CaseRequest): SentRequest | null {
    const first = named.get(request.of ?? '');
    if (first === undefined) throw new AppError('invalid_input', `No step before it is named ${request.of ?? ''}.`);
    const token = tokenOf(first.session, request.token);
    if (token === null) return null;
    const members = first.members.map(([name, json]) => [name, name === 'externalToken' ? JSON.stringify(token) : json] as const);
    return finish({ ...request, with: undefined }, first, [...members]);
  }

  /** Returns the requests of one entry of a step. Empty if the session has no such token. Fails with `invalid_input`. */
  function make(request: CaseRequest): readonly SentRequest[] {
    const { call, player = 1, times = 1, each } = request;
    if (call === 'again') return Array.from({ length: times }, () => again(request)).filter((sent) => sent !== null);
    const session = sessions[player - 1];
    if (session === undefined) return [];
    const token = tokenOf(session, request.token);
    if (token === null) return [];
    const text = request.amount ?? 'b';
    const amount = amountOf(text, terms(), session.balance);
    if (amount === null) throw new AppError('invalid_input', `${text} is no amount. Write 2b, u, balance+u or =0.1.`);
    const money = amount.money ?? 0n;
    // A cancel refunds the bet, whatever amount it names.
    const bet = call === 'cancel' && request.id !== undefined ? named.get(request.id) : undefined;
    const effect = bet === undefined ? effectOf(call, money) : bet.method === 'bet' ? -bet.effect : 0n;
    const usual = { method: call, session, effect, named: money };
    const one = (label: string | undefined): SentRequest => {
      const id = label === undefined && call === 'win' && winsHaveBetId ? (betIds.shift() ?? fresh()) : idOf(label);
      if (call === 'bet' && each === undefined) betIds.push(id);
      const values: Readonly<Record<string, string>> = {
        externalToken: JSON.stringify(token),
        token: JSON.stringify(token),
        playerId: JSON.stringify(session.playerId),
        gameId: JSON.stringify(gameId),
        newGameId: JSON.stringify(gameId),
        transactionId: JSON.stringify(id),
        amount: amount.json,
        currency: JSON.stringify(terms().currency),
        externalReferenceId: JSON.stringify(`${idStart}-ref-${made}`),
      };
      return finish(
        request,
        usual,
        memberNames(call, answers).map((name) => [name, values[name] ?? 'null'] as const),
      );
    };
    if (each !== undefined) return variants(one(request.id), each, request);
    return Array.from({ length: times }, () => one(request.id));
  }

  /** Returns a request once for each of its members, changed. */
  function variants(sent: SentRequest, each: NonNullable<CaseRequest['each']>, request: CaseRequest): SentRequest[] {
    return sent.members.map(([name, json]) => {
      const changed = each === 'omitted' ? null : each === 'null' ? 'null' : json.startsWith('"') ? '[1]' : '"text"';
      return finish(
        { ...request, as: undefined, with: { ...request.with, transactionId: JSON.stringify(fresh()), [name]: changed } },
        sent,
        [...sent.members],
      );
    });
  }

  return { make };
}

/** Writes a number in another way: 1 as 1.0, 0.5 as 0.50. */
function rewritten(json: string): string {
  return json.includes('.') ? `${json}0` : `${json}.0`;
}

/** The requests of one case. */
export type RequestMaker = ReturnType<typeof createRequestMaker>;
