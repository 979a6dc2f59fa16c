import '#renderer/styles/base.css';
import { createRoot } from 'react-dom/client';
import { test as base, vi } from 'vitest';
import { page as frame } from 'vitest/browser';
import { lookForLostFocus } from '../../../e2e/lost-focus.ts';
import { screens, type PageScreens } from '../../../e2e/pages/screens.ts';
import { createShell } from '../../../e2e/pages/shell.ts';
import type { Page } from '@playwright/test';
import { createSteadyConnection } from '#renderer/api/connection.ts';
import { createPageWorkspace } from '#renderer/api/page-workspace.ts';
import { drawPage } from '#renderer/app/page.tsx';
import { createWorkbench, type Workbench } from '#renderer/app/workbench.ts';
import { startBodyWorker } from '#renderer/calls/start-body-worker.ts';
import { listenToFaults, startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { keepComposition } from '#renderer/ui/composition.ts';
import { keepFocus, moveFocus } from '#renderer/ui/focus-rule.ts';
import { COMPACT } from '#renderer/ui/use-media.ts';
import { createClient } from '#shared/ipc/client.ts';
import type { EventName } from '#shared/ipc/event-names.ts';
import type { CallName, Client, Handlers, Payload, Transport } from '#shared/ipc/index.ts';
import { events, outputs } from '#shared/ipc/outputs/index.ts';
import { AppError } from '#shared/errors.ts';
import type { CommandOptions } from './from-outside.ts';
import { rm } from './files.ts';
import { dirname } from './path.ts';
import { expect, outside, playwrightPage as page } from './playwright.ts';
import { serve } from './server.ts';

/** Faults of the page under test, and each loss of the keyboard: a test in which there was one has failed. */
let troubles: string[] = [];
let expected: RegExp[] = [];
keepComposition(window);
keepFocus(document);
Object.assign(window, { reportLostFocus: (loss: string) => troubles.push(`lost focus: ${loss}`) });
lookForLostFocus();

interface DrawnPage {
  readonly workbench: Workbench;
  /** Files that were handed to the user. */
  readonly saved: { readonly name: string; readonly text: string }[];
  readonly close: () => void;
}

/** Draws the whole page over a client, which it has until it is closed. */
function draw(clientUntil: (closed: AbortSignal) => Client): DrawnPage {
  const place = document.body.appendChild(document.createElement('div'));
  place.id = 'root';
  const closed = new AbortController();
  const saved: { name: string; text: string }[] = [];
  const workbench = createWorkbench(clientUntil(closed.signal), createSteadyConnection(), {
    now: Date.now,
    newId: () => crypto.randomUUID(),
    later(run, milliseconds) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    copy: (text) => navigator.clipboard.writeText(text),
    narrow: () => matchMedia(COMPACT).matches,
    moveFocus: (selector) => moveFocus(document, selector),
    browser: 'Test',
    place: createPageWorkspace(null, null),
    onUse(listener) {
      for (const type of ['focus', 'pointerdown', 'keydown'])
        window.addEventListener(type, listener, { capture: true, signal: closed.signal });
    },
    saveText: (name, text) => void saved.push({ name, text }),
    gatherFile(name) {
      const parts: string[] = [];
      return { add: (part) => void parts.push(part), save: () => void saved.push({ name, text: parts.join('') }) };
    },
    openPicture: () => null,
    startBodyWorker,
  });
  const stopFaults = listenToFaults((error) => {
    troubles.push(`fault: ${String(error)}`);
    workbench.showFault(error);
  });
  const root = createRoot(place);
  const part = drawPage(window, workbench, (content) => root.render(content));
  startWork(workbench.start());
  return {
    workbench,
    saved,
    close() {
      closed.abort();
      part();
      stopFaults();
      // Also of a page that another takes the place of, nothing typed is lost.
      workbench.leave();
      root.unmount();
      // What was said belongs to this page.
      (announcer.lines() as unknown[]).length = 0;
      // What a test that failed left open would lie over the next page.
      document.body.replaceChildren();
      document.body.removeAttribute('style');
      // The clipboard writes again where a test kept the copies instead.
      Reflect.deleteProperty(navigator.clipboard, 'writeText');
      // The next page has had the focus nowhere.
      document.dispatchEvent(new FocusEvent('focusin'));
    },
  };
}

/** Begins a test of pages: its troubles count from here. Returns what ends it, which fails if there were any. */
async function begin(name: string): Promise<() => Promise<() => void>> {
  await frame.viewport(1440, 900);
  troubles = [];
  expected = [];
  const logged = vi.spyOn(console, 'error');
  return async () => {
    await page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null });
    if (document.activeElement === document.body) await frames(5);
    const met = [...troubles, ...logged.mock.calls.map((parts) => `console: ${parts.map(String).join(' ')}`)];
    logged.mockRestore();
    const unexpected = met.filter((text) => !expected.some((pattern) => pattern.test(text)));
    return () => {
      troubles = [];
      sessionStorage.clear();
      localStorage.clear();
      if (unexpected.length > 0) throw new Error(`${name}: the page met troubles:\n${unexpected.join('\n')}`);
    };
  };
}

