import type { Debugger } from 'electron';
import type { GameViewEvent, GameViewOptions } from '#core/host/host.ts';
import { roundTripUrl } from '#core/network/game-proxy.ts';
import { replyWithin } from '#core/host/within.ts';
import { AppError } from '#shared/errors.ts';
import { networkSpeeds, screenOf } from '#shared/launches/devices.ts';
import type { Device, PageSettings } from '#shared/model/device.ts';
import { senses, sensesWorld } from './game-senses.ts';
import { createOperatorPage } from './operator-page.ts';

/** The surroundings of a game's page, by Chromium's protocol: each of its frames and workers gets them before its first script. */
export type Surroundings = ReturnType<typeof createSurroundings>;

/** Findings of the empty page. */
type Measured = Pick<Extract<GameViewEvent, { type: 'prepared' }>, 'webgl' | 'roundTripMs'>;

/** `Page.Viewport` of the protocol. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** Most milliseconds for Chromium to take everything. */
const preparedMs = 15_000;

/** The targets below a page that get its settings. A service worker may outlive its page. */
const followed = [{ type: 'iframe' }, { type: 'worker' }];

/** Asks the empty page for the user agent and for the renderer of WebGL. */
const question = `(() => {
  const gl = document.createElement('canvas').getContext('webgl');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const webgl = gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : null;
  return { agent: navigator.userAgent, webgl };
})()`;

