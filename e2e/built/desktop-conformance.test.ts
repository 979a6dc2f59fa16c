import type { Page } from '@playwright/test';
import type {} from '#renderer/api/bridge-transport.ts';
import { AppError } from '#shared/errors.ts';
import type { EventName, Reply, Transport } from '#shared/ipc/index.ts';
import { runConformance } from '#testing/conformance.ts';
import { electronToTest } from '../../scripts/electron-binary.mjs';
import { executableOf, launchDesktop, leaveDesktop, quietAsset } from '../electron-host.ts';
import { makeSurroundings, root } from '../program.ts';

/** Opens the built desktop and shows a file of the page that runs nothing, so that only the test calls. */
async function open(executable: string) {
  const surroundings = await makeSurroundings();
  const app = await launchDesktop(surroundings, executable);
  const page = await app.firstWindow();
  await app.evaluate(async ({ BrowserWindow, dialog }, address) => {
    // Declines every question.
    dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
    await BrowserWindow.getAllWindows()[0]?.loadURL(address);
  }, `app://workbench/assets/${quietAsset()}`);
  return {
    transport: await createPageTransport(page),
    async close() {
      await leaveDesktop(app);
      await surroundings.remove();
    },
  };
}

/**
 * Calls through the preload's two functions and the scheme, as the page does: everything crosses both worlds and both processes.
 */
async function createPageTransport(page: Page): Promise<Transport> {
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  await page.exposeFunction('tellTest', (name: EventName, payload: unknown) => {
    for (const listener of listeners) listener(name, payload);
  });
  await page.evaluate(() => {
    const tell = Reflect.get(window, 'tellTest') as (name: string, payload: unknown) => void;
    window.croupier?.subscribe((name, payload) => tell(name, payload));
  });
  async function bytesAt(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await page.evaluate(async (wanted) => {
      const response = await fetch(wanted);
      return response.ok ? [...new Uint8Array(await response.arrayBuffer())] : null;
    }, path);
    if (bytes === null) throw new AppError('not_found', 'These bytes are not there any more.');
    return Uint8Array.from(bytes);
  }
  return {
    async call(name, input): Promise<Reply> {
      // As text, since the test's own line to the page would drop a property named __proto__.
      const text = await page.evaluate(
        async ([wanted, json]) => JSON.stringify(await window.croupier?.call(wanted, JSON.parse(json).input)),
        [name, JSON.stringify({ input })] as const,
      );
      return JSON.parse(text) as Reply;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    body: (callId, part = 'body') => bytesAt(`/${part}/${callId}`),
    picture: (id) => bytesAt(`/picture/${id}`),
  };
}

runConformance('desktop on the double of Electron', () => open(executableOf('double')), 8);
if (electronToTest(root).reason === null) runConformance('desktop on Electron', () => open(executableOf('electron')));
