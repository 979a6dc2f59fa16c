import { strict } from './strict.ts';

type NativeImageApi = Pick<Electron.NativeImage, 'toPNG' | 'getSize' | 'isEmpty'>;

/** Creates a picture as `capturePage` returns it. */
export function createNativeImage(png: Buffer): NativeImageApi {
  return strict('NativeImage', {
    toPNG: () => png,
    // A PNG's first chunk begins with width and height.
    getSize: () => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }),
    isEmpty: () => png.length === 0,
  });
}
