import { describe, expect, test } from 'vitest';
import { formOf, operations } from '#shared/provider/operations.ts';
import { encodeWith, encoderTools, writeTimesWith, type Written } from '#testing/encoders/live-encoders.ts';
import { mistakesOfEncoders } from '#testing/encoders/mistakes-of-encoders.ts';
import { mistakesOfTimes, moments } from '#testing/encoders/mistakes-of-times.ts';
import { operationPayloads, payloads } from '#testing/encoders/payloads.ts';
import { encodedBy, isOf, nameOf, prove, requestOf, titleOf, type Encoded } from '#testing/encoders/proof.ts';
import { recordedEncoders, writtenBy } from '#testing/encoders/recorded-encoders.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { createDataTexts, type DataTexts } from './data-texts.ts';
import { timeForms } from './time-mistakes.ts';

// What real programs write, against what the search says of it. `npm run test:long -- encoders` makes the recorded texts again.

const recorded = recordedEncoders();

const textsOfPayloads = new Map<string, DataTexts>();
function textsOf(one: Encoded): DataTexts {
  const known = textsOfPayloads.get(one.payload.name);
  if (known !== undefined) return known;
  const subject = requestOf(one, 'by the rule');
  if (subject === null) throw new Error(`${one.payload.name} is not JSON`);
  const made = createDataTexts(subject);
  textsOfPayloads.set(one.payload.name, made);
  return made;
}

const knownOf = ({ program, way }: Encoded) => mistakesOfEncoders[program]?.[way] ?? [];

/** Returns whether two mistakes that a program is known for make what it wrote. */
function isPair(one: Encoded): boolean {
  const known = knownOf(one);
  const made = textsOf(one)
    .level(2)
    .find(({ text }) => one.bytes.equals(typeof text === 'string' ? Buffer.from(text) : text));
  return made?.ways.some((way) => isOf(way, known)) === true;
}

/** Returns whether a program keeps no order of members: a stage of its own goes through all orders. */
function hasAnyOrder(one: Encoded): boolean {
  return knownOf(one).includes('order');
}

/** Returns the parts of the text that the mistakes of a program concern in this payload. */
function axesOf(one: Encoded): Set<string> {
  const seen = textsOf(one)
    .level(1)
    .flatMap(({ ways }) => ways.flat());
  return new Set(seen.filter((mistake) => isOf([mistake], knownOf(one))).map(({ axis }) => axis));
}

function testsOf(program: string, encode: () => Written): void {
  let all: Encoded[] = [];
  test('writes in the known ways', () => {
    const written = encode();
    expect([...written.keys()].toSorted()).toEqual(Object.keys(mistakesOfEncoders[program] ?? {}).toSorted());
    all = encodedBy(program, written);
  });

  test('has its mistakes named, and no other', () => {
    const outcomes = all.map((one) => ({ one, ...prove(one, 'by the rule', ['rule', 'singles']) }));
    expect(outcomes.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    const unnamed = outcomes.filter(({ one, match }) => match === null && !isPair(one) && !hasAnyOrder(one));
    expect(unnamed.filter(({ one }) => axesOf(one).size < 3).map(({ one }) => titleOf(one))).toEqual([]);
  });

  test('has its mistakes named first where the payload tells them from others', () => {
    for (const one of all.filter(({ payload }) => payload.name === 'telling'))
      for (const sent of ['by the rule', 'as hashed'] as const) {
        const outcome = prove(one, sent, ['rule', 'singles']);
        expect(outcome?.problem ?? null).toBeNull();
        const [first = []] = outcome?.match?.ways.filter((way) => nameOf(way) !== 'layout.as-sent') ?? [];
        expect(isOf(first, knownOf(one)), `${titleOf(one)}, sent ${sent}: ${nameOf(first)}`).toBe(true);
      }
  });
}

function testTimes(program: string, write: () => Written): void {
  test('has its forms of the time named', () => {
    const written = write();
    const known = mistakesOfTimes[program] ?? {};
    expect([...written.keys()].toSorted()).toEqual(Object.keys(known).toSorted());
    for (const [way, texts] of written) {
      const names = moments.map((moment, at) => nameOfTime(rightTime(moment), texts[at]?.toString() ?? ''));
      // Of forms that look the same at a moment, the likelier is named.
      expect(names, `${program}, ${way}: ${texts.join(', ')}`).not.toContain('unknown');
      expect(names, `${program}, ${way}: ${texts.join(', ')}`).toContain(known[way]);
    }
  });
}

function nameOfTime(right: string, text: string): string {
  return text === right ? '' : (timeForms(right).find(({ time }) => time === text)?.mistake.id ?? 'unknown');
}

function rightTime(moment: number): string {
  const [, y = '', mo = '', d = '', clock = ''] = /^(\d+)-(\d+)-(\d+)T(.{8})/.exec(new Date(moment * 1_000).toISOString()) ?? [];
  return `${d}-${mo}-${y} ${clock}`;
}

for (const tool of encoderTools)
  describeWithTool(tool, tool, () => {
    testsOf(tool, () =>
      encodeWith(
        tool,
        payloads.map(({ text }) => text),
      ),
    );
    if (mistakesOfTimes[tool] !== undefined) testTimes(tool, () => writeTimesWith(tool, moments));
  });

for (const [program, { version }] of Object.entries(recorded.programs))
  describe(`${program}, recorded: ${version}`, () => {
    testsOf(program, () => writtenBy(recorded, program));
    if (mistakesOfTimes[program] !== undefined) testTimes(program, () => writtenBy(recorded, program, 'times'));
  });

test.each(
  encodedBy('lua', writtenBy(recorded, 'lua')).filter(({ payload }) => ['replay', 'fun', 'real, José'].includes(payload.name)),
)('any order of members is found: lua, $payload.name', (one) => {
  expect(prove(one, 'by the rule', ['rule', 'orders'])).toMatchObject({
    stage: 'orders',
    problem: null,
    match: { isSent: false },
  });
});

describe('the payloads', () => {
  test('are those that were recorded', () => {
    const now = Object.fromEntries(payloads.map(({ name, text }) => [name, text]));
    const then = Object.fromEntries(Object.entries(recorded.payloads).map(([name, { payload }]) => [name, payload]));
    expect(then, 'npm run test:long -- encoders').toEqual(now);
  });

  test('are of every operation and form whose data the spec shows', () => {
    const shown = operations.flatMap((operation) =>
      operation.payload === 'data' && operation.action !== null
        ? operation.forms
            .filter(({ fields }) => fields.length > 0)
            .map((form) => `${operation.action}: ${namesOf(formOf(operation, form.id).fields)}`)
        : [],
    );
    const have = operationPayloads.map(({ action, text }) => `${action}: ${Object.keys(JSON.parse(text) as object).join()}`);
    expect([...new Set(have)].toSorted()).toEqual(shown.toSorted());
  });
});

function namesOf(fields: readonly { readonly name: string }[]): string {
  return fields.map(({ name }) => name).join();
}
