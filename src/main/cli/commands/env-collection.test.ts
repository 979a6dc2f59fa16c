import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { runCommand, type Said } from '#testing/command-runner.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import type { Command } from '../command.ts';
import { envSetCommand, envShowCommand } from './env.ts';
import { envDiffCommand, envExportCommand, envImportCommand } from './env-collection.ts';
import { runCommand as runOfCollection } from './run.ts';

const key = 'a-key-of-this-test';
let server: TestServer;
let directory: string;
let other: TestApp;
let home: string;
let asked: number;
const said: Said = { printed: [], told: [] };

/** A collection with one request, whose environment another home has exported. */
beforeEach(async () => {
  asked = 0;
  server = await startHttpsServer((_, answer) => {
    asked += 1;
    answer.end('{"code":0,"message":"ok","data":{"slots":[]}}');
  });
  [directory, home] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(directory, 'games'));
  await writeFile(join(directory, 'collection.yaml'), 'format: 1\n');
  await writeFile(join(directory, 'games', 'List.yaml'), 'operation: gameList\nexpect:\n  - code: 0\n');
  other = await createTestApp();
  const environment = await other.environment(server, { name: 'Staging' }, key);
  await other.client.call('collections.shareEnvironment', { directory, environmentId: environment.id });
});
afterEach(async () => {
  await other.close();
  await server.close();
});

const cli = (command: Command, args: readonly string[], typed?: string) =>
  runCommand(command, { home, said }, args, { ...(typed === undefined ? {} : { typed }), env: { TEAM_KEY: key } });
const run = (typed?: string) => cli(runOfCollection, [directory, '--env', 'Staging', '--key-env', 'TEAM_KEY'], typed);
const file = () => join(directory, 'environments', 'Staging.yaml');
const change = async (edit: (text: string) => string) => writeFile(file(), edit(await readFile(file(), 'utf8')));
const from = ['Staging', '--from'];

describe('croupier run --env', () => {
  it('takes an environment that only the collection has, says so, and follows it', async () => {
    expect(await run()).toBe(0);
    expect(said.told).toContain(`croupier: added environment Staging from environments/Staging.yaml: ${server.baseUrl}.`);
    expect(asked).toBe(1);
    await change((text) => text.replace('partnerId: 42', 'partnerId: 43'));
    expect(await run()).toBe(0);
    expect(said.told).toContain('croupier: using Staging, which is linked to environments/Staging.yaml in the collection.');
    expect(await cli(envDiffCommand, [...from, directory])).toBe(0);
    expect(said.printed).toEqual([]);
  });

  it('asks on a terminal before it uses one for the first time', async () => {
    await expect(run('n\n')).rejects.toMatchObject({ code: 'refused' });
    expect(said.told).toContain(`baseUrl: ${server.baseUrl}`);
    expect(asked).toBe(0);
    expect(await run('y\n')).toBe(0);
  });

  it.each<[what: string, edit: (text: string) => string, told: string]>([
    ['URL', (text) => text.replace(/baseUrl: .*/, 'baseUrl: https://evil.example'), 'https://evil.example'],
    ['mark of production', (text) => text.replace('production: false', 'production: true'), 'production: false -> true'],
  ])('refuses another %s, sends nothing, and asks on a terminal', async (_what, edit, told) => {
    expect(await run()).toBe(0);
    await change(edit);
    const refused = run();
    await expect(refused).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining(told) });
    await expect(run('n\n')).rejects.toMatchObject({ code: 'refused' });
    expect(asked).toBe(1);
    await expect(cli(envImportCommand, [...from, directory])).rejects.toMatchObject({ code: 'refused' });
    expect(await cli(envImportCommand, [...from, join(directory, 'games'), '--replace'])).toBe(0);
    expect(said.printed.at(-1)).toBe('Staging: matches the collection');
    expect(await cli(envDiffCommand, [...from, directory])).toBe(0);
    expect(said.printed).toEqual([]);
  });

  it("uses this home's own of that name, and says so, unless they go to different places", async () => {
    const own = await createTestApp({ home });
    const { id } = await own.environment(server, { name: 'Staging', partnerId: 7 }, key);
    await own.close();
    expect(await run()).toBe(0);
    expect(said.told).toContainEqual(
      expect.stringMatching(/using this home's Staging, not the one in environments\/Staging\.yaml \(different: partnerId/),
    );
    await change((text) => text.replace(/baseUrl: .*/, 'baseUrl: https://moved.example'));
    await expect(run()).rejects.toMatchObject({ code: 'refused' });
    // On a terminal the person decides.
    expect(await run('y\n')).toBe(0);
    const again = await createTestApp({ home });
    const { environments } = await again.client.call('environments.list', {});
    await again.close();
    expect(environments).toMatchObject([{ id, baseUrl: server.baseUrl, partnerId: 7 }]);
  });

  it('refuses a file that cannot be read', async () => {
    await change((text) => `${text}apiKey: abcdef\n`);
    await expect(run()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/Staging\.yaml, line \d+, column 1/),
    });
    expect(asked).toBe(0);
  });
});

