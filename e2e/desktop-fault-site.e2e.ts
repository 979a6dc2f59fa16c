import type { LaunchEntry, Output } from '#shared/ipc/index.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { chooseSeed, createChoices, seededRandom } from '#testing/seeded-random.ts';
import { launchOptions } from './chromium.ts';
import { call, sayBusy, wasTooBusy } from './desktop-call.ts';
import { createRest, launchPath, upgraded } from './faults/host.ts';
import { cleanRows, plantedRows, type Row } from './faults/rows.ts';
import { expect, type Workbench } from './fixtures.ts';
import { test, type Games } from './game-site.ts';

// None of these expects Chromium to prevent something: what the shell cannot do would pass for nothing.
const all = process.env['CROUPIER_FAULTS'] === 'all';
const byName = new Map([...plantedRows, ...cleanRows].map((row) => [row.name, row]));
const rest = createRest();
/** Requests that the servers of the games have answered. */
const served: string[] = [];

test.describe.configure({ mode: 'default' });
test.use({
  shares: 'calls',
  site: {
    launchRules: { readyWithin: 12, slowAfter: 6, noise: [], readySigns: [], errorTexts: ['Table closed'] },
    upgraded,
    answer(request, response) {
      const { pathname } = new URL(request.url ?? '/', 'https://games.example');
      if (pathname !== '/serviceApi.php')
        response.on('finish', () => served.push(`${request.method} ${pathname} ${response.statusCode}`));
      const row = byName.get(decodeURIComponent(pathname.slice('/f/'.length)));
      if (pathname === '/slow-picture') return (setTimeout(() => response.writeHead(204).end(), 7_000), true);
      if (pathname === '/never-picture') return true;
      if (!pathname.startsWith('/f/') || row === undefined) return rest(request, response);
      row.answer(request, response);
      return true;
    },
  },
});

/** Opens a game and returns what its record says when the verdict is no longer unfinished, or what a condition waits for. */
async function play(
  workbench: Workbench,
  games: Games,
  row: Row,
  done: (told: Output<'launches.get'>) => boolean,
): Promise<Output<'launches.get'>> {
  const token = row.real === true ? { gameMode: 'real' as const, externalToken: 'the-own-token' } : {};
  const change = row.real === true ? { gameMode: 'real', externalToken: 'the-own-token' } : {};
  const id = await games.open(launchPath(encodeURIComponent(row.name), change), {}, token);
  if (row.play !== undefined) {
    const page = await games.page(`/f/${encodeURIComponent(row.name)}`);
    await expect
      .poll(async () => (await call(workbench, 'launches.get', { id })).entries.some(isWatched), { timeout: 30_000 })
      .toBe(true);
    await row.play(page);
  }
  let told = await call(workbench, 'launches.get', { id });
  await expect
    .poll(async () => done((told = await call(workbench, 'launches.get', { id }))), { timeout: 40_000 })
    .toBe(true)
    .catch(() => undefined);
  await call(workbench, 'launches.close', { id });
  return told;
}

interface Har {
  readonly log: {
    readonly entries: readonly {
      readonly request: { readonly method: string; readonly url: string };
      readonly response: { readonly status: number };
      readonly comment?: string;
    }[];
  };
}

const isWatched = ({ signal }: LaunchEntry) => signal?.type === 'watched';

/** All rows with CROUPIER_FAULTS=all (`npm run test:long -- faults`), else some by the seed. */
function chosen<R extends Row>(rows: readonly R[], few: number): R[] {
  if (all) return [...rows];
  const { pick } = createChoices(seededRandom(chooseSeed()));
  return [...new Set(Array.from({ length: few }, () => pick(rows)))];
}

function partsOf<R>(rows: readonly R[], size: number): R[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
}

for (const [at, rows] of partsOf(chosen(plantedRows, 2), 8).entries())
  test(`each fault of a hostile launch host is named first, by its own rule (${at + 1})`, async ({ workbench, games }) => {
    test.setTimeout(15 * 60_000);
    workbench.troubles.expect(/./);
    const [wrong, busy]: [string[], string[]] = [[], []];
    for (const row of rows) {
      const said = ({ launch: { verdict } }: Output<'launches.get'>) => `${verdict.state}: ${verdict.results[0]?.message ?? ''}`;
      const told = await play(
        workbench,
        games,
        row,
        (now) => now.launch.verdict.state === row.state && row.first.test(said(now)),
      );
      if (wasTooBusy(told.launch)) busy.push(row.name);
      else if (told.launch.verdict.state !== row.state || !row.first.test(said(told)))
        wrong.push(`${row.name}: ${said(told)}, not ${row.state}: ${row.first.source}`);
    }
    expect(wrong).toEqual([]);
    sayBusy(busy);
  });

for (const [at, rows] of partsOf(chosen(cleanRows, 1), 8).entries())
  test(`no game that is well fails, whatever it does beside playing (${at + 1})`, async ({ workbench, games }) => {
    test.setTimeout(15 * 60_000);
    workbench.troubles.expect(/./);
    const [wrong, busy]: [string[], string[]] = [[], []];
    for (const row of rows) {
      const { launch } = await play(workbench, games, row, (now) => now.launch.verdict.state === 'passed');
      if (wasTooBusy(launch)) busy.push(row.name);
      else if (launch.verdict.state !== 'passed')
        wrong.push(`${row.name}: ${launch.verdict.state}: ${launch.verdict.results[0]?.message}`);
    }
    expect(wrong).toEqual([]);
    sayBusy(busy);
  });

/** Games that are well and leave no request under way. */
const settled = [
  'plain',
  'a ticker',
  'errors that it logs itself',
  'a refusal that it expects',
  'busy once',
  'wraps timers and frames',
  'another host',
  'a URL that it tidies up',
  'loads again once',
  'a fade',
];

if (all)
  test('the evidence of ten launches has each request that the servers answered, and opens from disk', async ({
    workbench,
    games,
  }) => {
    test.setTimeout(15 * 60_000);
    workbench.troubles.expect(/./);
    const browser = await chromium.launch(launchOptions());
    try {
      const page = await browser.newPage();
      for (const row of cleanRows.filter(({ name }) => settled.includes(name))) {
        served.length = 0;
        const { launch } = await play(workbench, games, row, ({ launch: { verdict } }) => verdict.state !== 'unfinished');
        const made = await call(workbench, 'launches.export', { ids: [launch.id], as: 'folder' });
        if (made.as !== 'folder') throw new Error('No folder');
        const har = JSON.parse(await readFile(path.join(made.folder, 'network.har'), 'utf8')) as Har;
        const told = har.log.entries.flatMap(({ request, response, comment }) =>
          response.status > 0 && comment !== 'Read from the cache.'
            ? [`${request.method} ${new URL(request.url).pathname} ${response.status}`]
            : [],
        );
        expect(told.toSorted(), row.name).toEqual(served.toSorted());
        await page.goto(pathToFileURL(path.join(made.folder, 'launch.html')).href);
        await expect(page.getByRole('row').filter({ hasText: 'Network log' })).toContainText(`${har.log.entries.length} request`);
        const pictures = page.getByRole('img');
        expect(await pictures.count(), row.name).toBeGreaterThanOrEqual(3);
        expect(await pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0))).toBe(true);
        const record = page.getByRole('table').last().getByRole('row');
        const { entries } = await call(workbench, 'launches.get', { id: launch.id });
        await expect(record).toHaveCount(entries.length + 1);
      }
    } finally {
      await browser.close();
    }
  });
