import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { installBridge, runPreload } from './bridge.ts';
import type { CdpSession } from './cdp.ts';
import { createClone } from './clone.ts';

/** A message of the preload's `ipcRenderer`. */
export interface PreloadMessage {
  readonly kind: 'invoke' | 'send';
  readonly id: number;
  readonly channel: string;
  readonly values: readonly unknown[];
}

/** The line between main and the isolated world in which the preload runs. */
export interface PreloadLink {
  /** Sends to the current world, or to `world`, and nowhere if that one is gone. */
  deliver(message: object, world?: number): void;
}

const clone = createClone();

/** Puts the preload into a world of its own in every document of the top frame, and listens to it. */
export async function linkPreload(options: {
  readonly cdp: CdpSession;
  readonly file: string;
  readonly mainFrameId: string;
  readonly onMessage: (message: PreloadMessage, world: number) => void;
}): Promise<PreloadLink> {
  const { cdp, mainFrameId, onMessage } = options;
  const token = `double${randomBytes(12).toString('hex')}`;
  const binding = `${token}Send`;
  const receive = `${token}Receive`;
  let current: number | null = null;

  cdp.on('Runtime.executionContextCreated', ({ context }) => {
    const { frameId } = context.auxData as { frameId?: string };
    if (context.name === token && frameId === mainFrameId) current = context.id;
  });
  cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    if (current === executionContextId) current = null;
  });
  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name === binding) onMessage(clone.read(payload) as PreloadMessage, executionContextId);
  });
  await cdp.send('Runtime.addBinding', { name: binding, executionContextName: token });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(${String(installBridge)})('main', '${token}')`,
    runImmediately: true,
  });
  const preload = `function (exports, require, module, process) {${readFileSync(options.file, 'utf8')}\n}`;
  const bridge = `(${String(installBridge)})('preload', '${token}')`;
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    worldName: token,
    source: `(${String(runPreload)})(${bridge}, (${String(createClone)})(), (text) => ${binding}(text), '${receive}', ${preload})`,
  });

  return {
    deliver(message, world = current ?? undefined) {
      const expression = `${receive}(${JSON.stringify(clone.write(message))})`;
      // The messages for a world that went away meanwhile are lost with it.
      if (world !== undefined) void cdp.send('Runtime.evaluate', { expression, contextId: world }).catch(() => undefined);
    },
  };
}
