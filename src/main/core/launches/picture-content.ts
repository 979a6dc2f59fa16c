import type { PictureContent } from '#shared/model/launch-verdict.ts';
import type { Area } from '../host/host.ts';

/** A small picture of a game, reduced to what decides whether it is blank and what of it moves. */
export interface PictureFacts {
  readonly content: PictureContent;
  readonly width: number;
  /** Luminance of each pixel, 0 to 255. */
  readonly luminance: Uint8Array;
}

/** Part of both sides that decides: a page that is too large for its view has scroll bars, also if it shows nothing. */
const innerPart = 0.92;
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
  return { content: contentOf(luminance, width), width, luminance };
}

/**
 * `nothing`: one tone fills nearly all of it, with hardly any deviation and no edges; all three, because a dark game may have one of
 * them. `little`: a person has to look, as at a spinner or a logo on one tone.
 */
function contentOf(luminance: Uint8Array, width: number): PictureContent {
  const height = luminance.length / width;
  const [right, bottom] = [width * innerPart, height * innerPart];
  const tones = new Uint32Array(256);
  let count = 0;
  let sum = 0;
  let squares = 0;
  let edges = 0;
  luminance.forEach((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (x >= right || y >= bottom) return;
    count += 1;
    tones[value] = (tones[value] ?? 0) + 1;
    sum += value;
    squares += value * value;
    const left = x === 0 ? value : (luminance[at - 1] ?? value);
    const above = luminance[at - width] ?? value;
    if (Math.abs(value - left) >= edge || Math.abs(value - above) >= edge) edges += 1;
  });
  count = Math.max(1, count);
  const most = Math.max(...tones) / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
  const edgy = edges / count;
  if (most > 0.995 && deviation < 2 && edgy < 0.001) return 'nothing';
  return edgy < 0.01 ? 'little' : 'enough';
}

/** Returns the pixels of an area, and those of them that two pictures of one size show differently. */
export function changedIn(
  area: Area,
  one: PictureFacts,
  other: PictureFacts,
): { readonly of: number; readonly changed: readonly number[] } {
  const { width, luminance } = other;
  if (luminance.length !== one.luminance.length || width !== one.width) return { of: 0, changed: [] };
  const height = luminance.length / width;
  const [left, right] = [area.x * width, (area.x + area.width) * width];
  const [top, bottom] = [area.y * height, (area.y + area.height) * height];
  const changed: number[] = [];
  let of = 0;
  luminance.forEach((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (x < left || x >= right || y < top || y >= bottom) return;
    of += 1;
    if (Math.abs(value - (one.luminance[at] ?? 0)) >= edge) changed.push(at);
  });
  return { of, changed };
}

/** The media type of a kept picture and the ending of its file: a PNG, or a JPEG. */
export function pictureType(image: Uint8Array): { readonly mediaType: string; readonly ending: string } {
  return image[0] === 0xff ? { mediaType: 'image/jpeg', ending: 'jpg' } : { mediaType: 'image/png', ending: 'png' };
}

/** Returns a kept picture as a `data:` URL. */
export function pictureUrl(image: Buffer): string {
  return `data:${pictureType(image).mediaType};base64,${image.toString('base64')}`;
}
