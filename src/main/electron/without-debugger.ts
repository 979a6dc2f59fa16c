/**
 * Loaded before the rest of the desktop, for an Electron started from sources: its fuse lets SIGUSR1 open a debugger on 127.0.0.1,
 * which every account of the machine can use, and typed keys pass through this process. Developers have `--inspect`.
 */
process.on('SIGUSR1', () => undefined);
// Electron reads it when it makes a page, and else prints its advice to developers on the console of every game.
process.env['ELECTRON_DISABLE_SECURITY_WARNINGS'] = 'true';
