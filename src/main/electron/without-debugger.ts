/**
 * Loaded before the rest of the desktop, for an Electron that is started from sources: its fuse lets SIGUSR1 open a debugger on 127.0.0.1,
 * where every account of the machine can ask it, and keys pass through this process when they are entered. Whoever develops has `--inspect`.
 */
process.on('SIGUSR1', () => undefined);
