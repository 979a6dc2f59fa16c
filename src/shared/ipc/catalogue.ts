import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

/** Names the call under way for `calls.cancel`; `confirmed` as in `calls.send`. */
const sending = {
  ticket: filledTextUpTo(100),
  confirmed: Confirmed,
};

const snapshotId = z.int().check(z.gte(1));

const url = filledTextUpTo(10_000);

export const catalogueInputs = {
  /** Sends gameList and keeps the list; `snapshot` is null if the response is not a game list with code 0, and the call says why. */
  'catalogue.fetch': z.strictObject({
    environmentId: filledTextUpTo(80),
    currency: textUpTo(255),
    ...sending,
  }),
  /** Newest first. Without an environment: snapshots of all environments. */
  'catalogue.snapshots': z.strictObject({
    environmentId: z.optional(filledTextUpTo(80)),
  }),
  /** Fails with `not_found`. */
  'catalogue.games': z.strictObject({ snapshotId }),
  /** Fails with `not_found`. */
  'catalogue.compare': z.strictObject({ from: snapshotId, to: snapshotId }),
  /** Loads a picture through the environment's trust, or finds it in the cache. Never fails for what a server does. */
  'catalogue.thumbnail': z.strictObject({
    environmentId: filledTextUpTo(80),
    url,
  }),
  /** Stops loading pictures that scrolled out of sight; each waiting call then returns `cancelled`. */
  'catalogue.cancelThumbnails': z.strictObject({
    environmentId: filledTextUpTo(80),
    urls: z.array(url).check(z.maxLength(1_000)),
  }),
};
