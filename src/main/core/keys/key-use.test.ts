import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentsInProcess } from '#testing/agents-in-process.ts';
import { bytes, sha, createKeysOnAgents, type KeysOnAgents } from '#testing/keys-on-agents.ts';
import type { KeyIndex } from './key-index.ts';
import type { Keys } from './keys.ts';

let made: KeysOnAgents;
let keys: Keys;
let agents: AgentsInProcess;
let index: KeyIndex;
beforeEach(async () => {
  made = await createKeysOnAgents();
  ({ keys, agents, index } = made);
});
afterEach(() => made.close());

describe('looking for keys in a text', () => {
  const long = 131_072;

  it('signs and looks in one message, and in more where the text is long', async () => {
    const { fingerprint } = await keys.setKey('one', 'key-of-one');
    await keys.useKey('two', 'key-of-two');
    const found = (text: string) => ({
      digest: sha('key-of-oneparts'),
      held: [{ environmentId: 'two', places: [{ start: text.indexOf('key'), end: text.length }] }],
      fingerprint,
    });
    expect(await keys.sign('one', [bytes('par'), bytes('ts')], bytes('a key-of-two'))).toEqual(found('a key-of-two'));
    made.asked();
    expect(await keys.sign('one', [bytes('parts')], bytes('a key-of-two'))).toEqual(found('a key-of-two'));
    expect(made.asked()).toEqual([['sign']]);
    const text = `${'x'.repeat(2 * long)}key-of-two`;
    expect(await keys.sign('one', [bytes('parts')], bytes(text))).toEqual(found(text));
    expect(made.asked()).toEqual([['find', 'find', 'find', 'digest']]);
    expect((await keys.sign('one', [bytes('parts')], bytes('nothing'))).held).toEqual([]);
  });

  it('finds each place once, to the byte, whatever the pieces divide', async () => {
    await keys.useKey('demo', 'clé-é');
    expect(await keys.find(bytes(''))).toEqual([]);
    for (const before of [long - 3, long, long + 65_536 - 4, long + 65_536, 2 * long + 1]) {
      // Two bytes a character from the second byte on: a piece of an even length ends within one.
      const text = bytes(`x${'é'.repeat(before / 2)}${'x'.repeat((before - 1) % 2)}clé-é clé-é${'é'.repeat(40_000)}`);
      const start = Buffer.from(text).indexOf('clé-é');
      const places = [0, 8].map((at) => ({ start: start + at, end: start + at + 7 }));
      expect(await keys.find(text), String(before)).toEqual([{ environmentId: 'demo', places }]);
    }
  });

  it('says whether a key is in it, from the first piece that has it on', async () => {
    await keys.useKey('demo', 'the-key');
    expect(await keys.contains('demo', bytes(''))).toBe(false);
    made.asked();
    expect(await keys.contains('demo', bytes(`the-key${'x'.repeat(3 * long)}`))).toBe(true);
    expect(made.asked()).toEqual([['contains']]);
    for (const before of [long - 3, long + 65_530, 2 * long])
      expect(await keys.contains('demo', bytes(`${'x'.repeat(before)}the-key`)), String(before)).toBe(true);
    expect(await keys.contains('demo', bytes(`${'x'.repeat(3 * long)}the-ke`))).toBe(false);
    expect(await keys.contains('nobody', bytes(`${'x'.repeat(3 * long)}the-key`))).toBe(false);
  });

  it('starts no process for a key that nobody knows of, and does not go through the text', async () => {
    made.asked();
    const text = bytes('x'.repeat(5 * long));
    const pieces = vi.spyOn(text, 'subarray');
    expect(await keys.contains('nobody', text)).toBe(false);
    expect(made.asked()).toEqual([]);
    expect(pieces).toHaveBeenCalledTimes(1);
  });

  it('goes without agents where no key is listed or held', async () => {
    await index.put('of another program', { fingerprint: null, bytes: 1, version: '1' });
    expect(await keys.find(bytes('x'))).toEqual([]);
    expect(agents.started).toHaveLength(0);
  });
});
