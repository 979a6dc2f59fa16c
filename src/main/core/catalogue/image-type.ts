/** A picture of a kind that may be shown; `width` and `height` in pixels, null where the file does not say. */
export interface ImageFacts {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/svg+xml';
  readonly width: number | null;
  readonly height: number | null;
}

/** Recognises a picture by its first bytes, whatever its server called it; null for any other file. */
export function readImage(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 12) return readSvg(bytes);
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n')
    return sized('image/png', bytes.length >= 24 ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : null);
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a')
    return sized('image/gif', [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]);
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return sized('image/webp', webpSize(bytes));
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return sized('image/jpeg', jpegSize(bytes));
  if (ascii(4, 8) === 'ftyp') {
    const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
    const brands = ascii(8, end);
    return /avif|avis/.test(brands) ? sized('image/avif', avifSize(bytes)) : null;
  }
  return readSvg(bytes);
}

type Size = readonly [width: number, height: number] | null;

function sized(mediaType: ImageFacts['mediaType'], size: Size): ImageFacts {
  return { mediaType, width: size?.[0] ?? null, height: size?.[1] ?? null };
}

function webpSize(bytes: Buffer): Size {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    default:
      return null;
  }
}

/** Reads the size from the first frame header; segments before it state their lengths. */
function jpegSize(bytes: Buffer): Size {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** The first `ispe` box is an image's spatial extent. */
function avifSize(bytes: Buffer): Size {
  const at = bytes.indexOf('ispe', 0, 'latin1');
  return at === -1 || at + 16 > bytes.length ? null : [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
}

function readSvg(bytes: Buffer): ImageFacts | null {
  if (bytes.includes(0)) return null;
  const start = bytes.toString('utf8', 0, 4_096).replace(/^\ufeff/, '');
  // What may stand before the root element: white space, the declaration, comments, a document type without a subset of its own.
  const isSvg =
    /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE\s+svg[^>[]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/i.test(
      start,
    );
  return isSvg ? sized('image/svg+xml', null) : null;
}
