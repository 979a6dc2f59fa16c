import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { noRequests } from '#shared/collections/run-totals.ts';
import { someReported, someStart } from '#testing/some-run.ts';
import { createCollections } from '../e2e/pages/collections.ts';
import { createRequest } from '../e2e/pages/request.ts';
import { createRunsScreen } from '../e2e/pages/runs.ts';
import { createShell } from '../e2e/pages/shell.ts';
import type { Figure } from './measure.ts';
import { startPageHost, writeEnvironment, type PageHost } from './page-host.ts';
import { installProbes } from './page-probes.ts';

const crowd = { environments: 2_050, requests: 10_000, rows: 50_000, runs: 100, tabs: 200 };
/** Long reports: all in one iteration, and two requests for each of many data rows. */
const reports = [
  { name: 'one iteration', collection: 'long collection', iterations: 1 },
  { name: 'an iteration for each data row', collection: 'many rows', iterations: crowd.rows / 2 },
];
const goals = { nodes: 1_500, taskMs: 50 };

/**
 * Measures what a home with much of everything costs the page: the nodes that a list draws, and the longest task during its use.
 */
export async function measureCrowd(): Promise<Figure[]> {
  const folder = { collection: '' };
  const host = await startPageHost((home) => {
    folder.collection = path.join(path.dirname(home), 'many');
    prepareHome(home);
    writeCollection(folder.collection);
  });
  try {
    return await measure(host, folder.collection);
  } finally {
    await host.close();
  }
}

async function measure(host: PageHost, collection: string): Promise<Figure[]> {
  const context = await host.browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(installProbes);
  const page = await context.newPage();
  // A menu that draws thousands takes its time: it is measured all the same.
  page.setDefaultTimeout(180_000);
  await page.goto(host.address);
  const shell = createShell(page);
  await shell.environment.getByText('environment 0').waitFor();
  await settled(page);
  const figures: Figure[] = [];
  const say = (name: string, ours: number, unit: string, goal: number) => {
    console.log(`  ${name}: ${ours.toFixed(0)} ${unit}`);
    figures.push({ name, ours, baseline: null, unit, goal });
  };
  /** Measures the nodes that `work` adds to the page, and its longest task. */
  async function step(name: string, work: () => Promise<unknown>, drawn: Locator | null = null): Promise<void> {
    await page.evaluate(() => void probes.longest());
    await work();
    await settled(page);
    if (drawn !== null) say(`${name}: nodes`, await nodesIn(drawn), 'nodes', goals.nodes);
    say(`${name}: longest task`, await page.evaluate(() => probes.longest()), 'ms', goals.taskMs);
  }

  say('start: longest task', await page.evaluate(() => probes.longest()), 'ms', goals.taskMs);
  const menu = page.locator('[data-radix-popper-content-wrapper]');
  await step(
    `${crowd.tabs} open requests`,
    () =>
      createRequest(page)
        .tabs.nth(crowd.tabs - 1)
        .waitFor({ state: 'attached' }),
    page.getByRole('tablist', { name: 'Open requests' }),
  );
  await step(`menu of ${crowd.environments} environments`, () => shell.environment.click(), menu);
  await step('menu of environments, closed', () => page.keyboard.press('Escape'));
  await step(`${crowd.environments} environments at the side`, () => shell.goTo('Environments'), shell.sidebar);
  await step('palette', () => page.keyboard.press('ControlOrMeta+K'), page.getByRole('dialog'));
  await step('palette, a word typed', () => page.keyboard.type('environment 20', { delay: 30 }), page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await step('quick open', () => page.keyboard.press('ControlOrMeta+P'), page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await step('history, its filters', () => shell.goTo('History'), page.getByRole('search', { name: 'Calls' }));
  const runs = createRunsScreen(page);
  await shell.goTo('Runs');
  await settled(page);
  say(`${crowd.runs} runs at the side: nodes`, await nodesIn(shell.sidebar), 'nodes', goals.nodes);
  for (const { name, collection } of reports) {
    await step(
      `report of ${crowd.rows} requests, ${name}`,
      async () => {
        await runs.list.filter({ hasText: collection }).click();
        await page.getByText(`${crowd.rows.toLocaleString('en')} requests`, { exact: true }).waitFor();
      },
      runs.main,
    );
    const table = await runs.main.getByRole('table').elementHandle();
    await step(`${name}, scrolled`, () =>
      page.evaluate((element) => {
        let box: Element | null = element;
        while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
        if (!box) throw new Error('The table does not scroll');
        return probes.scroll(box, 60, 2_000);
      }, table),
    );
    await step(`${name}, only what failed`, () => runs.onlyFailed.click());
    await step(`${name}, all again`, () => runs.onlyFailed.click());
    await step(`${name}, a request chosen`, () => runs.rows.first().click());
    await step(`${name}, sorted by request`, () => runs.main.getByRole('button', { name: 'Request', exact: true }).click());
    await step(`${name}, sorted by time`, () => runs.main.getByRole('button', { name: 'Time', exact: true }).click());
  }
  await step('new run, its dialog', () => runs.newRun.click(), page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await shell.goTo('Requests');
  await createCollections(page).openDirectory(collection);
  await step(
    `tree of ${crowd.requests} requests, filtered`,
    async () => {
      await page.getByRole('searchbox', { name: 'Filter collections' }).fill('request');
      await page.getByRole('treeitem').nth(5).waitFor();
    },
    page.getByRole('tree'),
  );
  await shell.goTo('Runs');
  await step(
    'new run of a large collection, its dialog',
    async () => {
      await runs.newRun.click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Collection' }).waitFor();
    },
    page.getByRole('dialog'),
  );
  await context.close();
  return figures;
}

/** Waits until the page added nothing for a moment. */
function settled(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 700);
        const watch = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 700);
        });
        watch.observe(document.body, { childList: true, subtree: true });
        setTimeout(resolve, 15_000);
      }),
  );
}

