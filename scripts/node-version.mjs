// The check of Node's version. This file itself runs on an old one.

/**
 * Returns the advice if Node is too old, else null. `pinned`: the packages that bring a Node, of which npm installs this
 * platform's.
 */
export function oldNodeMessage(version, platform, arch, pinned) {
  if (Number(version.split('.')[0]) >= 24) return null;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const way = Object.hasOwn(pinned, name)
    ? 'Run "npm ci", which installs it, and start it through npm.'
    : 'Install Node 24 from https://nodejs.org, then run "npm ci" again.';
  return `Croupier needs Node 24; this is ${version}. ${way}`;
}
