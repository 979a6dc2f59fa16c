import type { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The one window of a test and what was asked of its user. */
const made = vi.hoisted(() => ({
  log: [] as string[],
  asked: [] as string[],
  /** Button that is pressed; null while a question stands. */
  answer: 0 as number | null,
  hangs: false,
  window: null as unknown,
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class BrowserWindow extends Emitter {
    readonly webContents = Object.assign(new Emitter(), {
      loadURL: () => Promise.resolve(),
      reload: () => void made.log.push('reload'),
      executeJavaScript: () => (made.hangs ? new Promise(() => undefined) : Promise.resolve(0)),
      forcefullyCrashRenderer: () => void made.log.push('crash'),
    });
    visible = false;
    maximized = false;
    minimized = false;
    gone = false;
    constructor() {
      super();
      made.window = this;
    }
    loadURL = () => Promise.resolve();
    show() {
      this.visible = true;
      made.log.push('show');
    }
    maximize() {
      // As Electron's: it shows a hidden window.
      this.visible = true;
      this.maximized = true;
      made.log.push('maximize');
    }
    isVisible = () => this.visible;
    isMaximized = () => this.maximized && !this.minimized;
    isMinimized = () => this.minimized;
    isDestroyed = () => this.gone;
    getNormalBounds = () => ({ x: 10, y: 10, width: 800, height: 600 });
  }
  const workArea = { x: 0, y: 0, width: 1920, height: 1080 };
  return {
    BrowserWindow,
    Menu: {
      buildFromTemplate: (items: { role: string }[]) => ({ popup: () => made.log.push(...items.map(({ role }) => role)) }),
    },
    app: { isPackaged: false, quit: () => void made.log.push('quit') },
    screen: { getPrimaryDisplay: () => ({ workArea }), getAllDisplays: () => [{ workArea }] },
    dialog: {
      showMessageBox: (_window: unknown, { message, signal }: { message: string; signal?: AbortSignal }) => {
        made.asked.push(message);
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ response: 0 }));
          if (made.answer !== null) resolve({ response: made.answer });
        });
      },
    },
  };
});

const { openWindow } = await import('./window.ts');
interface Fake extends EventEmitter {
  webContents: EventEmitter;
  minimized: boolean;
  gone: boolean;
}

let remembered: string[] = [];
function open(maximized: boolean): Fake {
  const state = JSON.stringify({ bounds: { x: 10, y: 10, width: 800, height: 600 }, maximized });
  openWindow({ preload: '/preload.cjs', icon: '/icon.png', remembered: state, remember: (text) => void remembered.push(text) });
  return made.window as Fake;
}

beforeEach(() => {
  vi.useFakeTimers();
  made.log.length = 0;
  made.asked.length = 0;
  made.answer = 0;
  made.hangs = false;
  remembered = [];
});
afterEach(() => vi.useRealTimers());

describe('openWindow', () => {
  it('shows nothing before the page has painted, maximised or not, and each of them once', () => {
    const window = open(true);
    expect(made.log).toEqual([]);
    window.emit('ready-to-show');
    // A game's page says so, too, by its window.
    window.emit('ready-to-show');
    vi.runAllTimers();
    expect(made.log).toEqual(['maximize', 'show']);
    made.log.length = 0;
    open(false).emit('ready-to-show');
    vi.runAllTimers();
    expect(made.log).toEqual(['show']);
  });

  it('shows a page that never paints after a time', () => {
    open(true);
    vi.advanceTimersByTime(4_999);
    expect(made.log).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(made.log).toEqual(['maximize', 'show']);
  });

  it('shows the window and says so where the page cannot be loaded, and tries again if told to', async () => {
    const { webContents } = open(false);
    webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'app://workbench/', true);
    webContents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', 'app://workbench/frame', false);
    expect(made.log).toEqual([]);
    webContents.emit('did-fail-load', {}, -9, 'ERR_UNEXPECTED', 'app://workbench/', true);
    await vi.runAllTimersAsync();
    expect(made.asked).toEqual(['The page could not be shown.']);
    expect(made.log).toEqual(['show', 'reload']);
  });

  it('quits in order where Windows wants to end the session, which waits for that', () => {
    const preventDefault = vi.fn<() => void>();
    open(false).emit('query-session-end', { reasons: ['logoff'], preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(made.log).toEqual(['quit']);
  });

  it('shows the window before it asks about a page that ends at once each time', async () => {
    const { webContents } = open(false);
    for (let count = 0; count < 4; count++) webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(made.log).toEqual(['reload', 'reload', 'reload', 'show']);
    await vi.runAllTimersAsync();
    expect(made.asked).toEqual(['The page crashed several times.']);
  });

  it('leaves a window alone that is gone when its user responds', async () => {
    const window = open(false);
    for (let count = 0; count < 4; count++) window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    window.gone = true;
    made.log.length = 0;
    await vi.runAllTimersAsync();
    expect(made.log).toEqual([]);
  });

  it('asks about a page that hangs, once and until it answers, and not about one that runs a script', async () => {
    const window = open(false);
    // As Electron 5 s after a close that the user did not confirm.
    window.emit('unresponsive');
    await vi.runAllTimersAsync();
    expect(made.asked).toEqual([]);
    made.hangs = true;
    made.answer = null;
    window.emit('unresponsive');
    window.emit('unresponsive');
    await vi.runAllTimersAsync();
    expect(made.asked).toEqual(['The page does not respond.']);
    window.emit('responsive');
    await vi.runAllTimersAsync();
    made.answer = 1;
    window.emit('unresponsive');
    await vi.runAllTimersAsync();
    expect(made.asked).toHaveLength(2);
    expect(made.log).toContain('crash');
  });

  it.each([
    ['a field', { isEditable: true, selectionText: '' }, ['cut', 'copy', 'paste', 'selectAll']],
    ['a selection', { isEditable: false, selectionText: 'text' }, ['copy']],
    ['nothing', { isEditable: false, selectionText: '' }, []],
  ])('has a menu for %s', (_what, params, roles) => {
    open(false).webContents.emit('context-menu', {}, params);
    expect(made.log).toEqual(roles);
  });

  it('remembers that it was maximised where it closes minimised', () => {
    const window = open(true);
    window.emit('ready-to-show');
    window.minimized = true;
    window.emit('close');
    expect(remembered.map((text) => (JSON.parse(text) as { maximized: boolean }).maximized)).toEqual([true]);
  });
});
