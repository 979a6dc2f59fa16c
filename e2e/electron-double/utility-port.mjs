// Loaded into the child before the app's file: gives it the port that Electron gives a utility process. Its types would cost each child
// as much as Node's own start.
import { EventEmitter } from 'node:events';

const port = Object.assign(new EventEmitter(), {
  postMessage: (message) => void process.send?.(message, undefined, undefined, () => undefined),
});
// Without the option that loaded this file: the replaced process has no such option.
process.execArgv = JSON.parse(decodeURIComponent(new URL(import.meta.url).search.slice(1)));
process.on('message', (data) => port.emit('message', { data, ports: [] }));
// A utility process ends with the program that started it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
Object.assign(process, { parentPort: port });
