import type { LaunchPicture } from '../ipc/index.ts';

/** Returns the picture that stands for a launch: the game when it was ready, else the last one. */
export function coverOf(pictures: readonly LaunchPicture[]): LaunchPicture | null {
  return pictures.findLast(({ moment }) => moment === 'Ready') ?? pictures.at(-1) ?? null;
}
