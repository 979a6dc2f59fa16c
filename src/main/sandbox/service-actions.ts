import type { OperationName, ServiceName } from '#shared/model/operations.ts';
import { formOf, operationByName } from '#shared/provider/operations.ts';
import { betTexts, gameById, games } from './catalogue.ts';
import { playableGame } from './game/planted-faults.ts';
import { parseTime, printTime } from './time-text.ts';
import { validateFields } from './validate-fields.ts';
import type { FreeRoundBook, Grant } from './free-rounds.ts';
import type { Ledger } from './ledger.ts';
import { type Currency, parseAmount, printAmount } from './money.ts';
import { type ResponseValue, exact, phpEncode, type PhpObject, type PhpValue, textOf } from './php-json.ts';
import { type Round, type RoundBook, roundTotals } from './rounds.ts';

/** State of the actions. `baseUrl` is known only when the server listens. */
export interface ActionWorld {
  readonly platform: number;
  readonly partnerId: number;
  readonly baseUrl: () => string;
  readonly rounds: RoundBook;
  readonly freeRounds: FreeRoundBook;
  readonly ledger: Ledger;
  /** By code. */
  readonly currencies: ReadonlyMap<string, Currency>;
}

/** `data` of the response as JSON text, or the rejection: `token` has a documented code, `rule` has none. */
type ActionOutcome =
  | { readonly ok: true; readonly data: string; readonly why?: string }
  | { readonly ok: false; readonly cause: 'token' | 'rule'; readonly why: string };

/** Works on the payload: `data`, or for gameList the whole envelope. */
export type Action = (payload: PhpObject) => ActionOutcome;

/** Creates the actions by operation. The caller decides the action names of cancelFreeRounds and currencyList. */
export function createActions(world: ActionWorld): Readonly<Record<ServiceName, Action>> {
  return {
    gameList: createGameList(world),
    roundReplayInfo: (data) => withRound(world, 'roundReplayInfo', data, (round) => replayOf(world, round), null),
    getGameRound: (data) => withRound(world, 'getGameRound', data, (round) => recordsOf(world, round), []),
    getLauncherURL: (data) => launch(world, data),
    freeRounds: (data) => grantFreeRounds(world, data),
    freeRoundsByBet: (data) => grantByBet(world, data),
    cancelFreeRounds: (data) => cancelFreeRounds(world, data),
    currencyList: () => respond([...world.currencies.keys()]),
  };
}

function respond(data: ResponseValue): ActionOutcome {
  return { ok: true, data: phpEncode(data) ?? 'null' };
}

function refuse(why: string, cause: 'token' | 'rule' = 'rule'): ActionOutcome {
  return { ok: false, cause, why };
}

/** Returns the first documented violation of the payload, by the operation's own description. */
function fault(name: OperationName, payload: PhpObject, form = '', realMode = false): string | null {
  return validateFields(formOf(operationByName(name), form), payload, realMode);
}

function createGameList(world: ActionWorld): Action {
  const texts = new Map<string, string>();

  function listIn(currency: Currency): string {
    const slots = games.map((game) => ({
      id: game.id,
      gameName: game.name,
      bets: betTexts(game, currency).map(exact),
      thumbnail: `${world.baseUrl()}/thumbs/${game.slug}.svg`,
      status: game.status,
    }));
    return phpEncode({ slots }) ?? 'null';
  }

  return (envelope) => {
    const wrong = fault('gameList', envelope);
    if (wrong !== null) return refuse(wrong);
    const code = textOf(envelope.get('currency'));
    const currency = world.currencies.get(code);
    if (!currency) return refuse(`The provider doesn't support the currency ${code}.`);
    const data = texts.get(code) ?? listIn(currency);
    texts.set(code, data);
    return { ok: true, data };
  };
}

function withRound(
  world: ActionWorld,
  name: 'roundReplayInfo' | 'getGameRound',
  data: PhpObject,
  found: (round: Round) => ResponseValue,
  missing: ResponseValue,
): ActionOutcome {
  const wrong = fault(name, data);
  if (wrong !== null) return refuse(wrong);
  const [roundId, logMonth] = [data.get('roundId'), data.get('logMonth')];
  if (typeof roundId !== 'bigint' || typeof logMonth !== 'bigint') return refuse('roundId and logMonth must be whole numbers.');
  const round = world.rounds.find(roundId, logMonth);
  if (round) return respond(found(round));
  const other = world.rounds.get(roundId) ? `Round ${roundId} exists, but in another month.` : `There is no round ${roundId}.`;
  return { ok: true, data: phpEncode(missing) ?? 'null', why: other };
}

function replayLink(world: ActionWorld, round: Round): string {
  const query = new URLSearchParams({
    replayToken: world.rounds.replayToken(round.id),
    tableM: printTime(round.start).slice(0, 7).replace('-', '_'),
    lang: 'en',
  });
  return `${world.baseUrl()}/replay?${query.toString()}`;
}

function replayOf(world: ActionWorld, round: Round): ResponseValue {
  const totals = roundTotals(round);
  return {
    start: printTime(round.start),
    end: printTime(totals.end),
    betAmount: exact(printAmount(totals.bet, round.currency.digits)),
    winAmount: exact(printAmount(totals.win, round.currency.digits)),
    currency: round.currency.code,
    replayLink: replayLink(world, round),
  };
}

function recordsOf(world: ActionWorld, round: Round): ResponseValue {
  return round.records.map((record) => ({
    id: record.id,
    gameId: round.gameId,
    action: record.action,
    bet: exact(printAmount(record.bet, round.currency.digits)),
    win: exact(printAmount(record.win, round.currency.digits)),
    currencyName: round.currency.code,
    roundId: round.id,
    actionTime: printTime(record.at),
    source: 1,
    url: replayLink(world, round),
  }));
}

