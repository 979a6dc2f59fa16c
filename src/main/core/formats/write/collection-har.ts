import { AppError } from '#shared/errors.ts';
import { assembleBody, type PreparedRequest } from '#shared/request/envelope.ts';
import type { PreparedPart } from './prepared-part.ts';

/** Headers that a request of a collection is sent with by another program. */
export const jsonHeaders = [
  ['content-type', 'application/json'],
  ['accept', 'application/json'],
] as const;

/** Writes HAR 1.2 of requests that were not sent, signed as of now. Without a key, `[hash]` replaces the hash. */
export async function collectionHar(
  requests: readonly PreparedPart[],
  {
    now,
    version,
    bodyOf,
  }: {
    /** In milliseconds since the epoch. */
    readonly now: number;
    readonly version: string;
    /** Returns the signed body. Fails with `key_missing` or `key_unavailable`. */
    readonly bodyOf: (prepared: PreparedRequest) => Promise<string>;
  },
): Promise<{ text: string; unsigned: string[] }> {
  const unsigned: string[] = [];
  const entries: object[] = [];
  for (const { source, prepared } of requests) {
    let body: string;
    try {
      body = await bodyOf(prepared);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'key_missing' && error.code !== 'key_unavailable')) throw error;
      unsigned.push(source.path);
      body = assembleBody(prepared, '[hash]');
    }
    entries.push({
      startedDateTime: new Date(now).toISOString(),
      time: 0,
      request: {
        method: 'POST',
        url: prepared.url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: jsonHeaders.map(([name, value]) => ({ name, value })),
        queryString: [],
        postData: { mimeType: 'application/json', text: body },
        headersSize: -1,
        bodySize: Buffer.byteLength(body, 'utf8'),
      },
      response: {
        status: 0,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        content: { size: 0, mimeType: 'x-unknown' },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
      comment: source.path,
    });
  }
  const comment =
    'These requests were not sent. They are signed with the time of the export, and a provider may refuse them later.';
  return {
    text: `${JSON.stringify({ log: { version: '1.2', creator: { name: 'Croupier', version }, entries, comment } }, null, 2)}\n`,
    unsigned,
  };
}
