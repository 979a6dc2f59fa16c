// Imported first, and runs on an old Node. SIGUSR1 opens Node's debugger on 127.0.0.1, through which every account of the machine
// can read all data of the program, unless the program handles the signal or was started with the option.
import { spawn } from 'node:child_process';

const option = '--disable-sigusr1';
process.on('SIGUSR1', () => undefined);

/**
 * Does nothing if this process has the option. Else it starts the program again with it, in this process if the system can do that, and
 * never returns.
 */
export async function goOnWithoutDebugger() {
  if (process.execArgv.includes(option)) return;
  const args = [...process.execArgv, option, ...process.argv.slice(1)];
  // On Windows the child gets the keys of the console by itself, and there are no signals to pass on.
  if (process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], process.env);
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.exit(await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1))));
}
