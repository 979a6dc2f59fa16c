import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { marksIn } from '#shared/provider/tokens.ts';
import type { Call, Input, Launch, LaunchPicture, Output } from '#shared/ipc/index.ts';
import type { Answers } from '#shared/provider/index.ts';
import { byClock } from '#shared/launches/clock.ts';
import { coverOf } from '#shared/launches/cover.ts';
import { writeFailure, writeFileDurably } from '../files/files.ts';
import type { Pass, Passing } from '../files/passed.ts';
import { pictureType, pictureUrl } from '../launches/picture-content.ts';
import type { Launches } from '../launches/launches.ts';
import { createLaunchTexts } from '../masking/launch-texts.ts';
import { sizeOf } from './network-har.ts';
import type { NetworkLog } from '../launches/network-log.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { openEvidenceKey, signedFiles, signedPage, type Files } from './signature.ts';
import { sheetCsv, sheetPage } from './launch-sheet.ts';
import { launchesPage, launchPage, type LaunchEvidence } from './launch-page.ts';
import { rm } from '../files/moves.ts';

/** Number of launches whose evidence is exported together. */
const mostTogether = 8;

/** Bytes of a response that stand in evidence. */
const mostBody = 100_000;

/** Number of launches with evidence in the home at most: the user removes evidence. */
const mostEvidence = 1_000;

export interface EvidenceDeps {
  readonly home: string;
  /** Evidence is written into folders of its own below this one. */
  readonly folder: string;
  readonly program: string;
  readonly launcher: Pick<Launches, 'get' | 'secretsOf' | 'network'>;
  /** Returns a picture of a launch by its number; null if it was removed. */
  readonly picture: (id: string, number: number) => Buffer | null;
  /** Returns the name of the person who tests; empty if nobody set it. */
  readonly tester: () => string;
  readonly call: (id: number) => Call;
  /** Returns the body of a response as UTF-8. */
  readonly body: (callId: number) => Uint8Array;
  /** Returns the answers recorded for an environment: they name tokens. */
  readonly answersOf: (environmentId: string) => Answers;
  readonly reading: Pick<Reading, 'run'>;
  readonly pass: Pass;
  readonly now: () => number;
}

/** The evidence of one launch with the content of its pictures. */
interface Gathered {
  readonly evidence: LaunchEvidence;
  readonly images: readonly Buffer[];
  /** Null without a network log. */
  readonly har: string | null;
}

/**
 * Gathers everything about launches. Before anything is written or handed out, its text is searched for every environment's key
 * and for the launches' tokens; a text that holds one is refused. Fails with `not_found`, `refused` and `storage`.
 */
