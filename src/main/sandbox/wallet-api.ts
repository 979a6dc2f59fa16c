import { messageOf, standsInText, type Judgement, undocumentedStatus } from './codes.ts';
import type { Ledger, MovementOutcome, Refusal } from './ledger.ts';
import type { Movement, Player } from './transaction-book.ts';
import { printAmount } from './money.ts';
import { type ResponseValue, exact, notJson, phpDecode, phpEncode, type PhpObject, type PhpValue } from './php-json.ts';
import type { WalletBalance } from '#shared/model/wallet-balance.ts';
import { walletNames, type WalletName } from '#shared/model/operations.ts';
import { operationByName } from '#shared/provider/operations.ts';

/** Judges one request to a wallet method by its body. Null if there is no such method. */
export type WalletApi = (path: string, bodyText: string) => Judgement | null;

type Method = (
  body: PhpObject,
  /** The member `amount` as the request has it. */
  amountText?: string,
) => { readonly fields: Record<string, ResponseValue>; readonly why: string; readonly reason?: string } | Refusal;

/** The paths of the documented wallet methods. */
export const walletPaths: ReadonlySet<string> = new Set(walletNames.map((name) => operationByName(name).path));

/** Creates the wallet methods of the demo operator, over one ledger. */
export function createWalletApi(ledger: Ledger): WalletApi {
  const methods: Readonly<Record<WalletName, Method>> = {
    playerInfo(body) {
      const session = ledger.session(body.get('externalToken'));
      return session.ok ? { fields: playerFields(ledger, session.player), why: 'The session is valid.' } : session;
    },
    generateNewToken(body) {
      const session = ledger.session(body.get('token'), 'token');
      if (!session.ok) return session;
      const gameId = body.get('newGameId');
      if (typeof gameId !== 'string' || gameId === '') return refuse('newGameId must be a non-empty string.');
      const oldOne = ledger.has('old-token-lives') ? 'still works' : 'no longer works';
      return { fields: { token: ledger.renew(session.player) }, why: `A new token was issued; the old one ${oldOne}.` };
    },
    bet: (body, text) => moved(ledger, 'bet', body, text),
    win: (body, text) => moved(ledger, 'win', body, text),
    cancel: (body, text) => moved(ledger, 'cancel', body, text),
    tournamentWin: (body, text) => moved(ledger, 'tournamentWin', body, text),
    promoWin: (body, text) => moved(ledger, 'promoWin', body, text),
  };
  const byPath = new Map(walletNames.map((name) => [operationByName(name).path, methods[name]]));

  return (path, bodyText) => {
    const method = byPath.get(path);
    if (!method) return null;
    const decoded = phpDecode(bodyText);
    if (!decoded.ok) return rejected(notJson(bodyText, decoded.fault));
    if (!(decoded.value instanceof Map)) return rejected('The body is not a JSON object.');
    const balance = watchBalance(ledger, decoded.value.get(path === renewalPath ? 'token' : 'externalToken'));
    const amount = decoded.spans.get('amount');
    const judged = judge(method(decoded.value, amount && bodyText.slice(...amount)));
    return withBalance(ledger.has('error-with-code-0') && judged.verdict.standsIn ? asSuccess(judged) : judged, balance());
  };
}

const renewalPath = operationByName('generateNewToken').path;

function judge(outcome: ReturnType<Method>): Judgement {
  if ('cause' in outcome) return outcome.cause === 'token' ? rejected(outcome.why, 200) : rejected(outcome.why);
  const body = phpEncode({ code: 0, message: messageOf(0), ...outcome.fields }) ?? '';
  const { why, reason = '' } = outcome;
  return { status: 200, body, action: null, verdict: { code: 0, message: messageOf(0), why, reason, standsIn: false } };
}

/** Returns a rejection as the planted fault has it: the reason is the message, the code that of a success. */
function asSuccess({ verdict, ...judged }: Judgement): Judgement {
  const told = { code: 0, message: verdict.reason, why: verdict.reason, reason: verdict.reason, standsIn: false };
  return { ...judged, status: 200, body: phpEncode({ code: 0, message: told.message }) ?? '', verdict: told };
}

/** Notes the balance of a session's player; the returned function says it with the balance by then, or null without a session. */
function watchBalance(ledger: Ledger, token: PhpValue | undefined): () => WalletBalance | null {
  const session = ledger.session(token);
  if (!session.ok) return () => null;
  const { player } = session;
  const { code, digits } = player.currency;
  const before = printAmount(player.balance, digits);
  return () => ({ currency: code, before, after: printAmount(player.balance, digits) });
}

function withBalance(judged: Judgement, balance: WalletBalance | null): Judgement {
  return balance === null ? judged : { ...judged, verdict: { ...judged.verdict, balance } };
}

/** Returns a rejection of a wallet method: code and message alone. */
export function rejected(reason: string, status = undocumentedStatus): Judgement {
  const [code, message] = [404, messageOf(404)] as const;
  const standsIn = status !== 200;
  const why = standsIn ? `${reason} ${standsInText(code)}` : reason;
  return { status, body: phpEncode({ code, message }) ?? '', action: null, verdict: { code, message, why, reason, standsIn } };
}

function moved(ledger: Ledger, kind: Movement, body: PhpObject, amountText?: string): ReturnType<Method> {
  const outcome: MovementOutcome = ledger.move(kind, {
    externalToken: body.get('externalToken'),
    playerId: body.get('playerId'),
    gameId: body.get('gameId'),
    transactionId: body.get('transactionId'),
    amount: body.get('amount'),
    amountText,
    currency: body.get('currency'),
    externalReferenceId: body.get('externalReferenceId'),
  });
  if (!outcome.ok) return outcome;
  const { transactionId, externalTrxId } = outcome.receipt;
  const fields = { transactionId, externalTrxId, balance: exact(ledger.balanceText(outcome.receipt)) };
  const repeated = 'This transaction was already processed; no money was moved this time.';
  return outcome.repeated ? { fields, why: repeated, reason: repeated } : { fields, why: `The ${kind} was processed.` };
}

function playerFields(ledger: Ledger, player: Player): Record<string, ResponseValue> {
  return {
    country: player.country,
    currency: player.currency.code,
    balance: exact(ledger.balanceText({ player, balance: player.balance })),
    playerId: player.playerId,
  };
}

function refuse(why: string): Refusal {
  return { ok: false, cause: 'rule', why };
}
