import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { addEnvironment } from '../../../e2e/own-environment.ts';
import { createRunsScreen } from '../../../e2e/pages/runs.ts';

/** Starts a server that answers every request and keeps the paths that were requested. */
async function listen() {
  const received: string[] = [];
  const server = await startHttpsServer(({ request }, answer) => {
    received.push(request.url ?? '');
    answer.end('{"code":0,"message":"ok","data":{"slots":[]}}');
  });
  return { ...server, received };
}

/** Writes a collection of two bets, a win whose amount comes from a response, and a call that reads; none of them is signed. */
async function collectionOf({ home }: Screens['workbench']): Promise<string> {
  const folder = join(dirname(home), 'live-session');
  const bet = 'operation: bet\ndata: |\n  {"amount": 1.25, "currency": "EUR"}\n';
  await mkdir(folder);
  await writeFile(join(folder, 'A bet.yaml'), bet.replace('data', 'take:\n  won: $.code\ndata'));
  await writeFile(join(folder, 'B bet.yaml'), bet.replace('1.25', '0.25'));
  await writeFile(join(folder, 'C win.yaml'), 'operation: win\ndata: |\n  {"amount": {{won}}, "currency": "EUR"}\n');
  await writeFile(join(folder, 'D player.yaml'), 'operation: playerInfo\ndata: |\n  {"externalToken": "t"}\n');
  return folder;
}

describe('Production', () => {
  test('is asked about before each call that moves money, until the user says for ten minutes, and again once that is stopped', async ({
    workbench,
    shell,
    requests,
  }) => {
    const server = await listen();
    const { page } = workbench;
    try {
      await addEnvironment(workbench, server, 'live', '--production', '--color', 'red');
      await shell.useEnvironment('live');
      await shell.openOperation('/playerInfo');
      await expect(requests.send).toHaveAccessibleName(/^Send to live\b/);
      await requests.send.click();
      await expect(shell.dialog).toContainText('It only reads.');
      await shell.dialog.getByRole('button', { name: 'Send playerInfo' }).click();
      await expect.poll(() => server.received).toEqual(['/playerInfo']);

      await shell.openOperation('/bet');
      await requests.form.field('amount').fill('1.25');
      await requests.send.click();
      await expect(shell.dialog).toContainText('Send bet to live?');
      await expect(shell.dialog).toContainText('It takes 1.25 EUR.');
      await shell.dialog.getByRole('button', { name: "Send, and don't ask for 10 minutes" }).click();
      await expect.poll(() => server.received.length).toBe(2);
      const note = shell.main.getByText(/Confirmations are off until \d\d:\d\d/);
      await expect(note).toBeVisible();
      await requests.send.click();
      await expect.poll(() => server.received.length).toBe(3);
      await expect(shell.dialog).toBeHidden();
      await page.reload();
      await expect(note).toBeVisible();
      await shell.main.getByRole('button', { name: 'Ask again' }).click();
      await expect(note).toBeHidden();
      await requests.send.click();
      await expect(shell.dialog).toContainText('It takes 1.25 EUR.');
      await shell.dialog.getByRole('button', { name: "Don't send" }).click();
      expect(server.received).toHaveLength(3);
    } finally {
      await server.close();
    }
  });

  test('is asked about once for a run, with the number of its calls and their sums', async ({ workbench, shell }) => {
    const server = await listen();
    const runs = createRunsScreen(workbench.page);
    try {
      await addEnvironment(workbench, server, 'live', '--production');
      await shell.useEnvironment('live');
      await shell.goTo('Runs');
      await runs.start(await collectionOf(workbench), { Repeat: '2' });
      await expect(shell.dialog).toContainText('Run live-session against live?');
      await expect(shell.dialog).toContainText('6 of 8 requests grant free rounds or move money.');
      await expect(shell.dialog).toContainText('4 calls take 3.00 EUR.');
      await expect(shell.dialog).toContainText('2 calls pay money: 2 amounts are not known before the run.');
      expect(server.received).toHaveLength(0);
      await shell.dialog.getByRole('button', { name: 'Run against live' }).click();
      await expect(runs.totals).toHaveText(/=8 planned$/);
      await expect.poll(() => server.received.length).toBe(8);
    } finally {
      await server.close();
    }
  });

  test('is named beside Send where an environment that is not marked has its identity', async ({
    workbench,
    shell,
    requests,
  }) => {
    const server = await listen();
    try {
      await addEnvironment(workbench, server, 'live', '--production');
      await addEnvironment(workbench, server, 'copy');
      await shell.useEnvironment('copy');
      await expect(requests.send).toHaveAccessibleName(/^Send to copy\b/);
      const like = shell.main.getByRole('button', { name: 'Like live', exact: true });
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [880, 720],
      ] as const) {
        await workbench.resize(width, height);
        const [chip, send] = [await like.boundingBox(), await requests.send.boundingBox()];
        expect(
          chip === null || send === null ? null : Math.abs(chip.y + chip.height / 2 - send.y - send.height / 2),
        ).toBeLessThan(2);
        expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThan(send?.x ?? 0);
        expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThanOrEqual(width);
      }
      await workbench.resize(1440, 900);
      for (const one of [like, requests.send])
        await expect(one).toHaveAccessibleDescription('Same platform and partner as live, which is production.');
      await requests.send.focus();
      await workbench.page.keyboard.press('Shift+Tab');
      await expect(like).toBeFocused();
      await expect(workbench.page.getByRole('tooltip')).toHaveText('Same platform and partner as live, which is production.');
      await workbench.page.keyboard.press('Enter');
      await expect(workbench.page.getByRole('main', { name: 'Environments' }).getByRole('heading', { level: 1 })).toHaveText(
        'copy',
      );
      await shell.openOperation('/bet');
      await requests.send.click();
      await expect.poll(() => server.received).toEqual(['/bet']);
      await workbench.cli(['env', 'set', 'copy', '--platform', '8']);
      await expect(like).toBeHidden();
      await expect(requests.send).not.toHaveAccessibleDescription(/production/);
      await shell.useEnvironment('live');
      await expect(shell.topBar).toHaveAttribute('data-production', 'true');
    } finally {
      await server.close();
    }
  });
});

