import type { Embedding } from '#shared/model/device.ts';
import type { FrameChoice } from '../tabs/launch-tab.ts';

/** Origin of the operator's page where exitURL names none. */
const anyOperator = 'https://operator.example';

/** Returns the origin of the operator's page unless another is typed: that of exitURL, where the operator is. */
export function usualOperator(exitURL: string): string {
  const url = URL.parse(exitURL);
  return url?.protocol === 'https:' ? url.origin : anyOperator;
}

/** Returns the frame of a launch; null for none. The usual one is never the game's own origin, whose frame would test nothing. */
export function embeddingOf({ framed, origin, cookies }: FrameChoice, exitURL: string, game: string | null): Embedding | null {
  if (!framed) return null;
  const typed = origin?.trim() ?? '';
  if (typed !== '') return { origin: typed, cookies };
  const usual = usualOperator(exitURL);
  return { origin: usual === game ? anyOperator : usual, cookies };
}
