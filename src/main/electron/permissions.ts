import { isPageAddress } from './page-origin.ts';

/**
 * Whether something may use a permission. The page may put text on the clipboard, which the copy buttons do; nothing else is ever
 * asked for, so nothing else is given. `address` is what asks: a whole address or an origin.
 */
export function mayUse(permission: string, address: string, isMainFrame: boolean): boolean {
  return permission === 'clipboard-sanitized-write' && isMainFrame && isPageAddress(address);
}
