import { fileURLToPath } from 'node:url';

/** Where Node keeps what it made of our sources, for the programs of tests. Nobody else writes into it, as into a checkout. */
export const compiledFolder = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
