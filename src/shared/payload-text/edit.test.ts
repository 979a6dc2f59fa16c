import { describe, expect, it } from 'vitest';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { memberText, removeMember, setMember } from './edit.ts';

const pretty = '{\n  "a": 1.50,\n  "b" : [1,  2],\n  "c": {}\n}\n';

describe('setMember', () => {
  it('replaces one value and nothing else', () => {
    expect(setMember(pretty, 'b', '9')).toBe('{\n  "a": 1.50,\n  "b" : 9,\n  "c": {}\n}\n');
    expect(setMember('{"a":1,"a":2}', 'a', '3')).toBe('{"a":1,"a":3}');
    expect(setMember('{"\\u0061":1}', 'a', '3')).toBe('{"\\u0061":3}');
  });

  it('adds a member in the layout of its neighbours', () => {
    expect(setMember(pretty, 'd', 'true')).toBe('{\n  "a": 1.50,\n  "b" : [1,  2],\n  "c": {},\n  "d": true\n}\n');
    expect(setMember('{"a":1}', 'b', '2')).toBe('{"a":1,"b":2}');
    expect(setMember('{ "a": 1 }', 'b', '2')).toBe('{ "a": 1, "b": 2 }');
    expect(setMember('{"a":1, "b":2}', 'c', '3')).toBe('{"a":1, "b":2, "c":3}');
    expect(setMember('{\n\t"a": 1\n}', 'b"', '2')).toBe('{\n\t"a": 1,\n\t"b\\"": 2\n}');
  });

  it('starts an object where there is none yet, and leaves what is not an object alone', () => {
    expect(setMember('', 'a', '1')).toBe('{\n  "a": 1\n}');
    expect(setMember('{}', 'a', '1')).toBe('{\n  "a": 1\n}');
    for (const text of ['[1]', '{"a":1,}', 'x']) expect(setMember(text, 'a', '2')).toBe(text);
  });
});

describe('removeMember', () => {
  it('takes the member and its comma', () => {
    expect(removeMember(pretty, 'a')).toBe('{\n  "b" : [1,  2],\n  "c": {}\n}\n');
    expect(removeMember(pretty, 'b')).toBe('{\n  "a": 1.50,\n  "c": {}\n}\n');
    expect(removeMember(pretty, 'c')).toBe('{\n  "a": 1.50,\n  "b" : [1,  2]\n}\n');
    expect(removeMember(pretty, 'd')).toBe(pretty);
    expect(removeMember('{"a":1}', 'a')).toBe('{}');
    expect(removeMember('{"a":1,"b":2,"a":3}', 'a')).toBe('{"b":2}');
    expect(removeMember('[1]', 'a')).toBe('[1]');
  });
});

describe('memberText', () => {
  it('gives the value as it was typed', () => {
    expect(memberText(pretty, 'a')).toBe('1.50');
    expect(memberText(pretty, 'b')).toBe('[1,  2]');
    expect(memberText('{"a":1,"a":2}', 'a')).toBe('2');
    expect(memberText(pretty, 'd')).toBeNull();
    expect(memberText('{"a":1,}', 'a')).toBeNull();
  });
});

describe('edits of random objects', () => {
  it('change the one member and keep every other value text', () => {
    const seed = chooseSeed();
    const random = seededRandom(seed);
    const generator = createJsonGenerator(random);
    for (let i = 0; i < 500; i++) {
      const values = Array.from({ length: 1 + Math.floor(random() * 5) }, () => generator.text().trim());
      if (values.join('').length > 3_000) continue;
      const text = `{ ${values.map((value, index) => `"k${index}" : ${value}`).join(' ,\n')} }`;
      const target = `k${Math.floor(random() * (values.length + 1))}`;
      const note = `CROUPIER_SEED=${seed}, case ${i}: ${target} of ${text}`;
      const set = setMember(text, target, '"new"');
      const removed = removeMember(set, target);
      expect(memberText(set, target), note).toBe('"new"');
      expect(memberText(removed, target), note).toBeNull();
      for (const [index, value] of values.entries()) {
        if (`k${index}` === target) continue;
        expect(memberText(set, `k${index}`), note).toBe(value);
        expect(memberText(removed, `k${index}`), note).toBe(value);
      }
    }
  });
});
