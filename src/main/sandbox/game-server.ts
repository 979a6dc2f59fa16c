import { betsIn, gameById } from './catalogue.ts';
import type { Judgement } from './codes.ts';
import type { FreeRoundBook, Grant } from './free-rounds.ts';
import type { Ledger } from './ledger.ts';
import type { Player } from './transaction-book.ts';
import { currencies, printAmount } from './money.ts';
import { type Answer, exact, phpDecode, phpEncode, type PhpObject, textOf } from './php-json.ts';
import type { RoundBook } from './rounds.ts';
import { type Spin, spinReels } from './slot-machine.ts';

/** Answers the demo game's page; null if the path is unknown. Amounts are whole numbers of minor units. */
export type GameServer = (path: string, bodyText: string) => { readonly status: number; readonly body: string } | null;

/** Initial credits in fun mode, in minor units. */
const funCredits = 100_000;
const funCurrency = currencies.get('EUR') ?? { code: 'EUR', digits: 2, scale: 1 };

/**
 * Creates the demo game's server, which decides where the reels stop and moves money by calling the wallet, as a game provider does.
 * `callWallet` sends the body of a wallet method and returns the response. Play money needs no memory of the server.
 */
export function createGameServer(deps: {
  platform: number;
  partnerId: number;
  ledger: Ledger;
  rounds: RoundBook;
  freeRounds: FreeRoundBook;
  random: () => number;
  callWallet: (path: string, body: Answer) => Judgement;
}): GameServer {
  const { ledger, rounds, freeRounds, callWallet } = deps;

  /** Signs a player in: asks the wallet first, as a provider would, then takes the exact values from the ledger. */
  function signIn(request: PhpObject): Player | null {
    const externalToken = textOf(request.get('externalToken'));
    if (callWallet('/playerInfo', { externalToken }).verdict.code !== 0) return null;
    const session = ledger.session(externalToken);
    return session.ok ? session.player : null;
  }

  function openSession(request: PhpObject): Answer {
    const game = gameById(textOf(request.get('gameId')));
    if (!game) return { problem: 'game' };
    if (
      textOf(request.get('platform')) !== String(deps.platform) ||
      textOf(request.get('partnerId')) !== String(deps.partnerId)
    ) {
      return { problem: 'platform' };
    }
    const base = { gameId: game.id, name: game.name };
    if (textOf(request.get('gameMode')) !== 'real') {
      const { digits } = funCurrency;
      return {
        ...base,
        mode: 'fun',
        currency: null,
        digits,
        balance: funCredits,
        bets: betsIn(game, funCurrency),
        freeRounds: null,
      };
    }
    const player = signIn(request);
    if (!player) return { problem: 'token' };
    freeRounds.launch(player.playerId, String(game.id));
    const { code, digits } = player.currency;
    const bets = betsIn(game, player.currency);
    return {
      ...base,
      mode: 'real',
      currency: code,
      digits,
      balance: player.balance,
      bets,
      freeRounds: freeOf(player, String(game.id)),
    };
  }

  function freeOf(player: Player, gameId: string): Answer {
    const grant = freeRounds.current(player.playerId, gameId);
    return grant
      ? { left: grant.left, total: grant.total, bet: stakeOf(grant, player, gameId), reference: grant.reference }
      : null;
  }

  function stakeOf(grant: Grant, player: Player, gameId: string): bigint {
    if (grant.stake.kind === 'amount') return grant.stake.amount;
    const game = gameById(gameId);
    return (game && betsIn(game, player.currency)[grant.stake.level]) ?? 0n;
  }

  function spin(request: PhpObject): Answer {
    const game = gameById(textOf(request.get('gameId')));
    if (!game) return { problem: 'game' };
    const betIndex = Number(request.get('betIndex'));
    if (textOf(request.get('gameMode')) !== 'real') {
      const bet = betsIn(game, funCurrency)[betIndex];
      if (bet === undefined) return { problem: 'bet' };
      const spun = spinReels(deps.random);
      return {
        ...shown(spun),
        bet,
        win: bet * BigInt(spun.multiplier),
        free: false,
        roundId: null,
        balance: null,
        freeRounds: null,
      };
    }
    const player = signIn(request);
    if (!player) return { problem: 'token' };
    const gameId = String(game.id);
    freeRounds.launch(player.playerId, gameId);
    const grant = freeRounds.current(player.playerId, gameId);
    if (grant) return playFree(player, gameId, grant);
    const bet = betsIn(game, player.currency)[betIndex];
    return bet === undefined ? { problem: 'bet' } : playPaid(player, gameId, bet);
  }

  function playPaid(player: Player, gameId: string, bet: bigint): Answer {
    const roundId = rounds.nextId();
    const transaction = transactionOf(player, gameId, roundId.toString());
    const placed = callWallet('/bet', { ...transaction, amount: amountOf(player, bet) });
    if (placed.verdict.code !== 0) return { problem: placed.status === 200 ? 'token' : 'balance' };
    const spun = spinReels(deps.random);
    keepReels(roundId, spun);
    const win = bet * BigInt(spun.multiplier);
    // A win ends each round, even without winnings; the bet's transaction ID names the round.
    callWallet('/win', { ...transaction, amount: amountOf(player, win) });
    return result(player, gameId, spun, { roundId, bet, win, free: false });
  }

  function playFree(player: Player, gameId: string, grant: Grant): Answer {
    const roundId = rounds.nextId();
    const bet = stakeOf(grant, player, gameId);
    rounds.open({ id: roundId, gameId, playerId: player.playerId, currency: player.currency, action: 'freeRound', bet: 0n });
    grant.left -= 1;
    const spun = spinReels(deps.random);
    keepReels(roundId, spun);
    const win = bet * BigInt(spun.multiplier);
    if (win > 0n) {
      callWallet('/promoWin', {
        ...transactionOf(player, gameId, roundId.toString()),
        amount: amountOf(player, win),
        externalReferenceId: `${grant.reference}#${grant.total - grant.left}`,
      });
      rounds.add(roundId, { action: 'promoWin', bet: 0n, win });
    }
    return result(player, gameId, spun, { roundId, bet, win, free: true });
  }

  function keepReels(roundId: bigint, spun: Spin): void {
    const round = rounds.get(roundId);
    if (round) round.reels = spun.reels;
  }

  function transactionOf(player: Player, gameId: string, transactionId: string) {
    return { externalToken: player.token, playerId: player.playerId, gameId, transactionId, currency: player.currency.code };
  }

  function result(
    player: Player,
    gameId: string,
    spun: Spin,
    played: { roundId: bigint; bet: bigint; win: bigint; free: boolean },
  ): Answer {
    return {
      ...shown(spun),
      ...played,
      // A string, because the page's numbers are exact only up to 2^53.
      roundId: played.roundId.toString(),
      balance: player.balance,
      freeRounds: freeOf(player, gameId),
    };
  }

  const paths: Readonly<Record<string, (request: PhpObject) => Answer>> = {
    '/game-api/session': openSession,
    '/game-api/spin': spin,
  };

  return (path, bodyText) => {
    const handler = Object.hasOwn(paths, path) ? paths[path] : undefined;
    if (!handler) return null;
    const decoded = phpDecode(bodyText);
    if (!decoded.ok || !(decoded.value instanceof Map)) return { status: 400, body: '{"problem":"request"}' };
    return { status: 200, body: phpEncode(handler(decoded.value)) ?? '' };
  };
}

function amountOf(player: Player, minor: bigint): Answer {
  return exact(printAmount(minor, player.currency.digits));
}

function shown(spun: Spin): { readonly reels: Answer; readonly multiplier: number } {
  return { reels: spun.reels, multiplier: spun.multiplier };
}
