import type { Capabilities, Handlers } from '#shared/ipc/index.ts';
import type { Host } from '../host/host.ts';

/** What the host can do, as the page is told. */
export function capabilitiesOf({ capabilities, openOutside, pickDirectory }: Host): Capabilities {
  return { ...capabilities, openOutside: openOutside !== undefined, pickDirectory: pickDirectory !== undefined };
}

/** What the inside contract asks of the host alone; one without the ability says so. */
export function hostHandlers(host: Host): Pick<Handlers, 'app.openOutside' | 'app.pickDirectory'> {
  return {
    'app.openOutside': async ({ url }) =>
      (await host.openOutside?.(url)) ?? {
        opened: false,
        message: 'Croupier cannot open addresses here. Copy it into your browser.',
      },
    'app.pickDirectory': async ({ purpose }) =>
      host.pickDirectory === undefined
        ? { directory: null, message: 'Croupier has no dialog for directories here. Type the absolute path.' }
        : { directory: await host.pickDirectory(purpose), message: null },
  };
}
