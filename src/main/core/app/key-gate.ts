import { AppError } from '#shared/errors.ts';
import type { CallName } from '#shared/ipc/index.ts';
import type { HeldKey } from '../keys/keys.ts';

/**
 * Texts of each call's input that are kept in a file or a row, or leave the machine. `all`: every text of it, and none may hold a
 * private key. `own`: its handler looks at it itself, because a key in it is masked, removed or asked about. `none`: it only names
 * existing things, or is gone with the call.
 */
const kept: Readonly<Record<CallName, 'all' | 'own' | 'none'>> = {
  'answers.check': 'none',
  'answers.taken': 'none',
  'answers.forget': 'none',
  'app.checkUpdate': 'none',
  'app.diagnostics': 'none',
  'app.info': 'none',
  'app.licences': 'none',
  'app.openOutside': 'all',
  'app.pickDirectory': 'none',
  // Asked about; an exact repeat sends recorded bytes.
  'calls.send': 'own',
  'calls.repeat': 'own',
  'calls.cancel': 'none',
  'calls.list': 'none',
  'calls.get': 'none',
  'calls.pin': 'none',
  'calls.note': 'all',
  'calls.delete': 'none',
  'calls.restore': 'none',
  // They send, and keep nothing that they do not send.
  'catalogue.fetch': 'own',
  'catalogue.snapshots': 'none',
  'catalogue.games': 'none',
  'catalogue.compare': 'none',
  'catalogue.thumbnail': 'none',
  'catalogue.cancelThumbnails': 'none',
  'collections.list': 'none',
  'collections.open': 'all',
  'collections.forget': 'none',
  'collections.directories': 'none',
  'collections.starters': 'none',
  'collections.createFromStarter': 'all',
  'collections.tree': 'none',
  'collections.gitMarks': 'none',
  'collections.versions': 'none',
  'collections.read': 'none',
  'collections.save': 'all',
  'collections.create': 'all',
  'collections.createFolder': 'all',
  'collections.readFolder': 'none',
  'collections.saveFolder': 'all',
  'collections.rename': 'all',
  'collections.move': 'all',
  'collections.transfer': 'all',
  'collections.undoTransfer': 'none',
  'collections.duplicate': 'none',
  'collections.remove': 'none',
  'collections.restore': 'none',
  'collections.previewExample': 'none',
  'collections.addExample': 'all',
  'collections.environments': 'none',
  // They write what an environment or a file holds already; both are searched there.
  'collections.useEnvironment': 'none',
  'collections.shareEnvironment': 'none',
  'collections.reorder': 'all',
  // A key in a file of another tool is removed, and named.
  'collections.importPreview': 'own',
  'collections.import': 'own',
  'collections.cancelImport': 'none',
  'collections.export': 'none',
  // A key may stand in what was pasted: it is read or searched, and gone with the call.
  'doctor.recognise': 'none',
  'doctor.compare': 'none',
  'doctor.search': 'none',
  'doctor.cancel': 'none',
  'environments.list': 'none',
  'environments.create': 'all',
  'environments.save': 'all',
  'environments.remove': 'none',
  'environments.way': 'none',
  'environments.privateHosts': 'none',
  'environments.setPrivateHosts': 'all',
  'exports.create': 'none',
  'exports.read': 'none',
  'exports.cancel': 'none',
  'history.status': 'none',
  'history.preview': 'none',
  'history.retain': 'none',
  'history.settle': 'none',
  'history.forget': 'none',
  'history.clean': 'none',
  'history.kept': 'none',
  'history.removeKept': 'none',
  'history.compact': 'none',
  'history.cancelCompact': 'none',
  'history.cancelForget': 'none',
  // The one way in.
  'keys.status': 'none',
  'keys.set': 'own',
  'keys.clientCertificate': 'none',
  'keys.setClientCertificate': 'own',
  'keys.removeClientCertificate': 'none',
  'keys.remove': 'none',
  'keys.choose': 'none',
  'keys.discard': 'none',
  'keys.setProxyLogin': 'none',
  'keys.removeProxyLogin': 'none',
  'keys.digest': 'none',
  'gateway.start': 'all',
  'gateway.stop': 'none',
  'gateway.status': 'none',
  'gateway.setFaults': 'none',
  'gateway.report': 'none',
  'gateway.log': 'none',
  'launches.prepare': 'all',
  'launches.fromCall': 'all',
  'launches.open': 'all',
  'launches.setBounds': 'none',
  'launches.setVisible': 'none',
  'launches.reload': 'none',
  'launches.back': 'none',
  'launches.setPage': 'all',
  'launches.devices': 'none',
  'launches.setMuted': 'none',
  'launches.focus': 'none',
  'launches.close': 'none',
  'launches.screenshot': 'none',
  'launches.picture': 'none',
  'launches.removePicture': 'none',
  'launches.setNote': 'all',
  'launches.note': 'all',
  'launches.overrule': 'all',
  'launches.list': 'none',
  'launches.keeping': 'none',
  'launches.keep': 'none',
  'launches.get': 'none',
  'launches.export': 'none',
  'launches.networkLog': 'none',
  'launches.renewToken': 'own',
  // They send fixed texts.
  // Read in memory, and gone when the pack closes.
  'packs.upload': 'none',
  'packs.open': 'none',
  'packs.list': 'none',
  'packs.close': 'none',
  'probes.plan': 'none',
  'probes.start': 'none',
  'probes.cancel': 'none',
  'production.status': 'none',
  'production.ask': 'none',
  'rounds.lookup': 'own',
  // Its variables and its data are checked with the files of the run.
  'runs.start': 'own',
  'runs.cancel': 'none',
  'runs.list': 'none',
  'runs.requests': 'none',
  'runs.export': 'none',
  'sandbox.status': 'none',
  'sandbox.log': 'none',
  'settings.read': 'none',
  'settings.write': 'own',
  'tokens.list': 'none',
  // They stay in memory; a key among them would be sent as a token.
  'tokens.add': 'all',
  'tokens.remove': 'none',
  'tokens.restore': 'none',
  'wallet.plan': 'none',
  'wallet.start': 'own',
  'wallet.restore': 'own',
  'tokens.renew': 'own',
  'tokens.setCommand': 'all',
  'workspaces.open': 'none',
  'workspaces.read': 'none',
  // Masked: a key typed into a tab must not cost the rest of the tab.
  'workspaces.write': 'own',
  'workspaces.list': 'own',
  'workspaces.take': 'none',
  'workspaces.drop': 'none',
};

/** Returns why a call is refused: its input would leave a private key in a file. Null if it is let in. */
export type KeyGate = (name: CallName, input: unknown) => Promise<AppError | null> | null;

/** Creates the one check that keeps private keys out of files and rows, whatever call would write them. */
export function createKeyGate(deps: {
  find: (text: Uint8Array) => Promise<readonly HeldKey[]>;
  nameOf: (environmentId: string) => string;
}): KeyGate {
  return (name, input) => (kept[name] === 'all' ? refusalOf(textsOf(input).join('\n'), deps) : null);
}

async function refusalOf(text: string, { find, nameOf }: Parameters<typeof createKeyGate>[0]): Promise<AppError | null> {
  const held = await find(Buffer.from(text, 'utf8'));
  if (held.length === 0) return null;
  const names = held.map(({ environmentId }) => nameOf(environmentId)).join(' and ');
  return new AppError(
    'refused',
    `Nothing was saved or sent: the text contains the private key of ${names}. Remove it; Croupier signs without it.`,
    { reason: 'key_held' },
  );
}

/** Returns every text of a plain value, names of fields too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [...(Array.isArray(value) ? [] : [name]), ...textsOf(one)]);
}
