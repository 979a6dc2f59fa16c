import type { Page } from '@playwright/test';
import { keepCopies } from './copies.ts';
import { expect, test } from './fixtures.ts';
import { faultyHandler, plantFault, removeFault } from './planted-fault.ts';

/** Matches the lines that the browser and React print about a planted fault. */
const printed =
  /console: (?:Failed to load resource|AppError: Croupier didn't respond|TypeError|RangeError)|error: (?:Type|Range)Error/;

/** Returns the text that "Copy details" copies. */
async function details(page: Page): Promise<string> {
  const copied = await keepCopies(page);
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Copy details' }).click();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('Copied the details.');
  return copied();
}

/** Answers requests for files of the page with an error until the returned function is called. */
async function withhold(page: Page, file: RegExp): Promise<() => Promise<void>> {
  await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
  return () => page.unroute(file);
}

test.describe('A fault of core', () => {
  test.use({ plant: faultyHandler });

  test('is shown once with what to do, and the screen goes on from it', async ({
    workbench,
    shell,
    history,
    requests,
    response,
  }) => {
    const { page, home } = workbench;
    workbench.expectComplaint(/^croupier: (?:Fault [0-9a-f]{6} in calls\.list: TypeError: | {4}at )/);
    await plantFault(home);
    await shell.goTo('History');
    await expect(shell.fault).toHaveText(
      /^An error in Croupier: TypeError: Cannot read properties of undefined \(reading 'rows'\).* What you typed is kept\. Try again; if it fails again, copy the details and report them\.$/,
    );
    await expect(shell.fault).toHaveCount(1);
    await expect(shell.main.getByRole('alert')).toContainText('Something went wrong in Croupier');
    await expect(shell.loading).toHaveCount(0);
    const copied = await keepCopies(page);
    const text = await details(page);
    expect(text).toMatch(/^Croupier \d.*Node \d+.*\nTypeError: Cannot read properties of undefined \(reading 'rows'\)\n {4}at /);
    expect(text).not.toContain(home);
    // A report can be made later, too.
    await shell.goTo('Settings');
    await shell.main.getByRole('button', { name: 'Copy diagnostics', exact: true }).click();
    await expect(shell.notices).toContainText('Copied the diagnostics.');
    const diagnostics = await copied();
    expect(diagnostics).toMatch(/^Croupier \d.*\nRuntime: Node \d+/);
    expect(diagnostics).toContain(`Faults of this session: the newest 1\n`);
    expect(diagnostics).toContain(`  ${text.split('\n')[1]}\n`);
    expect(diagnostics).not.toContain(home);
    await shell.main.getByRole('button', { name: 'Show licences' }).click();
    const licences = shell.dialog.getByRole('textbox', { name: 'Licences' });
    await expect(licences).toHaveValue(/^Croupier\n\nCopyright[^]+react \d+\.[^]+MIT License/);
    await shell.dismiss();
    await shell.goTo('Requests');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await removeFault(home);
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
  });
});

test('A fault of the page in what a click does, at once or later, is shown once and costs nothing that was typed', async ({
  workbench,
  shell,
  requests,
  response,
}) => {
  const { page } = workbench;
  workbench.troubles.expect(printed);
  await shell.openOperation('getGameRound');
  await requests.form.field('roundId').fill('9007199254740993');
  // A tab that is opened gets an ID.
  await page.evaluate(() => {
    const { randomUUID } = crypto;
    Reflect.set(window, 'mend', () => (crypto.randomUUID = randomUUID));
    crypto.randomUUID = () => {
      throw new TypeError("planted with 'a value of the user'");
    };
  });
  await shell.openOperation('freeRounds');
  await expect(shell.fault).toContainText('An error in Croupier: TypeError: planted with [hidden]. What you typed is kept.');
  expect(await details(page)).toMatch(/^Croupier \d.*, page of .*\nTypeError: planted with \[hidden\]\n {4}at .*assets\/index-/);
  await page.evaluate(() => {
    void Promise.reject(new RangeError('planted rejection'));
    (Reflect.get(window, 'mend') as () => void)();
  });
  await expect(shell.fault).toContainText('RangeError: planted rejection');
  await expect(shell.fault).toContainText('2 different faults are in the details.');
  await expect(shell.fault).toHaveCount(1);
  await expect(requests.form.field('roundId')).toHaveValue('9007199254740993');
  await shell.openOperation('gameList');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
});

test.describe('Code of the page that is missing', () => {
  test('is said in its area, which fetches it when it is opened again, and draws nothing without its style', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const { page } = workbench;
    workbench.troubles.expect(printed);
    for (const [area, file] of [
      ['Runs', /\/assets\/runs-page-[^/]*\.js/],
      // Other areas need it, too.
      ['Games', /\/assets\/call-problem-[^/]*\.js/],
      // Stays in the page, out of sight.
      ['Launcher', /\/assets\/launcher-page-[^/]*\.js/],
    ] as const) {
      let asked = 0;
      page.on('request', (request) => (asked += file.test(request.url()) ? 1 : 0));
      const give = await withhold(page, file);
      await shell.goTo(area);
      await expect(shell.main.getByRole('alert')).toContainText(`${area} could not be loaded`);
      await expect(shell.main.getByRole('alert')).toContainText('Try again; if that fails, reload the page.');
      await expect(shell.loading).toHaveCount(0);
      // Preloaded and imported.
      expect(asked).toBeLessThanOrEqual(2);
      await shell.goTo('Requests');
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await give();
      await shell.goTo(area);
      await expect(shell.main.getByRole('heading', { level: 1 })).toHaveText(area === 'Launcher' ? 'New launch' : area);
    }
    await expect(shell.fault).toHaveCount(0);

    const give = await withhold(page, /\/assets\/rounds-page-[^/]*\.css/);
    await shell.goTo('Rounds');
    const failed = shell.main.getByRole('alert');
    await expect(failed).toContainText('Rounds could not be loaded');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await expect(failed).toContainText('Rounds could not be loaded');
    await give();
    await failed.getByRole('button', { name: 'Try again' }).click();
    await expect(shell.main.getByRole('heading', { level: 1 })).toHaveText('Rounds');
    const styled = () =>
      [...document.styleSheets].some(({ href }) => href?.includes('/rounds-page-') === true) &&
      getComputedStyle(document.querySelector('main h1') ?? document.body).fontSize !== '';
    expect(await page.evaluate(styled)).toBe(true);
  });

  test('of the editor leaves plain fields, and says so', async ({ workbench, shell, requests, response }) => {
    const { page } = workbench;
    workbench.troubles.expect(printed);
    const give = await withhold(page, /\/assets\/monaco-[^/]*\.js/);
    await page.reload();
    await expect(shell.notices).toContainText("The editor couldn't be loaded");
    await expect(shell.notices.getByText("The editor couldn't be loaded")).toHaveCount(1);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await give();
  });
});
