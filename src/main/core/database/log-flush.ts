import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Takes what SQLite wrote to a write-ahead log to the disk, in a thread of Node's pool. */
export interface LogFlush {
  /** Resolves once all that was written before is on the disk. Fails as the system does. */
  flush(): Promise<void>;
  close(): void;
}

const datasync = promisify(fdatasync);

/** Creates the flush of the log of the database at `path`, which opens the log when it is first asked. */
export function createLogFlush(path: string): LogFlush {
  let log: number | null = null;
  /** The flush that was begun last; never rejects. */
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function begin(): Promise<void> {
    next = null;
    log ??= openSync(`${path}-wal`, 'r+');
    await datasync(log);
  }

  return {
    flush() {
      // Whoever asks while one goes on shares the one after it.
      next ??= current.then(() => {
        const begun = begin();
        current = begun.catch(() => undefined);
        return begun;
      });
      return next;
    },
    close() {
      void Promise.allSettled([current, next]).then(() => {
        if (log !== null) closeSync(log);
        log = null;
      });
    },
  };
}
