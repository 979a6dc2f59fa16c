import { fileURLToPath } from 'node:url';

/** Folder in which Node keeps compiled sources for the programs of tests. Nobody else writes into it, just as into a checkout. */
export const compiledFolder = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
