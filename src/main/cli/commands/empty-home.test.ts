import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { OperationName } from '#shared/provider/index.ts';
import { createCli, linesFrom, type Cli } from '#testing/cli-driver.ts';
import { leaksIn } from '#testing/secret-forms.ts';

const opened: Cli[] = [];
afterEach(async () => {
  for (const cli of opened.splice(0)) await cli.close();
});

async function emptyHome(): Promise<Cli> {
  const cli = await createCli();
  opened.push(cli);
  return cli;
}

/** The commands of the README's part on the command line, as they are printed there. */
async function readmeCommands(): Promise<string[]> {
  const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8');
  const [, part = ''] = readme.split('## Command line');
  return Array.from(part.matchAll(/^ {4}bin\/croupier (.*)$/gm), ([, command = '']) => command);
}

const ownProvider = 'This command starts its own built-in provider and stops it at the end.';

describe('on an empty home', () => {
  it("the README's first command is answered with code 0", async () => {
    const [first = ''] = await readmeCommands();
    expect(first).toBe('call getLauncherURL --env sandbox --set gameMode=fun');
    const cli = await emptyHome();
    const { code, out, err } = await cli.run(first.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: `croupier: No built-in provider is running. ${ownProvider}\n` });
    expect(JSON.parse(out)).toMatchObject({ code: 0, data: { launcherURL: expect.stringContaining('gameMode=fun') } });
    // The address that was recorded is of a provider that is gone: the next command does not trust it.
    const again = await cli.run(['call', 'bet', '--env', 'sandbox']);
    expect({ code: again.code, err: again.err }).toEqual({
      code: 0,
      err: `croupier: No built-in provider is running. ${ownProvider}\n`,
    });
    // Its key ended with it.
    expect(existsSync(join(cli.home, 'keys.json'))).toBe(false);
  });

  it('says where to begin while there is no environment', async () => {
    const cli = await emptyHome();
    expect(await cli.run(['call', 'gameList'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^croupier: There is no environment yet\. Use --env sandbox/),
    });
    const named = await cli.run(['call', 'gameList', '--env', 'sandbox', '--key-env', 'MY_KEY'], {
      env: { MY_KEY: 'a-key-of-mine' },
    });
    expect(named.code).toBe(2);
    expect(named.err.split('\n')[0]).toContain('"croupier sandbox --key-env MY_KEY"');
  });

  it('sends operations that need something to exist, without a field being set', { timeout: 60_000 }, async () => {
    const cli = await emptyHome();
    for (const name of ['cancel', 'cancelFreeRounds', 'getGameRound'] satisfies OperationName[]) {
      const { code, out } = await cli.run(['call', name, '--env', 'sandbox']);
      expect({ name, code, out }).toMatchObject({ code: 0, out: expect.stringContaining('"code":0') });
    }
  });
});

describe('with "croupier sandbox" on the same home', () => {
  const env = { SANDBOX_KEY: 'k/"sandbox"+key&1' };

  it('calls use that provider and what it has, or say that its key is missing', { timeout: 60_000 }, async () => {
    const cli = await emptyHome();
    const sandbox = cli.start(['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY', '--json', '--cancel-action', 'revoke'], {
      env,
    });
    const lines = linesFrom(sandbox);
    const first = JSON.parse(await lines.next(() => true)) as { actions: object; players: { externalToken: string }[] };
    expect(first.actions).toEqual({ cancelFreeRounds: 'revoke', currencyList: 'currencyList' });
    for (const name of ['generateNewToken', 'bet', 'cancelFreeRounds']) {
      const { code, err } = await cli.run(['call', name, '--env', 'sandbox', '--key-env', 'SANDBOX_KEY'], { env });
      expect({ name, code, err: err.replace(/^croupier: note.*\n/gm, '') }).toEqual({ name, code: 0, err: '' });
    }
    expect(await lines.next((line) => line.includes('"path":"/bet"'))).not.toContain(first.players[0]?.externalToken);
    expect(await lines.next((line) => line.includes('"action":"revoke"'))).toContain('"code":0');

    const keyless = await cli.run(['call', 'gameList', '--env', 'sandbox']);
    expect(keyless.code).toBe(0);
    expect(keyless.err).toBe(`croupier: A built-in provider is running, but this command doesn't have its key. ${ownProvider}\n`);
    sandbox.kill('SIGTERM');
    await once(sandbox, 'close');
    expect(leaksIn(lines.lines.join('\n') + keyless.err + keyless.out, env.SANDBOX_KEY)).toEqual([]);
  });

  it('refuses names that the spec has for other operations, and one name for both', async () => {
    const cli = await emptyHome();
    for (const args of [
      ['--cancel-action', 'gameList'],
      ['--currency-action', 'a b'],
      ['--cancel-action', 'x', '--currency-action', 'x'],
    ]) {
      expect((await cli.run(['sandbox', ...args])).code).toBe(2);
    }
  });
});
