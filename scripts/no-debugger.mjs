// To be imported first, and to run on an old Node. SIGUSR1 opens Node's debugger on 127.0.0.1, where every account of the machine can ask it
// for anything that the program has, unless the program takes the signal or was started with the option.
import { spawn } from 'node:child_process';

const option = '--disable-sigusr1';
process.on('SIGUSR1', () => undefined);

/** Goes on where this process has the option. Else the program starts again with it, in this process where the system can do that, and this never returns. */
export async function goOnWithoutDebugger() {
  if (process.execArgv.includes(option)) return;
  const args = [...process.execArgv, option, ...process.argv.slice(1)];
  // A child of Windows gets what is pressed in the console by itself, and there are no signals to pass on.
  if (process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], process.env);
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.exit(await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1))));
}
