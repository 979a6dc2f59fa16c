import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createDoctor } from '../../../../e2e/pages/doctor.ts';
import { addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';

const key = 'doctor-test-key';

describe('The doctor', () => {
  test('examines a call of the history, and the one that code 8 is explained for', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const doctor = createDoctor(workbench.page);
    // The built-in provider hashes what PHP writes.
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await shell.openOperation('getGameRound');
    const editor = await requests.openEditor();
    await editor.replace(String.raw`{"roundId":1,"logMonth":0,"note":"a\/b"}`);
    await requests.send.click();
    await expect(response.code).toContainText('8');
    await shell.main.getByRole('button', { name: 'Open in Doctor' }).click();
    await expect(doctor.main.getByRole('heading', { name: 'Call 1' })).toBeVisible();
    await expect(doctor.field('data')).toHaveValue(String.raw`{"roundId":1,"logMonth":0,"note":"a\/b"}`);
    await expect(doctor.finding).toContainText('It fits the rule and the key of this environment.');

    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'php']);
    await shell.goTo('History');
    await history.chooseInMenu(0, 'Open in Doctor');
    await expect(doctor.finding).toContainText('Your backend escapes the slashes');
  });

  test('asks the provider by a plan that is shown before anything is sent', async ({
    workbench,
    shell,
    environments,
    requests,
  }) => {
    const doctor = createDoctor(workbench.page);
    const received: string[] = [];
    const server = await startHttpsServer(({ body }, answer) => {
      received.push(body.toString('utf8'));
      answer.end('{"code":9,"message":"invalid platform or partner"}');
    });
    try {
      await addEnvironment(workbench, server, 'other');
      await enterWithKey({ shell, environments }, 'other', key);
      await shell.goTo('Doctor');
      await doctor.main.getByRole('radio', { name: 'From code 8 alone' }).click();
      await expect(doctor.questions.first()).toContainText('gameList');
      expect(received).toEqual([]);
      await doctor.button(/^Send up to \d+ calls/).click();
      await expect(doctor.findings.first()).toContainText('rejects platform 7 or partnerId 11 before it looks at the hash');
      await expect(doctor.questions.first()).toContainText('Code 9.');
      expect(received).toHaveLength(1);
      await doctor.findings.first().getByRole('button', { name: 'Call 1' }).click();
      await expect(requests.activeTab).toHaveText(/gameList/);
    } finally {
      await server.close();
    }
  });
});
