import { startBrowser } from './browser.ts';

let started = false;
const { promise: programRead, resolve: programHasRun } = Promise.withResolvers<void>();
const starting = programRead.then(startBrowser).then(() => {
  started = true;
});

/** To be called when the program's main file has run to its end: what it asks of Chromium's command line counts until then. */
export { programHasRun };

/** Settled when the browser runs. */
export function whenStarted(): Promise<void> {
  return starting;
}

/** Whether it runs. */
export function browserStarted(): boolean {
  return started;
}
