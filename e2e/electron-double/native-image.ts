import { strict } from './strict.ts';

type NativeImageApi = Pick<Electron.NativeImage, 'toPNG' | 'toDataURL' | 'getSize' | 'isEmpty'>;

/** A picture as `capturePage` gives it. */
export function createNativeImage(png: Buffer): NativeImageApi {
  return strict('NativeImage', {
    toPNG: () => png,
    toDataURL: () => `data:image/png;base64,${png.toString('base64')}`,
    // Width and height stand at the start of a PNG's first chunk.
    getSize: () => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }),
    isEmpty: () => png.length === 0,
  });
}
