import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { zipOf } from './zip.ts';

it('an archive holds each file as it is, and a list of all at its end', () => {
  const entries = [
    { name: 'team/bruno.json', text: '{}' },
    { name: 'team/rounds/é 😀.bru', text: 'post {\n}\n'.repeat(1_000) },
    { name: 'team/empty', text: '' },
  ];
  const bytes = Buffer.from(zipOf(entries));
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  expect(bytes.readUInt16LE(end + 10)).toBe(entries.length);
  let at = bytes.readUInt32LE(end + 16);
  for (const { name, text } of entries) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [crc, size, nameLength] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28)];
    const local = bytes.readUInt32LE(at + 42);
    expect(bytes.readUInt32LE(local)).toBe(0x04034b50);
    const start = local + 30 + bytes.readUInt16LE(local + 26);
    expect(bytes.subarray(local + 30, start).toString('utf8')).toBe(name);
    expect(bytes.subarray(start, start + size).toString('utf8')).toBe(text);
    expect(crc).toBe(crc32(text));
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
});
