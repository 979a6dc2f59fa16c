import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { GameMode } from '../launches.ts';
import { LaunchParameterRow } from '../../model/launcher-url.ts';
import { CallSummary } from './calls.ts';
import { AddressCheck } from '../../model/launcher-url.ts';
import { deviceSchema } from '../../model/device.ts';
import { LaunchSignal, LaunchVerdict, Overruling } from '../../model/launch-verdict.ts';

/** One line of the live record. Session tokens are masked, and texts truncated at 2,000 characters. */
export const LaunchEntry = z.strictObject({
  /** Counts from 1 within the launch. */
  seq: z.int(),
  /** Milliseconds since the launch was prepared; the first time, if the entry stands for several. */
  at: z.number(),
  /** Equal lines are one entry: how many came, and when the last one did. */
  count: z.int(),
  lastAt: z.number(),
  kind: z.enum([
    'call', // the response of getLauncherURL or roundReplayInfo
    'opened',
    'unopened', // Croupier could not open it
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
    'ready', // also: not ready in time
    'picture', // how much the game shows, and what a look at it found
    'page', // what the page states about itself
    'settings', // the surroundings that Croupier gave the page
    'hang', // also: its end
    'origin', // a look at the origin of a framed game
    'message', // posted by a framed game to the page around it
    'crash',
    'closed',
    'note', // changes of the game view, and observations by the page of the browser host
  ]),
  /** The tab it belongs to. */
  group: z.enum(['navigation', 'console', 'requests', 'blocked', 'other']),
  level: z.enum(['info', 'good', 'warning', 'error', 'blocked']),
  title: z.string(),
  detail: z.string(),
  /** For the rules; null if they do not look at it. */
  signal: z.nullable(LaunchSignal),
});
export type LaunchEntry = z.infer<typeof LaunchEntry>;

/** A kept picture of a launch. */
export const LaunchPicture = z.strictObject({
  /** Counts from 1 within the launch; a removed one stays free. */
  number: z.int(),
  /** Milliseconds since the epoch; null if an earlier version took it. */
  takenAt: z.nullable(z.int()),
  /** The moment that Croupier kept it of, such as `Ready`; null for a screenshot. */
  moment: z.nullable(z.string()),
});
export type LaunchPicture = z.infer<typeof LaunchPicture>;

export const Launch = z.strictObject({
  id: z.string(),
  environmentId: z.string(),
  environmentName: z.string(),
  /** `replay`: the page of a round's replay link. */
  source: z.enum(['launcher', 'replay']),
  /** The call in the history that returned the launcher URL. */
  call: CallSummary,
  gameId: z.string(),
  /** The game's name as the caller gave it; empty for none. */
  gameName: z.string(),
  /** Null for a replay. */
  gameMode: z.nullable(GameMode),
  /** As asked for; empty for a replay. */
  lang: z.string(),
  playerId: z.string(),
  country: z.string(),
  ip: z.string(),
  exitURL: z.string(),
  /** The devices that it was shown on since it was last opened; empty before, in a frame, and if an earlier version opened it. */
  device: z.string(),
  /** Milliseconds since the epoch. */
  preparedAt: z.int(),
  /** The launcher URL with session tokens as `[token]`; null if the response has none. */
  url: z.nullable(z.string()),
  /** `https://host:port`; null if the URL cannot be parsed. */
  origin: z.nullable(z.string()),
  parameters: z.array(LaunchParameterRow),
  checks: z.array(AddressCheck),
  /** Says why it cannot be opened; otherwise null. A failed check alone does not prevent opening. */
  problem: z.nullable(z.string()),
  /** `expired`: from an earlier session, whose URL is not kept. */
  state: z.enum(['ready', 'open', 'closed', 'expired']),
  /** True if the page has reached exitURL since it was last opened. */
  exited: z.boolean(),
  entries: z.int(),
  /** Entries that were left out because the record was full. */
  dropped: z.int(),
  /** Kept pictures of the game, oldest first. */
  pictures: z.array(LaunchPicture),
  /** The user's own; empty for none. */
  note: z.string(),
  /** By the rules, from the record since it was last opened. */
  verdict: LaunchVerdict,
  /** Null if no person overruled the verdict. */
  overruled: z.nullable(Overruling),
});
export type Launch = z.infer<typeof Launch>;

