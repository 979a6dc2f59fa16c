import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoctorReport as DoctorReportSchema } from '#shared/ipc/outputs/doctor.ts';
import type { DoctorReport, Input, Payload } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';

const key = 'a-test-key';
const time = '20-11-2026 10:15:30';
const dataText = '{"gameMode":"real","exitURL":"https://casino.example/lobby"}';
const slashed = dataText.replaceAll('/', '\\/');
const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

let app: TestApp;
let environmentId: string;
let tickets = 0;
beforeEach(async () => {
  app = await createTestApp();
  ({ id: environmentId } = await app.environment({ baseUrl: 'https://provider.example' }));
});
afterEach(async () => {
  await app.close();
  expect(app.faults).toEqual([]);
});

type Request = Input<'doctor.search'>['request'];

async function search(request: Partial<Request>, more: Partial<Input<'doctor.search'>> = {}): Promise<DoctorReport> {
  const whole = { action: 'getLauncherURL', platform: '7', partnerId: '11', time, dataText, hash: '', ...request };
  const report = await app.client.call('doctor.search', {
    environmentId,
    ticket: `doctor-${++tickets}`,
    request: whole,
    ...more,
  });
  return DoctorReportSchema.parse(report);
}

const ids = ({ ways }: DoctorReport) => ways.map((way) => way.map(({ id }) => id).join(' + '));

describe('doctor.compare', () => {
  const compare = (text: string | null) =>
    app.client.call('doctor.compare', {
      environmentId,
      request: { action: 'getLauncherURL', platform: '7', partnerId: '11', time, dataText: text },
    });

  it('sets what the rule demands beside what was sent, without a hash', async () => {
    expect(await compare(slashed)).toEqual({
      expected: { text: `<PRIVATE_KEY>${time}${dataText}`, time, data: dataText },
      problem: null,
      sent: { text: `<PRIVATE_KEY>${time}${slashed}`, time, data: slashed },
      differsAt: Buffer.byteLength(time) + dataText.indexOf('/'),
    });
    expect(await compare(null)).toMatchObject({
      expected: { text: `<PRIVATE_KEY>${time}`, data: null },
      sent: null,
      differsAt: null,
    });
    const broken = await compare('{"a":}');
    expect(broken).toMatchObject({ expected: { data: null }, sent: { data: '{"a":}' }, differsAt: null });
    expect(broken.problem).toContain('line 1, column 6');
  });
});