function nodesIn(part: Locator): Promise<number> {
  return part.last().evaluate((element) => element.querySelectorAll('*').length);
}

function prepareHome(home: string): void {
  const provider = { baseUrl: 'https://127.0.0.1:9', ca: '' };
  for (let at = 0; at < crowd.environments; at += 1)
    writeEnvironment(home, `environment ${at}`.replace(' ', '-'), provider, `environment ${at}`);
  const tabs = Array.from({ length: crowd.tabs }, () => ({
    operation: 'gameList',
    form: 'envelope',
    text: '{"currency":"EUR"}',
    overrides: {},
    view: 'form',
    dirty: false,
    callId: null,
  }));
  const shares = { panes: 50, hash: 70 };
  const workspace = { version: 1, active: 0, orientation: 'side', shares, hashPane: true, comments: true, tabs };
  const layout = { area: 'requests', sidebar: true, environmentId: 'environment-0' };
  writeFileSync(
    path.join(home, 'settings.json'),
    JSON.stringify({ layout: JSON.stringify(layout), workspace: JSON.stringify(workspace) }),
  );
  mkdirSync(path.join(home, 'collection-runs'));
  for (let run = 0; run < crowd.runs; run += 1) {
    const long = reports[crowd.runs - 1 - run];
    if (long === undefined) writeReport(home, run, `collection ${run}`, 2, 1);
    else writeReport(home, run, long.collection, crowd.rows, long.iterations);
  }
}

/** Writes a report as a run leaves it, in the order in which its requests were done, some of which failed. */
function writeReport(home: string, run: number, collection: string, rows: number, iterations: number): void {
  const startedAt = Date.now() - 1_000_000 + run * 1_000;
  const runId = `${startedAt.toString(36)}00-0000000${run % 10}`;
  const start = someStart({ runId, collection, startedAt, planned: rows, process: 'gone', hasData: iterations > 1 });
  const totals = noRequests();
  const lines = [JSON.stringify({ start })];
  const perIteration = rows / iterations;
  for (let at = 0; at < rows; at += 1) {
    const failed = at % 40 === 39;
    totals.requests += 1;
    totals[failed ? 'failed' : 'passed'] += 1;
    const index = (at % perIteration) ^ 1;
    lines.push(
      JSON.stringify({
        index,
        request: {
          iteration: Math.floor(at / perIteration) + 1,
          row: iterations > 1 ? Math.floor(at / perIteration) + 1 : null,
          request: someReported({
            path: `folder ${index % 50}/request ${index}`,
            operation: 'gameList',
            state: failed ? 'failed' : 'passed',
            callId: at + 1,
            code: failed ? 7 : 0,
            durationMs: (at * 7) % 997,
            checks: [
              {
                check: 'code is 0',
                passed: !failed,
                expected: '0',
                actual: failed ? '7' : '0',
                message: failed ? 'The code is 7.' : '',
              },
            ],
          }),
        },
      }),
    );
  }
  lines.push(JSON.stringify({ end: { state: 'finished', durationMs: 1_000, totals } }));
  writeFileSync(path.join(home, 'collection-runs', `${runId}.jsonl`), `${lines.join('\n')}\n`);
}

function writeCollection(folder: string): void {
  const request = 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n';
  for (let at = 0; at < 100; at += 1) {
    const inside = path.join(folder, `folder ${at}`);
    mkdirSync(inside, { recursive: true });
    for (let one = 0; one < crowd.requests / 100; one += 1) writeFileSync(path.join(inside, `request ${one}.yaml`), request);
  }
  writeFileSync(path.join(folder, 'collection.yaml'), 'name: Many\n');
}
