import type { EffectKind, OpenActionName, OperationName, WalletName } from '../model/operations.ts';

/**
 * `bigint` is an integer that may exceed 2^53; Croupier passes it as a string. `json` is any other value; only a recorded
 * answer has fields of these last two types.
 */
type FieldType = 'string' | 'integer' | 'bigint' | 'number' | 'strings' | 'boolean' | 'json';
type FieldFormat = 'language' | 'country' | 'currency' | 'dateTime' | 'url' | 'ip' | 'digits';

/** A point that the spec leaves open, by the name under which an environment records the provider's answer. */
export const openPointIds = [
  'time.order',
  'time.order.roundReplayInfo',
  'time.tolerance',
  'time.zone',
  'identity.type',
  'hash.nonAscii',
  'hash.reencode',
  'hash.noData',
  'checks.order',
  'fields.required',
  'version.selection',
  'codes.complete',
  'http.status',
  'rate.limits',
  'events',
  'states',
  'states.transitions',
  'gameList.status',
  'amounts.unit',
  'amounts.precision',
  'launch.token',
  'token.lifetime',
  'token.issue',
  'token.perGame',
  'token.replaced',
  'roundId.type',
  'roundId.source',
  'rounds.unknown',
  'rounds.monthZone',
  'getGameRound.action',
  'getGameRound.source',
  'replay.tableM',
  'freeRounds.amount',
  'freeRounds.multiResponse',
  'freeRounds.combinedLength',
  'freeRounds.references',
  'freeRounds.partial',
  'freeRounds.expired',
  'freeRounds.reward',
  'freeRounds.betLevel',
  'freeRoundsByBet.response',
  'cancelFreeRounds.action',
  'cancelFreeRounds.request',
  'cancelFreeRounds.response',
  'currencyList.action',
  'currencyList.request',
  'currencyList.response',
  'wallet.host',
  'wallet.codeAndMessage',
  'wallet.idempotency',
  'wallet.retry',
  'wallet.currency',
  'bet.zero',
  'bet.afterCancel',
  'win.response',
  'win.bet',
  'win.withoutBet',
  'win.second',
  'cancel.request',
  'cancel.response',
  'cancel.unknown',
  'cancel.second',
  'cancel.afterWin',
  'tournamentWin.response',
  'generateNewToken.response',
] as const;
export type OpenPointId = (typeof openPointIds)[number];

/** An environment's recorded answers, by the ID of the open point. */
export type Answers = Readonly<Record<string, { readonly value: string }>>;

/** One field of a request. Facts of the spec only; anything it does not show is an open point. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /**
   * `realMode`: required when gameMode is `real`; a wallet method has no gameMode and always needs it.
   * `unstated`: the spec lists the field and does not say whether it may be left out.
   */
  readonly required: 'yes' | 'no' | 'realMode' | 'unstated';
  readonly notes: string;
  /** JSON text of a placeholder value, as it stands in a template. */
  readonly example: string;
  /** Characters, for strings and for each member of `strings`. */
  readonly maxLength?: number;
  readonly exactLength?: number;
  /** Smallest meaningful number. */
  readonly minimum?: number;
  /** An amount of money, whose unit the spec leaves open (point `amounts.unit`). */
  readonly money?: true;
  /** The value names something new and may not be used twice, so a template makes a fresh one. */
  readonly unique?: true;
  readonly mayBeEmpty?: boolean;
  /** By a recorded answer, a number may also stand as digits in double quotes. */
  readonly orText?: true;
  /** Its type or its need comes from a recorded answer. */
  readonly recorded?: true;
  readonly format?: FieldFormat;
  readonly values?: readonly string[];
  /** The environment's default that fills the template. */
  readonly from?: 'currency' | 'lang' | 'country' | 'ip' | 'exitURL' | 'playerId';
}

/** One way to write an operation's payload, fields in the spec's order. Most operations have one; freeRounds has three. */
export interface RequestForm {
  readonly id: string;
  readonly title: string;
  readonly since: '1.0.0' | '1.1.0';
  readonly fields: readonly Field[];
  /** True if the spec does not show the request's fields, so that every field is allowed. */
  readonly open?: true;
  /** The fields are those of a recorded answer. */
  readonly recorded?: true;
  /** True if the spec shows the operation's response but not that of this form. */
  readonly responseOpen?: true;
  /** Fields whose values are unique and have at most 20,000 characters together. */
  readonly combined?: readonly string[];
}

/** The documented shape of a response's `data` (service) or whole body (wallet). */
export type Shape =
  | {
      readonly kind: 'string' | 'integer' | 'bigint' | 'number' | 'numbers' | 'boolean' | 'null' | 'any';
      readonly notes?: string;
      readonly optional?: true;
      /** Holds a session token, by a recorded answer. */
      readonly token?: true;
      /** `dateTime` in responses is year first: yyyy-mm-dd hh:mm:ss. */
      readonly format?: 'dateTime' | 'url' | 'currency' | 'digits';
      /** Parameters that the URL carries in its query. */
      readonly query?: readonly string[];
      /** The spec's HTTPS rule holds for this URL. */
      readonly https?: true;
      /** An amount of money, whose unit the spec leaves open (point `amounts.unit`). */
      readonly money?: true;
    }
  | {
      readonly kind: 'object';
      readonly fields: Readonly<Record<string, Shape>>;
      readonly notes?: string;
      readonly optional?: true;
      /** True if a recorded answer names only some fields, so that others are not reported. */
      readonly rest?: true;
    }
  | { readonly kind: 'array'; readonly items: Shape; readonly notes?: string; readonly optional?: true };

