import { once } from 'node:events';
import https from 'node:https';
import { crc32, deflateSync } from 'node:zlib';
import { makeCertificate } from '../src/testing/https-server.ts';

/** A provider whose gameList has another name of its first game each time, and the server of its thumbnails. */
export interface GamesPeer {
  readonly baseUrl: string;
  readonly ca: string;
  close(): void;
}

/**
 * Answers every POST with `games` games of 50 bets each, and every GET with a picture of 320 x 240 pixels, a PNG of some 20 kB.
 * Each thumbnail has its own URL, so that none is shared. The hash is not checked.
 */
export async function startGamesPeer(games: number): Promise<GamesPeer> {
  const certificate = await makeCertificate();
  const pictures = Array.from({ length: 12 }, (_, hue) => picture(hue));
  let asked = 0;
  let answer = '';
  const server = https.createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    if (request.method === 'GET') {
      const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      response.writeHead(200, { 'content-type': 'image/png' }).end(pictures[number % pictures.length]);
      return;
    }
    request.resume().on('end', () => {
      asked += 1;
      // The same list again would not count as new.
      const list = answer.replace('Golden Orchard 0"', `Golden Orchard 0, ${asked}"`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(list);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The peer has no port');
  const baseUrl = `https://localhost:${bound.port}`;
  answer = gameList(baseUrl, games);
  return {
    baseUrl,
    ca: certificate.ca,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function gameList(origin: string, games: number): string {
  const bets = Array.from({ length: 50 }, (_, level) => (level + 1) / 10);
  const slots = Array.from({ length: games }, (_, at) => ({
    id: 1_000 + at,
    gameName: `Golden Orchard ${at}`,
    bets,
    thumbnail: `${origin}/thumb/${at}.png`,
    status: at % 7 === 0 ? 0 : 1,
  }));
  return JSON.stringify({ code: 0, message: 'ok', data: { slots } });
}

/** Returns a PNG of 320 x 240 pixels with a gradient and some grain, so that decoding it is real work. */
function picture(hue: number): Buffer {
  const [width, height] = [320, 240];
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (width * 3 + 1) + 1 + x * 3;
      const grain = (x * 31 + y * 17 + ((x * y) >> 3)) % 8;
      rows[at] = (x * 0.6 + hue * 21 + grain) & 255;
      rows[at + 1] = (y * 0.8 + hue * 47) & 255;
      rows[at + 2] = (x + y + hue * 11) & 255;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
