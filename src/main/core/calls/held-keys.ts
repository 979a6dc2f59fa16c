import { Buffer } from 'node:buffer';
import { AppError } from '#shared/errors.ts';
import type { KeyQuestion, RequestDraft } from '#shared/ipc/index.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import { keyQuestionWords } from '#shared/secrets/key-question.ts';
import type { HeldKey } from '../keys/keys.ts';
import { masked, merged } from '../mask-places.ts';
import type { Place } from '../secret-places.ts';
import type { MaskedRequest, OutgoingCall } from './record.ts';
import type { Transmitted } from './transmit.ts';

type Request = Pick<OutgoingCall, 'draft' | 'url' | 'body'>;

/** Texts that a person typed, by what a question calls them. */
const typed: readonly (readonly [string, (draft: RequestDraft) => string])[] = [
  ['the payload', ({ text }) => text],
  ['hash', ({ overrides }) => overrides.hash ?? ''],
  ['time', ({ overrides }) => overrides.time ?? ''],
  ['platform', ({ overrides }) => overrides.platform ?? ''],
  ['partnerId', ({ overrides }) => overrides.partnerId ?? ''],
];

/** Everything of a request that leaves or is recorded, in one text to look at. */
export function textOf({ draft, url, body }: Request): Uint8Array {
  return Buffer.concat([Buffer.from(`${typedTexts(draft).join('\n')}\n${url}\n`), body]);
}

function typedTexts(draft: RequestDraft): string[] {
  return typed.map(([, read]) => read(draft));
}

/** The request as the history keeps it: each place of a key is `[private key]`. Null where it holds none. */
export function maskRequest(
  request: Pick<OutgoingCall, 'draft' | 'url' | 'body' | 'hashInput' | 'hash'>,
  held: readonly HeldKey[],
  nameOf: (environmentId: string) => string,
): MaskedRequest | null {
  if (held.length === 0) return null;
  const places = merged(held.flatMap((one) => one.places));
  const texts = [...typedTexts(request.draft), request.url];
  const where: string[] = [];
  let from = 0;
  const [text, hash, time, platform, partnerId, url] = texts.map((one, index) => {
    const bytes = Buffer.from(one);
    const own = within(places, from, from + bytes.length);
    from += bytes.length + 1;
    if (own.length > 0) where.push(typed[index]?.[0] ?? 'the URL');
    return masked(bytes, own).toString('utf8');
  });
  const own = within(places, from, from + request.body.length);
  if (where.length === 0 && own.length > 0) where.push('the body');
  const { overrides } = request.draft;
  return {
    keys: held.map(({ environmentId }) => nameOf(environmentId)),
    where,
    draft: {
      ...request.draft,
      text: text ?? '',
      overrides: {
        ...overrides,
        ...(overrides.hash === undefined ? {} : { hash: hash ?? '' }),
        ...(overrides.time === undefined ? {} : { time: time ?? '' }),
        ...(overrides.platform === undefined ? {} : { platform: platform ?? '' }),
        ...(overrides.partnerId === undefined ? {} : { partnerId: partnerId ?? '' }),
      },
    },
    url: url ?? '',
    body: masked(request.body, own),
    hashInput: maskedInput(request.hashInput, own, time ?? ''),
    hash: overrides.hash === undefined || overrides.hash === 'wrong' ? request.hash : (hash ?? ''),
  };
}

function maskedInput(input: OutgoingCall['hashInput'], places: readonly Place[], time: string): OutgoingCall['hashInput'] {
  if (input === null) return null;
  const end = input.dataOffset + input.dataLength;
  const dataOffset = movedTo(input.dataOffset, places);
  const dataLength = movedTo(end, places) - dataOffset;
  return { ...input, time: time === '' ? input.time : time, dataOffset, dataLength };
}

/** Where an offset of the body is in the masked one. */
function movedTo(offset: number, places: readonly Place[]): number {
  return places.reduce((at, { start, end }) => (end <= offset ? at + keyMark.length - (end - start) : at), offset);
}

function within(places: readonly Place[], from: number, to: number): Place[] {
  return places
    .filter(({ start, end }) => start < to && end > from)
    .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }));
}

/** A response that may quote what was sent, with the keys in it masked as in the request. */
export async function maskResponse(
  transmitted: Transmitted,
  find: (text: Uint8Array) => Promise<readonly HeldKey[]>,
): Promise<Transmitted> {
  const { response } = transmitted;
  if (response === null) return transmitted;
  const placesIn = async (bytes: Buffer) => merged((await find(bytes)).flatMap(({ places }) => places));
  const body = masked(response.body, await placesIn(response.body));
  const headers = await Promise.all(
    response.headers.map(async ([name, value]): Promise<[string, string]> => {
      const bytes = Buffer.from(value);
      return [name, masked(bytes, await placesIn(bytes)).toString('utf8')];
    }),
  );
  return { ...transmitted, response: { ...response, headers, body } };
}

/** Core's question before a request leaves that holds a key. */
export function keyRefusal({ environment, draft, url }: OutgoingCall, { keys, where, url: shown }: MaskedRequest): AppError {
  const question: KeyQuestion = {
    environment: environment.name,
    operation: draft.operation,
    url: shown === url ? url : shown,
    keys: [...keys],
    where: [...where],
  };
  const { title, consequences } = keyQuestionWords(question);
  return new AppError('refused', `${title} ${consequences.join(' ')} Nothing was sent.`, { reason: 'key_unconfirmed', question });
}

/** Why a request with a key in it does not leave where nobody can be asked. */
export function unaskedRefusal({ keys, where }: MaskedRequest): AppError {
  return new AppError(
    'refused',
    `Not sent: ${where.join(' and ')} of this request holds the private key of ${keys.join(' and ')}. Calls are signed without it; take it out.`,
    { reason: 'key_held' },
  );
}
