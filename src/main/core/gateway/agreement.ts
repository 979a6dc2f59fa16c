import { parseJson } from '#shared/json/parse.ts';
import type { Finding } from '#shared/model/finding.ts';
import type { OperationName } from '#shared/model/operations.ts';
import type { Answers } from '#shared/provider/index.ts';
import type { Outcome } from '../history/record.ts';
import { smallBytes } from '../untrusted/measure.ts';
import { createBalances, type Standing } from './balances.ts';
import { createOpenBets } from './open-bets.ts';
import { walletFields, type Link, type ReadRequest, type WalletFields } from './read-request.ts';

/** Most values that are remembered; the oldest are forgotten first. */
const most = 100_000;

/** The operations whose references the spec wants unique, and those whose transaction IDs a wallet books once. */
const once: ReadonlySet<OperationName> = new Set([
  'freeRounds',
  'freeRoundsByBet',
  'bet',
  'win',
  'cancel',
  'tournamentWin',
  'promoWin',
]);

type Ended = Pick<Outcome, 'code' | 'failure' | 'response'>;

/** Remembers what was accepted, and tells where a later exchange does not agree with it. Of what it has not seen, it says nothing. */
export function createAgreement(answers: Answers) {
  const balances = createBalances(answers);
  const openBets = createOpenBets(answers);
  const used = new Map<string, { readonly id: number | null; readonly text: string }>();
  const replaced = new Map<string, number | null>();
  /** Farthest from this computer's clock that a time was accepted, in milliseconds; null for none. */
  let farthest: number | null = null;

  function remember<T>(map: Map<string, T>, key: string, value: T): void {
    map.set(key, value);
    const [oldest] = map.keys();
    if (map.size > most && oldest !== undefined) map.delete(oldest);
  }

  function check({ operation, text, links, hashed }: ReadRequest): Finding[] {
    const late = timeFindings(hashed?.aheadMs ?? null, farthest);
    const linked = links.flatMap(({ field, value }): Finding[] => {
      if (field === 'externalToken' || field === 'token') {
        const by = replaced.get(value);
        if (by === undefined) return [];
        const message = `${field} is the token that ${callWords(by)} replaced by a new one, so it is not valid any more.`;
        return [{ rule: 'gateway.token', severity: 'warning', path: `/${field}`, message }];
      }
      const before = used.get(keyOf(operation, field, value));
      if (before === undefined) return [];
      const isSame = before.text === text;
      const message = isSame
        ? `${upper(callWords(before.id))} was the same request, and it was accepted.`
        : `${field} was accepted in ${callWords(before.id)}, with other values.`;
      return [
        {
          rule: isSame ? 'gateway.repeated' : 'gateway.reused',
          severity: isSame ? 'note' : 'warning',
          path: `/${field}`,
          message,
        },
      ];
    });
    return [...late, ...linked];
  }

  function learn({ operation, text, links, hashed }: ReadRequest, id: number | null): void {
    if (operation === null) return;
    const ahead = hashed?.aheadMs ?? null;
    if (ahead !== null) farthest = Math.max(farthest ?? 0, Math.abs(ahead));
    for (const { field, value } of links) {
      if (field === 'token' && operation === 'generateNewToken') remember(replaced, value, id);
      else if (field !== 'token' && field !== 'externalToken' && once.has(operation)) {
        remember(used, keyOf(operation, field, value), { id, text });
      }
    }
  }

  /** Returns what became of a transaction. */
  function standingOf({ operation, text }: ReadRequest, { transactionId }: WalletFields, ended: Ended): Standing {
    if (!isAccepted(ended)) return ended.failure === null && (ended.code ?? 0) !== 0 ? 'refused' : 'unknown';
    const before = transactionId === null ? undefined : used.get(keyOf(operation, 'transactionId', transactionId));
    if (before === undefined) return 'accepted';
    return before.text === text ? 'repeated' : 'unknown';
  }

  return {
    /**
     * Notes that a request begins. Returns what notes its end, with its call in the history and the milliseconds since the epoch, and then says
     * where it does not agree with what went before.
     */
    begin(read: ReadRequest): (ended: Ended, id: number | null, at: number) => Finding[] {
      const { operation, wallet } = read;
      const balanced = operation === null || wallet === null ? null : balances.begin(operation, wallet);
      return (ended, id, at) => {
        const found = check(read);
        if (balanced !== null && wallet !== null) {
          const standing = standingOf(read, wallet, ended);
          found.push(...balanced(standing, responseFields(ended), id));
          const isSettled = (['win', 'cancel'] as const).some((name) =>
            used.has(keyOf(name, 'transactionId', wallet.transactionId ?? '')),
          );
          openBets.learn(read, standing, isSettled, id, at);
          found.push(...openBets.tell(wallet.playerId, at));
        }
        if (isAccepted(ended)) learn(read, id);
        return found;
      };
    },
    /** Forgets what calls said that are gone from the history. */
    forget(): void {
      used.clear();
      replaced.clear();
      balances.forget();
      openBets.forget();
    },
    /** Returns how many bets have no win or cancel yet; null where nobody knows. */
    openBets: openBets.state,
  };
}

const isAccepted = ({ code, failure, response }: Ended) =>
  failure === null && response?.status === 200 && (code === null || code === 0);

function responseFields({ response }: Ended): WalletFields {
  const parsed = response === null || response.body.length > smallBytes ? null : parseJson(response.body.toString());
  return walletFields(parsed?.ok === true ? parsed.root : null);
}

function keyOf(operation: OperationName | null, field: Link['field'], value: string): string {
  // Both kinds of free rounds share their references.
  const scope = operation === 'freeRoundsByBet' ? 'freeRounds' : operation;
  return `${scope} ${field === 'externalReferenceIds' ? 'externalReferenceId' : field} ${value}`;
}

const callWords = (id: number | null) => (id === null ? 'an earlier exchange' : `call ${id}`);
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Milliseconds beyond what was accepted from which a time is worth a word: a request takes a while to be made and to arrive. */
const worthAWord = 60_000;

function timeFindings(aheadMs: number | null, farthest: number | null): Finding[] {
  if (aheadMs === null || farthest === null || Math.abs(aheadMs) <= farthest + worthAWord) return [];
  const seconds = (ms: number) => `${Math.round(ms / 1_000).toLocaleString('en')} s`;
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  const message = `time is ${seconds(Math.abs(aheadMs))} ${side} this computer's clock. So far, the provider accepted at most ${seconds(farthest)}.`;
  return [{ rule: 'gateway.clock', severity: 'note', path: '/time', message }];
}
