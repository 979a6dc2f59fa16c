import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Changes the code of the built program where it matches a pattern, as Node loads it. */
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

/** Makes the handler of `calls.list` in the built program throw while a fault is planted in its home. */
export const faultyHandler = `${changedCode(String.raw`/"calls\.list":(\w+)=>/`, '"calls.list":$1=>globalThis.plantedFault()??')}
const { existsSync } = require('node:fs');
globalThis.plantedFault = () => {
  if (existsSync(process.env.CROUPIER_HOME + '/planted')) throw new TypeError("Cannot read properties of undefined (reading 'rows')");
};
`;

export const plantFault = (home: string): Promise<void> => writeFile(path.join(home, 'planted'), '');

export const removeFault = (home: string): Promise<void> => rm(path.join(home, 'planted'));

/** Makes the application of the built program fail while it is being made. */
export const brokenStart = changedCode(
  String.raw`/"rounds\.lookup":(?=\w+=>)/`,
  '"rounds.lookup":globalThis.absent.handler,"rounds.lookup":',
);

/** Prints the boxes that a desktop shows, which wait for nobody. */
export const shownBoxes = `
const { dialog } = require('electron');
dialog.showErrorBox = (title, text) => process.stdout.write(title + ': ' + text + '\\n');
`;
