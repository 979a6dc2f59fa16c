import type { OpenPack } from '../packs/packs.ts';

/** Opens a support pack to read; `page` is the page beside it. Needs no home and no key. Fails as `openPack` does. */
export async function openPackFile(json: Uint8Array, page: Uint8Array | null): Promise<OpenPack> {
  const { openPack } = await import('../packs/packs.ts');
  return openPack(json, page);
}
