/** The page's own scheme and host. Nothing else is loaded into a window, and nothing else may call main. */
export const pageScheme = 'app';
export const pageHost = 'workbench';
export const pageAddress = `${pageScheme}://${pageHost}/`;

/** Returns whether an address is the page's; compared as a parsed URL, since a prefix of one host is a prefix of others. */
export function isPageAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${pageScheme}:` && url.host === pageHost && url.username === '' && url.password === '';
}

/** Returns whether an address names data that the page itself made: files that it saves for the user. */
export function isPageBlob(address: string): boolean {
  return address.startsWith('blob:') && isPageAddress(address.slice('blob:'.length));
}
