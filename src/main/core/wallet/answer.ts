import { memberOf, membersOf, valueText } from '#shared/json/values.ts';
import { parseJson, type JsonNode, type JsonObject } from '#shared/json/parse.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import type { WalletName } from '#shared/model/operations.ts';
import { readMoney, type Money } from '#shared/wallet/money.ts';
import type { Delivered } from '../calls/send.ts';
import { excessOf, responseSubject, smallBytes, unreadAdvice } from '../untrusted/measure.ts';
import type { SentRequest } from './requests.ts';

/** A wallet's response to one request. */
export interface Answer {
  readonly sent: SentRequest;
  readonly delivered: Delivered;
  /** `none`: no response, or one that says neither. */
  readonly kind: 'booked' | 'refused' | 'none';
  /** The response as an object; null if it is none. */
  readonly object: JsonObject | null;
  /** The members of the response as text. */
  readonly member: (name: string) => string | null;
  readonly balance: Money | null;
  /** Milliseconds of a clock that only goes forward. */
  readonly from: number;
  readonly to: number;
}

/** Reads a response. It says yes with code 0, or without a code, HTTP 2xx and a JSON object; no with any other code, or HTTP 4xx and 5xx. */
export function readAnswer(sent: SentRequest, delivered: Delivered, from: number, to: number): Answer {
  const { call, body } = delivered;
  const { text, object } = objectOf(body);
  const member = (name: string) => {
    const node = object === null ? undefined : memberOf(object, name);
    return node === undefined ? null : valueText(text, node);
  };
  const balance = readMoney(member('balance') ?? '');
  return {
    sent,
    delivered,
    kind: kindOf(call.status, call.failure !== null, object, member('code')),
    object,
    member,
    balance,
    from,
    to,
  };
}

function kindOf(status: number | null, failed: boolean, object: JsonObject | null, code: string | null): Answer['kind'] {
  if (failed || status === null) return 'none';
  if (code !== null) return code === '0' ? 'booked' : 'refused';
  if (status >= 400) return 'refused';
  return object === null ? 'none' : 'booked';
}

function objectOf(body: Uint8Array): { text: string; object: JsonObject | null } {
  // Larger or deeper ones are no responses of a wallet.
  if (body.length > smallBytes || excessOf(body, responseSubject, unreadAdvice) !== null) return { text: '', object: null };
  const decoded = decodeUtf8(body);
  const parsed = decoded.ok ? parseJson(decoded.text) : null;
  if (!decoded.ok || parsed?.ok !== true || parsed.root.kind !== 'object') return { text: '', object: null };
  return { text: decoded.text, object: parsed.root };
}

/** Returns the type of a member; null if it is absent. */
export function typeOf({ object }: Answer, name: string): JsonNode['kind'] | null {
  return object === null ? null : (memberOf(object, name)?.kind ?? null);
}

/** Returns the names of the members of a response. */
export function namesIn({ object }: Answer): readonly string[] {
  return object === null ? [] : [...membersOf(object).keys()];
}

/** Yields the texts of a response, at any depth, with the names that lead there. */
export function textsIn({ object }: Answer): Iterable<TextAt> {
  return object === null ? [] : textsBelow(object, []);
}

interface TextAt {
  readonly path: readonly string[];
  readonly value: string;
}

function* textsBelow(node: JsonNode, path: readonly string[]): Generator<TextAt, void> {
  if (node.kind === 'string') yield { path, value: node.value };
  if (node.kind === 'object') for (const { key, value } of node.members) yield* textsBelow(value, [...path, key]);
  if (node.kind === 'array') for (const [index, item] of node.items.entries()) yield* textsBelow(item, [...path, String(index)]);
}

/** Says what a wallet answered, without a text of its own but its message. */
export function answerText(answer: Answer): string {
  const { call } = answer.delivered;
  if (call.failure !== null) return call.failure.message;
  const [code, message, balance] = ['code', 'message', 'balance'].map(answer.member);
  const parts = [
    code === null ? `HTTP ${call.status ?? 0}${answer.object === null ? ', no JSON object' : ', no code'}` : `code ${code}`,
    answer.kind === 'refused' && message !== null ? message : '',
    balance === null ? '' : `balance ${balance}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The method of an answer's request. */
export function methodOf({ sent }: Answer): WalletName {
  return sent.method;
}
