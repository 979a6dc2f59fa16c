import { commandIds } from '../../commands.ts';
import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';

/** Abilities of the running host. The UI asks for these, never for the host's name. */
export const Capabilities = z.strictObject({
  /** A game page can be embedded with full observation. */
  embedGame: z.boolean(),
  /** The page itself can show a game in a frame, with less observation. Absent means no. */
  frameGame: z.optional(z.boolean()),
  /** A directory can be picked in the system's own dialog. */
  pickDirectory: z.boolean(),
  /** An address can be opened in the user's own browser. */
  openOutside: z.boolean(),
});
export type Capabilities = z.infer<typeof Capabilities>;

export const AppInfo = z.strictObject({
  version: z.string(),
  host: z.string(),
  capabilities: Capabilities,
  home: z.string(),
  /** True while a screen reader runs; null if this host or its system does not tell. */
  screenReader: z.nullable(z.boolean()),
  /** A message for the user; null if the OS keychain works. */
  keychainMessage: z.nullable(z.string()),
  calls: z.int(),
  /** ID of this session, as in `run` of the calls it sends. */
  run: z.string(),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** Result of opening a URL; `message` tells the user why not, and is null if the user declined. */
export const OpenedOutside = z.strictObject({
  opened: z.boolean(),
  message: z.nullable(z.string()),
});
export type OpenedOutside = z.infer<typeof OpenedOutside>;

/** The absolute path; null if the user declined, or if `message` says why nothing could be picked. */
export const PickedDirectory = z.strictObject({
  directory: z.nullable(z.string()),
  message: z.nullable(z.string()),
});
export type PickedDirectory = z.infer<typeof PickedDirectory>;

/** Result of the last check for a newer version; `url` is empty and nothing is asked unless the user gave one. */
export const UpdateStatus = z.strictObject({
  url: z.string(),
  checkedAt: z.nullable(z.int()),
  /** A version that is newer than this one, and the https URL of its notes. `dismissed`: its notice was closed. */
  newer: z.nullable(z.strictObject({ version: z.string(), notes: z.nullable(z.string()), dismissed: z.boolean() })),
  /** A sentence if the last check failed. */
  problem: z.nullable(z.string()),
});
export type UpdateStatus = z.infer<typeof UpdateStatus>;

/** Plain text with line breaks. */
const OneText = z.strictObject({ text: z.string() });

export const appOutputs = {
  'app.info': AppInfo,
  'app.diagnostics': OneText,
  'app.licences': OneText,
  'app.checkUpdate': UpdateStatus,
  'app.openOutside': OpenedOutside,
  'app.pickDirectory': PickedDirectory,
};

export const appEvents = {
  /** A fault of the program, or one that stopped a contract call. `details`: a text to copy into a report, without secrets and paths. */
  'app.faulted': z.strictObject({ message: z.string(), details: z.string() }),
  /** A command was chosen in the desktop's menu. Only the desktop host sends this, to the focused window. */
  'app.commandChosen': z.strictObject({ id: z.enum(commandIds) }),
  /** A screen reader began or ended; `app.info` has which. Only the desktop host sends this. */
  'app.screenReaderChanged': Nothing,
};
