import { createHash } from 'node:crypto';
import { keepCopies } from './copies.ts';
import { expect, test } from './fixtures.ts';
import { announced } from './pages/announced.ts';
import { createDoctor } from './pages/doctor.ts';
import { faultsWhile } from './audit.ts';
import { addBareEnvironment, enterWithKey } from './own-environment.ts';

const key = 'doctor-test-key';
const time = '22-11-2026 10:40:02';
const data = '{"gameMode":"real","gameId":"1042","externalToken":"tok-5d0c7be19f","exitURL":"https://casino.example/lobby"}';
const slashed = data.replaceAll('/', String.raw`\/`);
const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Returns a line of a JSON log whose body is a request as PHP writes it. */
function logLine(hash: string, dataText = slashed, code = 8): string {
  const body = `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${time}","data":${dataText},"hash":"${hash}"}`;
  return JSON.stringify({
    level: 'info',
    ts: '2026-11-22T10:40:02.118Z',
    msg: 'provider request',
    body,
    res: `{"code":${code}}`,
  });
}

test.describe('The doctor', () => {
  test('says a finding that was there before its page was drawn', async ({ workbench, shell, environments }) => {
    const { page, traffic } = workbench;
    await addBareEnvironment(workbench, 'staging');
    await enterWithKey({ shell, environments }, 'staging', key);
    // The page comes late, as on a slow machine.
    await page.route(/\/doctor-page-[^/]*\.js$/, async (route) => {
      await expect.poll(() => traffic.text()).toContain('Your backend escapes the slashes');
      await route.continue();
    });
    const doctor = createDoctor(page);
    await doctor.paste(logLine(sha(key + time + slashed)), 'ControlOrMeta+Shift+V');
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
    await act('paste', doctor.paste(logLine(sha(key + time + slashed)), 'ControlOrMeta+Shift+V'));
    await expect(doctor.finding).toContainText('Your backend escapes the slashes');
    await expect(doctor.recognised).toHaveText(
      "Recognised: log line, JSON inside JSON, getLauncherURL, with the response's code 8.",
    );
    await expect(doctor.finding).toContainText("Sent, not the rule's form");
    await expect(doctor.field('data')).toHaveValue(slashed);
    await expect(doctor.fix).toContainText('- $json = json_encode($data);');
    await expect(doctor.fix).toContainText('+ $json = json_encode($data, JSON_UNESCAPED_SLASHES);');
    await expect.poll(() => doctor.expected.text()).toBe(`<PRIVATE_KEY>${time}${data}`);
    await expect.poll(() => doctor.hashed.text()).toBe(`<PRIVATE_KEY>${time}${slashed}`);
    const at = Buffer.byteLength(time) + data.indexOf('/');
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
    await doctor.button('Copy the finding').click();
    await expect.poll(copied).toMatch(/^Sent, not the rule's form: Your backend escapes the slashes\./);
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
    await expect(doctor.recognised).toContainText('No request was found in this text.');
    await doctor.text.fill(`{"action":"getLauncherURL","platform":7,"partnerId":11,"data":${data}}`);
    await expect(doctor.main.getByRole('heading', { level: 2, name: 'Pasted' })).toBeVisible();
    await expect(doctor.main).toContainText('No time and no hash yet');
    await doctor.field('time').fill(time);
    // What the rule demands is there before there is a hash, and before there is a key.
    await expect.poll(() => doctor.expected.text()).toBe(`<PRIVATE_KEY>${time}${data}`);
    await doctor.field('hash').fill(sha(key + time + data));
    // The environment has no key yet: the search goes on by itself once there is one.
    await doctor.button('Set the key of staging').click();
    await environments.key.set(key);
    await shell.goTo('Doctor');
    await expect(doctor.finding).toContainText('The hash is right');
    await doctor.button('Clear').click();
    await expect(doctor.text).toBeFocused();
    await expect(doctor.field('hash')).toHaveValue('');

    // Of two requests, the one that was rejected is shown first.
    const lines = [logLine(sha(key + time + data), data, 0), logLine(sha(key + time + slashed))];
    await doctor.drop('dropped.log', lines[0] ?? '');
    await expect(doctor.main.getByRole('heading', { name: 'dropped.log' })).toBeVisible();
    await expect(doctor.finding).toContainText('The hash is right');
    await doctor.file.setInputFiles({ name: 'app.log', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) });
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
    await doctor.paste(logLine(sha('something else')));
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
    await doctor.paste(logLine(sha(key + time + data), data, 0));
    await expect(doctor.finding).toContainText('The hash is right');

    // Data so long that only its first stages are gone through.
    const long = `{"gameMode":"real","exitURL":"https://casino.example/${'a'.repeat(40_000)}"}`;
    await doctor.paste(logLine(sha('something else'), long));
    await expect(doctor.finding).toContainText('No known mistake makes this hash');
    await expect(doctor.finding).toContainText('Another key: compare the fingerprint');
    await expect(doctor.stages.filter({ hasText: 'Pairs of mistakes' })).toContainText('left out: data is too long for it');
  });
});
