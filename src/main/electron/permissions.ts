import { isPageAddress } from './page-origin.ts';

/**
 * Returns whether something may use a permission. The page may put text on the clipboard, which the copy buttons do; it asks for nothing
 * else, so nothing else is granted. `address` is the asking URL or origin.
 */
export function mayUse(permission: string, address: string, isMainFrame: boolean): boolean {
  return permission === 'clipboard-sanitized-write' && isMainFrame && isPageAddress(address);
}

/**
 * Returns whether a game may use a permission: only those that a player's browser grants without a question, or that stay within the game view.
 */
export function mayGameUse(permission: string): boolean {
  return permission === 'fullscreen' || permission === 'screen-wake-lock';
}
