import { Buffer, isUtf8 } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import type { Finding, KeyQuestion, Overrides, RequestDraft } from '#shared/ipc/index.ts';
import { keyInResponseRule, keyMark } from '#shared/secrets/key-mark.ts';
import { keyQuestionWords } from '#shared/secrets/key-question.ts';
import { shortestKeyMasked } from '#shared/signing/key.ts';
import type { HeldKey } from '../keys/keys.ts';
import type { HeaderList } from '../network/http-message.ts';
import { keyMarks, keyMarksInBody, masked, merged, movedBy, type Mark } from '../masking/mask-places.ts';
import type { Place } from '../masking/secret-places.ts';
import { unlessCancelled, type Cancellation } from './cancellation.ts';
import { unsearchedFailure } from './failures.ts';
import type { MaskedRequest, OutgoingCall } from '../history/record.ts';
import type { Transmitted } from './transmit.ts';

type Request = Pick<OutgoingCall, 'draft' | 'url' | 'body'>;

type Typed = Exclude<keyof RequestDraft, 'environmentId' | 'operation' | 'overrides'> | Exclude<keyof Overrides, 'omit'>;

/** Every text of a draft, with its name in a question. */
const typed: Readonly<Record<Typed, { readonly where: string; readonly isJson: boolean }>> = {
  text: { where: 'the payload', isJson: true },
  hash: { where: 'hash', isJson: false },
  time: { where: 'time', isJson: false },
  platform: { where: 'platform', isJson: true },
  partnerId: { where: 'partnerId', isJson: true },
  form: { where: 'the form', isJson: false },
};
const typedNames = Object.keys(typed) as Typed[];

/** Returns everything of a request that leaves or is recorded, as one text to search. */
export function textOf({ draft, url, body }: Request): Uint8Array {
  return Buffer.concat([Buffer.from(`${typedTexts(draft).join('\n')}\n${url}\n`), body]);
}

function typedTexts({ text, form, overrides }: RequestDraft): string[] {
  const texts = { ...overrides, text, form };
  return typedNames.map((name) => texts[name] ?? '');
}

/** Returns the request as the history keeps it, with `[private key]` in place of each key. Null if it holds none. */
export function maskRequest(
  request: Pick<OutgoingCall, 'draft' | 'url' | 'body' | 'hashInput' | 'hash'>,
  held: readonly HeldKey[],
  nameOf: (environmentId: string) => string,
): MaskedRequest | null {
  if (held.length === 0) return null;
  const places = merged(held.flatMap((one) => one.places));
  const where: string[] = [];
  let from = 0;
  const clean = [...typedTexts(request.draft), request.url].map((one, index) => {
    const { where: name, isJson } = typed[typedNames[index] ?? 'form'];
    const bytes = Buffer.from(one);
    const own = within(places, from, from + bytes.length);
    from += bytes.length + 1;
    if (own.length > 0) where.push(index < typedNames.length ? name : 'the URL');
    return masked(bytes, isJson ? keyMarksInBody(bytes, own) : keyMarks(own)).toString('utf8');
  });
  const url = clean.pop() ?? '';
  const texts = Object.fromEntries(typedNames.map((name, index) => [name, clean[index] ?? ''])) as Record<Typed, string>;
  const { text, form, time, hash } = texts;
  const own = within(places, from, from + request.body.length);
  // A key that nobody typed came from something that somebody did type, such as a variable.
  if (where.length === 0) where.push('the body');
  const marks = keyMarksInBody(request.body, own);
  const { overrides } = request.draft;
  const given = typedNames.filter((name) => name in overrides && overrides[name as keyof Overrides] !== undefined);
  return {
    keys: held.map(({ environmentId }) => nameOf(environmentId)),
    where,
    draft: {
      ...request.draft,
      text,
      form,
      overrides: { ...overrides, ...Object.fromEntries(given.map((name) => [name, texts[name]])) },
    },
    url,
    body: masked(request.body, marks),
    hashInput: maskedInput(request.hashInput, marks, time),
    hash: overrides.hash === undefined || overrides.hash === 'wrong' ? request.hash : hash,
  };
}

/**
 * Returns headers with `[private key]` in place of each key that was found in them, each name and value a line before the rest of the text that
 * was searched, and the keys of that rest.
 */
