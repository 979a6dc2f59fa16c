import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSurroundings, root, runCroupier, startCroupier, type Surroundings } from '../program.ts';

let surroundings: Surroundings;
beforeEach(async () => {
  surroundings = await makeSurroundings();
});
afterEach(() => surroundings.remove());

describe('bin/croupier run', () => {
  it('plays a wallet session with a provider that another program runs', async () => {
    const env = { SANDBOX_KEY: 'the-key-of-the-provider' };
    const provider = startCroupier(surroundings, ['sandbox', '--port', '0', '--key-env', 'SANDBOX_KEY'], { env });
    const [, token = ''] = await provider.saw(/"externalToken":"([^"]+)"/);
    const session = [
      'run',
      path.join(root, 'starter-collections', 'wallet-session'),
      '--env',
      'sandbox',
      '--key-env',
      'SANDBOX_KEY',
    ];
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
