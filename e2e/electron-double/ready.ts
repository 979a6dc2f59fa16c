import { startBrowser } from './browser.ts';

let started = false;
const { promise: programRead, resolve: programHasRun } = Promise.withResolvers<void>();
const starting = programRead.then(startBrowser).then(() => {
  started = true;
});

/** Called when the program's main file has run to its end: its switches of Chromium's command line count until then. */
export { programHasRun };

/** Returns a promise that settles when the browser runs. */
export function whenStarted(): Promise<void> {
  return starting;
}

/** Returns whether it runs. */
export function browserStarted(): boolean {
  return started;
}
