import { ownPage } from '#shared/launches/devices.ts';
import { call, recorded } from './desktop-call.ts';
import { expect } from './fixtures.ts';
import { gameSite, otherSite, test } from './game-site.ts';

test.use({ shares: 'calls' });
test.describe.configure({ mode: 'default' });

/** The record of a game's way to a page: what happened, and nothing else. */

const going = (path: string) => `Going to ${gameSite}${path}`;

test('a page that loads is said to have loaded, and one that is loaded again, again', async ({ workbench, games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const first = [going('/play'), `${gameSite}/play answered HTTP 200`, 'Loaded'];
  expect(await games.titles(id)).toEqual(first);
  await call(workbench, 'launches.reload', { id });
  await games.finished(2);
  expect(await games.titles(id)).toEqual([...first, ...first.slice(0, 2), 'Loaded again']);
});

test('a page that breaks off says so, with a reason', async ({ games }) => {
  const id = await games.open('/broken');
  const broken = 'The page did not load: it broke off (error -354)';
  await expect.poll(() => games.titles(id)).toContain(broken);
  const titles = await games.titles(id);
  expect(titles.slice(0, 2)).toEqual([going('/broken'), `${gameSite}/broken answered HTTP 200`]);
  expect(titles).not.toContain('Loaded');
});

test('a page that leads to a local address is blocked, and not said to have loaded', async ({ games }) => {
  const id = await games.open('/to?https://127.0.0.1:5900/vnc');
  await games.finished(1);
  expect(await games.titles(id)).toEqual([
    going('/to'),
    'Redirected to 127.0.0.1:5900/vnc',
    'Blocked: request to 127.0.0.1:5900',
  ]);
});

test('a page that leads away from https is blocked, once, and can be tried again though there is no page', async ({
  workbench,
  games,
}) => {
  const id = await games.open(`/to?http://${gameSite}/plain`);
  const blocked = `Blocked: request to ${gameSite}`;
  await expect.poll(() => games.titles(id)).toEqual([going('/to'), blocked]);
  await call(workbench, 'launches.reload', { id });
  // The same line is one entry.
  await expect.poll(() => games.titles(id)).toEqual([going('/to'), blocked, blocked, going('/to')]);
  const refused = (await recorded(workbench, id)).find(({ kind }) => kind === 'address');
  expect(refused).toMatchObject({ level: 'blocked', detail: 'A game page may only navigate to https URLs.' });
});

test('a page that a form brought is not loaded again, and the record says why', async ({ workbench, games }) => {
  const id = await games.open('/form');
  await (await games.page('/form')).getByRole('button', { name: 'Send' }).click();
  await games.finished(2);
  const before = await games.titles(id);
  await call(workbench, 'launches.reload', { id });
  await expect
    .poll(() => games.titles(id))
    .toEqual([...before, 'The page was not reloaded because that would submit its form again.']);
  await (await games.page('/posted')).evaluate(() => void (location.href = '/after'));
  await games.finished(3);
  await call(workbench, 'launches.reload', { id });
  await games.finished(4);
  expect((await games.titles(id)).at(-1)).toBe('Loaded again');
});

test('an empty page is where the game went, and answered nothing', async ({ games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const before = await games.titles(id);
  await (await games.page('/play')).evaluate(() => void (location.href = 'about:blank'));
  await games.finished(2);
  expect((await games.titles(id)).slice(before.length)).toEqual(['Going to about:blank', 'Arrived at about:blank', 'Loaded']);
});

test('a response that brings no page leaves the page where it is, and nothing is said to have loaded', async ({ games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const page = await games.page('/play');
  const before = await games.titles(id);
  await page.evaluate(() => void (location.href = '/nothing'));
  await expect.poll(() => games.titles(id)).toHaveLength(before.length + 1);
  await page.evaluate('console.error("still here")');
  await expect.poll(() => games.titles(id)).toEqual([...before, going('/nothing'), 'Console error']);
});

test('a game keeps the zoom of its device from its first page on, loaded again and on another host', async ({
  workbench,
  games,
}) => {
  const id = await games.open('/play');
  await call(workbench, 'launches.setPage', { id, viewport: { width: 780, height: 1_400 }, page: ownPage });
  await games.finished(1);
  const page = await games.page('/play');
  // Goes on over a navigation, which ends an evaluation.
  const hasWidth = () => page.waitForFunction(() => innerWidth === 780);
  await hasWidth();
  await call(workbench, 'launches.reload', { id });
  await games.finished(2);
  await hasWidth();
  await page.evaluate((host) => void (location.href = `/to?https://${host}/there`), otherSite);
  await games.finished(3);
  await expect.poll(() => page.url()).toBe(`https://${otherSite}/there`);
  await hasWidth();
});

// The shell has no page of its own for a response without a body.
for (const [path, reason, doubleChromium] of [
  ['/gone', 'ERR_EMPTY_RESPONSE', 'shell'],
  ['/empty', 'ERR_HTTP_RESPONSE_CODE_FAILURE', 'whole'],
] as const) {
  test.describe(`over the ${doubleChromium}`, () => {
    test.use({ doubleChromium });
    test(`a page that fails (${path}) is not said to have loaded, and loading it again tries again`, async ({
      workbench,
      games,
    }) => {
      const id = await games.open(path);
      await games.finished(1);
      const titles = async () => (await games.titles(id)).filter((title) => !/^(?:Request|Console)/.test(title));
      const once = [going(path), `The page did not load: ${reason}`];
      expect(await titles()).toEqual(once);
      await call(workbench, 'launches.reload', { id });
      await games.finished(2);
      expect(await titles()).toEqual([...once, ...once]);
    });
  });
}

test.describe('a program of its own', () => {
  // Chromium asks once about the certificate of a host.
  test.use({ shares: null });
  test('a certificate is judged also when its environment is gone, and the page does not load', async ({ workbench, games }) => {
    const id = await games.open('/play');
    await games.finished(1);
    await call(workbench, 'environments.remove', { id: games.environmentId });
    await (await games.page('/play')).evaluate((host) => void (location.href = `https://${host}/there`), otherSite);
    await expect.poll(() => games.titles(id)).toContain('The page did not load: ERR_CERT_AUTHORITY_INVALID');
  });
});
