import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import { startHttpsServer } from '#testing/https-server.ts';
import type { HostOptions } from './fixtures.ts';
import { makeSurroundings } from './program.ts';
import { quitRows } from './quit-rows.ts';
import { unfinished, type Place } from './quit-scenes.ts';
import { executableOf } from './electron-host.ts';
import { startQuittingDesktop, type QuittingDesktop } from './quitting-desktop.ts';

/** Shares one home among all rows of a worker: each start follows the quit of the row before. */
const test = base.extend<HostOptions & { desk: QuittingDesktop }, { place: Place }>({
  hostName: ['double', { option: true }],
  place: [
    async ({ playwright: _playwright }, provide) => {
      const surroundings = await makeSurroundings();
      const waiting = new Set<() => void>();
      const server = await startHttpsServer(() => {
        for (const tell of waiting) tell();
        waiting.clear();
        return new Promise(() => undefined);
      });
      const silent = { ...server, asked: () => new Promise<void>((resolve) => waiting.add(resolve)) };
      await provide({ surroundings, silent, before: 'nothing' });
      await server.close();
      await surroundings.remove();
    },
    { scope: 'worker' },
  ],
  desk: async ({ hostName, place }, provide) => {
    const desk = await startQuittingDesktop(place.surroundings, executableOf(hostName)).catch((cause: unknown) => {
      throw new Error(`It did not start after it was quit with ${place.before}.`, { cause });
    });
    await provide(desk);
    desk.kill();
  },
});

/** Offset of the rows that run, every third one. All of them take a minute: `npm run test:long -- quit`. */
const seed = Math.trunc(Number(process.env['CROUPIER_SEED'])) || 0;
const rows = quitRows.filter((_row, index) => process.env['CROUPIER_QUITS'] === 'all' || (index + seed) % 3 === 0);

for (const row of rows) {
  test(`it quits with ${row.what}`, async ({ desk, place }) => {
    await row.begin({ desk, place });
    const ended = await desk.quit(row.way);
    place.before = row.what;
    const forced = { code: 'SIGKILL', left: [], stderr: `croupier: ${row.byForce}\n` };
    expect(ended).toEqual(row.byForce === undefined ? { code: 0, left: [], stderr: '' } : forced);
    expect(await leftIn(place.surroundings.home)).toEqual([]);
    await row.after?.(place);
    expect(unfinished(place)).toEqual([]);
  });
}

/** Returns the locks of open work and half-written files; the empty files in a folder of locks stay. */
async function leftIn(home: string): Promise<string[]> {
  const names = await readdir(home, { recursive: true });
  return names.filter(
    (name) =>
      name !== path.join('runs', 'opening.lock') && path.basename(path.dirname(name)) !== 'locks' && /\.(?:lock|tmp)$/.test(name),
  );
}
