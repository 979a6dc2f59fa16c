/**
 * Chromium cannot be taught a scheme from outside, so `scheme://host/path` is shown to it as `https://host.scheme.invalid/path`
 * and turned back wherever the app looks. `.invalid` belongs to nobody (RFC 2606).
 */
const schemes = new Set<string>();

/** Makes a scheme known, as `protocol.registerSchemesAsPrivileged` does. */
export function addScheme(scheme: string): void {
  schemes.add(scheme);
}

/** Returns the URL as Chromium sees it. */
export function outside(address: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address);
  if (parts === null) return address;
  const [, scheme = '', host = '', rest = ''] = parts;
  return schemes.has(scheme) ? `https://${host}.${scheme}.invalid${rest === '' ? '/' : rest}` : address;
}

/** Returns the URL as the app sees it. */
export function inside(address: string): string {
  if (address.startsWith('blob:')) return `blob:${inside(address.slice('blob:'.length))}`;
  const parts = /^https:\/\/([^/?#]+)\.([a-z][a-z0-9+-]*)\.invalid(.*)$/i.exec(address);
  if (parts === null) return address;
  const [, host = '', scheme = '', rest = ''] = parts;
  return schemes.has(scheme) ? `${scheme}://${host}${rest}` : address;
}
