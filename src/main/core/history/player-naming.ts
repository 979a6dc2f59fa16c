import { setImmediate } from 'node:timers/promises';
import type { CallSummary, Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { mayName, playersIn } from '#shared/provider/players.ts';
import type { FoundCall } from './find-calls.ts';

/** Tests whether something names the player to forget. */
export type Naming = ReturnType<typeof createNaming>;

export function createNaming(player: string, calls: readonly FoundCall[]) {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return {
    player,
    /** Returns whether a text does, by the spec's fields. */
    text: (text: string): boolean => mayName(text, player) && playersIn(text).has(player),
    /**
     * Returns whether a call was found to name the player, by its number and its time, because another history may have the same
     * number.
     */
    call: ({ id, sentAt }: Pick<CallSummary, 'id' | 'sentAt'>): boolean => byId.get(id)?.sentAt === sentAt,
    /** Returns the same for a call of a run, by its number and the run. */
    callOfRun: (runId: string, callId: number): boolean => byId.get(callId)?.run === runId,
  };
}

/**
 * Returns whether a launch or its record names the player: by its call, the field `playerId`, a parameter of its URL (Game launch URL parameters), a URL in
 * its record, the user's note, or that of a person who overruled its verdict. Evidence of earlier versions has neither field nor
 * notes.
 */
export function launchNames(
  naming: Naming,
  {
    call,
    parameters,
    url,
    playerId,
    overruled,
    note,
  }: Pick<Launch, 'call' | 'parameters' | 'url'> &
    Partial<Pick<Launch, 'playerId' | 'note'>> & { readonly overruled?: { readonly note: string } | null },
  entries: readonly Pick<LaunchEntry, 'title' | 'detail'>[],
): boolean {
  return (
    naming.call(call) ||
    parameters.some(
      ({ name, requested, returned }) => name === 'playerId' && (requested === naming.player || returned === naming.player),
    ) ||
    (url !== null && naming.text(url)) ||
    playerId === naming.player ||
    naming.text(overruled?.note ?? '') ||
    naming.text(note ?? '') ||
    entries.some(({ title, detail }) => naming.text(`${title}\n${detail}`))
  );
}

/** Goes through many small things without holding up the rest of the program. Ends early if it is stopped. */
export async function each<T>(
  items: Iterable<T> | AsyncIterable<T>,
  stop: AbortSignal,
  work: (item: T) => unknown,
): Promise<void> {
  for await (const item of items) {
    if (stop.aborted) return;
    await work(item);
    await setImmediate();
  }
}
