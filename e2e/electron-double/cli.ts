/** `electron [-r file] [Chromium's switches] [--inspect=port] <folder or file> [arguments]` */
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:inspector';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ours = ['--no-sandbox', '--remote-debugging-port=0'];
const required: string[] = [];
const rest: string[] = [];
let inspectorPort: number | null = null;
const given = process.argv.slice(2);
for (let index = 0; index < given.length; index++) {
  const argument = given[index] ?? '';
  if (argument === '-r') required.push(given[++index] ?? '');
  else if (argument.startsWith('--inspect=')) inspectorPort = Number(argument.slice('--inspect='.length));
  else if (!ours.includes(argument)) rest.push(argument);
}

const target = path.resolve(rest.find((argument) => !argument.startsWith('-')) ?? '.');
const folder = statSync(target).isDirectory() ? target : path.dirname(target);
const entry = folder === target ? path.resolve(folder, mainOf(folder)) : target;

process.env['ELECTRON_DOUBLE_APP'] = folder;
// Prints the line with its address, which Playwright waits for.
if (inspectorPort !== null) open(inspectorPort, '127.0.0.1');
await import('./electron.ts');
for (const file of required) createRequire(import.meta.url)(path.resolve(file));
process.argv = [process.execPath, ...rest];
await import(pathToFileURL(entry).href);
const { programHasRun } = await import('./ready.ts');
programHasRun();

function mainOf(directory: string): string {
  const { main } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as { main: string };
  return main;
}
