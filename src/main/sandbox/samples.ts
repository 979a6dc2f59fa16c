import type { SandboxSamples } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/model/operations.ts';
import { betTexts, games } from './catalogue.ts';
import type { FreeRoundBook } from './free-rounds.ts';
import type { Ledger } from './ledger.ts';
import type { Player } from './transaction-book.ts';
import type { RoundBook } from './rounds.ts';

/** Values as JSON text, by field. */
type Values = Readonly<Record<string, string>>;

/**
 * Values with which each operation succeeds now, for one player: a valid token, an ended round, a bet that can be cancelled.
 * Leaves out fields that must be new in each request, such as a transactionId, and fields without a condition.
 */
export function samplesFor(
  playerId: string,
  { ledger, rounds, freeRounds }: { ledger: Ledger; rounds: RoundBook; freeRounds: FreeRoundBook },
): SandboxSamples {
  const players = ledger.players();
  const player = ledger.playerById(playerId) ?? players[0];
  const [game, otherGame] = games.filter(({ status }) => status === 1);
  if (player === undefined || game === undefined || otherGame === undefined) return {};
  const gameId = JSON.stringify(String(game.id));
  const currency = JSON.stringify(player.currency.code);
  const amount = betTexts(game, player.currency)[0] ?? '1';
  const session = { externalToken: JSON.stringify(player.token), playerId: JSON.stringify(player.playerId) };
  const transaction = { ...session, gameId, amount, currency };
  // An amount in a currency is granted only to players of that currency.
  const playerIds = JSON.stringify(alike(player, players).map((one) => one.playerId));
  const samples: Readonly<Record<OperationName, Values>> = {
    gameList: {},
    roundReplayInfo: roundOf(player, rounds),
    getGameRound: roundOf(player, rounds),
    getLauncherURL: { gameId },
    freeRounds: { playerId: session.playerId, playerIds, gameIds: `[${gameId}]`, betLevel: '0', amount, currency },
    freeRoundsByBet: { playerIds, gameId, betAmount: amount, currency },
    cancelFreeRounds: textMembers({ externalReferenceId: freeRounds.newestOf(player.playerId) }),
    currencyList: {},
    playerInfo: { externalToken: session.externalToken },
    bet: transaction,
    win: transaction,
    cancel: { ...session, ...textMembers({ transactionId: ledger.cancellable(player) }) },
    tournamentWin: transaction,
    promoWin: transaction,
    generateNewToken: { token: session.externalToken, newGameId: JSON.stringify(String(otherGame.id)) },
  };
  return samples;
}

function roundOf({ playerId }: Player, rounds: RoundBook): Values {
  const round = rounds.lastWon(playerId);
  return round === undefined ? {} : { roundId: round.id.toString(), logMonth: String(rounds.monthsAgo(round)) };
}

/** Returns the player and at most one more with the same currency. */
function alike(player: Player, players: readonly Player[]): Player[] {
  return [player, ...players.filter((other) => other !== player && other.currency.code === player.currency.code)].slice(0, 2);
}

function textMembers(values: Readonly<Record<string, string | null>>): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, JSON.stringify(value)]])),
  );
}
