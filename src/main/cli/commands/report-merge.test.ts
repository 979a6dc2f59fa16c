import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunReport } from '#shared/collections/run-report.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
let folder: string;
let collection: string;
let data: string;
beforeAll(async () => {
  cli = await createCli();
  folder = dirname(cli.home);
  collection = join(folder, 'collection');
  data = join(folder, 'rows.csv');
  await mkdir(collection);
  const list = 'operation: gameList\ndata: |\n  {"currency": "{{wanted}}"}\n';
  await writeFile(join(collection, 'A list.yaml'), `${list}expect:\n  - code: "0"\n`);
  await writeFile(join(collection, 'B list.yaml'), `${list}expect:\n  - code: "{{code}}"\n`);
  await writeFile(data, `wanted,code\n${['EUR,0', 'EUR,5', 'USD,0', 'EUR,0', 'EUR,0', 'USD,5'].join('\n')}\n`);
});
afterAll(() => cli.close());

const options = () => ['run', collection, '--env', 'sandbox', '--data', data, '--repeat', '2'];
const merge = (...args: string[]) => cli.run(['report', 'merge', ...args]);

/** Returns what a report says of each request, without what differs from machine to machine. */
async function requestsIn(path: string) {
  const { totals, iterations } = RunReport.parse(JSON.parse(await readFile(path, 'utf8')));
  const facts = iterations.flatMap(({ number, row, requests }) =>
    requests.map(({ durationMs: _durationMs, callId: _callId, call: _call, ...rest }) => ({ number, row, ...rest })),
  );
  return { totals, facts };
}

describe('a run in parts', () => {
  it('equals the whole run, request for request, and one that is killed is seen', async () => {
    const whole = join(folder, 'whole.json');
    expect((await cli.run([...options(), '--report-json', whole])).code).toBe(1);
    const blobs = join(folder, 'blobs');
    for (const part of [1, 2, 3, 4]) {
      // As each job of a CI has it: a directory of its own.
      const ran = await cli.run([...options(), '--shard', `${part}/4`, '--blob', join(blobs, `job-${part}`)]);
      expect([0, 1], ran.err).toContain(ran.code);
    }
    const [merged, junit, html] = ['merged.json', 'merged.xml', 'merged.html'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const done = await merge(blobs, '--report-json', merged, '--junit', junit, '--html', html);
    expect({ code: done.code, err: done.err }).toMatchObject({ code: 1 });
    expect(await requestsIn(merged)).toEqual(await requestsIn(whole));
    expect(done.out.trim().split('\n').at(-1)).toContain('24 requests: 20 passed, 4 failed');
    expect((await readFile(junit, 'utf8')).match(/<testcase /g)).toHaveLength(24);
    expect(await readFile(html, 'utf8')).toContain('4 failed, of 24 requests');

    // The second part again, killed while it waits after its first request.
    const again = join(folder, 'again');
    await cp(blobs, again, { recursive: true });
    const killed = cli.start([...options(), '--shard', '2/4', '--blob', join(again, 'job-2'), '--delay', '3600000']);
    await once(killed.stdout, 'data');
    const closed = once(killed, 'close');
    killed.kill('SIGKILL');
    await closed;
    const seen = await merge(again, '--json');
    expect({ code: seen.code, err: seen.err }).toEqual({ code: 1, err: 'croupier: Part 2 of 4 is missing.\n' });
    const report = RunReport.parse(JSON.parse(seen.out));
    expect(report.totals).toMatchObject({ requests: 24, unfinished: 6 });
    expect(
      report.iterations
        .filter(({ requests }) => requests.some(({ state }) => state === 'unfinished'))
        .map(({ number }) => number),
    ).toEqual([2, 6, 10]);

    // A part of changed files is of another plan.
    await writeFile(join(collection, 'A list.yaml'), 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n');
    await cli.run([...options(), '--shard', '2/4', '--blob', join(again, 'job-2')]);
    const refused = await merge(again);
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 2, out: '' });
    expect(refused.err).toContain('has a different plan from');
  });

  it('has parts without a request where it has fewer iterations, and says so', async () => {
    const empty = await cli.run([...options(), '--shard', '13/13', '--blob', join(folder, 'many')]);
    expect(empty).toMatchObject({ code: 0, err: expect.stringContaining('this part has no request') });
  });

  it('is refused with wrong arguments, and without a directory', async () => {
    for (const wrong of ['0/4', '5/4', '1', 'a/b'])
      expect(await cli.run([...options(), '--shard', wrong]), wrong).toMatchObject({
        code: 2,
        err: expect.stringContaining('I/N'),
      });
    expect(await cli.run([...options(), '--blob', folder])).toMatchObject({ code: 2, err: expect.stringContaining('--shard') });
    expect(await merge(join(folder, 'nowhere'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no folder'),
    });
    expect(await merge(collection)).toMatchObject({ code: 2, err: expect.stringContaining('There are no parts of a run here') });
  });
});