describe('doctor.search', () => {
  it('says that a right hash is right, and what it was made of', async () => {
    const report = await search({ hash: sha(key + time + dataText) });
    expect(report).toMatchObject({
      verdict: 'rule',
      expected: { text: `<PRIVATE_KEY>${time}${dataText}`, hash: sha(key + time + dataText) },
      hashed: { text: `<PRIVATE_KEY>${time}${dataText}` },
      differsAt: null,
      ways: [],
      advice: [],
      fixes: [],
      digits: 64,
      keys: 1,
    });
    expect(report.stages.map(({ stage, state }) => [stage, state])).toEqual([['rule', 'done']]);
  });

  it('names the mistake, with the first differing byte and the fix in the language that makes it', async () => {
    const report = await search({ hash: sha(key + time + slashed) });
    expect(report).toMatchObject({
      verdict: 'other',
      differsAt: Buffer.byteLength(time) + dataText.indexOf('/'),
      hashed: { data: slashed },
    });
    expect(report.ways[0]?.[0]).toMatchObject({ id: 'slash.escaped', says: 'Your backend escapes the slashes.' });
    expect(report.fixes[0]?.language).toBe('php');
    expect(report.fixes[0]?.lines.slice(2, 4)).toEqual([
      { change: 'removed', text: '$json = json_encode($data);' },
      { change: 'added', text: '$json = json_encode($data, JSON_UNESCAPED_SLASHES);' },
    ]);
    expect((await search({ hash: sha(key + time + slashed) }, { language: 'python' })).fixes[0]?.language).toBe('python');
  });

  it('tells a text that was sent from one that was not, and believes only exact bytes', async () => {
    const request = { dataText: slashed, hash: sha(key + time + slashed) };
    const sent = await search(request);
    expect([sent.verdict, ids(sent)[0], sent.fixes[0]?.lines[2]?.text]).toEqual([
      'sent',
      'slash.escaped',
      '$json = json_encode($data);',
    ]);
    expect((await search(request, { fidelity: 'reencoded' })).verdict).toBe('other');
    // Python writes spaces, and the client that sent it did not.
    const spaced = dataText.replaceAll('":', '": ').replaceAll(',"', ', "');
    const python = await search({ hash: sha(key + time + spaced) });
    expect([python.verdict, ids(python)[0], python.fixes[0]?.language]).toEqual(['other', 'layout.spaced', 'python']);
  });

  it('goes by the recorded answers of the environment', async () => {
    const [environment] = (await app.client.call('environments.list', {})).environments.filter(({ id }) => id === environmentId);
    if (environment === undefined) throw new Error('The environment is gone.');
    const answers = { 'hash.reencode': { value: 'received', note: '' } };
    await app.client.call('environments.save', { environment: { ...environment, answers } });
    expect((await search({ dataText: slashed, hash: sha(key + time + slashed) })).verdict).toBe('rule');
    const bare = await search({ dataText: slashed, hash: sha(key + time + dataText) });
    expect(ids(bare)[0]).toBe('layout.encoded-again');
  });

  it('uses the keys of other environments, and names the one that fits', async () => {
    const other = await app.environment({ baseUrl: 'https://other.example' }, { name: 'Staging' }, 'another-key');
    const report = await search({ hash: sha(`another-key${time}${dataText}`) });
    expect(report).toMatchObject({ keys: 2, ways: [[{ id: 'key.other:Staging' }]], differsAt: null });
    expect(JSON.stringify(report)).not.toContain('another-key');
    await app.client.call('environments.remove', { id: other.id });
  });

  it('says what cannot be searched, and what no rule has a text for', async () => {
    expect(await search({ hash: 'hello' })).toMatchObject({ verdict: 'unreadable', stages: [], hashed: null });
    const broken = await search({ dataText: '{"a":}', hash: sha(`${key}${time}{"a":}`) });
    expect(broken).toMatchObject({ verdict: 'sent', expected: { data: null, hash: null } });
    expect(broken.problem).toContain('line 1, column 6');
  });

  it('finds an HMAC, and a time in another form, at once', async () => {
    expect(
      ids(
        await search({
          hash: createHmac('sha256', key)
            .update(time + dataText)
            .digest('hex'),
        }),
      ),
    ).toEqual(['digest.hmac']);
    const java = await search({ hash: sha(`${key}20-15-2026 10:15:30${dataText}`) });
    expect(ids(java)).toContain('time.java-letters');
  });

  it('tells what the text of data shows by itself, where that alone does not make the hash', async () => {
    const both = slashed.replaceAll('":', '": ').replaceAll(',"', ', "');
    const hash = sha('something else');
    const guessed = async (text: string, more: Partial<Input<'doctor.search'>> = {}) => {
      const ticket = `guess-${++tickets}`;
      const stop = app.client.on('doctor.progressed', ({ guesses, stages }) => {
        if (guesses.length > 0 || stages.some(({ stage }) => stage === 'triples'))
          void app.client.call('doctor.cancel', { ticket });
      });
      const { guesses } = await search({ dataText: text, hash }, { ticket, ...more });
      stop();
      return guesses.map((guess) => guess.map(({ id }) => id).join(' + '));
    };
    expect(await guessed(slashed)).toEqual(['slash.escaped']);
    expect((await guessed(both))[0]).toBe('slash.escaped + layout.spaced');
    expect(await guessed(dataText)).toEqual(['']);
    expect(await guessed(slashed, { fidelity: 'reencoded' })).toEqual([]);
  });

  it('fails without a key, and for an environment that is not there', async () => {
    const keyless = await app.client.call('environments.create', {
      environment: { name: 'Keyless', baseUrl: 'https://provider.example', platform: 1, partnerId: 1, production: false },
    });
    await expect(search({ hash: sha('x') }, { environmentId: keyless.id })).rejects.toMatchObject({ code: 'key_missing' });
    await expect(search({ hash: sha('x') }, { environmentId: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells how far it is, and stops when it is cancelled', async () => {
    const seen: Payload<'doctor.progressed'>[] = [];
    app.client.on('doctor.progressed', (progress) => {
      seen.push(progress);
      if (progress.stages.some(({ stage }) => stage === 'triples'))
        void app.client.call('doctor.cancel', { ticket: progress.ticket });
    });
    const report = await search({ hash: sha('something else') }, { ticket: 'long', deep: true });
    expect(report.verdict).toBe('cancelled');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toMatchObject({
      ticket: 'long',
      stages: expect.arrayContaining([expect.objectContaining({ stage: 'pairs', state: 'done' })]),
    });
    expect(seen.at(-1)?.perSecond).toBeGreaterThan(0);
    expect(report.stages.at(-1)).toMatchObject({ state: 'unfinished' });
    expect(await app.client.call('doctor.cancel', { ticket: 'long' })).toEqual({ cancelled: false });
  });

  it('stops with the program', async () => {
    const begun = new Promise<void>((resolve) => app.client.on('doctor.progressed', () => resolve()));
    const report = search({ hash: sha('something else') });
    await begun;
    await app.close();
    expect((await report).verdict).toBe('cancelled');
  });
});
