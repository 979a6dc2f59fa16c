import type { PictureContent } from '#shared/model/launch-verdict.ts';

/** A small picture of a game, reduced to what decides whether it is blank and whether it moves. */
export interface PictureFacts {
  readonly content: PictureContent;
  /** Luminance of each pixel, 0 to 255. */
  readonly luminance: Uint8Array;
}

/** Share of the pixels that may differ between two pictures of a game that stands still. */
const stillShare = 0.002;
/** Difference in luminance from which two neighbours are an edge, and two pictures differ at a pixel. */
const edge = 16;

/** Reads a PNG, as small as the host made it. Fails on anything else. */
export async function readPicture(png: Uint8Array): Promise<PictureFacts> {
  // Only a game that is open needs it.
  const { decode } = await import('fast-png');
  const { width, height, channels, data, depth } = decode(png);
  const shift = depth === 16 ? 8 : 0;
  const luminance = new Uint8Array(width * height);
  for (let pixel = 0; pixel < luminance.length; pixel += 1) {
    const channel = (index: number) => (data[pixel * channels + Math.min(index, channels - 1)] ?? 0) >> shift;
    luminance[pixel] = Math.round(0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2));
  }
  return { content: contentOf(luminance, width), luminance };
}

/**
 * `nothing`: one tone fills nearly all of it, with hardly any deviation and no edges; all three, because a dark game may have one of
 * them. `little`: a person has to look, as at a spinner or a logo on one tone.
 */
function contentOf(luminance: Uint8Array, width: number): PictureContent {
  const count = Math.max(1, luminance.length);
  const tones = new Uint32Array(256);
  let sum = 0;
  let squares = 0;
  let edges = 0;
  luminance.forEach((value, at) => {
    tones[value] = (tones[value] ?? 0) + 1;
    sum += value;
    squares += value * value;
    const left = at % width === 0 ? value : (luminance[at - 1] ?? value);
    const above = luminance[at - width] ?? value;
    if (Math.abs(value - left) >= edge || Math.abs(value - above) >= edge) edges += 1;
  });
  const most = Math.max(...tones) / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
  const edgy = edges / count;
  if (most > 0.995 && deviation < 2 && edgy < 0.001) return 'nothing';
  return edgy < 0.01 ? 'little' : 'enough';
}

/** Returns whether two pictures show the same. */
export function isStill(one: PictureFacts, other: PictureFacts): boolean {
  if (one.luminance.length !== other.luminance.length) return false;
  let different = 0;
  one.luminance.forEach((value, at) => {
    if (Math.abs(value - (other.luminance[at] ?? 0)) >= edge) different += 1;
  });
  return different <= one.luminance.length * stillShare;
}
