import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { chooseSeed, createChoices, seededRandom } from '#testing/seeded-random.ts';

/** `npm run test:long -- gateway` kills it more often. */
const kills = process.env['CROUPIER_GATEWAY'] === 'whole' ? 34 : 3;
const driver = fileURLToPath(new URL('../../../testing/gateway-driver.ts', import.meta.url));

const answerTo = (number: number) => `{"code":0,"number":${number}}`;

function ask(url: string, agent: Agent, number: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/serviceApi.php`, { method: 'POST', agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text)).on('error', reject);
    });
    asked.on('error', reject).end(JSON.stringify({ number }));
  });
}

it('loses no exchange that its client or its provider knows of when it is killed', { timeout: 600_000 }, async () => {
  const { below, chance } = createChoices(seededRandom(chooseSeed()));
  const received: number[] = [];
  const answered: number[] = [];
  let onEvent: (what: 'received' | 'answered') => void = () => undefined;
  const far = await startHttpsServer(({ body }, response) => {
    const { number } = JSON.parse(body.toString()) as { number: number };
    received.push(number);
    onEvent('received');
    response.end(answerTo(number));
  });
  const home = await temporaryFolder();
  const path = join(home, 'history.sqlite');
  /** Kills it after a moment in which it can record nothing: what it passes on unrecorded then is lost. */
  async function freeze(child: ChildProcess): Promise<void> {
    const other = new DatabaseSync(path, { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    await pause(100);
    child.kill('SIGKILL');
    await once(child, 'close');
    other.close();
  }
  let next = 0;
  for (let round = 0; round < kills; round += 1) {
    const child = spawn(process.execPath, [driver, home, far.baseUrl, far.ca], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url, caFile } = JSON.parse(line) as { url: string; caFile: string };
    const ca = readFileSync(caFile);
    const kind = chance(0.5) ? 'received' : 'answered';
    let left = 20 + below(40);
    onEvent = (what) => {
      if (what === kind && --left === 0) void freeze(child);
    };
    const work = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
      while (!child.killed) {
        const number = next++;
        const answer = await ask(url, agent, number).catch(() => null);
        if (answer === answerTo(number)) {
          answered.push(number);
          onEvent('answered');
        } else expect(child.killed).toBe(true);
      }
      agent.destroy();
    };
    await Promise.all([ended, ...Array.from({ length: 5 }, work)]);
  }
  await far.close();
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const rows = database
    .prepare(
      'SELECT c.state, q.body AS request, r.body AS response FROM calls c JOIN call_requests q ON q.call_id = c.id LEFT JOIN call_responses r ON r.call_id = c.id',
    )
    .all();
  database.close();
  const text = (bytes: unknown) => Buffer.from((bytes ?? new Uint8Array()) as Uint8Array).toString();
  const kept = new Map(rows.map((row) => [text(row['request']), `${String(row['state'])} ${text(row['response'])}`]));
  expect(answered.length).toBeGreaterThan(kills * 15);
  expect(answered.filter((number) => kept.get(JSON.stringify({ number })) !== `answered ${answerTo(number)}`)).toEqual([]);
  expect(received.filter((number) => !kept.has(JSON.stringify({ number })))).toEqual([]);
  await rm(home, { recursive: true });
});
