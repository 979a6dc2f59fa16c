import type { AppError } from '#shared/errors.ts';
import type { EventName, Input, Launch, LaunchEntry, Output, SandboxPlayer } from '#shared/ipc/index.ts';
import { startSandbox } from '#sandbox/server.ts';
import type { GameFrame, GamePicture, GameView, GameViewOptions, Host } from '#core/host/host.ts';
import { createTestApp, type TestApp } from './app.ts';

/** A view that shows nothing and lets a test be the page. */
interface Shown extends GameView {
  readonly options: GameViewOptions;
  readonly done: string[];
}

/** The way in which a host shows games: a view as on the desktop, a frame as in a browser, or not at all. */
export type GameHost = 'view' | 'frame' | 'none';

/** An app with the built-in provider whose host shows games. */
export interface LaunchApp extends TestApp {
  readonly shown: readonly Shown[];
  readonly offered: readonly GameFrame[];
  /** Results of the next screenshots. */
  readonly pictures: GamePicture[];
  readonly events: readonly (readonly [EventName, unknown])[];
  /** Lets the host refuse the games to come, with this reason, until it is null. */
  refuse(reason: AppError | null): void;
  prepare(question?: Partial<Input<'launches.prepare'>>): Promise<Launch>;
  get(id: string): Promise<Output<'launches.get'>>;
  entriesOf(id: string): Promise<LaunchEntry[]>;
  /** Returns the first player of the built-in provider. */
  player(): Promise<SandboxPlayer | undefined>;
}

export const bounds = { x: 0, y: 0, width: 390, height: 844 };

export async function createLaunchApp(kind: GameHost): Promise<LaunchApp> {
  const shown: Shown[] = [];
  const offered: GameFrame[] = [];
  const pictures: GamePicture[] = [];
  const events: [EventName, unknown][] = [];
  let refusal: AppError | null = null;
  let tickets = 0;
  const hosts: Readonly<Record<GameHost, Partial<Host>>> = {
    view: {
      gameViews: {
        open(options) {
          if (refusal !== null) return Promise.reject(refusal);
          const view = shownView(options, pictures);
          shown.push(view);
          return Promise.resolve(view);
        },
      },
    },
    frame: { gameFrames: { offer: (frame) => `/frame/${offered.push(frame)}` } },
    none: {},
  };
  const test = await createTestApp({ sandbox: true, host: { startSandbox, ...hosts[kind] } });
  const { app, client } = test;
  app.subscribe((name, payload) => events.push([name, payload]));
  const get = (id: string) => client.call('launches.get', { id });
  return {
    ...test,
    shown,
    offered,
    pictures,
    events,
    refuse: (reason) => (refusal = reason),
    prepare: (question = {}) =>
      client.call('launches.prepare', {
        environmentId: 'sandbox',
        gameMode: 'fun',
        gameId: '1001',
        lang: 'en',
        playerId: 'player-1',
        country: 'DE',
        ip: '203.0.113.9',
        exitURL: 'https://casino.example/lobby',
        ticket: `launch-${++tickets}`,
        ...question,
      }),
    get,
    entriesOf: async (id) => (await get(id)).entries,
    player: async () => (await client.call('sandbox.status', {})).players[0],
  };
}

function shownView(options: GameViewOptions, pictures: GamePicture[]): Shown {
  const done: string[] = [];
  return {
    options,
    done,
    setBounds: ({ width, height }) => void done.push(`bounds ${width}x${height}`),
    setVisible: (visible) => void done.push(`visible ${visible}`),
    reload: () => void done.push('reload'),
    goBack: () => void done.push('back'),
    setPage: ({ width, height }) => void done.push(`viewport ${width}x${height}`),
    setMuted: (muted) => void done.push(`muted ${muted}`),
    focus: () => void done.push('focus'),
    snapshot: () => Promise.resolve({ seen: false, replied: null, page: null, png: null }),
    capture: (size) =>
      Promise.resolve(
        size === 'small'
          ? { failure: 'hidden' }
          : (pictures.shift() ?? { image: new Uint8Array(Buffer.from('89504e470d0a1a0a', 'hex')) }),
      ),
    close: () => Promise.resolve(void done.push('close')),
  };
}
