import { readdirSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSurroundings, root, runCroupier, startCroupier, type Surroundings } from '../program.ts';

const starters = path.join(root, 'starter-collections');

let surroundings: Surroundings;
beforeEach(async () => {
  surroundings = await makeSurroundings();
});
afterEach(() => surroundings.remove());

describe('bin/croupier run', () => {
  it('passes with every starter collection, on a machine without a keychain and without a home', async () => {
    for (const name of readdirSync(starters)) {
      const { code, stdout, stderr } = await runCroupier(surroundings, ['run', path.join(starters, name), '--env', 'sandbox']);
      const own = 'croupier: This command runs a built-in provider of its own until it ends.\n';
      expect({ name, code, stderr }, stdout).toEqual({ name, code: 0, stderr: own });
    }
  });

  it('ends with 1 and names file, check, expected and actual where an expectation is broken', async () => {
    const copy = path.join(surroundings.folder, 'first-call');
    await cp(path.join(starters, 'first-call'), copy, { recursive: true });
    const file = path.join(copy, 'Game list.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('code: 0', 'code: 8'));
    const { code, stdout } = await runCroupier(surroundings, ['run', copy, '--env', 'sandbox']);
    expect(code).toBe(1);
    expect(stdout).toContain('Game list.yaml: code is 8: expected 8, actual 0. It is 0.\n');
  });

  it('plays a wallet session with a provider that another program runs', async () => {
    const env = { SANDBOX_KEY: 'the-key-of-the-provider' };
    const provider = startCroupier(surroundings, ['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY'], { env });
    const [, token = ''] = await provider.saw(/"externalToken":"([^"]+)"/);
    const session = ['run', path.join(starters, 'wallet-session'), '--env', 'sandbox', '--key-env', 'SANDBOX_KEY'];
    const played = await runCroupier(surroundings, [...session, '--var', `externalToken=${token}`], { env });
    expect(played).toMatchObject({ code: 0 });
    // That session now has another token.
    expect(await runCroupier(surroundings, [...session, '--var', `externalToken=${token}`, '--bail'], { env })).toMatchObject({
      code: 1,
    });
    provider.kill('SIGTERM');
    await provider.finished;
    expect(await runCroupier(surroundings, [...session, '--var', `externalToken=${token}`, '--bail'], { env })).toMatchObject({
      code: 4,
    });
  });
});
