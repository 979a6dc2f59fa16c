import type { Call } from '#shared/ipc/index.ts';
import { memberOf, membersOf, valueText } from '#shared/json/values.ts';
import { parseJson, type JsonNode, type JsonObject } from '#shared/json/parse.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import { readMoney, type Money } from '#shared/wallet/money.ts';
import type { Delivered } from '../calls/send.ts';
import { excessOf, responseSubject, smallBytes, unreadAdvice } from '../untrusted/measure.ts';
import type { SentRequest } from './requests.ts';

/** A body as an object. */
export interface Body {
  /** Null if it is none. */
  readonly object: JsonObject | null;
  /** The members as text; null for null, and if there is none of that name. */
  readonly member: (name: string) => string | null;
}

/** A wallet's response to one request. */
export interface Answer extends Body {
  readonly sent: SentRequest;
  readonly delivered: Delivered;
  /** `none`: no response, or one that says neither. */
  readonly kind: 'booked' | 'refused' | 'none';
  readonly balance: Money | null;
  /** Milliseconds of a clock that only goes forward. */
  readonly from: number;
  readonly to: number;
}

/** Returns what a response says: yes with code 0, however it is written, or without a code, HTTP 2xx and a JSON object; no with any other code, or HTTP 4xx and 5xx. */
export function kindOf({ failure, status }: Pick<Call, 'failure' | 'status'>, { object, member }: Body): Answer['kind'] {
  const code = member('code');
  if (failure !== null || status === null) return 'none';
  if (code !== null) return readMoney(code) === 0n ? 'booked' : 'refused';
  if (status >= 400) return 'refused';
  return object === null || status >= 300 ? 'none' : 'booked';
}

/** Reads a response. */
export function readAnswer(sent: SentRequest, delivered: Delivered, from: number, to: number): Answer {
  // Larger or deeper ones are no responses of a wallet.
  const isRead = delivered.body.length <= smallBytes && excessOf(delivered.body, responseSubject, unreadAdvice) === null;
  const decoded = isRead ? decodeUtf8(delivered.body) : null;
  const body = readBody(decoded?.ok === true ? decoded.text : '');
  return {
    ...body,
    sent,
    delivered,
    kind: kindOf(delivered.call, body),
    balance: readMoney(body.member('balance') ?? ''),
    from,
    to,
  };
}

/** Reads the body of a request or a response. */
export function readBody(text: string): Body {
  const parsed = parseJson(text);
  const object = parsed.ok && parsed.root.kind === 'object' ? parsed.root : null;
  return {
    object,
    member(name) {
      const node = object === null ? undefined : memberOf(object, name);
      return node === undefined || node.kind === 'null' ? null : valueText(text, node);
    },
  };
}

/** Returns the type of a member; null if it is absent. */
export function typeOf({ object }: Body, name: string): JsonNode['kind'] | null {
  return object === null ? null : (memberOf(object, name)?.kind ?? null);
}

/** Returns the names of the members of a body. */
export function namesIn({ object }: Body): readonly string[] {
  return object === null ? [] : [...membersOf(object).keys()];
}

/** Yields the texts of a value, at any depth, with the names that lead there. */
export function* textsIn(
  node: JsonNode,
  path: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly value: string }, void> {
  if (node.kind === 'string') yield { path, value: node.value };
  if (node.kind === 'object') for (const { key, value } of node.members) yield* textsIn(value, [...path, key]);
  if (node.kind === 'array') for (const [index, item] of node.items.entries()) yield* textsIn(item, [...path, String(index)]);
}

/** Says what a wallet answered, without a text of its own but its message. */
export function answerText({ delivered: { call }, object, kind, member }: Answer): string {
  if (call.failure !== null) return call.failure.message.replace(/\.$/, '');
  const [code, message, balance] = ['code', 'message', 'balance'].map(member);
  const parts = [
    code === null ? `HTTP ${call.status ?? 0}${object === null ? ', no JSON object' : ', no code'}` : `code ${code}`,
    kind === 'refused' && message !== '' ? message : null,
    balance === null ? null : `balance ${balance}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
