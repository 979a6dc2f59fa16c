import { describe, expect, it } from 'vitest';
import type { ClockRange } from '../calls/server-clock.ts';
import { Environment } from '../model/environment.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { conclude } from './conclude.ts';
import { readEvidence } from './evidence.ts';
import { probing } from './plan.ts';
import { payloads, type Probe, type ProbeGround, type SeenProbe } from './probe.ts';
import { mostCalls, plannedProbes } from './questions.ts';
import { stepsOf } from './steps.ts';

const now = Date.UTC(2026, 10, 20, 10, 15, 30);
const environment = Environment.parse({ id: 'live', name: 'Live', baseUrl: 'https://p.example', platform: 3, partnerId: 4 });
const ground: ProbeGround = {
  listText: '{"currency":"EUR"}',
  orders: { gameList: 'dmy', getGameRound: 'dmy', roundReplayInfo: 'dmy' },
  zoneSeconds: 0,
  otherKeys: [],
  moved: false,
};

/** A provider as a function of the call; without rules of its own it refuses a wrong hash and accepts everything else. */
type Rule = (probe: Probe, count: number) => number | null;

function run(rule: Rule, { clock = null as ClockRange | null, moved = false } = {}) {
  const seen: SeenProbe[] = [];
  const plan = probing({ ...ground, moved });
  for (let next = plan.next(); next.done !== true;) {
    const probe = next.value;
    const code = rule(probe, seen.length) ?? (probe.wrong === 'nothing' ? 0 : 8);
    const response = { callId: seen.length + 1, code, clock };
    seen.push({ probe, response });
    next = plan.next(response);
  }
  const asked = { environment, ground: { ...ground, moved }, now };
  return { seen, ids: seen.map(({ probe }) => probe.id), ...conclude(seen, asked) };
}

const movedBy = ({ time }: Probe) => ('word' in time ? null : time.moved);
const textsOf = ({ findings }: ReturnType<typeof run>) => findings.map(({ text }) => text).join('\n');