export function createEvidence(deps: EvidenceDeps) {
  const searched = (texts: readonly string[], tokens: readonly string[]) =>
    deps.pass('evidence', [texts.join('\n')], { holdsToken: createLaunchTexts(tokens).holds });

  /** `signedWith`: the fingerprint of the key that signs it; empty where only the network log is taken from it. */
  async function gather(id: string, tokens: readonly string[], signedWith = ''): Promise<Gathered> {
    const { launch, entries } = deps.launcher.get(id);
    const found = launch.pictures.flatMap(({ number, takenAt, moment }) => {
      const image = deps.picture(id, number);
      return image === null ? [] : [{ takenAt, moment, image }];
    });
    const network = logOf(id);
    const evidence: LaunchEvidence = {
      madeAt: new Date(deps.now()).toISOString(),
      program: deps.program,
      signedWith,
      tester: cleaned(deps.tester(), tokens),
      launch: cleaned(launch, tokens),
      // The record masked them when they were noted.
      entries,
      exchange: cleaned(exchangeOf(launch.call.id), tokens),
      pictures: found.map(({ takenAt, moment, image }, at) => ({
        file: fileOf(found.slice(0, at + 1), image),
        moment,
        takenAt: takenAt === null ? null : new Date(takenAt).toISOString(),
      })),
      network: 'none' in network ? null : { requests: network.requests.length, left: network.left },
    };
    const har = 'none' in network ? null : await harOf(network, evidence, tokens);
    return { evidence, images: found.map(({ image }) => image), har };
  }

  /** Returns what was sent and what came; null for a call that the history no longer has. */
  function exchangeOf(callId: number): LaunchEvidence['exchange'] {
    try {
      const { url, request, response, timings } = deps.call(callId);
      const body = response === null ? null : Buffer.from(deps.body(callId));
      return {
        url,
        request: request.bodyText,
        response: body === null ? null : body.toString('utf8', 0, mostBody),
        left: Math.max(0, (body?.length ?? 0) - mostBody),
        timings,
      };
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** Returns the log as it is now: a game that is open goes on while the file is written. */
  function logOf(id: string): ReturnType<Launches['network']> {
    const log = deps.launcher.network(id);
    return 'none' in log ? log : { requests: [...log.requests], left: log.left };
  }

  function harOf(
    { requests, left }: Pick<NetworkLog, 'requests' | 'left'>,
    { launch, entries }: LaunchEvidence,
    secrets: readonly string[],
  ): Promise<string> {
    const opened = entries.findLast((entry) => entry.signal?.type === 'opened')?.signal;
    const [name = '', version = ''] = deps.program.split(' ');
    const source = {
      requests,
      left,
      creator: { name, version },
      engine: opened?.type === 'opened' ? (opened.program?.engine ?? null) : null,
      secrets,
      answers: deps.answersOf(launch.environmentId),
    };
    return deps.reading.run('launch.network', source, { subject: 'The network log', bytes: sizeOf(requests) });
  }

  async function write(name: string, files: Files, passed: Passing<'evidence'>): Promise<Output<'launches.export'>> {
    const folder = join(deps.folder, name);
    const others = (await readdir(deps.folder).catch((): string[] => [])).filter((one) => one !== name);
    if (others.length >= mostEvidence) {
      throw new AppError(
        'refused',
        `Evidence not written: ${deps.folder} has ${others.length.toLocaleString('en')} launches, and Croupier keeps at most ${mostEvidence.toLocaleString('en')}. Remove some under "History retention", or move them to another folder.`,
      );
    }
    try {
      for (const [path] of files) await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw writeFailure(folder, cause);
    }
    for (const [path, content] of files) await writeFileDurably(join(folder, path), passed(content));
    await removeOthers(folder, new Set(files.map(([path]) => path)));
    const masked = marksIn(files.flatMap(([, content]) => (typeof content === 'string' ? [content] : [])));
    return { as: 'folder', folder, files: files.map(([path]) => join(folder, path)), masked };
  }

  function tokensOf(ids: readonly string[]): string[] {
    return ids.flatMap((id) => deps.launcher.secretsOf(id));
  }

  async function networkLog(id: string): Promise<Output<'launches.networkLog'>> {
    const log = deps.launcher.network(id);
    if ('none' in log) return { name: null, har: null, message: log.none };
    const tokens = tokensOf([id]);
    const { evidence, har } = await gather(id, tokens);
    const passed = await searched(har === null ? [] : [har], tokens);
    return { name: `${nameOf([evidence])}.har`, har: har === null ? null : passed(har), message: null };
  }

  async function exportSheet(ids: readonly string[], as: 'sheet' | 'csv'): Promise<Output<'launches.export'>> {
    const tokens = tokensOf(ids);
    const launches = ids.map((id) => cleaned(deps.launcher.get(id).launch, tokens));
    const passed = await searched(textsIn(launches), tokens);
    const madeAt = new Date(deps.now()).toISOString();
    const name = `launches-${stampOf(madeAt)}`;
    if (as === 'csv') return { as: 'file', name: `${name}.csv`, text: passed(sheetCsv(launches)) };
    const rows = launches.map((launch) => {
      const number = momentOfSheet(launch);
      const image = number === null ? null : deps.picture(launch.id, number);
      return { launch, picture: image === null ? null : pictureUrl(image) };
    });
    const key = await openEvidenceKey(deps.home);
    const about = `Made ${madeAt} by ${deps.program}. Signed with ${key.fingerprint}.`;
    return { as: 'file', name: `${name}.html`, text: passed(signedPage(sheetPage(rows, about), key)) };
  }

  async function exportEvidence({ ids, as }: Input<'launches.export'>): Promise<Output<'launches.export'>> {
    const unique = [...new Set(ids)];
    if (as === 'sheet' || as === 'csv') return exportSheet(unique, as);
    if (unique.length > mostTogether)
      throw new AppError('refused', `Evidence covers at most ${mostTogether} launches. For more, export a launch sheet.`);
    const tokens = tokensOf(unique);
    const key = await openEvidenceKey(deps.home);
    const gathered = await Promise.all(unique.map((id) => gather(id, tokens, key.fingerprint)));
    const passed = await searched(
      gathered.flatMap(({ evidence, har }) => [...textsIn(evidence), ...(as === 'folder' && har !== null ? [har] : [])]),
      tokens,
    );
    const name = nameOf(gathered.map(({ evidence }) => evidence));
    if (as === 'folder') return write(name, signedFiles(filesOf(gathered), key), passed);
    const pages = gathered.map(({ evidence, images }) => ({ evidence, pictures: images.map(pictureUrl) }));
    return { as: 'file', name: `${name}.html`, text: passed(signedPage(launchesPage(pages), key)) };
  }

  return { export: exportEvidence, networkLog };
}

/** Returns the files of one launch; those of several are in a folder for each, named by its mode. */
function filesOf(gathered: readonly Gathered[]): Files {
  const modes = gathered.map(({ evidence }) => modeOf(evidence));
  return gathered.flatMap(({ evidence, images, har }): Files => {
    const mode = modeOf(evidence);
    const shared = modes.filter((one) => one === mode).length > 1;
    const folder = gathered.length === 1 ? '' : `${shared ? `${mode}-${evidence.launch.id.slice(0, 8)}` : mode}/`;
    const pictures = evidence.pictures.map(({ file }) => file);
    return [
      [`${folder}launch.json`, `${JSON.stringify({ ...evidence, entries: byClock(evidence.entries) }, null, 2)}\n`],
      [`${folder}launch.html`, launchPage(evidence, pictures)],
      ...images.map((image, at): Files[number] => [`${folder}${pictures[at] ?? ''}`, image]),
      ...(har === null ? [] : [[`${folder}network.har`, har] as const]),
    ];
  });
}

/** Returns the name of the last one of pictures: each kind is counted for itself. */
function fileOf(until: readonly Pick<LaunchPicture, 'moment'>[], image: Buffer): string {
  const isMoment = until.at(-1)?.moment !== null;
  const number = until.filter(({ moment }) => (moment !== null) === isMoment).length;
  return `${isMoment ? 'moment' : 'picture'}-${String(number).padStart(2, '0')}.${pictureType(image).ending}`;
}

/** Returns the picture of a launch for a sheet: a moment, which is small. */
function momentOfSheet({ pictures }: Launch): number | null {
  const moments = pictures.filter(({ moment }) => moment !== null);
  return coverOf(moments)?.number ?? null;
}

/** Removes what an earlier export of the same launch left, as a picture that was removed since: no hash would be of it. */
async function removeOthers(folder: string, paths: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !paths.has(relative(folder, path).replaceAll(sep, '/'))) await rm(path, { force: true });
  }
}

