import type { CallEffect, EffectSum, Money, ProductionQuestion, RunEffect } from '../ipc/outputs/production.ts';
import type { EffectKind } from '../model/operations.ts';
import { unicodeEscape } from '../json/string-escapes.ts';
import { counted } from '../provider/findings.ts';
import { listed } from '../listed.ts';

/** Texts of the question before production: title, consequences, and the verb of the button. */
export interface QuestionWords {
  readonly title: string;
  readonly consequences: readonly string[];
  readonly action: string;
  /** True to offer a yes for ten minutes. */
  readonly grants: boolean;
}

/** Words the question that core asks, in a dialog and on a terminal. */
export function questionWords({ environment, call, run, probes, gateway, wallet }: ProductionQuestion): QuestionWords {
  const { name } = environment;
  if (gateway === true) {
    return {
      title: `Pass requests to ${name}?`,
      consequences: [
        'The gateway passes whatever your backend sends, also what moves real money.',
        'The history keeps all of it: players, session tokens and amounts.',
      ],
      action: `Pass to ${name}`,
      grants: false,
    };
  }
  if (wallet !== undefined) {
    return wallet.stake === ''
      ? {
          title: `Put money back at ${name}?`,
          consequences: ['Croupier sends /bet and /win with real money until the balances are what they were.'],
          action: `Put back at ${name}`,
          grants: false,
        }
      : {
          title: `Test the wallet of ${name}?`,
          consequences: [
            `${counted(wallet.cases)} cases move real money of the players whose tokens you give, at most ${wallet.stake} in sum.`,
            'Many are hostile on purpose: wrong tokens, negative amounts, ten bets at once.',
          ],
          action: `Test ${name}`,
          grants: false,
        };
  }
  if (probes !== undefined) {
    return {
      title: `Probe ${name}?`,
      consequences: [
        `Croupier sends up to ${counted(probes.calls)} calls of gameList, getGameRound and roundReplayInfo, one a second. They only read.`,
        'Many have a wrong hash on purpose, so the provider sees rejected calls.',
      ],
      action: `Probe ${name}`,
      grants: false,
    };
  }
  if (run !== null) {
    const grants = run.sums.length > 0;
    return {
      title: `Run ${run.name} against ${name}?`,
      consequences: grants
        ? runConsequences(run)
        : [
            `${run.requests === 1 ? 'Its one request only reads' : `Its ${counted(run.requests)} requests only read`}. ${onceForReads}`,
          ],
      action: `Run against ${name}`,
      grants,
    };
  }
  const operation = call?.operation ?? 'this request';
  const grants = call !== null && call.kind !== 'reads';
  return {
    title: `Send ${operation} to ${name}?`,
    consequences: grants ? [callConsequence(call)] : [`It only reads. ${onceForReads}`],
    action: `Send ${operation}`,
    grants,
  };
}

const onceForReads = 'Croupier asks once per session before it reads from a production environment.';

/** Describes what a call does that grants or moves money, from its body: `It takes 1.50 EUR.` */
export function callConsequence(effect: CallEffect): string {
  const { kind, money, unclear, minorUnits } = effect;
  const sum = money === null ? null : moneyText(money, minorUnits);
  const instead =
    unclear === null ? 'The request has no readable amount.' : `Its amount is ${short(unclear)}, not a single number.`;
  switch (kind) {
    case 'reads':
      return 'It only reads.';
    case 'takes':
      return sum === null ? `It takes money from a player. ${instead}` : `It takes ${sum}.`;
    case 'pays':
      return sum === null ? `It pays money to a player. ${instead}` : `It pays ${sum}.`;
    case 'givesBack':
      return sum === null ? `It gives back a bet. ${instead}` : `It gives back ${sum}.`;
    case 'grants':
      return grantConsequence(effect);
    case 'revokes':
      return 'It revokes free rounds.';
    case 'endsToken':
      return "It ends a player's session token and issues a new one.";
  }
}

function grantConsequence({ rounds, players, money, moneyOf, unclear, minorUnits }: CallEffect): string {
  const sentences: string[] = [];
  if (rounds === null || players === null) sentences.push("It grants free rounds. The request doesn't show how many in all.");
  else if (players === 1) sentences.push(`It grants ${freeRounds(rounds)} to 1 player.`);
  else {
    sentences.push(
      `It grants ${freeRounds(rounds)} to each of ${counted(players)} players, ${digits(String(BigInt(rounds) * BigInt(players)))} in all.`,
    );
  }
  if (money !== null) {
    const sum = moneyText(money, minorUnits);
    if (moneyOf === 'round') sentences.push(`The bet of each free round is ${sum}.`);
    else if (moneyOf === 'player') sentences.push(`Each player gets free rounds worth ${sum}.`);
    else sentences.push(`Its amount is ${sum}; its meaning is an open point.`);
  } else if (unclear !== null) sentences.push(`Its amount is ${short(unclear)}, not a single number.`);
  return sentences.join(' ');
}

