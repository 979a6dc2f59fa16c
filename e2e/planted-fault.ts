import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Returns code for Node that changes the built program where it matches a pattern, as Node loads it. */
function changedCode(pattern: string, replacement: string): string {
  return `
{
  const { Module } = require('node:module');
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, file, ...rest) {
    return compile.call(this, content.replace(${pattern}, ${JSON.stringify(replacement)}), file, ...rest);
  };
}
`;
}

/** Makes the handler of `calls.list` in the built program throw while its home has the file `planted`. */
export const faultyHandler = `${changedCode(String.raw`/"calls\.list":(\w+)=>/`, '"calls.list":$1=>globalThis.plantedFault()??')}
const { existsSync } = require('node:fs');
globalThis.plantedFault = () => {
  if (existsSync(process.env.CROUPIER_HOME + '/planted')) throw new TypeError("Cannot read properties of undefined (reading 'rows')");
};
`;

export const plantFault = (home: string): Promise<void> => writeFile(path.join(home, 'planted'), '');

export const removeFault = (home: string): Promise<void> => rm(path.join(home, 'planted'));

/** Makes the creation of the built program's application fail. */
export const brokenStart = changedCode(
  String.raw`/"rounds\.lookup":(?=\w+=>)/`,
  '"rounds.lookup":globalThis.absent.handler,"rounds.lookup":',
);

/** Prints a desktop's error boxes instead of showing them, since nobody would close them. */
export const shownBoxes = `
const { dialog } = require('electron');
dialog.showErrorBox = (title, text) => process.stdout.write(title + ': ' + text + '\\n');
`;
