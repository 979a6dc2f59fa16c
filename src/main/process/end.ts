/** Ends this process, even if something still waits, such as a keychain or a socket. */
export function endProcess(code: number): never {
  process.exit(code);
}

/** Kills this process: `endProcess` waits for a thread that is in a statement of SQLite. Nothing may be left to write. */
export function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
