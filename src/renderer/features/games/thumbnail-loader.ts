import type { Client } from '#shared/ipc/index.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';

/** State of a picture. */
export type Picture =
  | { readonly state: 'waiting' }
  /**
   * `address` names a blob of `bytes` bytes: an address that held the picture itself would be copied with each frame that shows it.
   * `hold` keeps the picture that the browser decoded.
   */
  | { readonly state: 'ready'; readonly address: string; readonly bytes: number; readonly hold: unknown }
  | { readonly state: 'failed'; readonly problem: string };

/** Loads the pictures that are in sight, a few at a time, and forgets those that nobody looked at for longest. */
export type ThumbnailLoader = ReturnType<typeof createThumbnailLoader>;

const waiting: Picture = { state: 'waiting' };

export interface ThumbnailLoaderDeps {
  /**
   * Opens a picture; the browser keeps it while the returned value is kept. Otherwise it would release every picture that is in no
   * tile for a moment, and clearing away a screen full of them takes a frame.
   */
  readonly openPicture: (address: string) => unknown;
  /** Number of pictures that load at once: fewer than the connections that a browser keeps to one host. */
  readonly atOnce?: number;
  /** Number of bytes of pictures that are held at most. */
  readonly keptBytes?: number;
}

export function createThumbnailLoader(client: Client, { openPicture, atOnce = 3, keptBytes = 48_000_000 }: ThumbnailLoaderDeps) {
  const pictures = new Map<string, Picture>();
  const listeners = new Map<string, Set<() => void>>();
  const places = new Map<string, { environmentId: string; urls: readonly string[] }>();
  const underWay = new Map<string, { environmentId: string; url: string }>();
  let held = 0;

  function set(key: string, picture: Picture | null): void {
    forget(key);
    if (picture !== null) pictures.set(key, picture);
    held += size(picture ?? undefined);
    if (held > keptBytes) drop(key);
    for (const listener of listeners.get(key) ?? []) listener();
  }

  function forget(key: string): void {
    const picture = pictures.get(key);
    pictures.delete(key);
    held -= size(picture);
    if (picture?.state === 'ready') URL.revokeObjectURL(picture.address);
  }

  /** Drops the pictures that were not looked at for longest: the map's order is the order of use. */
  function drop(newest: string): void {
    const shown = new Set(wantedNow().map(({ key }) => key));
    for (const key of pictures.keys()) {
      if (held <= keptBytes) return;
      if (key === newest || shown.has(key)) continue;
      forget(key);
    }
  }

  function wantedNow(): { key: string; environmentId: string; url: string }[] {
    return [...places.values()].flatMap(({ environmentId, urls }) =>
      urls.map((url) => ({ key: keyOf(environmentId, url), environmentId, url })),
    );
  }

  function next(): void {
    for (const { key, environmentId, url } of wantedNow()) {
      if (underWay.size >= atOnce) return;
      if (!pictures.has(key) && !underWay.has(key)) startWork(load(key, environmentId, url));
    }
  }

  async function load(key: string, environmentId: string, url: string): Promise<void> {
    underWay.set(key, { environmentId, url });
    try {
      const reply = await client.call('catalogue.thumbnail', { environmentId, url });
      if ('picture' in reply) set(key, asBlob(await client.picture(reply.picture), reply.mediaType));
      else if (!reply.cancelled) set(key, { state: 'failed', problem: reply.problem });
    } catch (error) {
      set(key, { state: 'failed', problem: asAppError(error).message });
    } finally {
      underWay.delete(key);
      next();
    }
  }

  function cancelUnwanted(): void {
    const shown = new Set(wantedNow().map(({ key }) => key));
    const left = Map.groupBy(
      [...underWay].filter(([key]) => !shown.has(key)).map(([, job]) => job),
      ({ environmentId }) => environmentId,
    );
    for (const [environmentId, jobs] of left) {
      client.call('catalogue.cancelThumbnails', { environmentId, urls: jobs.map(({ url }) => url) }).catch(reportIfFault);
    }
  }

  function asBlob(bytes: Uint8Array<ArrayBuffer>, mediaType: string): Picture {
    const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    return { state: 'ready', address, bytes: bytes.length, hold: openPicture(address) };
  }

  return {
    get: (environmentId: string, url: string): Picture => pictures.get(keyOf(environmentId, url)) ?? waiting,
    /** Reports changes of one picture; returns the function that stops. */
    watch(environmentId: string, url: string, listener: () => void): () => void {
      const key = keyOf(environmentId, url);
      const heard = listeners.get(key) ?? new Set();
      listeners.set(key, heard.add(listener));
      return () => {
        heard.delete(listener);
        if (heard.size === 0 && listeners.get(key) === heard) listeners.delete(key);
      };
    },
    /** Takes the pictures that a place of the page shows now, in the order to load them; replaces what that place gave before. */
    want(place: string, environmentId: string, urls: readonly string[]) {
      const unique = [...new Set(urls)].filter((url) => url !== '');
      if (unique.length === 0) places.delete(place);
      else places.set(place, { environmentId, urls: unique });
      for (const url of unique) {
        const key = keyOf(environmentId, url);
        const picture = pictures.get(key);
        if (picture === undefined) continue;
        pictures.delete(key);
        pictures.set(key, picture);
      }
      cancelUnwanted();
      next();
    },
    /** Asks again for a picture that failed. */
    retry(environmentId: string, url: string) {
      set(keyOf(environmentId, url), null);
      next();
    },
    /** Forgets every failure, so that the pictures in sight are asked for again. */
    forgetFailures() {
      for (const [key, picture] of pictures) if (picture.state === 'failed') set(key, null);
      next();
    },
  };
}

function keyOf(environmentId: string, url: string): string {
  return `${environmentId}\n${url}`;
}

function size(picture: Picture | undefined): number {
  return picture?.state === 'ready' ? picture.bytes : 0;
}
