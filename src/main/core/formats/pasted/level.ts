import type { Fidelity } from '#shared/ipc/index.ts';
import type { Origin } from './envelope.ts';
import type { Ranking } from './ranking.ts';
import type { Work } from './work.ts';

/** A text below the layers that were undone. */
export interface Level extends Origin {
  readonly text: string;
  readonly depth: number;
}

/** Reader of one level, with what it needs for the levels below. */
export interface Reading {
  readonly level: Level;
  /** True if the requests of this level are read already and only responses are looked for. */
  readonly codesOnly: boolean;
  readonly ranking: Ranking;
  readonly work: Work;
  readonly readLevel: (level: Level) => void;
}

/** Matches what requests and responses have somewhere, in any of the encodings that are undone here. */
const hint =
  /action|hash|partnerid|roundid|gamemode|playerid|externaltoken|"?code|7b ?22|[A-Za-z0-9+/]{80}|eyJ|ewo|ewk|eyA|123, ?(?:34|10|32)|\d-\d{2}-\d{2,4} /i;

/** Returns whether a text may hold a request or a response. */
export function mayHold(text: string): boolean {
  return hint.test(text);
}

const trust: readonly Fidelity[] = ['exact', 'reencoded', 'lossy'];

/** Returns the origin of what stands below one layer more; trust never grows on the way in. */
export function under(origin: Origin, layer: string | null, fidelity: Fidelity = 'exact'): Origin {
  const { layers, url } = origin;
  const least = trust[Math.max(trust.indexOf(origin.fidelity), trust.indexOf(fidelity))] ?? 'lossy';
  const isNew = layer !== null && layers[layers.length - 1] !== layer;
  return { layers: isNew ? [...layers, layer] : layers, fidelity: least, url };
}