export function createSurroundings(
  line: Pick<Debugger, 'sendCommand' | 'on'>,
  options: Pick<GameViewOptions, 'url' | 'page' | 'embedding' | 'onEvent'>,
) {
  const { embedding, onEvent } = options;
  const operator = embedding === null ? null : createOperatorPage(line, { ...options, embedding });
  let { page } = options;
  let agent = '';
  let width = 0;
  /** Number of times that the page was given metrics. */
  let metricsGiven = 0;
  /** Settles when the last picture is taken. */
  let pictures: Promise<unknown> = Promise.resolve();
  /** Type and parent of the targets below the page; the page's own ID is empty. */
  const targets = new Map<string, { readonly type: string; readonly parent: string }>();

  function send(method: string, values: object, target = ''): Promise<unknown> {
    return target === '' ? line.sendCommand(method, values) : line.sendCommand(method, values, target);
  }

  /** Gives one target what each has for itself. */
  async function giveTo(target: string): Promise<void> {
    const { device, lang, timeZone, slowdown, network } = page;
    // `enableNetworkEmulation` of Electron's session slows nothing (electron/electron#21250). A worker may refuse what its page has.
    const slowed = send('Network.emulateNetworkConditions', conditionsOf(network), target);
    if (target === '') await slowed;
    else slowed.catch(() => undefined);
    const touch = device?.touch ?? false;
    await send('Emulation.setUserAgentOverride', agentOf(page, agent), target);
    // A worker has no screen, and the language and the processor of its page.
    if (targets.get(target)?.type === 'worker') return;
    await Promise.all([
      send('Emulation.setLocaleOverride', lang === '' ? {} : { locale: lang }, target),
      send('Emulation.setTimezoneOverride', { timezoneId: timeZone }, target),
      send('Emulation.setTouchEmulationEnabled', touch ? { enabled: true, maxTouchPoints: 5 } : { enabled: false }, target),
      send(
        'Emulation.setEmitTouchEventsForMouse',
        touch ? { enabled: true, configuration: 'mobile' } : { enabled: false },
        target,
      ),
      send('Emulation.setCPUThrottlingRate', { rate: slowdown }, target),
    ]);
  }

  /** Makes a target tell its uncaught errors and WebSockets, and its page gather what a look asks for. */
  async function listenTo(target: string): Promise<void> {
    const isPage = targets.get(target)?.type !== 'worker';
    await Promise.all([
      send('Runtime.enable', {}, target),
      send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }, target),
      ...(isPage
        ? [
            send('Page.addScriptToEvaluateOnNewDocument', { source: senses, worldName: sensesWorld }, target),
            send('Runtime.addBinding', { name: printBinding }, target),
            send('Page.addScriptToEvaluateOnNewDocument', { source: withoutPrint }, target),
          ]
        : []),
    ]);
  }

  /** Makes the targets below one wait for their settings. */
  function holdBelow(target: string): Promise<unknown> {
    const values = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: followed };
    return send('Target.setAutoAttach', values, target);
  }

  async function attached(target: string): Promise<void> {
    // A frame in the process of its page shares the page's settings, and Chromium refuses to give them twice.
    await giveTo(target).catch(() => undefined);
    // Not awaited: the commands arrive in their order, and a frame that shows an error answers none of these.
    listenTo(target).catch(() => undefined);
    await holdBelow(target).catch(() => undefined);
    await send('Runtime.runIfWaitingForDebugger', {}, target).catch(() => undefined);
  }

  line.on('message', (_event, method: string, values: unknown, from: string) => {
    const { sessionId, targetInfo, name } = values as { sessionId: string; targetInfo?: { type: string }; name?: string };
    if (method === 'Runtime.bindingCalled' && name === printBinding) onEvent({ type: 'dialog', dialog: 'print', text: '' });
    if (method === 'Target.detachedFromTarget') targets.delete(sessionId);
    if (method !== 'Target.attachedToTarget' || targetInfo === undefined) return;
    targets.set(sessionId, { type: targetInfo.type, parent: from });
    void attached(sessionId);
  });

  function setMetrics(): Promise<unknown> {
    const { device, rotated } = page;
    metricsGiven += 1;
    if (device === null) return send('Emulation.clearDeviceMetricsOverride', {});
    return send('Emulation.setDeviceMetricsOverride', metricsOf(device, rotated, width));
  }

  /** Returns the milliseconds of a request of the empty page to the proxy and back; null if it failed. */
  async function roundTrip(): Promise<number | null> {
    const told = await send('Runtime.evaluate', { expression: roundTripQuestion, awaitPromise: true, returnByValue: true });
    return (told as { result: { value: number | null } }).result.value;
  }

  async function give(): Promise<void> {
    const { device, rotated } = page;
    await Promise.all([
      giveTo(''),
      setMetrics(),
      send('Emulation.setSafeAreaInsetsOverride', { insets: safeAreaOf(device, rotated) }),
      ...[...targets.keys()].map((target) => giveTo(target).catch(() => undefined)),
    ]);
  }

  /**
   * For a picture, Chromium gives the page other metrics, and afterwards those that it had at the beginning. So a second picture at the
   * same time would be of the wrong size, and metrics that changed in between have to be given once more.
   */
  async function takePicture(clip: Clip, quality: number | undefined): Promise<string> {
    const given = metricsGiven;
    try {
      const format = quality === undefined ? { format: 'png' } : { format: 'jpeg', quality };
      const { data } = (await send('Page.captureScreenshot', { ...format, clip })) as { data: string };
      return data;
    } finally {
      if (metricsGiven !== given) await setMetrics().catch(notTaken);
    }
  }

  function notTaken(error: unknown): void {
    onEvent({ type: 'note', message: `Chromium did not apply all page settings: ${String(error)}` });
  }

  return {
    /**
     * Loads the empty page and gives it its surroundings, and the operator's page if there is one. Settles when Chromium has taken them. Returns
     * the renderer of WebGL, null without WebGL, and what a round trip takes if the network is slowed. Fails with `internal`.
     */
    async prepare(load: () => Promise<void>): Promise<Measured> {
      const work = async () => {
        await load();
        const told = (await send('Runtime.evaluate', { expression: question, returnByValue: true })) as {
          result: { value: { agent: string; webgl: string | null } };
        };
        agent = told.result.value.agent;
        const slow = page.network !== 'full';
        // Opens the connection, which the measured one then uses.
        if (slow) await roundTrip();
        await Promise.all([give(), listenTo(''), holdBelow(''), operator?.serve()]);
        return { webgl: told.result.value.webgl, roundTripMs: slow ? await roundTrip() : null };
      };
      const ready = await replyWithin(preparedMs, work());
      if (ready === null)
        throw new AppError('internal', 'Chromium did not apply the page settings in time. Open the game again.');
      return ready;
    },
    /** Changes them; what Chromium refuses is noted. */
    set(next: PageSettings): void {
      page = next;
      give().catch(notTaken);
    },
    /** Gives them once more after the debugger was lost. */
    renew(): void {
      targets.clear();
      Promise.all([give(), listenTo(''), holdBelow(''), operator?.serve()]).catch(notTaken);
    },
    /** Draws the screen of the device into an area of this width in DIPs; does nothing without a device. */
    draw(next: number): void {
      if (width === next) return;
      width = next;
      if (page.device !== null) setMetrics().catch(notTaken);
    },
    /**
     * Takes a picture of a part of the page, in the protocol's terms, when earlier pictures are taken. Returns a PNG as Base64, or a JPEG of a
     * `quality` of 1 to 100; empty if Chromium made none. Fails as the protocol does.
     */
    picture(clip: Clip, quality?: number): Promise<string> {
      const taken = pictures.then(() => takePicture(clip, quality));
      pictures = taken.catch(() => undefined);
      return taken;
    },
    /** Returns the protocol's ID of the target of the frame with the game; null if the game is the page, or shares its process. */
    frame(): string | null {
      // A game that is the page may have frames, too.
      if (embedding === null) return null;
      return [...targets].findLast(([, { type, parent }]) => type === 'iframe' && parent === '')?.[0] ?? null;
    },
  };
}

