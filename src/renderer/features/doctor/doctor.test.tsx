import { describe } from 'vitest';
import type { DoctorReport } from '#shared/ipc/index.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { faultsWhile } from '../../../../e2e/audit.ts';
import { keepCopies } from '../../../../e2e/copies.ts';
import { announced } from '../../../../e2e/pages/announced.ts';
import { createDoctor } from '../../../../e2e/pages/doctor.ts';
import { addBareEnvironment, addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';

const key = 'doctor-test-key';
const time = '22-11-2026 10:40:02';
const data = '{"gameMode":"real","gameId":"1042","externalToken":"tok-5d0c7be19f","exitURL":"https://casino.example/lobby"}';
const slashed = data.replaceAll('/', String.raw`\/`);

/** Returns a line of a JSON log whose body is a request as PHP writes it, with the hash of a text. */
async function logLine(hashed: string, dataText = slashed, code = 8): Promise<string> {
  const hash = await outside.sha256(hashed);
  const body = `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${time}","data":${dataText},"hash":"${hash}"}`;
  return JSON.stringify({
    level: 'info',
    ts: '2026-11-22T10:40:02.118Z',
    msg: 'provider request',
    body,
    res: `{"code":${code}}`,
  });
}

describe('The doctor', () => {
  test('says a finding that was there before its page was drawn', async ({ workbench, shell, environments }) => {
    const { page } = workbench;
    await addBareEnvironment(workbench, 'staging');
    await enterWithKey({ shell, environments }, 'staging', key);
    const away = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    workbench.instead({
      async 'doctor.search'(input) {
        await away.promise;
        const { value } = (await outside.callApp('doctor.search', input)) as { value: DoctorReport };
        setTimeout(found.resolve);
        return value;
      },
    });
    const doctor = createDoctor(page);
    await doctor.paste(await logLine(key + time + slashed), 'ControlOrMeta+Shift+V');
    await shell.goTo('Requests');
    away.resolve();
    await found.promise;
    await shell.goTo('Doctor');
    await expect(announced(page, /Your backend escapes the slashes/)).toHaveCount(1);
  });

  test('says in two actions which rule the request of a log line broke', async ({ workbench, shell, environments, requests }) => {
    const { page } = workbench;
    const doctor = createDoctor(page);
    await addBareEnvironment(workbench, 'staging');
    await enterWithKey({ shell, environments }, 'staging', key);

    // The job, from any screen on, may take six actions.
    const actions: string[] = [];
    const act = async (name: string, done: Promise<void>) => {
      actions.push(name);
      await done;
    };
    await act('paste', doctor.paste(await logLine(key + time + slashed), 'ControlOrMeta+Shift+V'));
    await expect(doctor.finding).toContainText('Your backend escapes the slashes');
    await expect(doctor.recognised).toHaveText('Recognised: log line, JSON inside JSON, getLauncherURL, response code 8.');
    await expect(doctor.finding).toContainText('Matches the sent text');
    await expect(doctor.field('data')).toHaveValue(slashed);
    await expect(doctor.fix).toContainText('- $json = json_encode($data);');
    await expect(doctor.fix).toContainText('+ $json = json_encode($data, JSON_UNESCAPED_SLASHES);');
    await expect.poll(() => doctor.expected.text()).toBe(`<PRIVATE_KEY>${time}${data}`);
    await expect.poll(() => doctor.hashed.text()).toBe(`<PRIVATE_KEY>${time}${slashed}`);
    const at = time.length + data.indexOf('/');
    await expect(doctor.main).toContainText(`first differs at byte ${at} after the key`);
    await expect(doctor.bytes.locator('mark')).toHaveText(['2f', '5c']);

    await act('open the corrected request', doctor.button('Open corrected in Requests').click());
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    expect(actions.length).toBeLessThanOrEqual(6);
    await expect(requests.form.field('exitURL')).toHaveValue('https://casino.example/lobby');

    // Panes are tabs on a small window, and the finding is copied without secrets.
    await workbench.resize(720, 450);
    await shell.goTo('Doctor');
    await doctor.show('Hash inputs');
    await expect.poll(() => doctor.hashed.text()).toContain(String.raw`https:\/\/`);
    await doctor.show('Finding');
    const copied = await keepCopies(page);
    await doctor.button('Copy finding').click();
    await expect.poll(copied).toMatch(/^Matches the sent text: Your backend escapes the slashes\./);
    expect(await copied()).toContain(`byte ${at} after the key: 0x2f is right, 0x5c was hashed.`);
    expect(await copied()).not.toMatch(new RegExp(`${key}|tok-5d0c7be19f`));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });

  test('takes what is typed, reads it, and asks for what is missing', async ({ workbench, shell, environments }) => {
    const doctor = createDoctor(workbench.page);
    await addBareEnvironment(workbench, 'staging');
    await shell.useEnvironment('staging');
    await shell.goTo('Doctor');
    await expect(doctor.main).toContainText('Paste a request that the provider rejected with code 8');
    await doctor.text.fill('hello');
    await expect(doctor.recognised).toContainText('No request found in this text.');
    await doctor.text.fill(`{"action":"getLauncherURL","platform":7,"partnerId":11,"data":${data}}`);
    await expect(doctor.main.getByRole('heading', { level: 2, name: 'Pasted' })).toBeVisible();
    await expect(doctor.main).toContainText('No time and no hash yet');
    await doctor.field('time').fill(time);
    // What the rule demands is there before there is a hash, and before there is a key.
    await expect.poll(() => doctor.expected.text()).toBe(`<PRIVATE_KEY>${time}${data}`);
    await doctor.field('hash').fill(await outside.sha256(key + time + data));
    // The environment has no key yet: the search goes on by itself once there is one.
    await doctor.button('Set the key of staging').click();
    await environments.key.set(key);
    await shell.goTo('Doctor');
    await expect(doctor.finding).toContainText('The hash is right');
    await doctor.button('Clear').click();
    await expect(doctor.text).toBeFocused();
    await expect(doctor.field('hash')).toHaveValue('');

    // Of two requests, the one that was rejected is shown first.
    const lines = [await logLine(key + time + data, data, 0), await logLine(key + time + slashed)];
    await doctor.drop('dropped.log', lines[0] ?? '');
    await expect(doctor.main.getByRole('heading', { name: 'dropped.log' })).toBeVisible();
    await expect(doctor.finding).toContainText('The hash is right');
    await doctor.file.setInputFiles({
      name: 'app.log',
      mimeType: 'text/plain',
      buffer: new TextEncoder().encode(lines.join('\n')) as Buffer,
    });
    await expect(doctor.main.getByRole('heading', { name: 'app.log' })).toBeVisible();
    await expect(doctor.finding).toContainText('Your backend escapes the slashes');
    await expect(doctor.beside).toContainText('Different: data, hash. Equal: action, platform, partnerId, time.');
    await doctor.choice.selectOption({ index: 0 });
    await expect(doctor.finding).toContainText('The hash is right');
  });

  test('can be cancelled, says honestly what was tried, and gives way to the next paste', async ({
    workbench,
    shell,
    environments,
  }) => {
    const doctor = createDoctor(workbench.page);
    await addBareEnvironment(workbench, 'staging');
    await enterWithKey({ shell, environments }, 'staging', key);
    await shell.goTo('Doctor');
    await doctor.paste(await logLine('something else'));
    await expect(doctor.finding).toContainText('Probably another key');
    await doctor.button('Search deeper').click();
    await expect(doctor.stages.filter({ hasText: 'Any three mistakes at once' })).toContainText(/\d of [\d,]+ tried/);
    await expect(doctor.guesses.first()).toContainText('Your backend escapes the slashes.');
    await expect.poll(() => doctor.sent.text()).toBe(`<PRIVATE_KEY>${time}${slashed}`);
    await workbench.page.keyboard.press('Escape');
    await expect(doctor.finding).toContainText('The search was stopped');
    await expect(doctor.stages.filter({ hasText: 'Single mistakes' })).toContainText(/^Single mistakes[\d,]+ tried/);

    await doctor.button('Search again').click();
    await expect(doctor.button(/^Cancel/)).toBeVisible();
    expect(await faultsWhile(workbench, 'a search under way')).toEqual([]);
    await expect(doctor.button(/^Cancel/)).toBeVisible();
    await doctor.paste(await logLine(key + time + data, data, 0));
    await expect(doctor.finding).toContainText('The hash is right');

    // Data so long that only its first stages are gone through.
    const long = `{"gameMode":"real","exitURL":"https://casino.example/${'a'.repeat(40_000)}"}`;
    await doctor.paste(await logLine('something else', long));
    await expect(doctor.finding).toContainText('No known mistake makes this hash');
    await expect(doctor.finding).toContainText('Another key. Compare its fingerprint');
    await expect(doctor.stages.filter({ hasText: 'Pairs of mistakes' })).toContainText('skipped: data is too long');
  });

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
    await expect(doctor.finding).toContainText("It follows the signing rule and uses this environment's key.");

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
      await doctor.main.getByRole('radio', { name: 'From code 8 only' }).click();
      await expect(doctor.questions.first()).toContainText('gameList');
      expect(received).toEqual([]);
      await doctor.button(/^Send up to \d+ calls/).click();
      await expect(doctor.findings.first()).toContainText(
        'rejects platform 7 or partnerId 11 with code 9 before it checks the hash',
      );
      await expect(doctor.questions.first()).toContainText('Code 9.');
      expect(received).toHaveLength(1);
      await doctor.findings.first().getByRole('button', { name: 'Call 1' }).click();
      await expect(requests.activeTab).toHaveText(/gameList/);
    } finally {
      await server.close();
    }
  });
});