function launch(world: ActionWorld, data: PhpObject): ActionOutcome {
  const realMode = data.get('gameMode') === 'real';
  const token = data.get('externalToken') ?? '';
  if (realMode && (typeof token !== 'string' || token === '' || token.length > 255)) {
    return refuse('Real mode needs an externalToken of 1 to 255 characters.', 'token');
  }
  const wrong = fault('getLauncherURL', data, '', realMode);
  if (wrong !== null) return refuse(wrong);
  const game = playableGame(textOf(data.get('gameId')));
  if (!game) return refuse('gameId is not in the game list.');
  const parts = [
    `partnerId=${world.partnerId}`,
    `gameId=${game.id}`,
    `gameMode=${realMode ? 'real' : 'fun'}`,
    `lang=${textOf(data.get('lang'))}`,
    `platform=${world.platform}`,
    ...(realMode ? [`externalToken=${encodeURIComponent(textOf(token))}`] : []),
    `exitURL=${encodeURIComponent(textOf(data.get('exitURL')))}`,
  ];
  return respond({ launcherURL: `${world.baseUrl()}/game/${game.slug}?${parts.join('&')}` });
}

function grantFreeRounds(world: ActionWorld, data: PhpObject): ActionOutcome {
  const form = !data.has('playerIds') ? 'single' : data.has('amount') ? 'multiAmount' : 'multi';
  const wrong = fault('freeRounds', data, form);
  if (wrong !== null) return refuse(wrong);
  const gameIds = texts(data.get('gameIds'));
  const chosen = gameIds.map(gameById);
  if (chosen.includes(undefined)) return refuse('gameIds has a game that is not in the game list.');
  const stake = form === 'multiAmount' ? amountStake(world, data, 'amount') : levelStake(data, chosen);
  if (typeof stake === 'string') return refuse(stake);
  return grant(world, data, gameIds, stake, form === 'single');
}

function grantByBet(world: ActionWorld, data: PhpObject): ActionOutcome {
  const wrong = fault('freeRoundsByBet', data);
  if (wrong !== null) return refuse(wrong);
  const gameId = textOf(data.get('gameId'));
  if (!gameById(gameId)) return refuse('gameId is not in the game list.');
  const stake = amountStake(world, data, 'betAmount');
  return typeof stake === 'string' ? refuse(stake) : grant(world, data, [gameId], stake, false);
}

function levelStake(data: PhpObject, chosen: ReturnType<typeof gameById>[]): Grant['stake'] | string {
  const level = Number(data.get('betLevel'));
  const short = chosen.find((game) => game !== undefined && level >= game.bets.length);
  if (short) return `betLevel ${level} is too high: the last bet of game ${short.id} has the index ${short.bets.length - 1}.`;
  return { kind: 'level', level };
}

function amountStake({ currencies }: ActionWorld, data: PhpObject, field: string): Grant['stake'] | string {
  const currency = currencies.get(textOf(data.get('currency')));
  if (!currency) return `The provider doesn't support the currency ${textOf(data.get('currency'))}.`;
  const amount = parseAmount(data.get(field), currency);
  if (typeof amount === 'string') return `${field}: ${amount}.`;
  return amount > 0n ? { kind: 'amount', amount, currency: currency.code } : `${field} must be more than 0.`;
}

function grant(
  world: ActionWorld,
  data: PhpObject,
  gameIds: readonly string[],
  stake: Grant['stake'],
  single: boolean,
): ActionOutcome {
  const total = Number(data.get('numberOfFreeRounds'));
  if (total < 1 || total > 10_000) return refuse('numberOfFreeRounds must be from 1 to 10000.');
  const players = single ? [textOf(data.get('playerId'))] : texts(data.get('playerIds'));
  const references = single ? [textOf(data.get('externalReferenceId'))] : texts(data.get('externalReferenceIds'));
  for (const playerId of players) {
    const known = world.ledger.playerById(playerId);
    if (known && stake.kind === 'amount' && stake.currency !== known.currency.code) {
      return refuse(`${playerId} plays in ${known.currency.code}, not ${stake.currency}.`);
    }
  }
  const validUntil = parseTime(textOf(data.get('freeRoundValidity'))) ?? 0;
  const grants = players.map((playerId, index): Grant => {
    return { reference: references[index] ?? '', playerId, gameIds, stake, total, left: total, validUntil, boundGame: null };
  });
  const used = world.freeRounds.grant(grants);
  if (used !== null) return refuse(`The reference ${used} was used before; it must be unique per platform.`);
  const echoes = references.map((referenceId) => ({ referenceId }));
  return respond(single ? (echoes[0] ?? null) : echoes);
}

function cancelFreeRounds(world: ActionWorld, data: PhpObject): ActionOutcome {
  const single = data.get('externalReferenceId');
  const references = typeof single === 'string' ? [single] : texts(data.get('externalReferenceIds'));
  if (references.length === 0) return refuse('externalReferenceId or externalReferenceIds is missing.');
  const unknown = references.find((reference) => !world.freeRounds.get(reference));
  if (unknown !== undefined) return refuse(`There are no free rounds with the reference ${unknown}.`);
  for (const reference of references) world.freeRounds.cancel(reference);
  const echoes = references.map((referenceId) => ({ referenceId }));
  return respond(typeof single === 'string' ? (echoes[0] ?? null) : echoes);
}

function texts(value: PhpValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
