import { parseJson } from '#shared/json/parse.ts';
import type { Answers } from '#shared/provider/index.ts';
import { answerOf } from '#shared/provider/index.ts';
import type { WalletName } from '#shared/model/operations.ts';
import { amountOf, effectOf, memberNames, type Terms } from '#shared/wallet/terms.ts';
import { moneyText, type Money } from '#shared/wallet/money.ts';
import type { CaseRequest, TokenForm } from '#shared/wallet/wallet-case.ts';

/** A player's session in a run. */
export interface Session {
  readonly playerId: string;
  token: string;
  /** The token that the present one replaced; null if it is the first. */
  replaced: string | null;
  /** The balance that was read last, and those before the present case and step. */
  balance: Money;
  start: Money;
  before: Money;
}

/** Members of a request in order, as JSON text. */
export type Members = readonly (readonly [name: string, json: string])[];

/** A request as it is sent. */
export interface SentRequest {
  readonly method: WalletName;
  readonly members: Members;
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

const deepLevels = 10_000;
const longCharacters = 900_000;
const longestId = 255;

/** Returns the JSON text of a member; undefined if there is none of that name. */
export function jsonOf(members: Members, name: string): string | undefined {
  return members.find(([own]) => own === name)?.[1];
}

/** Returns the members with another session token. */
export function withToken(members: Members, token: string): Members {
  return members.map(([name, json]) => [name, name === 'externalToken' ? JSON.stringify(token) : json]);
}

/** Returns a request of these members. */
export function plain(method: WalletName, session: Session, members: Members, effect: Money = 0n): SentRequest {
  return { method, members, body: bodyOf(members), session, effect, named: effect, cut: undefined };
}

function bodyOf(members: Members, before: readonly string[] = [], space = ''): string {
  const parts = members.map(([name, json]) => `${JSON.stringify(name)}:${space}${json}`);
  return `{${[...before, ...parts].join(`,${space}`)}}`;
}

/** Makes the requests of one case. Names of requests and IDs are the case's own. */
export function createRequestMaker({ answers, idStart, number, gameId, terms, sessions }: RequestMakerDeps) {
  const named = new Map<string, SentRequest>();
  const ids = new Map<string, string>();
  /** Of bets whose win has not been made, oldest first. */
  const betIds: string[] = [];
  const winsHaveBetId = answerOf('win.bet', answers) === 'transactionId';
  let made = 0;

  const fresh = () => `${idStart}-${(made += 1)}`;

  function idOf(label: string | undefined): string {
    if (label === undefined) return fresh();
    const id = ids.get(label) ?? fresh();
    ids.set(label, id);
    return id;
  }

  const playerOf = (index: number) => JSON.stringify(sessions[index]?.playerId ?? '').slice(1, -1);
  const fillings: Readonly<Record<string, () => string>> = {
    id: () => idStart,
    id255: () => idStart.padEnd(longestId, 'x'),
    n: () => number,
    ref: () => `${idStart}-ref`,
    player1: () => playerOf(0),
    player2: () => playerOf(1),
    // A currency that the player does not have.
    otherCurrency: () => (terms().currency === 'JPY' ? 'KWD' : 'JPY'),
    b: () => moneyText(terms().small),
    long: () => 'x'.repeat(longCharacters),
    deep: () => '['.repeat(deepLevels) + ']'.repeat(deepLevels),
  };
  const filled = new RegExp(`\\{(${Object.keys(fillings).join('|')})\\}`, 'g');
  const fill = (json: string) => json.replaceAll(filled, (_, name: string) => fillings[name]?.() ?? '');

  /** Returns one of the forms of a session's token; null where it has none of its own. */
  function tokenOf({ token, replaced }: Session, form: TokenForm | undefined): string | null {
    const other = token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase();
    const forms: Readonly<Record<TokenForm, string | null>> = {
      unknown: `${idStart}-token`,
      otherCase: other === token ? null : other,
      spaceBehind: `${token} `,
      padded255: token.length < 255 ? token.padEnd(255, 'x') : null,
      padded256: token.length < 256 ? token.padEnd(256, 'x') : null,
      replaced,
      injection: "' OR '1'='1' -- ",
    };
    return form === undefined ? token : forms[form];
  }

  function finish(
    request: CaseRequest,
    usual: Pick<SentRequest, 'method' | 'session' | 'effect' | 'named'>,
    members: Members,
  ): SentRequest {
    const { relaid = false, before, body, as, cut } = request;
    const own = new Map([
      ...members,
      ...Object.entries(request.with ?? {}).map(([name, json]) => [name, json && fill(json)] as const),
    ]);
    const given = [...own].filter((member): member is [string, string] => member[1] !== null);
    const list = relaid
      ? given.toReversed().map(([name, json]) => [name, name === 'amount' ? rewritten(json) : json] as const)
      : given;
    const joined = bodyOf(list, before === undefined ? [] : [fill(before)], relaid ? ' ' : '');
    const sent = { ...usual, members: list, body: body === undefined ? joined : body.replaceAll('{body}', joined), cut };
    if (as !== undefined) {
      named.set(as, sent);
      const id = parseJson(jsonOf(list, 'transactionId') ?? '');
      if (id.ok && id.root.kind === 'string') ids.set(as, id.root.value);
    }
    return sent;
  }

  /** Returns a request once more, with the present token or the form that is asked for. Empty if there is no such token. */
  function again(request: CaseRequest): SentRequest[] {
    const first = named.get(request.of ?? '');
    const token = first === undefined ? null : tokenOf(first.session, request.token);
    if (first === undefined || token === null) return [];
    return [finish({ ...request, with: undefined }, first, withToken(first.members, token))];
  }

  /** Returns the requests of one entry of a step. Empty if the session has no such token. */
  function make(request: CaseRequest): readonly SentRequest[] {
    const { call, player = 1, times = 1, each } = request;
    if (call === 'again') return Array.from({ length: times }, () => again(request)).flat();
    const session = sessions[player - 1];
    const token = session === undefined ? null : tokenOf(session, request.token);
    if (session === undefined || token === null) return [];
    const amount = amountOf(request.amount ?? 'b', terms(), session.balance);
    const money = amount.money ?? 0n;
    // A cancel refunds the bet, whatever amount it names.
    const bet = call === 'cancel' && request.id !== undefined ? named.get(request.id) : undefined;
    const effect = bet === undefined ? effectOf(call, money) : bet.method === 'bet' ? -bet.effect : 0n;
    const usual = { method: call, session, effect, named: money };
    const one = (label: string | undefined): SentRequest => {
      const id = label === undefined && call === 'win' && winsHaveBetId ? (betIds.shift() ?? fresh()) : idOf(label);
      if (call === 'bet' && each === undefined) betIds.push(id);
      const texts: Readonly<Record<string, string>> = {
        externalToken: token,
        token,
        playerId: session.playerId,
        gameId,
        newGameId: gameId,
        transactionId: id,
        currency: terms().currency,
        externalReferenceId: `${idStart}-ref-${made}`,
      };
      const valueOf = (name: string) => (name === 'amount' ? amount.json : JSON.stringify(texts[name] ?? null));
      return finish(
        request,
        usual,
        memberNames(call, answers).map((name) => [name, valueOf(name)] as const),
      );
    };
    return each === undefined ? Array.from({ length: times }, () => one(request.id)) : variants(one(request.id), each, request);
  }

  /** Returns a request once for each of its members, changed. */
  function variants(sent: SentRequest, each: NonNullable<CaseRequest['each']>, request: CaseRequest): SentRequest[] {
    return sent.members.map(([name, json]) => {
      const changed = { omitted: null, null: 'null', otherType: json.startsWith('"') ? '[1]' : '"text"' }[each];
      const own = { ...request.with, transactionId: JSON.stringify(fresh()), [name]: changed };
      return finish({ ...request, as: undefined, with: own }, sent, sent.members);
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