/** Says how the game is shown. `view`: the host lays it over the page. `frame`: the page puts `src` into an iframe. `none`: this host shows no games. */
export const OpenedLaunch = z.union([
  z.strictObject({ kind: z.literal('view') }),
  z.strictObject({
    kind: z.literal('frame'),
    /** Path on the page's own origin, good once and for a minute. Opening again (reload) gives a new one. */
    src: z.string(),
    /** Sentences about what Croupier cannot observe there. */
    unobserved: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('none'), message: z.string() }),
]);
export type OpenedLaunch = z.infer<typeof OpenedLaunch>;

/** The number of launches that stay, of those that there are, and of older ones that the limit has removed so far, with the last time. */
const LaunchKeeping = z.strictObject({
  most: z.int(),
  kept: z.int(),
  removed: z.nullable(z.strictObject({ count: z.int(), at: z.int() })),
});

/** Devices of one place. */
export const DeviceList = z.strictObject({
  /** Empty for those that come with Croupier; else the name of the collection, or `This computer`. */
  from: z.string(),
  devices: z.array(deviceSchema()),
  /** Says why the file cannot be read, with what to do; null if it can. */
  problem: z.nullable(z.string()),
});
export type DeviceList = z.infer<typeof DeviceList>;

/** `done` is false if this host has no game view of the launch. */
const Done = z.strictObject({ done: z.boolean() });

export const launchOutputs = {
  'launches.prepare': Launch,
  'launches.fromCall': Launch,
  'launches.open': OpenedLaunch,
  'launches.setBounds': Done,
  'launches.setVisible': Done,
  'launches.reload': Done,
  'launches.back': Done,
  'launches.setPage': Done,
  'launches.devices': z.strictObject({ lists: z.array(DeviceList) }),
  'launches.setMuted': Done,
  'launches.focus': Done,
  'launches.close': Launch,
  'launches.screenshot': z.strictObject({
    picture: z.nullable(LaunchPicture),
    message: z.nullable(z.string()),
  }),
  'launches.picture': z.strictObject({ dataUrl: z.nullable(z.string()) }),
  'launches.removePicture': Launch,
  'launches.setNote': Launch,
  'launches.note': Launch,
  'launches.overrule': Launch,
  /** `total`: the number of all that were found. */
  'launches.list': z.strictObject({ launches: z.array(Launch), total: z.int() }),
  'launches.keeping': LaunchKeeping,
  'launches.keep': LaunchKeeping,
  'launches.get': z.strictObject({
    launch: Launch,
    entries: z.array(LaunchEntry),
  }),
  'launches.export': z.union([
    z.strictObject({
      as: z.literal('folder'),
      folder: z.string(),
      files: z.array(z.string()),
      /** Number of masked places in the files. */
      masked: z.strictObject({ tokens: z.int(), secrets: z.int() }),
    }),
    z.strictObject({
      as: z.literal('file'),
      name: z.string(),
      text: z.string(),
    }),
  ]),
  'launches.networkLog': z.strictObject({
    name: z.nullable(z.string()),
    har: z.nullable(z.string()),
    message: z.nullable(z.string()),
  }),
  'launches.renewToken': z.strictObject({
    call: CallSummary,
    token: z.nullable(z.string()),
    message: z.nullable(z.string()),
    fields: z.array(z.string()),
  }),
};

export const launchEvents = {
  /** New entries of a record in order, several at once if a page is busy, those whose count rose, and the verdict with them. */
  'launches.recorded': z.strictObject({
    id: z.string(),
    entries: z.array(LaunchEntry),
    dropped: z.int(),
    verdict: LaunchVerdict,
  }),
  /** The state of a launch or its verdict changed. */
  'launches.changed': z.strictObject({ id: z.string() }),
  /** A launch was added or dropped from the list. */
  'launches.listed': Nothing,
};
