import { app } from 'electron';
import type { Host } from '#core/host/host.ts';

/**
 * Creates the desktop's word on screen readers, after `ready`. Electron documents it for macOS and Windows: elsewhere "none" is not
 * known.
 */
export function createScreenReader(platform: NodeJS.Platform): NonNullable<Host['screenReader']> {
  const tells = platform === 'darwin' || platform === 'win32';
  return {
    heard: () => app.accessibilitySupportEnabled || (tells ? false : null),
    watch: (listener) => void app.on('accessibility-support-changed', listener),
  };
}
