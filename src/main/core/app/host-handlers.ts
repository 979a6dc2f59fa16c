import { AppError } from '#shared/errors.ts';
import type { Capabilities, Handlers } from '#shared/ipc/index.ts';
import type { Host } from '../host/host.ts';

/** Returns the host's abilities for the page. */
export function capabilitiesOf({ capabilities, openOutside, pickDirectory }: Host): Capabilities {
  return { ...capabilities, openOutside: openOutside !== undefined, pickDirectory: pickDirectory !== undefined };
}

/** Returns the handlers of calls that only the host can do; a host without the ability says so. */
export function hostHandlers(host: Host): Pick<Handlers, 'app.licences' | 'app.openOutside' | 'app.pickDirectory'> {
  return {
    'app.licences': async () => {
      if (host.licences === undefined) throw new AppError('unsupported', "Croupier can't show licences here.");
      return { text: (await host.licences()).toString('utf8') };
    },
    'app.openOutside': async ({ url }) =>
      (await host.openOutside?.(url)) ?? {
        opened: false,
        message: "Croupier can't open URLs here. Copy this one into your browser.",
      },
    'app.pickDirectory': async ({ purpose }) =>
      host.pickDirectory === undefined
        ? { directory: null, message: 'No folder dialog is available here. Type the absolute path.' }
        : { directory: await host.pickDirectory(purpose), message: null },
  };
}
