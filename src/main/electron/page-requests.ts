import { isPageAddress } from './page-origin.ts';

/** Returns whether the page's session may ask for an address: its own files and blobs. Nothing of it goes to a network. */
export function mayRequest(address: string): boolean {
  if (isPageAddress(address)) return true;
  const protocol = URL.parse(address)?.protocol;
  // A blob's URL carries the origin that made it; only that origin can read it.
  return protocol === 'data:' || (protocol === 'blob:' && isPageAddress(address.slice('blob:'.length)));
}
