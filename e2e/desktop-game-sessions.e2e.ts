import type { Page } from '@playwright/test';
import { expect, test, type Workbench } from './fixtures.ts';
import { startCasino } from './ways-out/game.ts';

/** Reads the values that a game finds in storage of each kind; null if it finds none. */
async function find(page: Page): Promise<Record<string, string | null>> {
  return page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const asked = indexedDB.open('game', 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore('kept');
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error('IndexedDB'));
    });
    const read = opened.transaction('kept').objectStore('kept').get('seen');
    const database = await new Promise<unknown>((resolve) => (read.onsuccess = () => resolve(read.result ?? null)));
    opened.close();
    const directory = await navigator.storage.getDirectory();
    const file = await directory.getFileHandle('seen').then(
      () => 'yes',
      () => null,
    );
    const registrations = await navigator.serviceWorker.getRegistrations();
    return {
      cookie: document.cookie === '' ? null : document.cookie,
      localStorage: localStorage.getItem('seen'),
      sessionStorage: sessionStorage.getItem('seen'),
      database: database as string | null,
      file,
      cacheStorage: (await caches.has('seen')) ? 'yes' : null,
      serviceWorker: registrations.length > 0 ? 'yes' : null,
    };
  });
}

/** Leaves a value in storage of each kind. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.cookie = 'seen=yes; Secure; Max-Age=86400';
    localStorage.setItem('seen', 'yes');
    sessionStorage.setItem('seen', 'yes');
    const opened = await new Promise<IDBDatabase>((resolve) => {
      const asked = indexedDB.open('game', 1);
      asked.onsuccess = () => resolve(asked.result);
    });
    const written = opened.transaction('kept', 'readwrite');
    written.objectStore('kept').put('yes', 'seen');
    await new Promise((resolve) => (written.oncomplete = resolve));
    opened.close();
    await (await navigator.storage.getDirectory()).getFileHandle('seen', { create: true });
    await (await caches.open('seen')).put('/x', new Response('x'));
    const service = `/worker/game/any?${new URLSearchParams({ body: 'onfetch = () => undefined;', type: 'text/javascript' }).toString()}`;
    await navigator.serviceWorker.register(service, { scope: '/worker/game/' });
    await new Promise<void>((resolve) => {
      const request = new XMLHttpRequest();
      request.open('GET', '/password', true, 'player', 'secret');
      request.onloadend = () => resolve();
      request.send();
    });
  });
}

/** Returns the text that the server gives again at each request. */
const cached = (page: Page) => page.evaluate(async () => (await fetch('/cached')).text());

const password = (page: Page) => page.evaluate(async () => (await fetch('/password')).status);

/** Returns whether the game on the screen has the session of the one before it; remembers its own. */
function hasSameSession({ desktop }: Workbench): Promise<boolean | undefined> | undefined {
  return desktop?.app().evaluate(({ webContents }) => {
    const game = webContents.getAllWebContents().find((contents) => contents.getURL().startsWith('https://ways.example'));
    const before = Reflect.get(globalThis, 'lastSession') as unknown;
    Reflect.set(globalThis, 'lastSession', game?.session);
    return game !== undefined && before === game.session;
  });
}

test('a game that gets the session of another one finds nothing of it, whatever that left', async ({ workbench }) => {
  const casino = await startCasino(workbench, {});
  try {
    // Chromium caches nothing over the certificates that the double accepts, and the double's protocol cannot forget passwords.
    const isElectron = workbench.hostName === 'electron';
    const first = await casino.open('First');
    const kinds = Object.keys(await find(first.page));
    const nothing = Object.fromEntries(kinds.map((kind) => [kind, null]));
    expect(await find(first.page)).toEqual(nothing);
    await leave(first.page);
    expect(await find(first.page)).toEqual({
      ...Object.fromEntries(kinds.map((kind) => [kind, 'yes'])),
      cookie: 'seen=yes',
    });
    expect(await password(first.page)).toBe(200);
    const text = await cached(first.page);
    if (isElectron) expect(await cached(first.page)).toBe(text);
    await hasSameSession(workbench);
    await first.close();
    expect((await first.entries()).at(-1)).toMatchObject({ title: 'Closed', detail: 'Its session data was deleted.' });

    const second = await casino.open('Second');
    expect(await hasSameSession(workbench)).toBe(true);
    expect(await find(second.page)).toEqual(nothing);
    if (isElectron) expect(await password(second.page)).toBe(401);
    expect(await cached(second.page)).not.toBe(text);
    await second.close();
  } finally {
    await casino.close();
  }
});