/** Describes what a run does that grants or moves money, one sentence for each kind of call. */
function runConsequences({ requests: all, sums, minorUnits }: RunEffect): string[] {
  const writes = sums.reduce((sum, { calls }) => sum + calls, 0);
  const head =
    writes === all
      ? `${all === 1 ? 'Its one request grants' : `All ${counted(all)} requests grant`} free rounds or ${all === 1 ? 'moves' : 'move'} money.`
      : `${counted(writes)} of ${counted(all)} requests ${writes === 1 ? 'grants free rounds or moves' : 'grant free rounds or move'} money.`;
  return [head, ...sums.map((sum) => sumSentence(sum, minorUnits))];
}

const verbs: Readonly<Record<EffectKind, readonly [one: string, many: string]>> = {
  reads: ['reads', 'read'],
  takes: ['takes', 'take'],
  pays: ['pays', 'pay'],
  givesBack: ['gives back', 'give back'],
  grants: ['grants', 'grant'],
  revokes: ['revokes free rounds', 'revoke free rounds'],
  endsToken: ['ends a session token', 'end session tokens'],
};

function sumSentence({ kind, calls, money, rounds, unknown, unstated }: EffectSum, minorUnits: boolean): string {
  const subject = `${counted(calls)} ${calls === 1 ? 'call' : 'calls'} ${verbs[kind][calls === 1 ? 0 : 1]}`;
  if (kind === 'revokes' || kind === 'endsToken') return `${subject}.`;
  const parts = kind === 'grants' ? grantParts(money, rounds, minorUnits) : money.map((one) => moneyText(one, minorUnits));
  const open = [
    ...(unknown > 0 ? [`${amounts(unknown, kind)} not known before the run`] : []),
    ...(unstated > 0 ? [`${amounts(unstated, kind)} missing or cannot be added up`] : []),
  ];
  const what = kind === 'grants' ? 'free rounds' : 'money';
  if (parts.length === 0) return `${subject} ${what}: ${open.join(', ')}.`;
  const known = `${subject} ${open.length > 0 ? 'at least ' : ''}${listed(parts)}`;
  return open.length === 0 ? `${known}.` : `${known}: ${open.join(', ')}.`;
}

function grantParts(money: readonly Money[], rounds: string, minorUnits: boolean): string[] {
  if (rounds === '0' && money.length === 0) return [];
  const worth = money.length === 0 ? '' : ` worth ${listed(money.map((one) => moneyText(one, minorUnits)))}`;
  return [`${digits(rounds)} free ${rounds === '1' ? 'round' : 'rounds'}${worth}`];
}

function amounts(count: number, kind: EffectKind): string {
  if (kind === 'grants') return `the number or amount of ${counted(count)} is`;
  return count === 1 ? '1 amount is' : `${counted(count)} amounts are`;
}

/** Writes an amount with its source digits, and a unit only if it is known. */
function moneyText({ amount, currency }: Money, minorUnits: boolean): string {
  const code = currency === null ? null : plain(currency);
  if (minorUnits)
    return code === null ? `${short(amount)} minor units, no currency named` : `${short(amount)} minor units of ${code}`;
  return code === null ? `${short(amount)}, no currency named` : `${short(amount)} ${code}`;
}

/** Quotes a currency that is not a plain word, with every character visible, because it may come from an unknown file. */
function plain(text: string): string {
  if (/^[A-Za-z0-9_-]{1,20}$/.test(text)) return text;
  return short(JSON.stringify(text));
}

function short(text: string): string {
  const visible = text.replaceAll(/[^\x20-\x7e]/g, unicodeEscape);
  return visible.length <= 60 ? visible : `${visible.slice(0, 60)}… (${counted(visible.length)} characters)`;
}

function freeRounds(count: number): string {
  return `${counted(count)} free ${count === 1 ? 'round' : 'rounds'}`;
}

function digits(text: string): string {
  return text.replace(/\B(?=(?:\d{3})+$)/g, ',');
}
