import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Environment, NotCarried } from '#shared/ipc/index.ts';
import { assembleBody, prepareRequest, type PreparedRequest } from '#shared/request/envelope.ts';
import { createGenerated } from '#shared/variables/generated.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import { substituteRequest } from '#shared/variables/substitute-request.ts';
import { foldersOf, requestsOf, type CollectionPart, type PartRequest } from './collection-part.ts';
import { harHeaders, harRequest, harResponse } from './har-parts.ts';

/** A request of a collection with its values inserted, as it would be sent now, except for the hash. */
export interface PreparedPart {
  readonly source: PartRequest;
  readonly prepared: PreparedRequest;
}

/** Prepares every request that needs no response of another; reports the others. `now` is in milliseconds since the epoch. */
export function preparePart(
  part: CollectionPart,
  environment: Environment,
  now: number,
): { requests: PreparedPart[]; notCarried: NotCarried[] } {
  const notCarried: NotCarried[] = [...part.unread];
  const requests: PreparedPart[] = [];
  const namedIds = new Map<string, string>();
  for (const source of requestsOf(part.items)) {
    const { path, request, comments, folders } = source;
    const lose = (what: string, why: string) => void notCarried.push({ where: path, what, why, at: [] });
    const scopes = createScopes({ folders, collection: part.variables, environment });
    // Checks are not part of it, and may hold values that only a response gives.
    const generated = createGenerated({ environment, now, newId: randomUUID, namedIds });
    const substituted = substituteRequest({ ...request, take: {}, expect: [] }, scopes, generated);
    if (!substituted.ok) {
      for (const { message, field } of substituted.errors) lose('the request', `${field}: ${message}`);
      continue;
    }
    const prepared = prepareRequest({ ...substituted.draft, environmentId: environment.id }, environment, now);
    if (!prepared.ok) {
      lose('the request', prepared.error.message);
      continue;
    }
    for (const name of Object.keys(request.take))
      lose(`the variable ${name} that its response sets`, 'This format only sends requests.');
    if (request.expect.length > 0) lose(`its checks (${request.expect.length})`, 'This format only sends requests.');
    if (request.notes !== '') lose('its notes', 'This format only sends requests.');
    if (request.examples.length > 0) lose(`its examples (${request.examples.length})`, 'This format only sends requests.');
    for (const comment of comments) lose(`the comment ${comment}`, 'This format only sends requests.');
    requests.push({ source, prepared: prepared.request });
  }
  const settings = [{ path: 'the collection', settings: part }, ...foldersOf(part.items)];
  for (const { path, settings: own } of settings) {
    if (own.notes !== '') notCarried.push({ where: path, what: 'its notes', why: 'This format only sends requests.', at: [] });
    if (Object.keys(own.variables).length > 0)
      notCarried.push({ where: path, what: 'its variables', why: 'The requests contain their values.', at: [] });
  }
  return { requests, notCarried };
}

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
      request: harRequest(prepared.url, {
        headers: harHeaders(jsonHeaders, (value) => value),
        queryString: [],
        text: body,
        bodySize: Buffer.byteLength(body, 'utf8'),
      }),
      response: harResponse({}),
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
      comment: source.path,
    });
  }
  const comment =
    'These requests were not sent. They are signed with the time of the export, so a provider may reject them later.';
  return {
    text: `${JSON.stringify({ log: { version: '1.2', creator: { name: 'Croupier', version }, entries, comment } }, null, 2)}\n`,
    unsigned,
  };
}
