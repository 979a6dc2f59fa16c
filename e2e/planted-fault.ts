import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Makes the handler of `calls.list` in the built program throw while a fault is planted in its home. */
export const faultyHandler = `
const { existsSync } = require('node:fs');
const { Module } = require('node:module');
const compile = Module.prototype._compile;
Module.prototype._compile = function (content, file, ...rest) {
  const changed = content.replace(/"calls\\.list":(\\w+)=>/, '"calls.list":$1=>globalThis.plantedFault()??');
  return compile.call(this, changed, file, ...rest);
};
globalThis.plantedFault = () => {
  if (existsSync(process.env.CROUPIER_HOME + '/planted')) throw new TypeError("Cannot read properties of undefined (reading 'rows')");
};
`;

export const plantFault = (home: string): Promise<void> => writeFile(path.join(home, 'planted'), '');

export const removeFault = (home: string): Promise<void> => rm(path.join(home, 'planted'));
