import { useSyncExternalStore } from 'react';
import { startWork } from '#renderer/faults/faults.ts';
import type * as Cover from './cover-tokens.ts';

/*
 * Session tokens are hidden on the whole screen at once, for a picture of it. While they are, `cover-tokens.ts`, which is loaded then, covers whatever is
 * on the screen, no matter which part of the page drew it. An editor draws its text in pieces, and hides the places of its model (`editor/models.ts`).
 */
let hidden = false;
let cover: typeof Cover | null = null;
const listeners = new Set<() => void>();

/** Calls the listener when tokens are hidden or shown, and when one more is known. */
export function onHiddenTokens(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether session tokens are hidden. */
export function useHiddenTokens(): boolean {
  return useSyncExternalStore(onHiddenTokens, () => hidden);
}

/** Hides the session tokens on the screen, or shows them. */
export function toggleHiddenTokens(): void {
  startWork(toggle());
}

async function toggle(): Promise<void> {
  cover ??= await import('./cover-tokens.ts');
  hidden = !hidden;
  document.documentElement.toggleAttribute('data-tokens-hidden', hidden);
  if (hidden) cover.start(tell);
  else cover.stop();
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Returns the places of a text that are hidden: none while tokens are shown. */
export function hiddenPlaces(text: string): readonly { readonly start: number; readonly end: number }[] {
  return hidden && cover !== null ? cover.placesIn(text) : [];
}
