import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from './import-table.mjs';
import { wallFaults, walls } from './walls.mjs';

const tree = readTree(path.resolve(import.meta.dirname, '..'));

it('no path goes past a wall, and each door is there', () => {
  expect(wallFaults(tree)).toEqual([]);
  for (const { doors } of walls) for (const door of doors) expect(tree.texts.has(door)).toBe(true);
});

describe.each(walls.flatMap((wall) => wall.planted.map((line) => [wall, line] as const)))('$name', (wall, line) => {
  it(`refuses a newcomer: ${line}`, () => {
    const file = 'src/main/core/calls/planted.ts';
    expect(wallFaults({ texts: new Map([[file, `\n${line}\n`]]) })).toEqual([
      `${file}:2: past the wall of "${wall.name}". ${wall.says}`,
    ]);
    expect(wallFaults({ texts: new Map([[wall.doors[0] ?? '', line]]) })).toEqual([]);
  });
});