/** The workbench of one test: the page over the real application in the process of the tests, on a home of its own. */
interface PageWorkbench {
  readonly page: Page;
  /** In a folder of the test's own. */
  readonly home: string;
  readonly saved: () => readonly { readonly name: string; readonly text: string }[];
  readonly troubles: { expect(pattern: RegExp): void };
  /** Replies in place of the application's, from here on. */
  instead(replies: Partial<Handlers>): void;
  /** Returns how often the page called that. */
  asked(name: CallName): number;
  /** Sends an event as the application does. */
  emit<E extends EventName>(name: E, payload: Payload<E>): void;
  /** Runs the command line on the same home. */
  cli(args: readonly string[], options?: CommandOptions): Promise<{ code: number; signal: null; stdout: string; stderr: string }>;
  /** Ends the application and starts it again on the same home. */
  restart(): Promise<void>;
  /** Gives the page another size in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
}

const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Hands on what happens outside until the application of a home ends. */
async function hear(home: string, tell: (name: EventName, payload: unknown) => void): Promise<void> {
  for (let news = await outside.appNews(home); news !== null; news = await outside.appNews(home))
    for (const { name, payload } of news)
      if (name === 'server') serve(payload as Parameters<typeof serve>[0]);
      else tell(name as EventName, payload);
}

/** Returns transports of pages to the application in the process of the tests. Replies and events of the test are held to the contract. */
function transportsOutside() {
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  let replies: Partial<Handlers> = {};
  const asked: string[] = [];
  const tell = (name: EventName, payload: unknown) => listeners.forEach((listener) => listener(name, payload));
  /** Returns the transport of a page. One that is closed may ask after its application has ended, and gets no reply. */
  function transportUntil(closed: AbortSignal): Transport {
    const whileOpen = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        if (closed.aborted) return new Promise(() => undefined);
        throw error;
      });
    return {
      async call(name, input) {
        asked.push(name);
        const reply = replies[name as CallName] as ((input: unknown) => unknown) | undefined;
        try {
          if (reply === undefined) return await whileOpen(outside.callApp(name, input));
          return { ok: true, value: outputs[name as CallName].parse(await reply(input)) };
        } catch (error) {
          if (error instanceof AppError) return { ok: false, error: { code: error.code, message: error.message } };
          throw error;
        }
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      body: async (id, part) => bytesOf(await whileOpen(outside.bodyOf(id, part))),
      picture: async (id) => bytesOf(await whileOpen(outside.pictureOf(id))),
    };
  }
  return {
    transportUntil,
    tell,
    asked: (wanted: CallName) => asked.filter((name) => name === wanted).length,
    instead: (more: Partial<Handlers>) => void (replies = { ...replies, ...more }),
    emit: <E extends EventName>(name: E, payload: Payload<E>) => tell(name, events[name].parse(payload)),
  };
}

/** The screens of a page, and the workbench that it is of. */
export interface Screens extends PageScreens {
  readonly workbench: PageWorkbench;
}

/** The test function of pages: the screens that an end-to-end spec has, by the same names. */
export const test = Object.assign(
  base.extend<Screens>({
    workbench: async ({ task }, provide) => {
      const end = await begin(task.name);
      const home = await outside.openApp();
      const { transportUntil, instead, emit, tell, asked } = transportsOutside();
      let hearing = hear(home, tell);
      const shell = createShell(page);
      let drawn: DrawnPage | null = null;
      const open = async () => {
        drawn?.close();
        drawn = draw((closed) => createClient(transportUntil(closed)));
        await expect(shell.status).toContainText(/No key|fingerprint|session only/);
      };
      page.reload = async () => {
        await open();
        return null;
      };
      try {
        await open();
        await provide({
          page,
          home,
          instead,
          asked,
          emit,
          saved: () => drawn?.saved ?? [],
          troubles: { expect: (pattern) => void expected.push(pattern) },
          cli: outside.cli,
          async restart() {
            drawn?.close();
            drawn = null;
            expect(await outside.closeApp()).toEqual([]);
            await hearing;
            await outside.openApp(home);
            hearing = hear(home, tell);
            await open();
          },
          async resize(width, height) {
            await frame.viewport(width, height);
            await frames(2);
          },
        });
        const judge = await end();
        judge();
      } finally {
        (drawn as DrawnPage | null)?.close();
        expect(await outside.closeApp()).toEqual([]);
        await hearing;
        await rm(dirname(home), { recursive: true, force: true });
      }
    },
    ...screens,
  }),
  { slow: () => undefined },
);

async function frames(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}