describe('A call opened from the history', () => {
  test('shows which environment it went to while another one is selected, and switches to either', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const server = await listen();
    const { page } = workbench;
    const line = shell.main.getByText(/^Opened from call/);
    const mark = shell.main.getByText(/^Call \d+ went to /);
    try {
      await addEnvironment(workbench, server, 'staging', '--color', 'violet');
      await shell.useEnvironment('staging');
      await shell.openOperation('/bet');
      await requests.send.click();
      await expect(response.facts).toContainText('HTTP 200');
      await expect(mark).toBeHidden();
      await shell.useEnvironment('sandbox');
      await expect(mark).toHaveText('Call 1 went to staging, but sandbox is selected.');
      await shell.goTo('History');
      await history.rows.first().dblclick();
      await expect(line).toHaveText('Opened from call 1 on staging. This tab sends to sandbox.');
      await expect(requests.send).toHaveAccessibleName(/^Send to sandbox\b/);
      await page.reload();
      await expect(line).toHaveText('Opened from call 1 on staging. This tab sends to sandbox.');
      await expect(mark).toHaveText('Call 1 went to staging, but sandbox is selected.');
      await expect(response.facts).toContainText(/staging, call 1, \d\d:\d\d:\d\d/);

      await shell.main.getByRole('button', { name: 'Switch to staging' }).click();
      await expect(line).toBeHidden();
      await expect(mark).toBeHidden();
      await expect(requests.send).toHaveAccessibleName(/^Send to staging\b/);
      await shell.useEnvironment('sandbox');
      await expect(line).toBeVisible();
      await shell.main.getByRole('button', { name: 'Keep sandbox' }).click();
      await expect(line).toBeHidden();
      await expect(mark).toBeVisible();
      await requests.send.click();
      await expect(mark).toBeHidden();
      expect(server.received).toEqual(['/bet']);
    } finally {
      await server.close();
    }
  });
});