describe('the plan', () => {
  it('never calls anything but the three operations that read, and never more often than it says', () => {
    const rules: Rule[] = [
      () => null,
      () => 8,
      () => 0,
      ({ id }) => (id === 'right' ? 8 : null),
      ({ wrong }) => (wrong === 'both' ? 9 : null),
    ];
    for (const moved of [false, true]) {
      for (const rule of rules) {
        const { seen } = run(rule, { moved, clock: { from: 89_400, to: 90_600 } });
        expect(seen.length).toBeLessThanOrEqual(mostCalls({ otherKeys: [], moved }));
        for (const { probe } of seen) expect(['gameList', 'getGameRound', 'roundReplayInfo']).toContain(probe.operation);
      }
    }
    expect(plannedProbes(ground).map(({ id }) => id)).not.toContain('otherKey');
    expect(mostCalls({ ...ground, otherKeys: [{ id: 'a', name: 'A' }] })).toBe(mostCalls(ground) + 1);
  });

  it('ends, and rests each yes on a negative control, whatever codes come', () => {
    const random = seededRandom(chooseSeed());
    for (let round = 0; round < 400; round += 1) {
      const codes = [8, 8, 8, 0, 0, 9, 7];
      const { seen, findings } = run(({ id }) => (id === 'wrongHash' ? 8 : (codes[Math.floor(random() * codes.length)] ?? 8)), {
        moved: round % 2 === 0,
      });
      expect(seen.length).toBeLessThanOrEqual(mostCalls({ otherKeys: [], moved: true }));
      const evidence = readEvidence(seen);
      for (const one of seen) {
        if (one.probe.wrong === 'nothing' && evidence.reply(one) === 'yes') expect(evidence.calls(one).length).toBeGreaterThan(1);
      }
      for (const { calls } of findings) for (const call of calls) expect(call).toBeLessThanOrEqual(seen.length);
    }
  });

  it('asks nothing more where a wrong hash gets another code than 8', () => {
    for (const [code, says] of [
      [9, 'rejects platform 3 or partnerId 4 with code 9 before it checks the hash'],
      [0, 'A wrong hash got code 0, not 8'],
    ] as const) {
      const result = run(() => code);
      expect(result.ids).toEqual(['wrongHash']);
      expect(textsOf(result)).toContain(says);
    }
  });

  it('takes no code for a yes that a wrong hash of the same body gets, too', () => {
    // It looks at time before the hash, and has a code of its own for it.
    const result = run(({ time }) => ('word' in time || time.order === 'ymd' ? 7 : null));
    expect(result.answers.find(({ point }) => point === 'time.order')).toMatchObject({
      value: 'dmy',
      note: expect.stringContaining('The other order was rejected.'),
    });
    expect(textsOf(result)).not.toContain('only hashes time');
    const steps = stepsOf(result.seen, []);
    expect(steps.find(({ id }) => id === 'timeWord')).toMatchObject({
      answer: 'unclear',
      code: 7,
      follows: expect.stringContaining('proves nothing'),
    });
    expect(steps.find(({ id }) => id === 'control')?.answer).toBe('no');
  });

  it('finds the tolerance of a provider that has a code of its own for a time', () => {
    const result = run((probe) => (Math.abs(movedBy(probe) ?? 1_000) > 100 ? 10 : null), { moved: true });
    expect(textsOf(result)).toContain(
      'time may be ahead by at least 1 minute, less than 5 minutes, and behind by at least 1 minute, less than 5',
    );
  });

  it('finds a wrong clock by the Date header', () => {
    const result = run((probe) => (probe.wrong === 'nothing' && Math.abs((movedBy(probe) ?? 0) + 95) > 2 ? 8 : null), {
      clock: { from: -95_600, to: -94_400 },
    });
    expect(textsOf(result)).toContain("This machine's clock is about 95 seconds ahead of the provider's");
    expect(result.ids.slice(0, 5)).toEqual(['wrongHash', 'right', 'otherOrder', 'serverClock', 'control']);
  });

  it('says no more of code 9 than it shows', () => {
    // platform is checked before the hash, and the right hash gets 9 all the same.
    const result = run(({ wrong }) => (wrong === 'hash' ? 8 : 9));
    expect(result.findings.find(({ kind }) => kind === 'open')?.text).toContain('code 9 has another reason there.');
    expect(textsOf(result)).not.toContain("this environment's pass");
  });

  it('concludes nothing where the first call no longer passes at the end', () => {
    const result = run(({ id }) => (id === 'again' ? 8 : null));
    expect(result.findings).toMatchObject([{ kind: 'open', calls: [1, 2, result.seen.length] }]);
    expect(result.answers).toEqual([]);
  });

  it.each([
    ['a hash without data', (probe: Probe) => probe.hashed === '', 'covers only key and time'],
    ['data in an unknown form', () => false, 'not even with plain data'],
  ])('finds %s', (_name, passes, says) => {
    const result = run((probe) => (probe.operation === 'gameList' || probe.wrong !== 'nothing' || passes(probe) ? null : 8));
    expect(textsOf(result)).toContain(says);
    expect(result.answers.map(({ point }) => point)).toEqual(['checks.order', 'time.order']);
  });

  it.each([
    ['escaped slashes', payloads.forms.slashes, 'php', 'escaped slashes, which the spec rules out.'],
    ['escaped slashes and bare characters', payloads.forms.bareSlashes, 'php-unicode', 'which the spec rules out, and unescaped'],
  ])('finds %s', (_name, form, nonAscii, says) => {
    const result = run(({ operation, text, hashed, wrong }) =>
      operation === 'gameList' || wrong !== 'nothing' || text === payloads.plain ? null : hashed === form ? 0 : 8,
    );
    expect(result.findings.find(({ kind }) => kind === 'fault')?.text).toContain(says);
    expect(result.answers.find(({ point }) => point === 'hash.nonAscii')?.value).toBe(nonAscii);
    expect(result.answers.find(({ point }) => point === 'hash.reencode')).toBeUndefined();
  });

  it('finds decimals that keep their zeros, and says so where no form passes', () => {
    const kept = run(({ id }) => (id === 'shortNumber' ? 8 : null));
    expect(textsOf(kept)).toContain('it hashes 1.0 as 1.0.');
    const none = run(({ text, wrong }) => (wrong === 'nothing' && text === payloads.forms.sent ? 8 : null));
    expect(textsOf(none)).toContain('No known form of data passed.');
    expect(none.ids).not.toContain('arrays');
  });
});