describe('croupier env set --same-provider-as', () => {
  it('shares the recorded answers, which a run takes from the collection with it', async () => {
    const brand = await other.environment(server, { name: 'Brand', partnerId: 7 }, key);
    const inOther = (command: Command, args: readonly string[]) => runCommand(command, { home: other.home, said }, args);
    expect(await inOther(envSetCommand, ['Brand', '--same-provider-as', 'Staging'])).toBe(0);
    expect(await inOther(envSetCommand, ['Brand', '--answer', 'amounts.unit=minor'])).toBe(0);
    expect(await readFile(file(), 'utf8')).toContain('amounts.unit');
    expect(await inOther(envShowCommand, ['Brand'])).toBe(0);
    expect(said.printed).toEqual(
      expect.arrayContaining(['same provider as    Staging, whose answers it shares', 'answer amounts.unit  minor']),
    );
    expect(await inOther(envExportCommand, ['Brand', '--into', directory])).toBe(0);

    expect(await cli(runOfCollection, [directory, '--env', 'Brand', '--key-env', 'TEAM_KEY'])).toBe(0);
    expect(said.told).toContain(`croupier: added environment Staging from environments/Staging.yaml: ${server.baseUrl}.`);
    expect(await cli(envShowCommand, ['Brand', '--json'])).toBe(0);
    expect(JSON.parse(said.printed[0] ?? '')).toMatchObject({ partnerId: 7, answers: { 'amounts.unit': { value: 'minor' } } });

    expect(await inOther(envSetCommand, ['Brand', '--same-provider-as', ''])).toBe(0);
    expect(await inOther(envShowCommand, ['Brand', '--json'])).toBe(0);
    const ended = JSON.parse(said.printed[0] ?? '') as { id: string };
    expect(ended).toMatchObject({ id: brand.id, answers: { 'amounts.unit': { value: 'minor' } } });
    expect(ended).not.toHaveProperty('sameProviderAs');
  });
});

describe('croupier env export and import', () => {
  it('write what differs, and take it over without a key', async () => {
    expect(await cli(envImportCommand, [...from, directory])).toBe(0);
    expect(said.printed).toContain(`baseUrl: ${server.baseUrl}`);
    expect(said.printed.at(-1)).toBe('Staging: created');
    expect(await cli(envExportCommand, ['Staging', '--into', directory, '--json'])).toBe(0);
    expect(JSON.parse(said.printed[0] ?? '')).toEqual({ path: 'environments/Staging.yaml', isNew: false });
    await expect(cli(envExportCommand, ['Staging'])).rejects.toThrow('--into');
    await expect(cli(envImportCommand, ['Live', '--from', directory])).rejects.toThrow('Available: Staging.');
  });
});
