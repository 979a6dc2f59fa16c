import { commandIds } from '../commands.ts';
import { call, event, Nothing, z } from './contract.ts';

/** What the running host can do. The UI asks this, never which host it is. */
export const Capabilities = z.strictObject({
  /** A game page can be embedded with full observation. */
  embedGame: z.boolean(),
  /** The page itself can show a game in a frame, with less observation. Absent means no. */
  frameGame: z.boolean().optional(),
  /** A folder or file can be picked by a native dialog. */
  pickFile: z.boolean(),
  /** An address can be opened in the user's own browser. */
  openOutside: z.boolean(),
});
export type Capabilities = z.infer<typeof Capabilities>;

export const AppInfo = z.strictObject({
  version: z.string(),
  host: z.string(),
  capabilities: Capabilities,
  home: z.string(),
  /** Null when the OS keychain works; else what to tell the user. */
  keychainMessage: z.string().nullable(),
  calls: z.number().int(),
  /** Names this run of the program, as `run` does in the calls it sends. */
  run: z.string(),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** A player of the built-in provider, with a session token that works now. */
export const SandboxPlayer = z.strictObject({
  playerId: z.string(),
  externalToken: z.string(),
  currency: z.string(),
  country: z.string(),
  balance: z.number(),
});
export type SandboxPlayer = z.infer<typeof SandboxPlayer>;

/** One request that the built-in provider judged. `why` says in words what it expected. */
export const SandboxVerdict = z.strictObject({
  time: z.string(),
  path: z.string(),
  action: z.string().nullable(),
  verdict: z.strictObject({ code: z.number().int(), message: z.string(), why: z.string() }),
  bodyText: z.string(),
});
export type SandboxVerdict = z.infer<typeof SandboxVerdict>;

export const SandboxStatus = z.strictObject({
  running: z.boolean(),
  environmentId: z.string().nullable(),
  baseUrl: z.string().nullable(),
  /** Said where it could not start. */
  message: z.string().nullable(),
  players: z.array(SandboxPlayer),
});
export type SandboxStatus = z.infer<typeof SandboxStatus>;

/** Whether an address was opened; `message` says why not, in words for the user, and is null where the user declined. */
export const OpenedOutside = z.strictObject({ opened: z.boolean(), message: z.string().nullable() });
export type OpenedOutside = z.infer<typeof OpenedOutside>;

export const appCalls = {
  'app.info': call(Nothing, AppInfo),
  /** Opens an https address in the user's browser, after a check and a question. Hosts without a way to do so answer with a message. */
  'app.openOutside': call(z.strictObject({ url: z.string().min(1).max(2_048) }), OpenedOutside),
  'sandbox.status': call(Nothing, SandboxStatus),
};

export const appEvents = {
  /** A command of the page was chosen in the desktop's menu; told by the desktop host alone, to the window that has the focus. */
  'app.commandChosen': event(z.strictObject({ id: z.enum(commandIds) })),
  'sandbox.judged': event(SandboxVerdict),
};
