import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { GameMode } from '../launches.ts';
import { LaunchParameterRow } from '../../model/launch-address.ts';
import { CallSummary } from './calls.ts';
import { AddressCheck } from '../../model/launch-address.ts';

/** One line of the live record. Texts have session tokens masked and are cut at 2,000 characters. */
export const LaunchEntry = z.strictObject({
  /** Counts from 1 within the launch, without gaps unless entries were left out. */
  seq: z.int(),
  /** Milliseconds since the launch was prepared. */
  at: z.number(),
  kind: z.enum([
    'call', // getLauncherURL or roundReplayInfo answered
    'opened',
    'navigation',
    'redirect',
    'loaded',
    'console',
    'request', // failed, or took longer than 3 s
    'framing', // headers that forbid embedding
    'wallet', // a wallet call that the built-in provider judged
    'dialog', // alert, confirm or prompt, answered at once
    'permission',
    'download',
    'window',
    'address', // a request to a local or private address
    'exit', // arrival at exitURL
    'crash',
    'closed',
    'note', // what became of its view, and what the page of the browser host could see
  ]),
  /** The tab it belongs to. */
  group: z.enum(['navigation', 'console', 'requests', 'blocked', 'other']),
  level: z.enum(['info', 'good', 'warning', 'error', 'blocked']),
  title: z.string(),
  detail: z.string(),
});
export type LaunchEntry = z.infer<typeof LaunchEntry>;

export const Launch = z.strictObject({
  id: z.string(),
  environmentId: z.string(),
  environmentName: z.string(),
  /** `replay`: the page of a round's replay link. */
  source: z.enum(['launcher', 'replay']),
  /** The call in the history that brought the address. */
  call: CallSummary,
  gameId: z.string(),
  /** What the caller said the game is called; empty where it did not. */
  gameName: z.string(),
  /** Null for a replay. */
  gameMode: z.nullable(GameMode),
  exitURL: z.string(),
  /** Milliseconds since the epoch. */
  preparedAt: z.int(),
  /** The address with session tokens as `[token]`; null where the answer has none. */
  url: z.nullable(z.string()),
  /** `https://host:port`; null where there is no readable address. */
  origin: z.nullable(z.string()),
  parameters: z.array(LaunchParameterRow),
  checks: z.array(AddressCheck),
  /** Why it cannot be opened, in words; null where it can. A failed check alone does not keep it from being opened. */
  problem: z.nullable(z.string()),
  /** `expired`: of an earlier run, whose address is not kept. */
  state: z.enum(['ready', 'open', 'closed', 'expired']),
  /** True once the page arrived at exitURL, since it was opened last. */
  exited: z.boolean(),
  entries: z.int(),
  /** Entries that were left out because the record was full. */
  dropped: z.int(),
  /** Whether a screenshot is kept. */
  screenshot: z.boolean(),
});
export type Launch = z.infer<typeof Launch>;

/** How the game is shown. `view`: the host lays it over the page. `frame`: the page puts `src` into an iframe. `none`: this host shows no games. */
export const OpenedLaunch = z.union([
  z.strictObject({ kind: z.literal('view') }),
  z.strictObject({
    kind: z.literal('frame'),
    /** Path on the page's own origin, good once and for a minute. Opening again (reload) gives a new one. */
    src: z.string(),
    /** What cannot be observed there, as sentences. */
    unobserved: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('none'), message: z.string() }),
]);
export type OpenedLaunch = z.infer<typeof OpenedLaunch>;

/** `done` is false where this host has no view of the launch: nothing was to be done. */
const Done = z.strictObject({ done: z.boolean() });

export const launchOutputs = {
  'launches.prepare': Launch,
  'launches.fromCall': Launch,
  'launches.open': OpenedLaunch,
  'launches.setBounds': Done,
  'launches.setVisible': Done,
  'launches.reload': Done,
  'launches.back': Done,
  'launches.setViewport': Done,
  'launches.setMuted': Done,
  'launches.focus': Done,
  'launches.close': Launch,
  'launches.screenshot': z.strictObject({
    dataUrl: z.nullable(z.string()),
    message: z.nullable(z.string()),
  }),
  'launches.note': Launch,
  'launches.list': z.strictObject({ launches: z.array(Launch) }),
  'launches.get': z.strictObject({
    launch: Launch,
    entries: z.array(LaunchEntry),
  }),
  'launches.export': z.union([
    z.strictObject({
      as: z.literal('folder'),
      folder: z.string(),
      files: z.array(z.string()),
    }),
    z.strictObject({
      as: z.literal('html'),
      name: z.string(),
      html: z.string(),
    }),
  ]),
  'launches.renewToken': z.strictObject({
    call: CallSummary,
    token: z.nullable(z.string()),
    message: z.nullable(z.string()),
    fields: z.array(z.string()),
  }),
};

export const launchEvents = {
  /** New entries of a record, in order; several at once where a page is busy. */
  'launches.recorded': z.strictObject({
    id: z.string(),
    entries: z.array(LaunchEntry),
    dropped: z.int(),
  }),
  /** The state of a launch changed: opened, closed, exited. */
  'launches.changed': z.strictObject({ id: z.string() }),
  /** A launch was added or dropped from the list. */
  'launches.listed': Nothing,
};
