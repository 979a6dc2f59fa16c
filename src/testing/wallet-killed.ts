/**
 * A program that tests a wallet, for tests of what a kill leaves behind. Its arguments are its home, the wallet URL, the file of the
 * authority and a session token.
 */
import { readFileSync } from 'node:fs';
import { createTestApp } from './app.ts';

const [home = '', baseUrl = '', ca = '', token = ''] = process.argv.slice(2);
const { client, environment } = await createTestApp({ home });
const { id } = await environment({ baseUrl, ca: readFileSync(ca, 'utf8') });
await client.call('wallet.start', { environmentId: id, tokens: [token], only: ['bet-01', 'retries-01'] });
