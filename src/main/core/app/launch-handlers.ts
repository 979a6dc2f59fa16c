import type { DeviceList, Handlers } from '#shared/ipc/index.ts';
import type { createEvidence } from '../evidence/evidence.ts';
import type { Launches } from '../launches/launches.ts';

/** The calls of the inside contract about launches. */
export function launchHandlers(
  launcher: Launches,
  evidence: ReturnType<typeof createEvidence>,
  deviceLists: () => Promise<DeviceList[]>,
): Pick<Handlers, Extract<keyof Handlers, `launches.${string}`>> {
  return {
    'launches.prepare': (question) => launcher.prepare(question),
    'launches.fromCall': ({ callId, gameName }) => launcher.fromCall(callId, gameName),
    'launches.open': ({ id, ...how }) => launcher.open(id, how),
    'launches.devices': async () => ({ lists: await deviceLists() }),
    'launches.setBounds': ({ id, bounds }) => ({ done: launcher.withView(id, (view) => view.setBounds(bounds)) }),
    'launches.setVisible': ({ id, visible }) => ({ done: launcher.withView(id, (view) => view.setVisible(visible)) }),
    'launches.reload': ({ id }) => ({ done: launcher.load(id, 'reload') }),
    'launches.back': ({ id }) => ({ done: launcher.load(id, 'goBack') }),
    'launches.setPage': ({ id, viewport, page }) => ({ done: launcher.setPage(id, viewport, page) }),
    'launches.setMuted': ({ id, muted }) => ({ done: launcher.withView(id, (view) => view.setMuted(muted)) }),
    'launches.focus': ({ id }) => ({ done: launcher.withView(id, (view) => view.focus()) }),
    'launches.close': ({ id }) => launcher.close(id),
    'launches.screenshot': ({ id }) => launcher.screenshot(id),
    'launches.picture': ({ id, number }) => launcher.picture(id, number),
    'launches.removePicture': ({ id, number }) => launcher.removePicture(id, number),
    'launches.setNote': ({ id, note }) => launcher.setNote(id, note),
    'launches.overrule': ({ id, overruling }) => launcher.overrule(id, overruling),
    'launches.note': ({ id, observation }) => launcher.note(id, observation),
    'launches.list': (query) => launcher.list(query),
    'launches.keeping': () => launcher.keeping(),
    'launches.keep': ({ most, removes }) => launcher.keep(most, removes),
    'launches.get': ({ id }) => launcher.get(id),
    'launches.export': (question) => evidence.export(question),
    'launches.networkLog': ({ id }) => evidence.networkLog(id),
    'launches.renewToken': (question) => launcher.renewToken(question),
  };
}
