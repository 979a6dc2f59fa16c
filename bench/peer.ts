import { createHash } from 'node:crypto';
import https from 'node:https';
import { makeCertificate } from '../src/testing/https-server.ts';

/** Requests that arrived since the last question; milliseconds since the epoch. */
export interface PeerTimes {
  requests: number;
  /** With the right hash. */
  valid: number;
  first: number;
  last: number;
}

/**
 * Starts the other side of the bare limit: an HTTPS server that checks the hash over the received text of `data` and does nothing
 * else. A path in `fixed` gets its text as the response, unchecked.
 */
export async function startPeer(
  privateKey: string,
  fixed: Readonly<Record<string, string>> = {},
): Promise<{ origin: string; ca: string; valid: () => number; takeTimes: () => PeerTimes; close: () => void }> {
  const certificate = await makeCertificate();
  let valid = 0;
  let times: PeerTimes = { requests: 0, valid: 0, first: 0, last: 0 };
  const good = Buffer.from(
    '{"code":0,"message":"ok","data":{"launcherURL":"https://games.example/launch?partnerId=42&gameId=1042&gameMode=fun&lang=en&platform=1' +
      '&exitURL=https%3A%2F%2Fcasino.example%2Flobby"}}',
  );
  const bad = Buffer.from('{"code":8,"message":"hash not valid","data":null}');
  const server = https.createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    if (times.requests === 0) times.first = performance.timeOrigin + performance.now();
    times.requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const given = fixed[request.url ?? ''];
      if (given !== undefined) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(given);
        return;
      }
      const text = Buffer.concat(chunks).toString('utf8');
      const body = JSON.parse(text) as { time: string; hash: string };
      const from = text.indexOf('"data":') + 7;
      const data = text.slice(from, text.lastIndexOf(',"hash":'));
      const right =
        createHash('sha256')
          .update(privateKey + body.time + data)
          .digest('hex') === body.hash;
      if (right) valid += 1;
      if (right) times.valid += 1;
      times.last = performance.timeOrigin + performance.now();
      const answer = right ? good : bad;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.maxRequestsPerSocket = 0;
  server.on('secureConnection', (socket) => socket.setNoDelay(true));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The peer has no port');
  return {
    origin: `https://localhost:${address.port}`,
    ca: certificate.ca,
    valid: () => valid,
    takeTimes() {
      const taken = times;
      times = { requests: 0, valid: 0, first: 0, last: 0 };
      return taken;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  const peer = await startPeer(process.env['BENCH_KEY'] ?? '');
  process.send?.({ origin: peer.origin, ca: peer.ca });
  process.on('message', () => process.send?.(peer.takeTimes()));
  process.on('disconnect', () => peer.close());
}
