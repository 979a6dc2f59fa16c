import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';

/** Baseline of `runs.ts`, the limit of any runner on this HTTP client: signs and sends, checks the code, keeps nothing. */
const [origin = '', caFile = '', body = '', data = '', count = '0', width = '1'] = process.argv.slice(2);
const key = process.env['BENCH_KEY'] ?? '';
const agent = new Agent({ connect: { ca: readFileSync(caFile, 'utf8') }, connections: Number(width) });
const two = (value: number) => String(value).padStart(2, '0');
let left = Number(count);

async function lane(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const now = new Date();
    const day = `${two(now.getUTCDate())}-${two(now.getUTCMonth() + 1)}-${now.getUTCFullYear()}`;
    const time = `${day} ${two(now.getUTCHours())}:${two(now.getUTCMinutes())}:${two(now.getUTCSeconds())}`;
    const hash = createHash('sha256')
      .update(key + time + data)
      .digest('hex');
    const answer = await agent.request({
      origin,
      path: '/serviceApi.php',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body.replace('{{time}}', time).replace('{{hash}}', hash),
    });
    if (((await answer.body.json()) as { code: number }).code !== 0) process.exitCode = 1;
  }
}

await Promise.all(Array.from({ length: Number(width) }, lane));
await agent.close();
