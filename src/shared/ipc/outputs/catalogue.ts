import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { CallSummary } from './calls.ts';

/** One entry of a game list as it was received. Numbers are their source text: no digit is lost, `1.50` stays `1.50`. */
export const CatalogueGame = z.strictObject({
  /** Source text of the ID; the list keeps the provider's order. */
  id: z.string(),
  /** Empty where the entry has none. */
  name: z.string(),
  /** Bets in the snapshot's currency; the index, from 0, is the betLevel of free rounds. */
  bets: z.array(z.string()),
  /** Empty where the entry has none. */
  thumbnail: z.string(),
  /** As received, because its values are not documented. Null if the entry has none. */
  status: z.nullable(z.string()),
});
export type CatalogueGame = z.infer<typeof CatalogueGame>;

/** A kept game list from any call. An unchanged list keeps its snapshot. */
export const CatalogueSnapshot = z.strictObject({
  id: z.int(),
  environmentId: z.string(),
  environmentName: z.string(),
  currency: z.string(),
  /** The last call in the history that returned it. */
  callId: z.int(),
  /** Milliseconds since the epoch: when that call was sent. */
  fetchedAt: z.int(),
  games: z.int(),
  /** Sentences about faulty entries, such as a missing or duplicate ID. */
  problems: z.array(z.string()),
});
export type CatalogueSnapshot = z.infer<typeof CatalogueSnapshot>;

const TextChange = z.strictObject({
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
});

/** A game that differs between two snapshots; a field is null if it did not change. */
export const CatalogueChange = z.strictObject({
  id: z.string(),
  /** The newer name. */
  name: z.string(),
  renamed: z.nullable(TextChange),
  /** `levels`: the betLevels whose bet changed, was added or was removed. */
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
  /** Number of games that are equal in both. */
  same: z.int(),
  /** False if the currencies differ, so that bets were not compared. */
  betsCompared: z.boolean(),
});
export type CatalogueComparison = z.infer<typeof CatalogueComparison>;

/**
 * A picture that can be fetched by its ID, with the media type of its bytes, or the reason why there is none. `cancelled`: the page no longer
 * waited for it; ask again when it is needed.
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
  /** A snapshot was added, received again or dropped, here or in another process on the same home. */
  'catalogue.changed': Nothing,
};