/** Masks tokens in every text of a value. */
function cleaned<T>(value: T, tokens: readonly string[]): T {
  const texts = createLaunchTexts(tokens);
  const clean = (inner: unknown) => (typeof inner === 'string' ? texts.clean(inner) : inner);
  return JSON.parse(JSON.stringify(value, (_, inner: unknown) => clean(inner))) as T;
}

/** Returns every text in a value of plain JSON, and every number as text. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'number') texts.push(String(next));
    else if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return texts;
}

/** Returns `2026-11-20-101530-1042-real-1a2b3c4d`, a name for every file system; `both` in place of the mode of several. */
function nameOf(all: readonly LaunchEvidence[]): string {
  const [first] = all;
  if (first === undefined) throw new AppError('internal', 'Evidence of no launch has no name.');
  const { launch } = first;
  const time = stampOf(new Date(launch.preparedAt).toISOString());
  const game = launch.gameId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  const mode = all.length > 1 ? 'both' : modeOf(first);
  return [time, game, mode, launch.id.slice(0, 8)].filter((part) => part !== '').join('-');
}

/** Returns a time in ISO 8601 as it stands in the name of a file: `2026-11-20-101530`. */
function stampOf(time: string): string {
  return time.slice(0, 19).replace('T', '-').replaceAll(':', '');
}

function modeOf({ launch }: LaunchEvidence): string {
  return launch.gameMode ?? 'replay';
}
