// A stand-in for node:fs/promises in a test of the page: the process of the tests writes.
import { outside } from './playwright.ts';

export const writeFile = (file: string, text: string): Promise<void> => outside.writeFile(file, text);
export const rm = (file: string, options?: { readonly recursive?: boolean }): Promise<void> => outside.rm(file, options);
