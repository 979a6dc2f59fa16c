import { isPageAddress } from './page-origin.ts';

/**
 * Returns whether something may use a permission. The page may put text on the clipboard, which the copy buttons do; nothing else is ever
 * asked for, so nothing else is given. `address` is what asks: a whole address or an origin.
 */
export function mayUse(permission: string, address: string, isMainFrame: boolean): boolean {
  return permission === 'clipboard-sanitized-write' && isMainFrame && isPageAddress(address);
}

/**
 * Returns whether a game may use a permission: what a player's browser gives without asking, and what stays within the game's view. Nothing else a
 * game asks for is given.
 */
export function mayGameUse(permission: string): boolean {
  return permission === 'fullscreen' || permission === 'screen-wake-lock';
}