/** A service operation whose action the spec shows. */
interface NamedService {
  /** `service`: the signed envelope to /serviceApi.php. */
  readonly endpoint: 'service';
  /** The `action` of the envelope. */
  readonly action: string;
}

/** A service operation whose action the spec does not show. */
interface OpenService {
  readonly endpoint: 'service';
  readonly action: null;
  /** The open point whose answer is the action. */
  readonly actionPoint: OpenPointId;
}

interface Wallet {
  /** `wallet`: plain JSON to /<method>. */
  readonly endpoint: 'wallet';
  readonly action: null;
}

interface Facts {
  /** Below the base URL, with the leading slash. */
  readonly path: string;
  /** Section of the spec: `4` for "Endpoints, 4". */
  readonly section: string;
  readonly group: 'Launch' | 'Catalogue' | 'Rounds' | 'Free rounds' | 'Wallet';
  readonly summary: string;
  readonly since: '1.0.0' | '1.1.0';
  /** Effect of sending it. */
  readonly effect: EffectKind;
  /** `data`: the hashed object. `envelope`: extra top-level fields beside it (gameList). `body`: a wallet method's whole body. */
  readonly payload: 'data' | 'envelope' | 'body';
  readonly forms: readonly RequestForm[];
  /** Null if the spec does not show it. */
  readonly response: Shape | null;
  /** The spec's rules of the operation, beside its fields. */
  readonly rules: readonly string[];
}

/** Facts of the spec about one operation, without its name, which is its key in the map. */
type OperationFacts<Name extends OperationName = OperationName> = Facts &
  (Name extends WalletName ? Wallet : Name extends OpenActionName ? OpenService : NamedService);

/** Facts of every operation; a missing one, or one that cannot be selected, does not compile. */
export type OperationFactsByName = { readonly [Name in OperationName]: OperationFacts<Name> };

export type Operation = OperationFacts & {
  readonly name: OperationName;
  /** The open points that touch this operation, in the order of the list. */
  readonly openPoints: readonly OpenPointId[];
};

/**
 * Type of a recorded answer, which decides the format of its text (docs/open-points.md). Lists are JSON objects, so that an environment's
 * file holds any answer as a string.
 */
export type AnswerType =
  | { readonly kind: 'choice'; readonly options: readonly AnswerOption[] }
  /** Values with a meaning each: whole numbers, names, states as `round.open`, or transitions as `round.open > round.finished`. */
  | { readonly kind: 'values'; readonly of: 'integer' | 'name' | 'state' | 'transition'; readonly mayBeEmpty?: true }
  /** HTTP status by code of the provider; `*` stands for every code that is not listed. */
  | { readonly kind: 'statuses' }
  /** Fields with their types: of a request's payload, of a response's `data`, or of a wallet response's whole body. */
  | { readonly kind: 'shape'; readonly of: 'request' | 'data' | 'body'; readonly holdsToken?: true }
  /** The action of an operation at /serviceApi.php. */
  | { readonly kind: 'action' }
  /** An action, or a path below the base URL with `signed` or `plain`. */
  | { readonly kind: 'route' }
  /** An IANA time zone. */
  | { readonly kind: 'zone' }
  /** A number with one of the units; the first is preselected. */
  | { readonly kind: 'quantity'; readonly units: readonly AnswerUnit[] }
  /** The fields that may be left out, as `operation.field`. */
  | { readonly kind: 'optionalFields' };

/** Returns an answer that is one of some values, by their labels. */
export function choice(labels: Readonly<Record<string, string>>): AnswerType {
  return { kind: 'choice', options: Object.entries(labels).map(([value, label]) => ({ value, label })) };
}

interface AnswerOption {
  readonly value: string;
  readonly label: string;
}

/** A unit of a quantity; `factor` turns it into the smallest one. */
interface AnswerUnit {
  readonly unit: string;
  readonly factor: number;
}

/** Place on screen that shows a recorded answer: an operation, or one field of it. */
interface ShownAt {
  readonly field?: string;
  /** The open point's operations, unless given. */
  readonly operations?: readonly OperationName[];
}

/** A point that the spec leaves open, without its ID. */
export interface OpenPointFacts {
  readonly title: string;
  /** `notShown`: the spec itself says that it does not show it. `silent`: it does not mention it, though calls depend on it. */
  readonly basis: 'notShown' | 'silent';
  /** Heading of the spec, with the number for a section of Endpoints. */
  readonly section: string;
  readonly operations: readonly OperationName[];
  /** The question to ask the provider. */
  readonly question: string;
  /** Croupier's behaviour until an answer is recorded. */
  readonly meanwhile: string;
  /** Effect of a recorded answer. */
  readonly changes: string;
  readonly answer: AnswerType;
  /** Places that show the answer beside a request; absent if its effect already shows it. */
  readonly shownAt?: readonly ShownAt[];
}

/** A point that the spec leaves open. */
export interface OpenPoint extends OpenPointFacts {
  readonly id: OpenPointId;
}

/** A code of the provider, as the spec words it. */
export interface ProviderCode {
  readonly code: number;
  readonly message: string;
  readonly condition: string;
  /** `data` of a response with this code, where the spec shows it. */
  readonly data?: null;
}
