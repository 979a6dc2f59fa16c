import { Buffer } from 'node:buffer';
import type { Environment } from '#shared/ipc/index.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { decodeUtf8 } from '#shared/json/utf8.ts';
import type { Finding } from '#shared/model/finding.ts';
import { unreadRule } from '#shared/provider/findings.ts';
import type { Subject } from '#shared/doctor/model.ts';
import { byteText } from '#shared/model/byte-text.ts';
import { readDateTime } from '#shared/provider/date-time.ts';
import { formOfFields, operations, routeOf, timeOrderOf, validatePayload, type Operation } from '#shared/provider/index.ts';
import { explainDifference } from '#shared/signing/difference.ts';
import { formatTime } from '#shared/signing/time.ts';
import { subjectOf, type HashedRequest } from '#shared/request/hash-subject.ts';
import { envelopeNames, namesOf } from '../formats/read/recognise.ts';
import { excessOf, smallBytes, unreadAdvice, unreadWords } from '../untrusted/measure.ts';
import type { Reading } from '../untrusted/jobs.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'passed.read': typeof readPassed;
  }
}

/** Names of the fields by which requests hang together (spec, Length limits and uniqueness; wallet methods). */
const linkingFields = ['externalReferenceId', 'externalReferenceIds', 'transactionId', 'externalToken', 'token'] as const;

/** A value of one of those fields. */
export interface Link {
  readonly field: (typeof linkingFields)[number];
  readonly value: string;
}

const walletNames = ['playerId', 'gameId', 'transactionId', 'currency', 'amount', 'balance'] as const;

/** Texts of a wallet method's body that say something of a player's money, amounts as they are written. Null for what it does not say, or says twice. */
export type WalletFields = Readonly<Record<(typeof walletNames)[number], string | null>>;

/** A request that somebody else made, as its body is read. */
export interface ReadRequest {
  /** Null if it is none of the API's. */
  readonly operation: Operation['name'] | null;
  readonly form: string;
  /** The text of `data`, of a wallet method's body, or of what else came. */
  readonly text: string;
  /** Null for a request that is not signed, or whose envelope cannot be read. */
  readonly hashed: Hashed | null;
  /** The texts of the envelope's numbers; empty if it has none. */
  readonly platform: string;
  readonly partnerId: string;
  readonly findings: readonly Finding[];
  /** Values by which it hangs together with others. */
  readonly links: readonly Link[];
  /** Null if it is none of the wallet's methods. */
  readonly wallet: WalletFields | null;
}

interface Hashed {
  readonly request: HashedRequest;
  /** Bytes of `data` in the body. */
  readonly dataOffset: number;
  readonly dataLength: number;
  /** The text of `data` that the rule demands; null if it has none. */
  readonly ruleText: string | null;
  /** Reason why the rule has no text; null if it has one. */
  readonly problem: string | null;
  /** Milliseconds by which `time` is ahead of this computer's clock in the environment's zone; null if it is not written as a time. */
  readonly aheadMs: number | null;
}

export interface CameRequest {
  readonly method: string;
  /** Path below the origin, without a query. */
  readonly path: string;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch: when it began to come. */
  readonly at: number;
  readonly environment: Pick<Environment, 'answers' | 'serialization' | 'timeZone'>;
  /** True for one that the provider sends to the wallet. */
  readonly isWallet: boolean;
}

const requestSubject = 'The request';

/** Returns a request of which nothing is read, with the reason, if there is one. */
export function unreadRequest(why?: string): ReadRequest {
  const findings: Finding[] = why === undefined ? [] : [{ rule: unreadRule, severity: 'warning', path: '', message: why }];
  return { operation: null, form: '', text: '', hashed: null, platform: '', partnerId: '', findings, links: [], wallet: null };
}

