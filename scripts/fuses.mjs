// Electron's fuses: bytes in its executable that switch abilities of it on and off for good. Read and written here without a
// package, because the packager's own list of them is older than Electron's.
import { readFileSync, writeFileSync } from 'node:fs';

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const off = '0'.charCodeAt(0);
const on = '1'.charCodeAt(0);

/** Every fuse in the order of the wire, each set on purpose; docs/security.md says why. */
export const wantedFuses = Object.freeze({
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
  wasmTrapHandlers: true,
});
const names = Object.keys(wantedFuses);

/** Returns the fuses of an executable by name; throws if it has none, more than are known here, or wires that disagree. */
export function readFuses(file) {
  const bytes = readFileSync(file);
  const wires = findWires(bytes);
  const [first, ...others] = wires.map(({ start }) =>
    Object.fromEntries(names.map((name, index) => [name, bytes[start + index] === on])),
  );
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new Error(`${file} has several sets of fuses that differ.`);
  return first;
}

/** Sets every fuse of an executable and reads them back. */
export function writeFuses(file, wanted = wantedFuses) {
  const bytes = readFileSync(file);
  for (const { start } of findWires(bytes))
    names.forEach((name, index) => {
      bytes[start + index] = wanted[name] ? on : off;
    });
  writeFileSync(file, bytes);
  const written = readFuses(file);
  for (const name of names) if (written[name] !== wanted[name]) throw new Error(`The fuse ${name} of ${file} could not be set.`);
}

/** Returns the offsets at which the fuses begin: one for each architecture in the file. */
function findWires(bytes) {
  const wires = [];
  for (let at = bytes.indexOf(sentinel); at >= 0; at = bytes.indexOf(sentinel, at + 1)) {
    const version = bytes[at + sentinel.length];
    const length = bytes[at + sentinel.length + 1];
    const start = at + sentinel.length + 2;
    if (version !== 1) throw new Error(`Fuses of version ${version} are not known here.`);
    if (length !== names.length)
      throw new Error(`This Electron has ${length} fuses and ${names.length} are known here. Decide on the others first.`);
    const odd = [...bytes.subarray(start, start + length)].find((byte) => byte !== on && byte !== off);
    if (odd !== undefined) throw new Error('This Electron has removed a fuse that is known here.');
    wires.push({ start });
  }
  if (wires.length === 0) throw new Error('This executable has no fuses: it is not Electron.');
  return wires;
}
