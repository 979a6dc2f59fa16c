/**
 * A program with a gateway, for tests of what a kill leaves behind. Its arguments are its home, and the base URL and the CA certificate of the
 * provider. It prints the gateway's own.
 */
import { createTestApp } from './app.ts';

const [home = '', baseUrl = '', ca = ''] = process.argv.slice(2);
const { app, client, environment } = await createTestApp({ home });
const [known] = (await client.call('environments.list', {})).environments.filter((one) => one.baseUrl === baseUrl);
const { id } = known ?? (await environment({ baseUrl, ca }));
await app.useKey(id, 'a-test-key');
const status = await client.call('gateway.start', { environmentId: id, anyPartner: true });
process.stdout.write(`${JSON.stringify({ url: status.baseUrl, caFile: status.caFile })}\n`);
