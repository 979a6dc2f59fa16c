import { beforeEach, expect, it, vi } from 'vitest';

const made = vi.hoisted(() => ({ views: [] as object[], shown: [] as string[] }));

vi.mock('electron', () => {
  class WebContentsView {
    readonly webContents: object | undefined;
    private readonly visible: boolean;
    constructor(webContents: object | undefined, visible: boolean) {
      this.webContents = webContents;
      this.visible = visible;
    }
    getVisible = () => this.visible;
  }
  return {
    WebContentsView,
    BrowserWindow: { getAllWindows: () => [{ contentView: { children: made.views } }] },
    dialog: { showMessageBox: ({ message }: { message: string }) => Promise.resolve(made.shown.push(message)) },
  };
});

const { WebContentsView } = (await import('electron')) as unknown as {
  WebContentsView: new (page: object | undefined, visible: boolean) => object;
};
const { inspectGames } = await import('./inspect.ts');

const page = (name: string) => ({ isDevToolsOpened: () => false, openDevTools: () => void made.shown.push(name) });

beforeEach(() => {
  made.views = [];
  made.shown = [];
});

it('shows the tools of each game in sight, and passes over a view whose page is gone', async () => {
  made.views = [
    new WebContentsView(undefined, true),
    {},
    new WebContentsView(page('one'), true),
    new WebContentsView(page('hidden'), false),
  ];
  await inspectGames();
  expect(made.shown).toEqual(['one']);
});

it('says that no game is in sight where the only one has no page left', async () => {
  made.views = [new WebContentsView(undefined, true)];
  await inspectGames();
  expect(made.shown).toEqual(['No game is visible.']);
});
