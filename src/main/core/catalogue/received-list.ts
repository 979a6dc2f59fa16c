import type { Call, Environment } from '#shared/ipc/index.ts';
import { nodeAt } from '#shared/provider/launcher-url.ts';
import { readJsonBody } from '../calls/call-response.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { responseSubject, smallBytes } from '../untrusted/measure.ts';
import { readGamesJob, textOf, type GameList } from './read-games.ts';

/** A list that came, with its call. */
export interface Found {
  readonly call: Call;
  readonly currency: string;
  readonly body: Uint8Array;
}

/** A list that is to be kept. */
export interface Listed extends Found {
  /** The parsed list, shared by all that are the same; null if it is not read yet, and if it is not a list. */
  readonly content: { list: GameList | null };
  /** Settles when a long list is read; null for a short one. */
  readonly ready: Promise<void> | null;
}

/**
 * Returns the list that a call may have brought, with its currency as in the sent bytes; null for any other call, and for one sent
 * with another platform or partner ID: its games are not those of the environment.
 */
export function listedBy(call: Call, body: Uint8Array, environment: Environment): Found | null {
  if (call.operation !== 'gameList' || call.state !== 'answered' || call.code !== 0) return null;
  const sent = readJsonBody(Buffer.from(call.request.bodyText));
  const asked = (name: string) => textOf(nodeAt(sent, [name]));
  if (asked('platform') !== String(environment.platform) || asked('partnerId') !== String(environment.partnerId)) return null;
  return { call, currency: asked('currency') ?? '', body };
}

/** Begins to read a list; a short one is read when this returns. Fails with `refused` if it is too long to be kept. */
export function beginList(found: Found, reading: Pick<Reading, 'run'>): Listed {
  const bytes = found.body.length;
  if (bytes <= smallBytes) return { ...found, content: { list: readGamesJob(found.body) }, ready: null };
  const options = { subject: responseSubject, bytes };
  const read = reading.run('catalogue.games', found.body, options);
  const content: Listed['content'] = { list: null };
  const ready = read.then((list) => void (content.list = list));
  // Whoever keeps it hears of the failure.
  ready.catch(() => undefined);
  return { ...found, content, ready };
}
