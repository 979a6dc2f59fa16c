import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { temporaryFolder } from '#testing/app.ts';

let cli: Cli;
let folder: string;
beforeAll(async () => {
  cli = await createCli();
  folder = await temporaryFolder();
});
afterAll(() => cli.close());

/** Writes a signing program for Node that writes data as given, and returns the command that runs it. */
async function signer(name: string, write: string): Promise<string> {
  const path = join(folder, `${name}.cjs`);
  await writeFile(
    path,
    `const { createHash } = require('node:crypto');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { privateKey, time, data } = JSON.parse(line);
  console.log(createHash('sha256').update(privateKey + time + (data === undefined ? '' : ${write})).digest('hex'));
});`,
  );
  return `"${process.execPath}" "${path}"`;
}

describe('croupier doctor --signer', () => {
  it('names the mistake that a program makes, and writes JUnit XML', async () => {
    const junit = join(folder, 'signer.xml');
    const { code, out, err } = await cli.run([
      'doctor',
      '--signer',
      await signer('node', 'JSON.stringify(data)'),
      '--junit',
      junit,
    ]);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(
      /^\d+ of \d+ hashes are right\.\n {3}\d\d {2}Your backend leaves non-ASCII characters unescaped\.\n {7}such as /,
    );
    expect(out).toContain("a value that some languages can't write this way");
    expect(await readFile(junit, 'utf8')).toContain('message="Your backend leaves non-ASCII characters unescaped."');
  });

  it('ends with 0 if every hash is right, and prints one document with --json', async () => {
    // Over the text of data in its line, as whoever keeps the digits of numbers does.
    const keeping = await signer(
      'keeping',
      "line.slice(line.indexOf(',\"data\":') + 8, -1).replace(':1.0}', ':1}').replace('\\\\u007f', '\\x7f')",
    );
    const { code, out } = await cli.run(['doctor', '--signer', keeping, '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, { cases: expect.any(Number), right: expect.any(Number), groups: [] }]);
  });

  it('says why a program printed nothing', async () => {
    const failing = await cli.run(['doctor', '--signer', `"${process.execPath}" -e "throw new Error('no key here')"`]);
    expect(failing).toMatchObject({ code: 2, out: '' });
    expect(failing.err).toContain('The signer exited with status 1 without printing a hash.');
    const killed = await cli.run(['doctor', '--signer', 'kill -9 $$']);
    if (process.platform !== 'win32')
      expect(killed.err).toContain('The signer was terminated by SIGKILL without printing a hash.');
  });
});

describe('croupier doctor --write-tests', () => {
  it('writes the files and never over one that is there', async () => {
    const directory = join(folder, 'ready');
    const { code, out } = await cli.run(['doctor', '--write-tests', directory]);
    expect([code, out.trim().split('\n')]).toEqual([
      0,
      expect.arrayContaining([join(directory, 'vectors.json'), join(directory, 'signer_test.go')]),
    ]);
    expect((await cli.run(['doctor', '--write-tests', directory])).code).not.toBe(0);
    expect((await cli.run(['doctor', '--write-tests', directory, '--signer', 'x'])).code).toBe(2);
  });
});
