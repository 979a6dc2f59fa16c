import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '#shared/model/schema.ts';
import { LaunchParameterRow } from '#shared/model/launcher-url.ts';
import { readText } from '../files/files.ts';
import type { FoundInCollections, CollectionRecords } from './player-records.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, ForgetReport, ForgetStep, LeftBehind, ParsedInput, Payload, Launch } from '#shared/ipc/index.ts';
import type { HistoryService } from '../history/service.ts';
import type { Launches } from '../launches/launches.ts';
import type { FoundCalls } from '../history/find-calls.ts';
import { leftBehind, type KeptTabText } from './left-behind.ts';
import { createNaming, type Naming, each, launchNames } from '../history/player-naming.ts';
import { removeSetAside, setAsideFiles } from '../history/set-aside-files.ts';
import { rm } from '../files/moves.ts';

export interface ForgetDeps {
  readonly history: Pick<HistoryService, 'findCalls' | 'purge' | 'erase' | 'remains' | 'rewrite'>;
  readonly historyPath: string;
  readonly launcher: Pick<Launches, 'naming' | 'remove'>;
  /** Removes the player's verdicts from the built-in provider's log of this session. */
  readonly forgetVerdicts: (naming: Naming) => void;
  /** Removes the player's session tokens from the pools of this session. */
  readonly forgetTokens: (player: string) => void;
  readonly collections: CollectionRecords;
  readonly evidenceFolder: string;
  readonly environments: () => readonly Environment[];
  /** Returns the page's settings, by name. */
  readonly remembered: () => Readonly<Record<string, string>>;
  /** Texts of tabs that are open or were left open. */
  readonly tabs: () => Iterable<KeptTabText>;
  readonly tokenFields: () => readonly string[];
  readonly emit: (progress: Payload<'history.forgetting'>) => void;
  /** Returns milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
}

const progressMs = 100;

/** Removes data that names a player from the home. Its members are those of the inside contract. */
export function createForget(deps: ForgetDeps) {
  const { history, historyPath, launcher, collections } = deps;
  let going: { ticket: string; stop: AbortController } | null = null;

  function progressOf(ticket: string) {
    let told = Number.NEGATIVE_INFINITY;
    let last: ForgetStep | null = null;
    return (step: ForgetStep, done = 0, total = 0) => {
      const now = deps.monotonic();
      if (step === last && now - told < progressMs) return;
      [told, last] = [now, step];
      deps.emit({ ticket, step, done, total });
    };
  }

  async function forget(
    { player, dryRun, setAside, ticket }: ParsedInput<'history.forget'>,
    stop: AbortSignal,
  ): Promise<ForgetReport> {
    const progress = progressOf(ticket);
    progress('find');
    const found = await history.findCalls(
      { player, tokenFields: deps.tokenFields() },
      { onProgress: (done, total) => progress('find', done, total), stop },
    );
    const naming = createNaming(player, found?.calls ?? []);
    progress('others');
    const launches = found === null ? [] : launcher.naming(naming);
    const inCollections = found === null ? foundNowhere : await collections.find(naming, stop);
    const evidence = found === null ? { named: [], unread: [] } : await findEvidence(deps.evidenceFolder, naming, stop);
    const aside = setAsideFiles(historyPath);
    const report = countsOf(found, player, dryRun, deps.environments());
    Object.assign(report, {
      launches: launches.length,
      runReports: inCollections.runReports.length,
      evidence: evidence.named.length,
    });
    report.examples = inCollections.examples.reduce((sum, { names }) => sum + names.length, 0);
    report.exampleFiles = inCollections.examples.map(({ file }) => file);
    report.setAside = setAside ? aside.length : 0;
    const left = () =>
      leftBehind({
        naming,
        found,
        inCollections,
        unreadEvidence: evidence.unread,
        setAside: setAside ? [] : aside,
        environments: deps.environments(),
        remembered: deps.remembered(),
        tabs: deps.tabs(),
        changesFiles: report.exampleFiles.length > 0,
      });
    if (stop.aborted) return { ...countsOf(null, player, dryRun, []), cancelled: true };
    if (dryRun) return { ...report, left: left() };
    return remove({ report, naming, found, launches, inCollections, evidence: evidence.named, setAside, left, progress, stop });
  }

  /** Removes the calls last: after a crash or a stop, the rest is found again through them. */
  async function remove(job: {
    readonly report: ForgetReport;
    readonly naming: Naming;
    readonly found: FoundCalls | null;
    readonly launches: readonly string[];
    readonly inCollections: FoundInCollections;
    readonly evidence: readonly string[];
    readonly setAside: boolean;
    readonly left: () => LeftBehind[];
    readonly progress: ReturnType<typeof progressOf>;
    readonly stop: AbortSignal;
  }): Promise<ForgetReport> {
    const { report, naming, found, launches, inCollections, evidence, progress, stop } = job;
    const left = job.left();
    await launcher.remove(launches);
    deps.forgetVerdicts(naming);
    deps.forgetTokens(naming.player);
    for (const path of evidence) await removeEvidence(path);
    if (job.setAside) removeSetAside(historyPath);
    const unchanged = await collections.remove(inCollections, naming, stop);
    if (unchanged.length > 0) {
      left.unshift({
        text: "Croupier couldn't change these files. Their examples still name the player.",
        files: [...unchanged],
        setAside: false,
      });
    }
    const ids = (found?.calls ?? []).filter(({ pending }) => !pending).map(({ id }) => id);
    progress('remove', 0, ids.length);
    const removed = await history.purge(ids, (done) => progress('remove', done, ids.length), stop);
    const changed = inCollections.examples.filter(({ file }) => !unchanged.includes(file));
    const done = {
      ...report,
      calls: removed,
      examples: changed.reduce((sum, { names }) => sum + names.length, 0),
      exampleFiles: changed.map(({ file }) => file),
      left,
    };
    if (stop.aborted) return { ...done, cancelled: true, remains: unclean };
    progress('erase');
    history.rewrite();
    const { stopped } = await history.erase(stop);
    return { ...done, remains: stopped ? unclean : await history.remains() };
  }

  return {
    async run(input: ParsedInput<'history.forget'>): Promise<ForgetReport> {
      if (going !== null)
        throw new AppError('conflict', "Croupier is already forgetting a player. Wait until it's done, or cancel it.");
      const stop = new AbortController();
      going = { ticket: input.ticket, stop };
      try {
        return await forget(input, stop.signal);
      } finally {
        going = null;
      }
    },
    cancel(ticket: string): boolean {
      if (going?.ticket !== ticket) return false;
      going.stop.abort();
      return true;
    },
    /** Stops work under way. */
    close: (): void => going?.stop.abort(),
  };
}

const unclean =
  'Stopped before the files were cleaned, so removed data may still be readable in them. The workbench cleans them the next time it starts; to clean them now, run "croupier history clean".';

const foundNowhere: FoundInCollections = {
  runReports: [],
  running: [],
  examples: [],
  fillingIn: [],
  otherVersions: [],
  unread: [],
  removed: [],
};

function countsOf(found: FoundCalls | null, player: string, dryRun: boolean, environments: readonly Environment[]): ForgetReport {
  const calls = (found?.calls ?? []).filter(({ pending }) => !pending);
  const production = new Set(environments.filter((one) => one.production).map(({ id }) => id));
  return {
    player,
    dryRun,
    cancelled: false,
    calls: calls.length,
    production: calls.filter(({ environmentId }) => production.has(environmentId)).length,
    pinned: calls.filter(({ pinned }) => pinned).length,
    byToken: calls.filter(({ byToken }) => byToken).length,
    launches: 0,
    runReports: 0,
    evidence: 0,
    examples: 0,
    exampleFiles: [],
    setAside: 0,
    remains: null,
    left: [],
  };
}

/** A record has at most 2,000 entries of two short texts. */

const recordName = 'launch.json';

/** The fields of `launch.json` that identify the player. */
const Evidence = z.object({
  launch: z.object({
    call: z.object({ id: z.number(), sentAt: z.number() }),
    parameters: z.array(LaunchParameterRow),
    url: z.nullable(z.string()),
    playerId: z._default(z.string(), ''),
    note: z._default(z.string(), ''),
    overruled: z._default(z.nullable(z.object({ note: z.string() })), null),
  }),
  entries: z.array(z.object({ title: z.string(), detail: z.string() })),
});

/** The evidence folders of a home that name the player, and those that cannot be read. */
async function findEvidence(folder: string, naming: Naming, stop: AbortSignal): Promise<{ named: string[]; unread: string[] }> {
  const named: string[] = [];
  const unread: string[] = [];
  const names = await readdir(folder).catch((): string[] => []);
  await each(names, stop, async (name) => {
    const path = join(folder, name);
    try {
      if ((await recordsIn(path)).some(({ launch, entries }) => launchNames(naming, withCall(launch), entries))) named.push(path);
    } catch {
      unread.push(path);
    }
  });
  return { named, unread };
}

/** Returns the records in a folder: one, or one in each folder below it. Fails if there is none, or one cannot be read. */
async function recordsIn(path: string): Promise<z.infer<typeof Evidence>[]> {
  const inside = await readdir(path, { withFileTypes: true });
  const below = inside.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  const folders = inside.some(({ name }) => name === recordName) ? [path, ...below] : below;
  if (folders.length === 0) throw new AppError('not_found', `${path} contains no evidence.`);
  return folders.map((one) => Evidence.parse(JSON.parse(readText('home.evidence', join(one, recordName)))));
}

function withCall<L extends { readonly call: unknown }>(launch: L): L & Pick<Launch, 'call'> {
  return { ...launch, call: launch.call as Launch['call'] };
}

/** Removes the evidence of a launch, picture included. */
async function removeEvidence(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
