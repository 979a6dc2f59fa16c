import { betsIn, type Game } from './catalogue.ts';
import type { FreeRoundBook } from './free-rounds.ts';
import { type CallWallet, createGamePlay, shown } from './game-play.ts';
import { type Fault, playableGame } from './game/planted-faults.ts';
import type { Ledger } from './ledger.ts';
import type { Player } from './transaction-book.ts';
import { currencies } from './money.ts';
import { type ResponseValue, phpDecode, phpEncode, type PhpObject, textOf } from './php-json.ts';
import type { RoundBook } from './rounds.ts';
import { spinReels } from './slot-machine.ts';

/** A response to the demo game's page; `waitMs` as in `Page`. */
interface GameResponse {
  readonly status: number;
  readonly body: string;
  readonly waitMs?: number;
}

/** Answers the demo game's page; null if the path is unknown. Amounts are whole numbers of minor units. */
export type GameServer = (path: string, bodyText: string) => GameResponse | null;

const sessionPath = '/game-api/session';
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
  callWallet: CallWallet;
}): GameServer {
  const { ledger, freeRounds, callWallet } = deps;
  const { play, freeOf } = createGamePlay(deps);

  /** Signs a player in: asks the wallet first, as a provider would, then takes the exact values from the ledger. */
  function signIn(request: PhpObject): Player | { readonly problem: 'token' | 'wallet' } {
    const externalToken = textOf(request.get('externalToken'));
    const { isFault, verdict } = callWallet('/playerInfo', { externalToken });
    if (isFault) return { problem: 'wallet' };
    const session = ledger.session(externalToken);
    return verdict.code === 0 && session.ok ? session.player : { problem: 'token' };
  }

  /** Asks the wallet about a player although nobody plays for money, for the first one, because the launcher URL names none. */
  function callWalletInFun(): Player | null {
    const [player] = ledger.players();
    if (player === undefined) return null;
    callWallet('/playerInfo', { externalToken: player.token });
    return player;
  }

  /** Plays a round of 0 for money beside one in fun mode: it has the game's ID and leaves the balance as it is. */
  function playInFun(game: Game): void {
    const player = callWalletInFun();
    if (player === null) return;
    const gameId = String(game.id);
    const transactionId = deps.rounds.nextId().toString();
    const { token: externalToken, playerId, currency } = player;
    const transaction = { externalToken, playerId, gameId, transactionId, currency: currency.code, amount: 0 };
    callWallet('/bet', transaction);
    callWallet('/win', transaction);
  }

  function openSession(request: PhpObject): ResponseValue {
    const asked = gameOf(request);
    if (!asked) return { problem: 'game' };
    const { game, fault } = asked;
    if (
      textOf(request.get('platform')) !== String(deps.platform) ||
      textOf(request.get('partnerId')) !== String(deps.partnerId)
    ) {
      return { problem: 'platform' };
    }
    const base = { gameId: game.id, name: game.name };
    if (textOf(request.get('gameMode')) !== 'real') {
      if (fault.callsWalletInFun) callWalletInFun();
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
    if ('problem' in player) return player;
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

  function spin(request: PhpObject): ResponseValue {
    const asked = gameOf(request);
    if (!asked) return { problem: 'game' };
    const { game, fault } = asked;
    const betIndex = Number(request.get('betIndex'));
    if (textOf(request.get('gameMode')) !== 'real') {
      const bet = betsIn(game, funCurrency)[betIndex];
      if (bet === undefined) return { problem: 'bet' };
      if (fault.callsWalletInFun) playInFun(game);
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
    if ('problem' in player) return player;
    return play(player, game, betIndex);
  }

  const paths: Readonly<Record<string, (request: PhpObject) => ResponseValue>> = {
    [sessionPath]: openSession,
    '/game-api/spin': spin,
  };

  return (path, bodyText) => {
    const handler = Object.hasOwn(paths, path) ? paths[path] : undefined;
    if (!handler) return null;
    const decoded = phpDecode(bodyText);
    if (!decoded.ok || !(decoded.value instanceof Map)) return { status: 400, body: '{"problem":"request"}' };
    const body = phpEncode(handler(decoded.value)) ?? '';
    const waitMs = path === sessionPath ? gameOf(decoded.value)?.fault.sessionMs : undefined;
    return { status: 200, body, ...(waitMs === undefined ? {} : { waitMs }) };
  };
}

/** Returns the game of a request and what is wrong with it: nothing for a game of the catalogue. Null for an unknown ID. */
function gameOf(request: PhpObject): { readonly game: Game; readonly fault: Fault } | null {
  const game = playableGame(textOf(request.get('gameId')));
  return game === undefined ? null : { game: game.fault?.instead ?? game, fault: game.fault ?? {} };
}
