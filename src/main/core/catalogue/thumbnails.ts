import { createHash } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Environment, Thumbnail } from '#shared/ipc/index.ts';
import type { GuardedGet } from '../network/guarded-get.ts';
import { readImage } from './image-type.ts';
import type { ThumbnailFiles } from './thumbnail-files.ts';

/** Pictures of games, loaded here so that the page needs no network of its own. */
export type Thumbnails = ReturnType<typeof createThumbnails>;

/** A picture of a kind and a size that may be shown. */
interface Kept {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly mediaType: string;
}

type Fetched = Kept | { readonly problem: string; readonly cancelled: boolean };

interface Job {
  readonly id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly stop: AbortController;
  readonly resolve: (thumbnail: Thumbnail) => void;
  readonly done: Promise<Thumbnail>;
}

/** A picture that would take more memory than this to draw is not shown. */
const mostPixels = 16_777_216;
/** Milliseconds for which a failure is remembered. */
const failureMs = 60_000;
const failureLimit = 5_000;

export interface ThumbnailOptions {
  readonly get: GuardedGet;
  readonly files: ThumbnailFiles;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** Most pictures to load at the same time. */
  readonly atOnce?: number;
  /** Bytes of pictures kept in memory. */
  readonly memoryBytes?: number;
}

/** The newest request goes first: it is for what has just come into view. */
export function createThumbnails({ get, files, now, atOnce = 6, memoryBytes = 32 * 1_048_576 }: ThumbnailOptions) {
  const waiting: Job[] = [];
  const jobs = new Map<string, Job>();
  const failures = new Map<string, { problem: string; until: number }>();
  const memory = createMemory(memoryBytes);
  const writing = new Set<Promise<void>>();
  let running = 0;
  let closed = false;

  async function fetchOne({ id, environment, url, stop }: Job): Promise<Fetched> {
    const stored = await readStored(id);
    if (stored !== null) return stored;
    const fetched = await get.get(environment, url, stop.signal);
    if (stop.signal.aborted) return cancelled;
    if (!fetched.ok) return { problem: fetched.message, cancelled: false };
    const judged = judge(fetched.bytes);
    if ('bytes' in judged) keep(id, judged.bytes);
    return judged;
  }

  async function readStored(id: string): Promise<Kept | null> {
    const stored = await files.read(id);
    const judged = stored === null ? null : judge(stored);
    return judged !== null && 'bytes' in judged ? judged : null;
  }

  /** Keeps the bytes; nobody waits for the disk but `close`. */
  function keep(id: string, bytes: Buffer): void {
    const written = files.write(id, bytes).finally(() => writing.delete(written));
    writing.add(written);
  }

  function startWaiting(): void {
    while (running < atOnce) {
      const job = waiting.pop();
      if (job === undefined) return;
      running += 1;
      void fetchOne(job)
        .catch((error: unknown): Fetched => ({ problem: String(error), cancelled: false }))
        .then((fetched) => {
          running -= 1;
          settle(job, fetched);
          startWaiting();
        });
    }
  }

  function settle(job: Job, fetched: Fetched): void {
    const { id } = job;
    if (jobs.get(id) === job) jobs.delete(id);
    if ('bytes' in fetched) memory.set(id, fetched);
    else if (!fetched.cancelled) {
      failures.set(id, { problem: fetched.problem, until: now() + failureMs });
      if (failures.size > failureLimit) failures.delete(failures.keys().next().value ?? '');
    }
    job.resolve('bytes' in fetched ? { picture: id, mediaType: fetched.mediaType } : fetched);
  }

  return {
    /** Returns the ID of the picture, or why there is none. Never rejects. */
    load(environment: Environment, url: string): Promise<Thumbnail> {
      const id = idOf(environment.id, url);
      const kept = memory.get(id);
      if (kept !== null) return Promise.resolve({ picture: id, mediaType: kept.mediaType });
      const failure = failures.get(id);
      if (failure !== undefined && now() < failure.until) return Promise.resolve({ problem: failure.problem, cancelled: false });
      const known = jobs.get(id);
      if (known !== undefined) return known.done;
      if (closed) return Promise.resolve(cancelled);
      const { promise, resolve } = Promise.withResolvers<Thumbnail>();
      const job: Job = { id, environment, url, stop: new AbortController(), resolve, done: promise };
      jobs.set(id, job);
      waiting.push(job);
      startWaiting();
      return promise;
    },
    /** The bytes of a picture that `load` named, from memory or the disk. Fails with `not_found`. */
    async picture(id: string): Promise<Uint8Array<ArrayBuffer>> {
      // An ID becomes the name of a file: nothing but a digest gets that far.
      const kept = isId(id) ? (memory.get(id) ?? (await readStored(id))) : null;
      if (kept === null) throw new AppError('not_found', 'This picture no longer exists.');
      return kept.bytes;
    },
    /** Stops pictures that nobody waits for any more; returns their number. */
    cancel(environmentId: string, urls: readonly string[]): number {
      let count = 0;
      for (const url of urls) {
        const job = jobs.get(idOf(environmentId, url));
        if (job === undefined) continue;
        count += 1;
        job.stop.abort();
        const at = waiting.indexOf(job);
        if (at !== -1) waiting.splice(at, 1);
        settle(job, cancelled);
      }
      return count;
    },
    async close(): Promise<void> {
      closed = true;
      for (const job of jobs.values()) {
        job.stop.abort();
        settle(job, cancelled);
      }
      waiting.length = 0;
      await get.close();
      await Promise.all(writing);
    },
  };
}

const cancelled = { problem: 'It was cancelled.', cancelled: true };

function idOf(environmentId: string, url: string): string {
  return createHash('sha256').update(`${environmentId}\n${url}`).digest('hex');
}

function isId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function judge(bytes: Buffer<ArrayBuffer>): Fetched {
  const image = readImage(bytes);
  if (image === null) return { problem: 'It is not a PNG, JPEG, GIF, WebP, AVIF or SVG picture.', cancelled: false };
  if ((image.width ?? 1) * (image.height ?? 1) > mostPixels) {
    return { problem: `It has ${image.width} × ${image.height} pixels, which is too many to show.`, cancelled: false };
  }
  return { bytes, mediaType: image.mediaType };
}

/** Least recently used pictures go first. */
function createMemory(limit: number) {
  const pictures = new Map<string, Kept>();
  let size = 0;
  return {
    get(id: string): Kept | null {
      const picture = pictures.get(id);
      if (picture === undefined) return null;
      pictures.delete(id);
      pictures.set(id, picture);
      return picture;
    },
    set(id: string, picture: Kept): void {
      size += picture.bytes.length - (pictures.get(id)?.bytes.length ?? 0);
      pictures.delete(id);
      pictures.set(id, picture);
      for (const [oldest, dropped] of pictures) {
        if (size <= limit) return;
        pictures.delete(oldest);
        size -= dropped.bytes.length;
      }
    },
  };
}
