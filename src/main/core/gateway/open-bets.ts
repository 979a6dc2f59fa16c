import type { Finding } from '#shared/model/finding.ts';
import { answerOf, type Answers } from '#shared/provider/index.ts';
import { lateBetMinutes } from '#shared/calls/passed-words.ts';
import type { GatewayStatus } from '#shared/ipc/index.ts';
import type { Standing } from './balances.ts';
import type { ReadRequest } from './read-request.ts';

/** A bet that was accepted and that neither a win nor a cancel has closed. */
interface Bet {
  readonly id: number | null;
  readonly gameId: string | null;
  readonly transactionId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  isTold: boolean;
}

/** Most bets that are remembered; the oldest are forgotten first. */
const most = 10_000;
/** Most calls that are named. */
const mostNamed = 10;

/** Remembers the bets without a win. Where no answer says how a win finds its bet, it says nothing. */
export function createOpenBets(answers: Answers) {
  const by = answerOf('win.bet', answers);
  const isTied = by === 'transactionId' || by === 'oldest' || by === 'newest';
  /** By player, oldest first. */
  const open = new Map<string, Bet[]>();
  let count = 0;

  function drop(playerId: string, isClosed: (bet: Bet) => boolean): void {
    const bets = open.get(playerId) ?? [];
    const left = bets.filter((bet) => !isClosed(bet));
    count -= bets.length - left.length;
    if (left.length === 0) open.delete(playerId);
    else open.set(playerId, left);
  }

  function add(playerId: string, bet: Bet): void {
    open.set(playerId, [...(open.get(playerId) ?? []), bet]);
    count += 1;
    const [longest] = open;
    if (count > most && longest !== undefined) drop(longest[0], (one) => one === longest[1][0]);
  }

  /** Closes what a win or a cancel closes; all that it may have closed if it does not say which. */
  function close({ operation, wallet }: ReadRequest): void {
    const { playerId = null, gameId = null, transactionId = null } = wallet ?? {};
    const players = playerId === null ? [...open.keys()] : [playerId];
    const byId = operation === 'cancel' || by === 'transactionId';
    for (const player of players) {
      if (byId) drop(player, (bet) => transactionId === null || bet.transactionId === transactionId);
      else if (gameId === null || playerId === null) drop(player, () => true);
      else {
        const found = (open.get(player) ?? []).filter((bet) => bet.gameId === gameId);
        const closed = by === 'oldest' ? found[0] : found.at(-1);
        drop(player, (bet) => bet === closed);
      }
    }
  }

  return {
    /** Learns from an exchange of the wallet that has ended at `at`. `isSettled`: its transaction has had a win or a cancel. */
    learn(read: ReadRequest, standing: Standing, isSettled: boolean, id: number | null, at: number): void {
      const { operation, wallet } = read;
      if (!isTied || wallet === null || standing === 'refused' || standing === 'repeated') return;
      if (operation === 'win' || operation === 'cancel') return close(read);
      const { playerId, gameId, transactionId } = wallet;
      if (operation !== 'bet' || standing !== 'accepted' || isSettled || playerId === null || transactionId === null) return;
      add(playerId, { id, gameId, transactionId, at, isTold: false });
    },
    /** Returns findings on the player's bets that have waited too long, each of them once. */
    tell(playerId: string | null, at: number): Finding[] {
      const late = (open.get(playerId ?? '') ?? []).filter((bet) => !bet.isTold && isLate(bet, at));
      return late.map((bet) => {
        bet.isTold = true;
        const call = bet.id === null ? 'An earlier exchange' : `Call ${bet.id}`;
        const minutes = Math.floor((at - bet.at) / 60_000).toLocaleString('en');
        const message = `${call}, a bet of this player, has had no win or cancel here for ${minutes} minutes.`;
        return { rule: 'gateway.openBet', severity: 'warning', path: '', message };
      });
    },
    forget(): void {
      open.clear();
      count = 0;
    },
    /** Returns how many there are, and the calls of the oldest; null where nobody knows. */
    state(now: number): GatewayStatus['openBets'] {
      if (!isTied) return null;
      const bets = [...open.values()].flat().toSorted((one, other) => one.at - other.at);
      const calls = bets.slice(0, mostNamed).flatMap(({ id }) => (id === null ? [] : [id]));
      return { count: bets.length, late: bets.filter((bet) => isLate(bet, now)).length, calls };
    },
  };
}

const isLate = (bet: Bet, now: number) => now - bet.at >= lateBetMinutes * 60_000;
