import type { Environment, Thumbnail } from '#shared/ipc/index.ts';
import type { GuardedGet } from '../network/guarded-get.ts';
import { readImage } from './image-type.ts';
import type { ThumbnailFiles } from './thumbnail-files.ts';

/** Pictures of games, loaded here so that the page needs no network of its own. */
export interface Thumbnails {
  /** The picture, or why there is none. Never rejects. */
  load(environment: Environment, url: string): Promise<Thumbnail>;
  /** Stops what nobody waits for any more; gives the number of pictures that were stopped. */
  cancel(environmentId: string, urls: readonly string[]): number;
  close(): Promise<void>;
}

interface Job {
  readonly environment: Environment;
  readonly url: string;
  readonly stop: AbortController;
  readonly resolve: (thumbnail: Thumbnail) => void;
  readonly done: Promise<Thumbnail>;
}

/** A picture that would take more memory than this to draw is not shown. */
const mostPixels = 16_777_216;
/** How long a failure is remembered, in milliseconds. */
const failureMs = 60_000;
const failureLimit = 5_000;

export interface ThumbnailOptions {
  readonly get: GuardedGet;
  readonly files: ThumbnailFiles;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** How many are loaded at the same time. */
  readonly atOnce?: number;
  /** Bytes of pictures kept in memory, as data addresses. */
  readonly memoryBytes?: number;
}

/** The newest request goes first: it is for what has just come into view. */
export function createThumbnails({ get, files, now, atOnce = 6, memoryBytes = 32 * 1_048_576 }: ThumbnailOptions): Thumbnails {
  const waiting: Job[] = [];
  const jobs = new Map<string, Job>();
  const failures = new Map<string, { problem: string; until: number }>();
  const memory = createMemory(memoryBytes);
  const writing = new Set<Promise<void>>();
  let running = 0;
  let closed = false;

  const keyOf = (environmentId: string, url: string) => `${environmentId}\n${url}`;

  async function fetchOne({ environment, url, stop }: Job): Promise<Thumbnail> {
    const key = keyOf(environment.id, url);
    const stored = await files.read(key);
    const kept = stored === null ? null : toDataUrl(stored);
    if (kept !== null && 'dataUrl' in kept) return kept;
    const fetched = await get.get(environment, url, stop.signal);
    if (stop.signal.aborted) return cancelled;
    if (!fetched.ok) return { problem: fetched.message, cancelled: false };
    const thumbnail = toDataUrl(fetched.bytes);
    if ('dataUrl' in thumbnail) keep(key, fetched.bytes);
    return thumbnail;
  }

  /** Nobody waits for the disk but `close`. */
  function keep(key: string, bytes: Buffer): void {
    const written = files.write(key, bytes).finally(() => writing.delete(written));
    writing.add(written);
  }

  function startWaiting(): void {
    while (running < atOnce) {
      const job = waiting.pop();
      if (job === undefined) return;
      running += 1;
      void fetchOne(job)
        .catch((error: unknown): Thumbnail => ({ problem: String(error), cancelled: false }))
        .then((thumbnail) => {
          running -= 1;
          settle(job, thumbnail);
          startWaiting();
        });
    }
  }

  function settle(job: Job, thumbnail: Thumbnail): void {
    const key = keyOf(job.environment.id, job.url);
    if (jobs.get(key) === job) jobs.delete(key);
    if ('dataUrl' in thumbnail) memory.set(key, thumbnail.dataUrl);
    else if (!thumbnail.cancelled) {
      failures.set(key, { problem: thumbnail.problem, until: now() + failureMs });
      if (failures.size > failureLimit) failures.delete(failures.keys().next().value ?? '');
    }
    job.resolve(thumbnail);
  }

  return {
    load(environment, url) {
      const key = keyOf(environment.id, url);
      const kept = memory.get(key);
      if (kept !== null) return Promise.resolve({ dataUrl: kept });
      const failure = failures.get(key);
      if (failure !== undefined && now() < failure.until) return Promise.resolve({ problem: failure.problem, cancelled: false });
      const known = jobs.get(key);
      if (known !== undefined) return known.done;
      if (closed) return Promise.resolve(cancelled);
      const { promise, resolve } = Promise.withResolvers<Thumbnail>();
      const job: Job = { environment, url, stop: new AbortController(), resolve, done: promise };
      jobs.set(key, job);
      waiting.push(job);
      startWaiting();
      return promise;
    },
    cancel(environmentId, urls) {
      let count = 0;
      for (const url of urls) {
        const job = jobs.get(keyOf(environmentId, url));
        if (job === undefined) continue;
        count += 1;
        job.stop.abort();
        const at = waiting.indexOf(job);
        if (at !== -1) waiting.splice(at, 1);
        settle(job, cancelled);
      }
      return count;
    },
    async close() {
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

const cancelled: Thumbnail = { problem: 'It was cancelled.', cancelled: true };

function toDataUrl(bytes: Buffer): Thumbnail {
  const image = readImage(bytes);
  if (image === null) return { problem: 'It is not a PNG, JPEG, GIF, WebP, AVIF or SVG picture.', cancelled: false };
  if ((image.width ?? 1) * (image.height ?? 1) > mostPixels) {
    return { problem: `It has ${image.width} × ${image.height} pixels, which is too many to show.`, cancelled: false };
  }
  return { dataUrl: `data:${image.mediaType};base64,${bytes.toString('base64')}` };
}

/** Least recently used texts go first. */
function createMemory(limit: number) {
  const texts = new Map<string, string>();
  let size = 0;
  return {
    get(key: string): string | null {
      const text = texts.get(key);
      if (text === undefined) return null;
      texts.delete(key);
      texts.set(key, text);
      return text;
    },
    set(key: string, text: string): void {
      size += text.length - (texts.get(key)?.length ?? 0);
      texts.delete(key);
      texts.set(key, text);
      for (const [oldest, dropped] of texts) {
        if (size <= limit) return;
        texts.delete(oldest);
        size -= dropped.length;
      }
    },
  };
}
