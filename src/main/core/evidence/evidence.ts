import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Call, Output } from '#shared/ipc/index.ts';
import { maskUrlTokens } from '#shared/provider/tokens.ts';
import { writeFileDurably } from '../files/files.ts';
import type { Launches } from '../launches/launches.ts';
import { createRedaction } from '../masking/redaction.ts';
import { launchPage, type LaunchEvidence } from './launch-page.ts';

/** Number of launches with evidence in the home at most: the user removes evidence. */
const mostEvidence = 1_000;

export interface EvidenceDeps {
  /** Evidence is written into folders of its own below this one. */
  readonly folder: string;
  readonly program: string;
  readonly launcher: Pick<Launches, 'get' | 'secretsOf'>;
  readonly screenshot: (id: string) => Buffer | null;
  readonly call: (id: number) => Call;
  readonly environmentIds: () => readonly string[];
  /** Returns whether a text holds the key of an environment; fails if one exists that cannot be read now. */
  readonly holdsKey: (environmentId: string, text: Uint8Array) => Promise<boolean>;
  readonly now: () => number;
}

/**
 * Gathers everything about one launch. Before anything is written or handed out, its text is searched for every environment's key
 * and for the launch's tokens; a text that holds one is refused. Fails with `not_found`, `refused` and `storage`.
 */
export function createEvidence(deps: EvidenceDeps) {
  async function refuseSecrets(texts: readonly string[], tokens: readonly string[]): Promise<void> {
    const forms = tokens.flatMap(formsOf);
    if (texts.some((text) => forms.some((form) => text.includes(form)))) {
      throw new AppError(
        'refused',
        'Evidence not saved: masking missed a session token of this launch. Report this fault in Croupier.',
      );
    }
    const all = Buffer.from(texts.join('\n'), 'utf8');
    for (const environmentId of deps.environmentIds()) {
      if (!(await deps.holdsKey(environmentId, all))) continue;
      throw new AppError(
        'refused',
        'The evidence was not written: it holds the private key of an environment. The game page or a field of the launch carries it; replace that key.',
        { environmentId },
      );
    }
  }

  return async (id: string, as: 'folder' | 'html'): Promise<Output<'launches.export'>> => {
    const { launch, entries } = deps.launcher.get(id);
    const tokens = deps.launcher.secretsOf(id).filter((token) => token.length >= 4);
    const evidence: LaunchEvidence = {
      madeAt: new Date(deps.now()).toISOString(),
      program: deps.program,
      launch: cleaned(launch, tokens),
      // The record masked them when they were noted.
      entries,
      timings: timingsOf(deps.call, launch.call.id),
    };
    const screenshot = deps.screenshot(id);
    const name = nameOf(evidence);
    const json = `${JSON.stringify(evidence, null, 2)}\n`;
    await refuseSecrets(textsIn(evidence), tokens);
    if (as === 'html') {
      const picture = screenshot === null ? null : `data:image/png;base64,${screenshot.toString('base64')}`;
      return { as, name: `${name}.html`, html: launchPage(evidence, picture) };
    }
    const folder = join(deps.folder, name);
    const others = (await readdir(deps.folder).catch((): string[] => [])).filter((one) => one !== name);
    if (others.length >= mostEvidence) {
      throw new AppError(
        'refused',
        `The evidence was not written: ${deps.folder} holds ${others.length.toLocaleString('en')} launches, and Croupier keeps ${mostEvidence.toLocaleString('en')}. Remove them under what the history keeps, or move them elsewhere.`,
      );
    }
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new AppError('storage', `${folder} cannot be made. Check the free space and the permissions.`, undefined, { cause });
    }
    const files: [string, string | Buffer][] = [
      ['launch.json', json],
      ['launch.html', launchPage(evidence, screenshot === null ? null : 'screenshot.png')],
    ];
    if (screenshot !== null) files.push(['screenshot.png', screenshot]);
    for (const [file, content] of files) await writeFileDurably(join(folder, file), content);
    return { as, folder, files: files.map(([file]) => join(folder, file)) };
  };
}

/** Masks tokens in every text of a value. */
function cleaned<T>(value: T, tokens: readonly string[]): T {
  const redaction = createRedaction();
  for (const token of tokens) redaction.protect(token);
  const clean = (inner: unknown) => (typeof inner === 'string' ? redaction.redact(maskUrlTokens(inner)) : inner);
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

/** Returns the forms of a token in a text; base64 without characters that also carry neighbouring bits. */
function formsOf(token: string): string[] {
  const bytes = Buffer.from(token, 'utf8');
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const hex = bytes.toString('hex');
  return [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1), hex, hex.toUpperCase(), ...base64];
}

function timingsOf(call: (id: number) => Call, id: number): Call['timings'] {
  try {
    return call(id).timings;
  } catch {
    return null;
  }
}

/** Returns `2026-11-20-101530-1042-real-1a2b3c4d`, a name for every file system. */
function nameOf({ launch }: LaunchEvidence): string {
  const time = new Date(launch.preparedAt).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  const game = launch.gameId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  return [time, game, launch.gameMode ?? 'replay', launch.id.slice(0, 8)].filter((part) => part !== '').join('-');
}
