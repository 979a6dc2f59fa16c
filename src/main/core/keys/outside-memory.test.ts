import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPad } from './outside-memory.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-pads-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function read(pad: ReturnType<typeof createPad>, length: number): string {
  const bytes = new Uint8Array(length);
  pad.readInto(bytes);
  return Buffer.from(bytes).toString('hex');
}

it('gives the same bytes each time, others for each pad, and leaves no file', () => {
  const [one, other] = [createPad(40), createPad(40)];
  expect(read(one, 40)).toBe(read(one, 40));
  expect(read(one, 40)).not.toBe(read(other, 40));
  expect(readdirSync(folder)).toEqual([]);
  for (const pad of [one, other, one]) pad.forget();
});

it('keeps them in memory where no file can be made', () => {
  rmSync(folder, { recursive: true });
  const pad = createPad(40);
  const first = read(pad, 40);
  expect(first).toMatch(/^(?!(00)+$)[0-9a-f]{80}$/);
  expect(read(pad, 40)).toBe(first);
  pad.forget();
});
