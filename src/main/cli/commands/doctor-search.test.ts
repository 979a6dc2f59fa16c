import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DoctorReport, PastedRequest } from '#shared/ipc/index.ts';
import { createTestApp } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';

const env = { PROVIDER_KEY: 'a-test-key' };
const key = ['--key-env', 'PROVIDER_KEY'];
const time = '22-11-2026 10:40:02';
const data = '{"gameMode":"real","exitURL":"https://casino.example/lobby"}';
const slashed = data.replaceAll('/', '\\/');
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const envelope = (dataText: string, hash: string) =>
  `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${time}","data":${dataText},"hash":"${hash}"}`;

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  await mkdir(cli.home, { recursive: true });
});
afterAll(() => cli.close());

async function file(name: string, text: string): Promise<string> {
  const path = join(cli.home, name);
  await writeFile(path, text);
  return path;
}

const doctor = (...args: string[]) => cli.run(['doctor', ...args], { env });

describe('croupier doctor FILE', () => {
  it('says what it recognised, the mistake, both inputs, and the fix; and ends with 1', async () => {
    const log = JSON.stringify({ level: 'info', body: envelope(data, sha(`a-test-key${time}${slashed}`)), res: '{"code":8}' });
    const { code, out, err } = await doctor(await file('log.txt', log), ...key);
    expect([code, err]).toEqual([1, '']);
    expect(out.split('\n')).toEqual([
      'recognised  JSON inside JSON, getLauncherURL: exact bytes',
      'Your backend escapes the slashes.',
      "That's the only mistake. Fix it and the hash is right.",
      expect.stringMatching(/^made by {5}PHP's json_encode/),
      `rule        <PRIVATE_KEY>${time}${data}`,
      `hashed      <PRIVATE_KEY>${time}${slashed}`,
      `            first differs at byte ${time.length + data.indexOf('/')} after the key`,
      'fix         PHP',
      "            $privateKey = getenv('PRIVATE_KEY');",
      "            $time = date('d-m-Y H:i:s');",
      '          - $json = json_encode($data);',
      '          + $json = json_encode($data, JSON_UNESCAPED_SLASHES);',
      "            $hash = hash('sha256', $privateKey . $time . $json);",
      expect.stringMatching(/^not shown {3}How your backend writes non-ASCII characters/),
      expect.stringMatching(/^not shown {3}Whether your backend keeps 0, /),
      expect.stringMatching(/^tried {7}The signing rule 1; Single mistakes \d+$/),
      '',
    ]);
    expect(out).not.toContain('a-test-key');
  });

  it('ends with 0 if the hash is right, and prints one document with --json', async () => {
    const { code, out } = await cli.run(['doctor', '-', '--json', ...key], {
      env,
      input: envelope(data, sha(`a-test-key${time}${data}`)),
    });
    const { recognised, report } = JSON.parse(out) as { recognised: PastedRequest; report: DoctorReport };
    expect([code, report.verdict, recognised.action, recognised.dataText]).toEqual([0, 'rule', 'getLauncherURL', data]);
  });

  it('names what is missing, which an option completes', async () => {
    const masked = await file('masked.txt', envelope(data, '[FILTERED]'));
    const refused = await doctor(masked, ...key);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain("hash isn't in this text");
    expect(refused.err).toContain('Give it with --hash.');
    const { code, out } = await doctor(masked, ...key, '--hash', sha(`a-test-key${time}${data}`).toUpperCase());
    expect([code, out]).toEqual([1, expect.stringContaining('Your backend writes the hash in uppercase.')]);
  });

  it('examines the rejected one of two requests, and says how they differ', async () => {
    const rejected = sha(`a-test-key${time}${slashed}`);
    const log = (dataText: string, hash: string, code: number) =>
      JSON.stringify({ level: 'info', body: envelope(dataText, hash), res: `{"code":${code}}` });
    const both = [log(data, sha(`a-test-key${time}${data}`), 0), log(slashed, rejected, 8)].join('\n');
    const { out, err } = await doctor(await file('two.txt', both), ...key);
    expect(err).toBe(
      'The text has two requests; this is number 2. Different: data, hash. Equal: action, platform, partnerId, time.\n',
    );
    expect(out).toContain('Your backend escapes the slashes.');
  });

  it.each([
    ['upper case', (hash: string) => hash.toUpperCase(), 'The hash is uppercase; it should be lowercase.'],
    [
      'base64',
      (hash: string) => Buffer.from(hash, 'hex').toString('base64'),
      'The hash is base64. It should be 64 lowercase hexadecimal digits.',
    ],
  ])('says first what is seen, then what makes it: %s', async (name, write, seen) => {
    const { out } = await doctor(await file(`${name}.txt`, envelope(data, write(sha(`a-test-key${time}${data}`)))), ...key);
    expect(out.split('\n').slice(1, 4)).toEqual([
      seen,
      expect.stringMatching(/^Your backend writes the hash in (?:uppercase|base64 instead of hexadecimal)\.$/),
      "That's the only mistake. Fix it and the hash is right.",
    ]);
  });

  it('says of another key that it is probably one, and names what --deep adds', async () => {
    const text = await file('other.txt', envelope('{}', sha(`another-key${time}{}`)));
    const quick = await doctor(text, ...key);
    expect(quick.err).toBe(
      'Probably another key, or bytes that changed after the hash was made. No single mistake gives this hash. Still searching.\n',
    );
    expect(quick.out.split('\n')[1]).toBe('Probably another key, or bytes that changed after the hash was made.');
    expect(quick.out).toContain('not tried   Any three mistakes at once; A wrong clock and one mistake: add --deep');
  });

  it('takes a digest beside a request without one for its hash', async () => {
    const text = `${envelope(data, 'x').replace(',"hash":"x"', '')}\n${sha(`a-test-key${time}${slashed}`)}`;
    expect((await doctor(await file('beside.txt', text), ...key)).out).toContain('Your backend escapes the slashes.');
  });

  it('refuses what holds no request, and a hash by itself', async () => {
    expect((await doctor(await file('hello.txt', 'hello'), ...key)).err).toContain('No request found in this text.');
    expect((await doctor(await file('hash.txt', sha('x')), ...key)).err).toContain('The text has a hash but no request.');
    expect(await doctor(...key)).toMatchObject({ code: 2, err: expect.stringContaining('Name a file with the request') });
    expect((await doctor('--probe', 'x.txt', ...key)).err).toContain("--probe can't be combined with a file.");
  });
});

describe('croupier doctor --hash', () => {
  it('takes all parts from the command line', async () => {
    const made = sha(`a-test-key2026-11-22 10:40:02${data}`);
    const { code, out } = await doctor('--hash', made, '--time', time, '--data', data, ...key);
    expect([code, out]).toEqual([1, expect.stringContaining('Your backend hashes the time with the year first.')]);
    const noData = await doctor('--hash', sha(`a-test-key${time}`), '--time', time, ...key);
    expect([noData.code, noData.out]).toEqual([0, expect.stringContaining('The hash is right.')]);
  });

  it('goes by the rule of an environment, and says how many digits of a cut hash were compared', async () => {
    const app = await createTestApp({ home: cli.home });
    const answers = { 'hash.reencode': { value: 'received', note: '' } };
    await app.environment({ baseUrl: 'https://provider.example' }, { name: 'As received', answers });
    await app.close();
    const made = sha(`a-test-key${time}${slashed}`).slice(0, 12);
    const args = ['--hash', made, '--time', time, '--data', slashed, ...key];
    const received = await doctor(...args, '--env', 'As received');
    expect([received.code, received.out]).toEqual([0, expect.stringContaining('Only 12 digits of the hash were compared.')]);
    expect((await doctor(...args)).code).toBe(1);
  });
});
