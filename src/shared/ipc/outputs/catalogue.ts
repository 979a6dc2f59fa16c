import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { CallSummary } from './calls.ts';

/** One entry of a game list as it was received. Numbers are their source text: no digit is lost, `1.50` stays `1.50`. */
export const CatalogueGame = z.strictObject({
  /** Exact text of the id; the list's order is the provider's. */
  id: z.string(),
  /** Empty where the entry has none. */
  name: z.string(),
  /** In the snapshot's currency; the position is the betLevel of free rounds, counted from 0. */
  bets: z.array(z.string()),
  /** Empty where the entry has none. */
  thumbnail: z.string(),
  /** As received: its values are not documented. Null where the entry has none. */
  status: z.nullable(z.string()),
});
export type CatalogueGame = z.infer<typeof CatalogueGame>;

/** A game list that a call brought and that is kept, whoever sent the call. A list that comes again unchanged is the same snapshot. */
export const CatalogueSnapshot = z.strictObject({
  id: z.int(),
  environmentId: z.string(),
  environmentName: z.string(),
  currency: z.string(),
  /** The last call in the history that brought it. */
  callId: z.int(),
  /** Milliseconds since the epoch: when that call was sent. */
  fetchedAt: z.int(),
  games: z.int(),
  /** What could not be taken as it is, in words: entries without an id, an id that is listed twice. */
  problems: z.array(z.string()),
});
export type CatalogueSnapshot = z.infer<typeof CatalogueSnapshot>;

const TextChange = z.strictObject({
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
});

/** A game that is in both snapshots and not the same; null for what did not change. */
export const CatalogueChange = z.strictObject({
  id: z.string(),
  /** The newer name. */
  name: z.string(),
  renamed: z.nullable(TextChange),
  /** `levels`: the positions whose bet differs, is new or is gone. */
  bets: z.nullable(
    z.strictObject({
      from: z.array(z.string()),
      to: z.array(z.string()),
      levels: z.array(z.int()),
    }),
  ),
  status: z.nullable(TextChange),
  thumbnail: z.nullable(TextChange),
});
export type CatalogueChange = z.infer<typeof CatalogueChange>;

export const CatalogueComparison = z.strictObject({
  from: CatalogueSnapshot,
  to: CatalogueSnapshot,
  added: z.array(CatalogueGame),
  removed: z.array(CatalogueGame),
  changed: z.array(CatalogueChange),
  /** Games that are the same in both. */
  same: z.int(),
  /** False where the currencies differ: then bets are left out of the comparison. */
  betsCompared: z.boolean(),
});
export type CatalogueComparison = z.infer<typeof CatalogueComparison>;

/**
 * A picture that is there to be fetched by its id, with the media type that its bytes show, or why there is none. `cancelled`: nobody waited
 * for it any more; ask again when it is needed.
 */
export const Thumbnail = z.union([
  z.strictObject({
    picture: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    mediaType: z.string(),
  }),
  z.strictObject({ problem: z.string(), cancelled: z.boolean() }),
]);
export type Thumbnail = z.infer<typeof Thumbnail>;

export const catalogueOutputs = {
  'catalogue.fetch': z.strictObject({
    call: CallSummary,
    snapshot: z.nullable(CatalogueSnapshot),
  }),
  'catalogue.snapshots': z.strictObject({
    snapshots: z.array(CatalogueSnapshot),
  }),
  'catalogue.games': z.strictObject({
    snapshot: CatalogueSnapshot,
    games: z.array(CatalogueGame),
  }),
  'catalogue.compare': CatalogueComparison,
  'catalogue.thumbnail': Thumbnail,
  'catalogue.cancelThumbnails': z.strictObject({ cancelled: z.int() }),
};

export const catalogueEvents = {
  /** A snapshot was kept, came again or was dropped, here or in another process on the same home. */
  'catalogue.changed': Nothing,
};
