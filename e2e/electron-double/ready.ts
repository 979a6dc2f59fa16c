import { startBrowser } from './browser.ts';

let started = false;
let starting: Promise<void> | null = null;

/** Starts the browser once; settled when it runs. */
export function whenStarted(): Promise<void> {
  starting ??= startBrowser().then(() => {
    started = true;
  });
  return starting;
}

/** Whether it runs. */
export function browserStarted(): boolean {
  return started;
}
