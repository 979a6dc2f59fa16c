import { filledTextUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** Purpose of picking a directory: to open it as a collection, or to create one in it. */
export const DirectoryPurpose = z.enum(['open', 'create']);
export type DirectoryPurpose = z.infer<typeof DirectoryPurpose>;

export const appInputs = {
  'app.info': Nothing,
  /**
   * Facts for a report of a fault, as one text; no secret, no path and no name of the user's is in it, except in the lines about how calls to
   * `url` leave, by the settings of an environment if one is named.
   */
  'app.diagnostics': z.strictObject({ url: z.optional(filledTextUpTo(2_000)), environmentId: z.optional(filledTextUpTo(100)) }),
  /** The licence of Croupier and those of the packages that it holds, as one text. */
  'app.licences': Nothing,
  /**
   * Asks the URL of the setting `updateUrl` for the newest version, at most once a day unless `now`. Without that setting nothing is asked.
   */
  'app.checkUpdate': z.strictObject({ now: z.boolean() }),
  /** Opens an https address in the user's browser, after a check and a question. Hosts that cannot do so reply with a message. */
  'app.openOutside': z.strictObject({ url: filledTextUpTo(2_048) }),
  /** Asks the user for a directory in the system's own dialog. Hosts without one reply with a message. */
  'app.pickDirectory': z.strictObject({ purpose: DirectoryPurpose }),
};