/** Asks the empty page how long a request to the proxy takes. */
const roundTripQuestion = `(async () => {
  const start = performance.now();
  const reply = await fetch('${roundTripUrl}', { mode: 'no-cors', cache: 'no-store' }).catch(() => null);
  return reply === null ? null : Math.round(performance.now() - start);
})()`;

/** Returns the conditions of a network for the protocol, in which -1 does not limit. */
function conditionsOf(network: PageSettings['network']): object {
  const { latency, down, up } = networkSpeeds[network] ?? { latency: 0, down: -1, up: -1 };
  return { offline: false, latency, downloadThroughput: down, uploadThroughput: up };
}

const printBinding = 'croupierPrint';

/** Notes that a page wants to print: Electron would show the system's dialog without a gesture, and has no switch against it. */
const withoutPrint = `(() => {
  const tell = globalThis.${printBinding};
  delete globalThis.${printBinding};
  const { execCommand } = Document.prototype;
  globalThis.print = function print() { tell?.(''); };
  Document.prototype.execCommand = function (command, ...values) {
    if (String(command).toLowerCase() !== 'print') return execCommand.call(this, command, ...values);
    tell?.('');
    return true;
  };
})()`;

/** Returns the user agent of Chrome in that of an Electron. */
export function chromeAgent(own: string): string {
  return own.replaceAll(/ (?:Croupier|Electron)\/\S+/g, '');
}

/** Returns the user agent, language and client hints of a page; `own` is the user agent that it has by itself. */
function agentOf({ device, lang }: PageSettings, own: string): object {
  const version = /Chrome\/([\d.]+)/.exec(own)?.[1] ?? '';
  const wanted = (device?.userAgent ?? '').replaceAll('{chromium}', version);
  // An empty one takes the override away.
  if (wanted === '' && lang === '') return { userAgent: '' };
  return {
    userAgent: wanted === '' ? own : wanted,
    ...(lang === '' ? {} : { acceptLanguage: lang }),
    ...hintsOf(wanted),
  };
}

/** Returns the client hints of an Android browser; others send none with a user agent of their own. */
function hintsOf(userAgent: string): object {
  const android = /Android (\d+)(?:; ([^)]+))?\)/.exec(userAgent);
  if (android === null) return {};
  const [, platformVersion = '', model = ''] = android;
  const mobile = userAgent.includes(' Mobile');
  return { userAgentMetadata: { platform: 'Android', platformVersion, architecture: '', model, mobile } };
}

function metricsOf(device: Device, rotated: boolean, width: number): object {
  const size = screenOf(device, rotated);
  const upright = device.touch && !rotated;
  return {
    ...size,
    screenWidth: size.width,
    screenHeight: size.height,
    deviceScaleFactor: device.pixelRatio,
    mobile: device.touch,
    scale: width === 0 ? 1 : width / size.width,
    screenOrientation: upright
      ? { type: 'portraitPrimary', angle: 0 }
      : { type: 'landscapePrimary', angle: device.touch ? 90 : 0 },
  };
}

/** Returns the insets for the protocol, whose largest values are those that a page gets when bars go away. */
function safeAreaOf(device: Device | null, rotated: boolean): object {
  const { top, right, bottom, left } = (rotated ? device?.insets.onItsSide : device?.insets.upright) ?? noInsets;
  return { top, topMax: top, right, rightMax: right, bottom, bottomMax: bottom, left, leftMax: left };
}

const noInsets = { top: 0, right: 0, bottom: 0, left: 0 };