/** Reads a request by the API. Pure. */
export function readPassed({ method, path, body, at, environment, isWallet }: CameRequest): ReadRequest {
  const excess = excessOf(body, requestSubject, unreadAdvice);
  if (excess !== null) return unreadRequest(excess);
  const decoded = decodeUtf8(body);
  const other = unreadRequest();
  if (!decoded.ok) return other;
  const { text } = decoded;
  const unknown = { ...other, text };
  if (method !== 'POST') return unknown;
  const parsed = parseJson(text);
  const root = parsed.ok && parsed.root.kind === 'object' ? parsed.root : null;
  const member = (name: string) => root?.members.findLast(({ key }) => key === name)?.value;
  const stringOf = (name: string) => {
    const node = member(name);
    return node?.kind === 'string' ? node.value : null;
  };
  const textOf = (node: JsonNode | undefined) => (node === undefined ? '' : text.slice(node.start, node.end));
  const operation = operationAt(path, stringOf('action'), environment.answers, isWallet);
  if (operation === null) return unknown;
  const isSigned = routeOf(operation, environment.answers)?.signed === true;
  const data = member('data');
  const inEnvelope = isSigned && operation.payload === 'envelope';
  const extra = (root?.members ?? []).filter(({ key }) => !envelopeNames.has(key));
  const fields = extra.map(({ keyStart, value }) => text.slice(keyStart, value.end));
  const inData = isSigned ? textOf(data) : text;
  const payload = inEnvelope ? (fields.length === 0 ? '' : `{${fields.join(', ')}}`) : inData;
  const form = inEnvelope ? '' : formOfFields(operation, namesOf((isSigned ? data : root) ?? undefined));
  const findings = validatePayload(operation, form, payload, null).filter(({ rule }) => rule !== 'shape-not-shown');
  const links = linksIn((isSigned ? data : root) ?? undefined);
  const wallet = operation.endpoint === 'wallet' ? walletFields(root) : null;
  const read = { operation: operation.name, form, text: payload, findings, links, wallet };
  if (!isSigned) return { ...read, hashed: null, platform: '', partnerId: '' };
  const [platform, partnerId] = [textOf(member('platform')), textOf(member('partnerId'))];
  const time = stringOf('time');
  const numbers = { platform, partnerId };
  if (time === null) return { ...read, hashed: null, ...numbers };
  const dataText = data === undefined ? null : textOf(data);
  const request = { ...numbers, time, dataText, hash: stringOf('hash') ?? '', action: stringOf('action') ?? '' };
  const { subject, problem } = subjectOf(request, environment);
  const dataOffset = data === undefined ? 0 : Buffer.byteLength(text.slice(0, data.start));
  const dataLength = dataText === null ? 0 : Buffer.byteLength(dataText);
  const { ruleText } = subject;
  const order = timeOrderOf(operation, environment.answers);
  const [sent, here] = [readDateTime(time, order), readDateTime(formatTime(at, environment.timeZone, order), order)];
  const aheadMs = sent === null || here === null ? null : sent - here;
  const hashed = { request, dataOffset, dataLength, ruleText, problem, aheadMs };
  return { ...read, ...numbers, hashed, findings: [...findings, ...formFindings(subject, sent === null)] };
}

/** Says how PHP changes `data`, and that `time` is none. */
function formFindings({ time, dataText, ruleText }: Subject, isNoTime: boolean): Finding[] {
  const change = dataText === null || ruleText === null ? null : explainDifference(dataText, ruleText);
  const found: Finding[] = [];
  if (change !== null) {
    const message = `${change.reason}, from ${byteText(change.byteOffset)} of data on. The hash has to cover data as PHP writes it.`;
    found.push({ rule: 'gateway.stability', severity: 'note', path: '/data', message });
  }
  if (isNoTime) {
    const message = `time ${JSON.stringify(time.slice(0, 40))} is not written as the spec shows it.`;
    found.push({ rule: 'gateway.time', severity: 'warning', path: '/time', message });
  }
  return found;
}

function linksIn(payload: JsonNode | undefined): Link[] {
  if (payload?.kind !== 'object') return [];
  return payload.members.flatMap(({ key, value }) => {
    const field = linkingFields.find((name) => name === key);
    const nodes = value.kind === 'array' ? value.items : [value];
    return field === undefined
      ? []
      : nodes.flatMap((node) => (node.kind === 'string' && node.value !== '' ? [{ field, value: node.value }] : []));
  });
}

/** Reads those fields of a body. */
export function walletFields(root: JsonNode | null): WalletFields {
  const members = root?.kind === 'object' ? root.members : [];
  const valueOf = (name: (typeof walletNames)[number], isAmount = false): string | null => {
    const [value, ...more] = members.flatMap(({ key, value }) => (key === name ? [value] : []));
    if (value === undefined || more.length > 0) return null;
    if (value.kind === 'number') return value.text;
    return value.kind === 'string' && !isAmount ? value.value : null;
  };
  return {
    playerId: valueOf('playerId'),
    gameId: valueOf('gameId'),
    transactionId: valueOf('transactionId'),
    currency: valueOf('currency'),
    amount: valueOf('amount', true),
    balance: valueOf('balance', true),
  };
}

function operationAt(path: string, action: string | null, answers: Environment['answers'], isWallet: boolean): Operation | null {
  const found = operations.find((operation) => {
    const route = isWallet && operation.endpoint !== 'wallet' ? null : routeOf(operation, answers);
    return route !== null && path.endsWith(route.path) && (route.action === null || route.action === action);
  });
  return found ?? null;
}

/** Reads short requests at once and long ones in a thread. Never rejects. */
export function createPassedReader(reading: Pick<Reading, 'run'>) {
  return (request: CameRequest): ReadRequest | Promise<ReadRequest> =>
    request.body.length <= smallBytes
      ? readPassed(request)
      : reading
          .run('passed.read', request, { subject: requestSubject, bytes: request.body.length })
          .catch((error: unknown) => unreadRequest(unreadWords(error) ?? undefined));
}