export function maskHeaders(headers: HeaderList, held: readonly HeldKey[]) {
  if (held.length === 0) return { headers, rest: held };
  const { texts, end } = maskLines(headers.flat(), merged(held.flatMap((one) => one.places)));
  return {
    headers: pairs(headers, texts),
    rest: held.map(({ environmentId, places }) => ({ environmentId, places: within(places, Math.max(end, 1), Infinity) })),
  };
}

/** Masks places of texts that were searched as one, a line each; `end`: the byte behind them. */
function maskLines(lines: readonly string[], places: readonly Place[]) {
  let end = 0;
  const texts = lines.map((line) => {
    const bytes = Buffer.from(line);
    const own = within(places, end, end + bytes.length);
    end += bytes.length + 1;
    return masked(bytes, keyMarks(own)).toString('utf8');
  });
  return { texts, end };
}

/** Returns as many headers with these names and values. */
function pairs(headers: HeaderList, texts: readonly string[]): HeaderList {
  return headers.map((_, index) => [texts[2 * index] ?? '', texts[2 * index + 1] ?? '']);
}

/** Finds the keys in a text whose characters are the bytes that came: one of UTF-8 beyond ASCII is several there. */
export async function findAsBytes(text: string, find: Find): Promise<HeldKey[]> {
  return Buffer.byteLength(text) === text.length ? [] : asText(await find(Buffer.from(text, 'latin1')), text);
}

function maskedInput(input: OutgoingCall['hashInput'], marks: readonly Mark[], time: string): OutgoingCall['hashInput'] {
  if (input === null) return null;
  const dataOffset = movedBy(marks, input.dataOffset);
  const dataLength = movedBy(marks, input.dataOffset + input.dataLength) - dataOffset;
  return { ...input, time: time === '' ? input.time : time, dataOffset, dataLength };
}

function within(places: readonly Place[], from: number, to: number): Place[] {
  return places
    .filter(({ start, end }) => start < to && end > from)
    .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }));
}

/** Number of bytes from which a body is searched apart from its headers: one text of both would copy it. */
const longBytes = 65_536;

type Find = (text: Uint8Array) => Promise<readonly HeldKey[]>;
type NameOf = (environmentId: string) => string;

/** A response as it is shown and kept; `keys`: names of the environments whose keys it held, none for nearly every call. */
interface Masked {
  readonly transmitted: Transmitted;
  readonly keys: readonly string[];
}

/**
 * Returns a response as it is shown and kept, with `[private key]` in place of each key of eight bytes or more, in headers too, and in the bytes as
 * they came. A body whose search the user stops is dropped, because nobody knows what it holds.
 */
export async function maskResponse(came: Transmitted, find: Find, nameOf: NameOf, cancellation: Cancellation): Promise<Masked> {
  const read = await maskRead(came, find, nameOf, cancellation);
  const { raw } = read.transmitted;
  if (raw === null) return read;
  // There it may be in pieces, compressed or in another encoding, and not be found.
  if (read.keys.length > 0) return { ...read, transmitted: { ...read.transmitted, raw: null } };
  const held = await findUnlessStopped(raw, find, cancellation);
  if (held === null) return { ...read, transmitted: unsearched(read.transmitted) };
  const found = held.map(longPlaces).filter(({ places }) => places.length > 0);
  const marks = keyMarks(found.flatMap(({ places }) => places));
  return { transmitted: { ...read.transmitted, raw: masked(raw, marks) }, keys: namesOf(found, nameOf) };
}

/** Searches bytes that may be long. Null if the user stops it; a response that they stopped is shown as far as it came. */
function findUnlessStopped(bytes: Buffer, find: Find, cancellation: Cancellation): Promise<readonly HeldKey[] | null> {
  const searched = find(bytes);
  return cancellation.requested ? searched : unlessCancelled(searched, cancellation);
}

/** Returns what is kept of a response whose search the user stopped. */
function unsearched(came: Transmitted): Transmitted {
  const response = came.response === null ? null : { ...came.response, body: Buffer.alloc(0) };
  return { ...came, response, raw: null, failure: unsearchedFailure() };
}

function namesOf(held: readonly HeldKey[], nameOf: NameOf): string[] {
  return [...new Set(held.map(({ environmentId }) => nameOf(environmentId)))];
}

