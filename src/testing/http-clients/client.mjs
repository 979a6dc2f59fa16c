// Asks as a backend in Node does: `client.mjs fetch|https URL CA`, and prints what came.
import { Agent, request } from 'node:https';
import { readFileSync } from 'node:fs';

const [library, base, ca] = process.argv.slice(2);
const json = '{"action":"gameList"}';
const kinds = { 'Content-Type': 'application/json', 'X-mixed-CASE': '\u00e9 a' };
const asked = [
  ['GET', '/sized?x=%20y&z', null, {}],
  ['POST', '/sized', json, kinds],
  ['POST', '/chunked', [json.slice(0, 7), json.slice(7)], {}],
  ['HEAD', '/sized', null, {}],
  ['POST', '/early', json, kinds],
  ['PUT', '/error', Buffer.of(255, 0), {}],
  ['POST', '/nothing', '', {}],
  ['POST', '/large', 'a/\u00e9'.repeat(300_000), {}],
  ['GET', '/end', null, {}],
  ['POST', '/sized', json, { Connection: 'close' }],
];

const tell = (status, words, headers, body) =>
  process.stdout.write(`${status} ${words} ${JSON.stringify(headers)} ${body.length} ${body.toString('latin1', 0, 50)}\n`);

async function ask(agent, method, path, body, headers) {
  const sent = request(base + path, { method, headers, agent, ca: readFileSync(ca) });
  const got = await new Promise((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
    if (Array.isArray(body)) for (const part of body) sent.write(part);
    sent.end(Array.isArray(body) ? undefined : (body ?? undefined));
  });
  const parts = await Array.fromAsync(got);
  tell(got.statusCode, got.statusMessage, [got.rawHeaders, got.rawTrailers], Buffer.concat(parts));
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
for (const [method, path, body, headers] of asked) {
  if (library === 'https') await ask(agent, method, path, body, headers);
  else {
    const encoded = Array.isArray(body) ? ReadableStream.from(body.map((part) => Buffer.from(part))) : body;
    // Fetch sets this one itself.
    const { Connection: _, ...own } = headers;
    const got = await fetch(base + path, { method, headers: own, body: encoded, duplex: 'half' });
    tell(got.status, got.statusText, [...got.headers], Buffer.from(await got.arrayBuffer()));
  }
}
agent.destroy();
