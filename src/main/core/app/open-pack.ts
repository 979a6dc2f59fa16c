import type { OpenPack } from '../packs/packs.ts';

/** Opens a support pack to read; `page` is the page beside it. Needs no home and no key. Fails as `readPack` does. */
export async function openPackFile(json: Uint8Array, page: Uint8Array | null): Promise<OpenPack> {
  const [{ openPack }, { readPack, sha256 }] = await Promise.all([import('../packs/packs.ts'), import('../packs/read-pack.ts')]);
  // A command answers no page.
  return openPack((address) => readPack({ bytes: json, address }), page === null ? null : sha256(page), {
    worker: null,
    onFault: () => undefined,
  });
}
