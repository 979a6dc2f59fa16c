import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, temporaryFolder } from '../../../testing/app.ts';
import { describeWithTool } from '../../../testing/external-tools.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

describeWithTool('git', 'five homes and one git repository', (program) => {
  const git = (directory: string, ...args: string[]) =>
    execFileSync(program, ['-C', directory, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: directory },
    });

  /** A home, and a clone of the repository that it works in. */
  async function person(repository: string) {
    const test = await createTestApp();
    ended.push(test.close);
    const directory = join(await temporaryFolder(), 'casino');
    execFileSync(program, ['clone', '-q', repository, directory]);
    const look = async () => (await test.client.call('collections.environments', { directory })).environments;
    return {
      ...test,
      directory,
      look,
      list: async () => (await test.client.call('environments.list', {})).environments,
      async use(name: string) {
        const shown = (await look()).find((one) => one.name === name);
        return test.client.call('collections.useEnvironment', { directory, name, revision: shown?.revision ?? '' });
      },
      pull: () => git(directory, 'pull', '-q'),
      push(message: string) {
        git(directory, 'add', '.');
        git(directory, 'commit', '-qm', message);
        git(directory, 'push', '-q');
      },
    };
  }

  it('share an answer at once, a base URL only with consent, and never a key, a player or a token source', async () => {
    const repository = await temporaryFolder();
    execFileSync(program, ['init', '-q', '--bare', '-b', 'main', repository]);

    // The first one has two environments, and puts them into the collection.
    const first = await person(repository);
    const base = { platform: 1, partnerId: 42 };
    const drafts = [
      { ...base, name: 'Live', baseUrl: 'https://live.example.com', production: true },
      { ...base, name: 'Staging', baseUrl: 'https://staging.example.com', production: false },
    ];
    for (const environment of drafts) {
      const { id } = await first.client.call('environments.create', { environment });
      await first.client.call('keys.set', { environmentId: id, key: `key of the first for ${environment.name}` });
      await first.client.call('collections.shareEnvironment', { directory: first.directory, environmentId: id });
    }
    first.push('Two environments');

    // Four pull. Three use both, each with a key and a player of their own; the last one has a Staging of another provider already.
    const others = await Promise.all([0, 1, 2, 3].map(() => person(repository)));
    const [second, third, fourth, last] = others as [
      (typeof others)[0],
      (typeof others)[0],
      (typeof others)[0],
      (typeof others)[0],
    ];
    await last.client.call('environments.create', {
      environment: { ...base, name: 'Staging', baseUrl: 'https://own.example.com', production: false },
    });
    for (const one of others) expect((await one.list()).some(({ name }) => name === 'Live')).toBe(false);
    for (const one of [second, third, fourth]) {
      expect((await one.look()).map(({ state }) => state)).toEqual(['new', 'new']);
      await one.use('Live');
      const { id, ...staging } = await one.use('Staging');
      await one.client.call('keys.set', { environmentId: id, key: `a key in ${one.directory}` });
      await one.client.call('environments.save', {
        environment: { ...staging, id, defaults: { ...staging.defaults, playerId: 'mine' } },
      });
      // What is this home's alone leaves the files as they are.
      expect(git(one.directory, 'status', '--porcelain')).toBe('');
    }
    expect((await last.look()).map(({ state }) => state)).toEqual(['new', 'own']);

    // The second one records an answer and moves the base URL.
    const staging = (await second.list()).find(({ name }) => name === 'Staging')!;
    await second.client.call('environments.save', {
      environment: { ...staging, answers: { 'amounts.unit': { value: 'minor', note: 'their mail of May', date: '2026-01-31' } } },
    });
    expect(git(second.directory, 'diff', '--numstat').trim()).toMatch(/^5\t0\tenvironments\/Staging\.yaml$/);
    second.push('The unit of amounts');

    // The third one pulls in between: the answer is there, and nobody was asked.
    third.pull();
    expect((await third.look()).map(({ state }) => state)).toEqual(['followed', 'followed']);
    expect((await third.list()).find(({ name }) => name === 'Staging')).toMatchObject({
      baseUrl: 'https://staging.example.com',
      answers: { 'amounts.unit': { value: 'minor', note: 'their mail of May', date: '2026-01-31' } },
      defaults: { playerId: 'mine' },
    });

    const again = (await second.list()).find(({ name }) => name === 'Staging')!;
    await second.client.call('environments.save', { environment: { ...again, baseUrl: 'https://moved.example.com' } });
    expect(git(second.directory, 'diff', '--numstat').trim()).toBe('1\t1\tenvironments/Staging.yaml');
    second.push('A new address');
    // Somebody else takes the mark of production away, in the same pull.
    first.pull();
    const live = (await first.list()).find(({ name }) => name === 'Live')!;
    await first.client.call('environments.save', { environment: { ...live, production: false } });
    first.push('Live is not production');

    for (const one of [third, fourth]) {
      one.pull();
      const looked = await one.look();
      expect(looked.map(({ state }) => state)).toEqual(['asks', 'asks']);
      expect(looked.flatMap(({ differences }) => differences).filter(({ asks }) => asks)).toEqual([
        { field: 'production', home: 'true', file: 'false', asks: true },
        { field: 'baseUrl', home: 'https://staging.example.com', file: 'https://moved.example.com', asks: true },
      ]);
      const kept = await one.list();
      expect(kept.map(({ baseUrl, production }) => [baseUrl, production])).toEqual([
        ['https://live.example.com', true],
        ['https://staging.example.com', false],
      ]);
    }
    // The third one consents to the address and not to the mark.
    expect(await third.use('Staging')).toMatchObject({ baseUrl: 'https://moved.example.com', defaults: { playerId: 'mine' } });
    expect((await third.look()).map(({ state }) => state)).toEqual(['asks', 'followed']);
    expect((await third.list()).find(({ name }) => name === 'Live')?.production).toBe(true);

    // The last one keeps the own Staging, and sees how it differs.
    last.pull();
    const seen = (await last.look()).find(({ name }) => name === 'Staging');
    expect(seen?.state).toBe('own');
    expect(seen?.differences).toContainEqual({
      field: 'baseUrl',
      home: 'https://own.example.com',
      file: 'https://moved.example.com',
      asks: true,
    });
    expect((await last.list()).map(({ name, baseUrl }) => [name, baseUrl])).toEqual([['Staging', 'https://own.example.com']]);

    for (const name of ['Live', 'Staging'])
      expect(await readFile(join(second.directory, 'environments', `${name}.yaml`), 'utf8')).not.toMatch(/key|mine|token/);
  });
});