async function maskRead(came: Transmitted, find: Find, nameOf: NameOf, cancellation: Cancellation): Promise<Masked> {
  if (came.response === null) return { transmitted: came, keys: [] };
  const { headers } = came.response;
  // What was read past is quoted in findings.
  const texts = [...headers.flat(), ...came.findings.map(({ message }) => message)];
  const headText = `${texts.join('\n')}\n`;
  const heads = Buffer.from(headText);
  // A body that is not UTF-8 is searched byte by byte, which must not happen to the headers.
  const together = came.response.body.length <= longBytes && isUtf8(came.response.body);
  const inBody = together ? [] : await findUnlessStopped(came.response.body, find, cancellation);
  const transmitted = inBody === null ? unsearched(came) : came;
  const response = transmitted.response ?? came.response;
  const { body } = response;
  const found = [...(await find(together ? Buffer.concat([heads, body]) : heads)), ...moved(inBody ?? [], heads)];
  found.push(...(await findAsBytes(headText, find)));
  const held = found.map(longPlaces).filter(({ places }) => places.length > 0);
  if (held.length === 0) return { transmitted, keys: [] };
  const places = merged(held.flatMap((one) => one.places));
  const { texts: kept } = maskLines(texts, places);
  return {
    transmitted: {
      ...transmitted,
      findings: came.findings.map((finding, index) => ({ ...finding, message: kept[2 * headers.length + index] ?? '' })),
      response: {
        ...response,
        headers: pairs(headers, kept),
        body: masked(body, keyMarksInBody(body, within(places, heads.length, heads.length + body.length))),
      },
    },
    keys: namesOf(held, nameOf),
  };
}

/** Drops the positions of short keys, which stay as they are. */
function longPlaces({ environmentId, places }: HeldKey): HeldKey {
  return { environmentId, places: places.filter(({ start, end }) => end - start >= shortestKeyMasked) };
}

/** Converts positions of bytes that are one character of a text each to positions of that text in UTF-8. */
function asText(held: readonly HeldKey[], text: string): HeldKey[] {
  const at = (characters: number) => Buffer.byteLength(text.slice(0, characters));
  return held.map(({ environmentId, places }) => ({
    environmentId,
    places: places.map(({ start, end }) => ({ start: at(start), end: at(end) })),
  }));
}

/** Shifts the positions of a text that follows another. */
function moved(held: readonly HeldKey[], before: Buffer): HeldKey[] {
  return held.map(({ environmentId, places }) => ({
    environmentId,
    places: places.map(({ start, end }) => ({ start: start + before.length, end: end + before.length })),
  }));
}

/**
 * Returns the finding that a call's response held a key, which is masked; `sent`: the request held one, too, so the server may only
 * have quoted it; `withoutRaw`: the bytes as they came are not kept.
 */
export function maskedFinding(keys: readonly string[], sent: boolean, withoutRaw: boolean): Finding {
  const left = withoutRaw ? " The raw bytes weren't kept." : '';
  const advice = sent ? '' : ' Whoever sent it has the key: unless you expected that, ask the provider for a new one.';
  return {
    rule: keyInResponseRule,
    severity: 'warning',
    path: '',
    message: `The response contained the private key of ${keys.join(' and ')}. Croupier shows and keeps ${keyMark} instead; sizes are those of the masked response.${left}${advice}`,
  };
}

/** Returns why a request of a run does not leave: it was filled in from a response in which a key is masked. */
export function markRefusal(): AppError {
  return new AppError(
    'refused',
    `Not sent: this request contains ${keyMark}, the placeholder for a masked private key. Remove it; Croupier signs without it.`,
    { reason: 'key_held' },
  );
}

/** Core's question before a request leaves that holds a key. */
export function keyRefusal({ environment, draft }: OutgoingCall, { keys, where, url }: MaskedRequest): AppError {
  const question: KeyQuestion = {
    environment: environment.name,
    operation: draft.operation,
    url,
    keys: [...keys],
    where: [...where],
  };
  const { title, consequences } = keyQuestionWords(question);
  return new AppError('refused', `${title} ${consequences.join(' ')} Nothing was sent.`, { reason: 'key_unconfirmed', question });
}

/** Returns why a request with a key in it does not leave if nobody can be asked. */
export function unaskedRefusal({ keys, where }: MaskedRequest): AppError {
  return new AppError(
    'refused',
    `Not sent: ${where.join(' and ')} of this request contains the private key of ${keys.join(' and ')}. Remove it; Croupier signs without it.`,
    { reason: 'key_held' },
  );
}
