// What Node the scripts need. This file itself runs on an old one.

/** Says what to do where Node is too old, null where it is not. `pinned`: the packages that bring a Node, of which npm installs this platform's. */
export function oldNodeMessage(version, platform, arch, pinned) {
  if (Number(version.split('.')[0]) >= 24) return null;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const way = Object.hasOwn(pinned, name)
    ? 'Run "npm ci", which installs it, and start it through npm.'
    : 'Install Node 24 from https://nodejs.org, then run "npm ci" again.';
  return `Croupier needs Node 24; this is ${version}. ${way}`;
}
