// Passes bytes between TLS connections and does nothing else: what the gateway is measured against.
import { createServer, connect } from 'node:tls';
import { makeCertificate } from '../src/testing/https-server.ts';

const far = new URL(process.env['BENCH_FAR'] ?? '');
const certificate = await makeCertificate();
const server = createServer({ key: certificate.key, cert: certificate.cert, noDelay: true }, (near) => {
  const other = connect({
    host: far.hostname,
    port: Number(far.port),
    servername: far.hostname,
    ca: process.env['BENCH_CA'] ?? '',
  });
  other.setNoDelay(true);
  near.pipe(other).pipe(near);
  for (const socket of [near, other]) socket.on('error', () => undefined);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0, ca: certificate.ca });
});
process.on('disconnect', () => process.exit());
