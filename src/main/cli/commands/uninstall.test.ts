import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli();
  const address = ['--base-url', 'https://api.secret-client.example', '--platform', '7', '--partner-id', '31'];
  await cli.run(['env', 'set', 'Secret client', ...address, '--no-production']);
});
afterEach(() => cli.close());

it('is listed, asked about and then gone; what is not of Croupier stays', async () => {
  mkdirSync(join(cli.home, 'collections', 'mine'), { recursive: true });
  const listed = await cli.run(['uninstall', '--dry-run']);
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out).toMatch(/^Home .*\n {2}environments: \d+ B in 1 file\n/);
  expect(listed.out).toContain("Stays, because it's yours\n  collections in the home\n");
  expect(await cli.run(['uninstall'])).toMatchObject({
    code: 2,
    out: listed.out,
    err: 'croupier: Nothing was removed. To remove everything listed, add --yes.\n',
  });
  expect(existsSync(join(cli.home, 'environments'))).toBe(true);
  expect(await cli.run(['uninstall', '--yes'])).toMatchObject({ code: 0, out: `${listed.out}Removed.\n`, err: '' });
  expect(readdirSync(cli.home)).toEqual(['collections']);
});

it('removes nothing if the keychain keeps an entry, or if there is none to ask', async () => {
  writeFileSync(join(cli.home, 'keys.json'), JSON.stringify({ format: 1, accounts: { 'croupier/a': {} } }));
  const { code, out, err } = await cli.run(['uninstall', '--yes']);
  expect(out).toContain('Keychain, service Croupier\n  croupier/a\n');
  expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('keychain') as string });
  expect(existsSync(join(cli.home, 'keys.json'))).toBe(true);
});

it('the diagnostics say what the home holds, and no name or address of an environment', async () => {
  const { code, out, err } = await cli.run(['diagnostics']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Croupier \d+\.\d+\.\d+\S*, Command line\n/);
  expect(out).toContain('Environments: 1, 0 of them production\n');
  expect(out).not.toMatch(/secret.client/i);
  expect(out).not.toContain(cli.home);
});
