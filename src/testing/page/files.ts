// A stand-in for node:fs/promises in a test of the page: the process of the tests reads and writes.
import type * as files from 'node:fs/promises';
import { outside } from './playwright.ts';

/** Functions of plain data. */
export const { cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } = new Proxy({} as typeof files, {
  get:
    (_, name) =>
    (...args: unknown[]) =>
      outside.file(String(name), ...args),
});
