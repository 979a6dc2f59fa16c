import { createHash } from 'node:crypto';
import type { Client, ListedPack } from '#shared/ipc/index.ts';

/** Returns the JSON of a support pack with so many calls of `bet`, as Croupier writes it. `made` differs from pack to pack. */
export function supportPackText(calls: number, made: Date, environment = 'Stage'): string {
  const pack = {
    format: 'croupier-support-pack',
    version: 1,
    madeAt: made.toISOString(),
    program: 'Croupier 0.0.0',
    runtime: 'Node',
    tokensMasked: true,
    calls: Array.from({ length: calls }, (_, at) => packedCall(at + 1, environment)),
  };
  const head = JSON.stringify(pack, null, 2).slice(0, -2);
  const digests = { page: '0'.repeat(64), json: createHash('sha256').update(head).digest('hex') };
  return `${head},\n  "sha256": ${JSON.stringify(digests, null, 2).replaceAll('\n', '\n  ')}\n}\n`;
}

function packedCall(id: number, environment: string) {
  return {
    id,
    operation: 'bet',
    environment,
    sentAt: new Date(1_764_000_000_000 + id * 1_000).toISOString(),
    masked: id === 1 ? ['request body'] : [],
    outcome: { state: 'answered', status: 200, code: 0, message: 'OK', failure: null },
    repeats: null,
    overrides: {},
    hashInput: null,
    request: { url: 'https://wallet.example/bet', headers: [['accept', '*/*']], bytes: 11, body: `{"round":${id}}` },
    response: { headers: [['content-type', 'application/json']], bytes: 10, truncated: false, text: '{"code":0}' },
    timings: null,
    clockOffsetMs: null,
    findings: [],
  };
}

/** Opens a support pack as a page does. */
export async function openPackIn(
  client: Client,
  json: string,
  name = 'pack.json',
  page: string | null = null,
): Promise<ListedPack> {
  const ticket = createHash('sha256').update(json).digest('hex');
  const bytes = Buffer.from(json, 'utf8');
  const pieceBytes = 600_000;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    await client.call('packs.upload', { ticket, piece: bytes.subarray(at, at + pieceBytes).toString('base64') });
  return client.call('packs.open', { ticket, name, page });
}
