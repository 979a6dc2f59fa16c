import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createCli, linesFrom, type Cli } from '#testing/cli-driver.ts';
import { openLine } from '#testing/loopback-driver.ts';
import { atStart, onSignals, planted, whileStarting } from '#testing/planted-fault.ts';

const args = ['serve', '--no-open', '--port', '0'];

let cli: Cli | null = null;
afterEach(() => cli?.close());

/** The program with what it says on standard error, and a line of a page to it. */
async function begin() {
  cli = await createCli();
  const child = cli.start(args, { env: planted(onSignals) });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const { hash, origin } = new URL(
    /http:\S+/.exec(await linesFrom(child).next((line) => line.includes('ready')))?.[0] ?? 'http://missing',
  );
  const response = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const { session } = (await response.json()) as { session: string };
  return { child, err: () => err, line: await openLine({ origin }, session) };
}

describe.skipIf(process.platform === 'win32')('a fault of croupier serve', () => {
  it('that nobody catches is told to its pages and logged, and the host goes on', async () => {
    const { child, err, line } = await begin();
    const told = () => line.heard.filter((text) => text.includes('app.faulted')).map((text) => JSON.parse(text) as unknown);
    child.kill('SIGUSR2');
    await expect.poll(told).toHaveLength(1);
    child.kill('SIGWINCH');
    await expect.poll(told).toHaveLength(2);
    expect(told()).toMatchObject([
      {
        payload: {
          message: 'TypeError: planted with [hidden]',
          details: expect.stringMatching(/^Croupier \d.*Browser.*Node/) as string,
        },
      },
      { payload: { message: 'RangeError: planted rejection' } },
    ]);
    await expect.poll(err).toContain('croupier: RangeError: planted rejection');
    expect(err()).not.toContain('a value of the user');
    expect(await line.call('app.info', {})).toMatchObject({ ok: true });
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });

  it('ends it with a sentence where too many come', async () => {
    const { child, err } = await begin();
    const closed = once(child, 'close');
    child.kill('SIGIO');
    expect(await closed).toEqual([70, null]);
    expect(err()).toContain('Croupier stopped after too many faults in one minute.');
  });

  it('before its application stands ends it with what to do', async () => {
    cli = await createCli();
    const { code, err } = await cli.run(args, { env: planted(atStart) });
    expect(code).toBe(70);
    expect(err).toContain('TypeError: planted with [hidden]');
    expect(err).toMatch(/report/);
  });

  it('while its application is built ends it with what to do, said once, though nothing of it comes to an end', async () => {
    cli = await createCli();
    const { code, err } = await cli.run(args, { env: planted(whileStarting) });
    expect(code).toBe(70);
    expect(err).toContain('TypeError: first planted');
    expect(err.match(/report/g)).toHaveLength(1);
  });
});
