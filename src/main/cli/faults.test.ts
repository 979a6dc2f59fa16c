import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createCli, linesFrom, type Cli } from '#testing/cli-driver.ts';
import { atStart, hangsWhileStarting, planted } from '#testing/planted-fault.ts';
import { UsageError } from './arguments.ts';
import { exits } from './command.ts';
import { report } from './program.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
});
afterAll(() => cli.close());

describe('a fault of a command', () => {
  it('is one line with what to do, and exit code 70', async () => {
    const { code, out, err } = await cli.run(['env', 'list'], { env: planted(atStart) });
    expect({ code, out }).toEqual({ code: exits.fault, out: '' });
    expect(err).toBe(
      'croupier: An error in Croupier stopped this command (TypeError: planted with [hidden]). Run it again. If that fails, set CROUPIER_DEBUG=1 and report the output.\n',
    );
  });

  it('has its stack, without paths, where CROUPIER_DEBUG is set', async () => {
    const { code, err } = await cli.run(['env', 'list'], { env: { ...planted(atStart), CROUPIER_DEBUG: '1' } });
    expect(code).toBe(exits.fault);
    expect(err).toMatch(/^TypeError: planted with \[hidden\]\n {4}at /);
    expect(err).toContain('report the lines above');
    expect(err).not.toContain(cli.home);
  });

  it('is not a refusal', () => {
    const notes: string[] = [];
    const terminal = { env: {}, note: (line: string) => void notes.push(line) };
    expect(report(new AppError('conflict', 'The name is taken.'), terminal)).toBe(exits.refused);
    expect(report('a text', terminal)).toBe(exits.fault);
    expect(notes[0]).toBe('croupier: The name is taken.');
    expect(notes[1]).toContain('(Thrown without an error: string)');
  });

  it('says nothing of what was typed that looks like a key', () => {
    const key = 'K7fq3Xc9Lm1Zt0Rb8Wd5Vn2Hs6';
    const notes: string[] = [];
    const terminal = { env: { CROUPIER_DEBUG: '1' }, note: (line: string) => void notes.push(line) };
    const error = new UsageError(`There is no environment "${key}" and no "Staging".`);
    error.usage = `of ${key}`;
    for (const json of [false, true])
      report(error, terminal, { json, typed: ['call', '--env', key, '--var=a=Staging', 'Staging'] });
    report(error, terminal, { typed: [`--env=${key}`] });
    expect(notes.join('\n')).not.toContain(key);
    expect(notes).toContain('croupier: There is no environment "[hidden]" and no "Staging".');
  });
});

it.skipIf(process.platform === 'win32')('a command ends at the first signal though its disk does not answer', async () => {
  const child = cli.start(['env', 'list'], { env: planted(hangsWhileStarting) });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  await linesFrom(child).next((line) => line === 'hangs');
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([exits.noAnswer, null]);
  expect(err).toBe('croupier: Croupier was stopped while it opened its home. Nothing was done.\n');
});
