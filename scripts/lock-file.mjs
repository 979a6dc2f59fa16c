// Checks the lock file: packages of the registry, each with a digest, and no others. `npm ci` refuses a package whose bytes have
// another digest, so whoever cannot change this file unseen cannot change what is installed.

const registry = 'https://registry.npmjs.org/';
const exact = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const alias = /^npm:((?:@[a-z0-9._-]+\/)?[a-z0-9._-]+)@(.+)$/;
const packagePath = /^node_modules\/(?:@[a-z0-9._-]+\/)?[a-zA-Z0-9._-]+(?:\/node_modules\/(?:@[a-z0-9._-]+\/)?[a-zA-Z0-9._-]+)*$/;
const inOrder = (record) => JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns the faults of a lock file, a line for each; `manifest` is the package.json that it belongs to. */
export function lockFaults(manifest, lock) {
  const faults = [];
  if (lock.lockfileVersion !== 3) faults.push(`It has the version ${lock.lockfileVersion}; 3 is known here.`);
  const { '': root = {}, ...packages } = lock.packages ?? {};
  for (const list of lists.filter((name) => name !== 'peerDependencies')) {
    const [asked, locked] = [manifest[list] ?? {}, root[list] ?? {}];
    if (inOrder(asked) !== inOrder(locked)) faults.push(`Its ${list} are not those of package.json.`);
    for (const [name, version] of Object.entries(asked))
      if (!exact.test(alias.exec(version)?.[2] ?? version))
        faults.push(`package.json asks for ${name} ${version}, which is not an exact version.`);
  }
  const aliases = new Map(
    lists.flatMap((list) => Object.entries(manifest[list] ?? {})).map(([name, version]) => [name, alias.exec(version)?.[1]]),
  );
  for (const [path, entry] of Object.entries(packages)) {
    const fault = (text) => faults.push(`${path} ${text}`);
    if (!packagePath.test(path)) fault('is not in node_modules.');
    const folder = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const name = entry.name ?? folder;
    if (name !== folder && aliases.get(folder) !== name)
      fault(`is ${name} under another name, which package.json does not ask for.`);
    if (entry.link || entry.inBundle || entry.bundleDependencies) fault('comes from another place than the registry.');
    if (!exact.test(entry.version ?? '')) fault(`has the version ${entry.version}.`);
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) fault('has no SHA-512 digest.');
    const file = `${registry}${name}/-/${name.slice(name.lastIndexOf('/') + 1)}-${entry.version}.tgz`;
    if (entry.resolved !== undefined && entry.resolved !== file) fault(`comes from ${entry.resolved}.`);
    for (const list of lists)
      for (const [other, range] of Object.entries(entry[list] ?? {}))
        // git, http, file and GitHub's short form have one of these; a range of versions has none.
        if (/[:/]/.test(range)) fault(`asks for ${other} from ${range}.`);
  }
  return faults;
}

/** Returns the packages whose install script package.json does not decide on, by name. */
export function undecidedScripts(manifest, lock) {
  const decided = new Set(Object.keys(manifest.allowScripts ?? {}));
  return Object.entries(lock.packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path, entry]) => entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !decided.has(name));
}
