import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as model from '#shared/collections/model.ts';
import * as reported from '#shared/collections/reported-request.ts';
import * as contract from '#shared/ipc/index.ts';
import { events, outputs } from '#shared/ipc/outputs/index.ts';
import { z } from '#shared/model/schema.ts';
import { doublePath, launchDesktop, leaveDesktop } from '../electron-host.ts';
import { makeSurroundings, runCroupier, startCroupier, type Surroundings } from '../program.ts';

/**
 * Code that Node runs before a program and each of its threads: at the end it writes down which schemas were made. Zod defines this
 * one member of each.
 */
const counting = `
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const define = Object.defineProperty;
const made = [];
Object.defineProperty = (object, name, property) => {
  if (name === '_zod') made.push(property.value.def);
  return define(object, name, property);
};
process.once('exit', () => {
  const thread = require('node:worker_threads').threadId;
  const shapes = made.flatMap(({ shape }) => (shape === undefined ? [] : [Object.keys(shape).sort().join()]));
  const folder = path.join(__dirname, 'made');
  mkdirSync(folder, { recursive: true });
  const name = path.basename(process.argv[1] ?? '', '.cjs') + '-' + process.pid + '-' + thread + '.json';
  writeFileSync(path.join(folder, name), JSON.stringify({ count: made.length, shapes }));
});
`;

interface Made {
  /** The bundle that was run. */
  readonly program: string;
  readonly count: number;
  /** The names of the fields of each object's schema. */
  readonly shapes: readonly string[];
}

let surroundings: Surroundings;
beforeEach(async () => {
  surroundings = await makeSurroundings(counting);
  mkdirSync(path.join(surroundings.folder, 'made'));
});
afterEach(() => surroundings.remove());

/** Returns the schemas that each ended process and thread made. */
function made(): Made[] {
  const folder = path.join(surroundings.folder, 'made');
  return readdirSync(folder).map((name) => ({
    ...(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Omit<Made, 'program'>),
    program: name.replace(/-\d+-\d+\.json$/, ''),
  }));
}

/** Returns the fields of all objects in schemas, as `counting` writes them. */
function shapesOf(values: readonly unknown[]): Set<string> {
  const seen = new Set<unknown>();
  const shapes = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof z.core.$ZodType) {
      const { def } = value._zod;
      if ('shape' in def)
        shapes.add(
          Object.keys(def.shape as object)
            .sort()
            .join(),
        );
      visit(def);
    } else {
      Object.values(value).forEach(visit);
    }
  };
  values.forEach(visit);
  return shapes;
}

// Two schemas with few fields have the same ones by chance.
const told = [...shapesOf([outputs, events])].filter((shape) => shape.split(',').length > 2);
const used = shapesOf([contract, model, reported].map((module) => Object.values(module)));
const toldAlone = told.filter((shape) => !used.has(shape));

describe('a start', () => {
  it('makes no schema for what needs none', async () => {
    for (const args of [['--version'], ['--help'], ['hash', '--help']])
      expect((await runCroupier(surroundings, args)).code).toBe(0);
    expect(made().map(({ program, count }) => [program, count])).toEqual([
      ['cli', 0],
      ['cli', 0],
      ['cli', 0],
    ]);
  });

  it('of the browser host makes those of inputs, and none that is for outputs and events alone', async () => {
    const running = startCroupier(surroundings, ['serve', '--no-open', '--port', '0']);
    await running.saw(/ready: http/);
    running.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
    expectInputsAlone('cli');
  });

  it('of the desktop does so, too', async () => {
    const app = await launchDesktop(surroundings, doublePath);
    await app.firstWindow();
    await leaveDesktop(app);
    expectInputsAlone('desktop');
  });
});

function expectInputsAlone(host: string): void {
  const all = made();
  // Otherwise the names were searched where they could not be found.
  expect(toldAlone.length).toBeGreaterThan(60);
  const main = all.filter(({ count }) => count > 500);
  expect(main.length, host).toBeGreaterThan(0);
  for (const { program, shapes } of all)
    expect(
      toldAlone.filter((shape) => shapes.includes(shape)),
      program,
    ).toEqual([]);
  // The search thread reads rows of the history; the others read what needs no schema, and so does the process that holds keys.
  for (const { program, count } of all.filter((one) => !main.includes(one))) expect(count, program).toBeLessThan(200);
}
