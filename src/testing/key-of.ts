import { createPass, type Pass } from '#core/files/passed.ts';

/** Returns searches that know one key, of the environment `of-the-key`. */
export function keyOf(key: string): Pass {
  const contains = async (_: string, text: Uint8Array) => Buffer.from(text).includes(key);
  const find = async (text: Uint8Array) => ((await contains('', text)) ? [{ environmentId: 'of-the-key' }] : []);
  return createPass({ contains, find }, () => ['of-the-key']);
}
