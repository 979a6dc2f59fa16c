import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createCli, linesFrom, type Cli } from '#testing/cli-driver.ts';
import { hangsWhileStarting, nothingCloses, planted } from '#testing/planted-fault.ts';

const args = ['serve', '--no-open', '--port', '0'];

let cli: Cli | null = null;
afterEach(() => cli?.close());

describe.skipIf(process.platform === 'win32')('croupier serve', () => {
  it('ends though none of its servers closes and a thread of it never ends', async () => {
    cli = await createCli();
    const child = cli.start(args, { env: planted(nothingCloses) });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    await linesFrom(child).next((line) => line.includes('Provider'));
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([null, 'SIGKILL']);
    expect(err).toContain('The built-in provider did not end within');
  }, 180_000);

  it('ends at the first signal though its disk does not answer when it starts', async () => {
    cli = await createCli();
    const child = cli.start(args, { env: planted(hangsWhileStarting) });
    await linesFrom(child).next((line) => line === 'hangs');
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});
