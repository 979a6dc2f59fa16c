import { randomUUID } from 'node:crypto';
import type { Environment, NotCarried } from '#shared/ipc/index.ts';
import { prepareRequest, type PreparedRequest } from '#shared/request/envelope.ts';
import { createGenerated } from '#shared/variables/generated.ts';
import { substituteRequest } from '#shared/variables/substitute-request.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import { foldersOf, requestsOf, type CollectionPart, type PartRequest } from './collection-part.ts';

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
    for (const name of Object.keys(request.take)) lose(`the variable ${name} that its response sets`, 'The format only sends.');
    if (request.expect.length > 0) lose(`what it expects (${request.expect.length})`, 'The format only sends.');
    if (request.notes !== '') lose('its notes', 'The format only sends.');
    if (request.examples.length > 0) lose(`its examples (${request.examples.length})`, 'The format only sends.');
    for (const comment of comments) lose(`the comment ${comment}`, 'The format only sends.');
    requests.push({ source, prepared: prepared.request });
  }
  const settings = [{ path: 'the collection', settings: part }, ...foldersOf(part.items)];
  for (const { path, settings: own } of settings) {
    if (own.notes !== '') notCarried.push({ where: path, what: 'its notes', why: 'The format only sends.', at: [] });
    if (Object.keys(own.variables).length > 0)
      notCarried.push({ where: path, what: 'its variables', why: 'The requests have their values.', at: [] });
  }
  return { requests, notCarried };
}
