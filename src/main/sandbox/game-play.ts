import { betsIn, gameById, type Game } from './catalogue.ts';
import type { Judgement } from './codes.ts';
import type { FreeRoundBook, Grant } from './free-rounds.ts';
import { printAmount } from './money.ts';
import { type ResponseValue, exact } from './php-json.ts';
import type { RoundBook } from './rounds.ts';
import { type Spin, spinReels } from './slot-machine.ts';
import type { Player } from './transaction-book.ts';

/** Sends the body of a wallet method and returns the response; `isFault`: it is one on demand, and says nothing about player or money. */
export type CallWallet = (path: string, body: ResponseValue) => Judgement & { readonly isFault: boolean };

export interface GamePlayDeps {
  readonly rounds: RoundBook;
  readonly freeRounds: FreeRoundBook;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  readonly callWallet: CallWallet;
}

/** Plays rounds of the demo game for real money and moves it by calling the wallet. */
export function createGamePlay({ rounds, freeRounds, random, callWallet }: GamePlayDeps) {
  /** Returns the player's free rounds of a game; null for none. */
  function freeOf(player: Player, gameId: string): ResponseValue {
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

  function playPaid(player: Player, gameId: string, bet: bigint): ResponseValue {
    const roundId = rounds.nextId();
    const transaction = transactionOf(player, gameId, roundId.toString());
    const placed = callWallet('/bet', { ...transaction, amount: amountOf(player, bet) });
    if (placed.isFault) return { problem: 'wallet' };
    if (placed.verdict.code !== 0) return { problem: placed.status === 200 ? 'token' : 'balance' };
    const spun = spinReels(random);
    keepReels(roundId, spun);
    const win = bet * BigInt(spun.multiplier);
    // A win ends each round, even without winnings; the bet's transaction ID names the round.
    const paid = callWallet('/win', { ...transaction, amount: amountOf(player, win) });
    if (paid.isFault) return { problem: 'wallet' };
    return result(player, gameId, spun, { roundId, bet, win, free: false });
  }

  function playFree(player: Player, gameId: string, grant: Grant): ResponseValue {
    const roundId = rounds.nextId();
    const bet = stakeOf(grant, player, gameId);
    rounds.open({ id: roundId, gameId, playerId: player.playerId, currency: player.currency, action: 'freeRound', bet: 0n });
    grant.left -= 1;
    const spun = spinReels(random);
    keepReels(roundId, spun);
    const win = bet * BigInt(spun.multiplier);
    if (win > 0n) {
      const paid = callWallet('/promoWin', {
        ...transactionOf(player, gameId, roundId.toString()),
        amount: amountOf(player, win),
        externalReferenceId: `${grant.reference}#${grant.total - grant.left}`,
      });
      if (paid.isFault) return { problem: 'wallet' };
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
  ): ResponseValue {
    return {
      ...shown(spun),
      ...played,
      // A string, because the page's numbers are exact only up to 2^53.
      roundId: played.roundId.toString(),
      balance: player.balance,
      freeRounds: freeOf(player, gameId),
    };
  }

  return {
    /** Plays a free round if the player has one, else a paid one. `betIndex`: position of the stake among the game's bets. */
    play(player: Player, game: Game, betIndex: number): ResponseValue {
      const gameId = String(game.id);
      freeRounds.launch(player.playerId, gameId);
      const grant = freeRounds.current(player.playerId, gameId);
      if (grant) return playFree(player, gameId, grant);
      const bet = betsIn(game, player.currency)[betIndex];
      return bet === undefined ? { problem: 'bet' } : playPaid(player, gameId, bet);
    },
    freeOf,
  };
}

function amountOf(player: Player, minor: bigint): ResponseValue {
  return exact(printAmount(minor, player.currency.digits));
}

/** Returns the part of a spin that the page shows. */
export function shown(spun: Spin): { readonly reels: ResponseValue; readonly multiplier: number } {
  return { reels: spun.reels, multiplier: spun.multiplier };
}
