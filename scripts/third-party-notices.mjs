// The licence texts of the packages in a build, in one file, as most of these licences require.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { shippedPackages } from './dependencies.mjs';

/** A package without a text, to one of the same author and licence that has it; checked by a person. */
const textsOfOthers = { 'react-remove-scroll-bar': 'react-remove-scroll' };
const isLicence = /^(?:licen[cs]e|copying|notice|third.?party.?notices)(?:[.-].*)?$/i;
const rule = '='.repeat(80);

/**
 * Writes `out/licences.txt`, which the workbench shows: Croupier's licence and the notices. It belongs to the part of the build that comes last,
 * after the plugin that notes its packages.
 * @param {string} root
 * @returns {import('vite').Plugin}
 */
export function licences(root) {
  return {
    name: 'licences',
    apply: 'build',
    closeBundle() {
      // A page that is built again at each change has the same packages.
      if (this.meta.watchMode) return;
      const own = readFileSync(path.join(root, 'LICENSE'), 'utf8');
      writeFileSync(path.join(root, 'out', 'licences.txt'), `${own}\n${thirdPartyNotices(root)}`);
    },
  };
}

/** Returns the text of `THIRD-PARTY-NOTICES.txt` for the build in `out`, as `shippedPackages` lists it. Throws if a package has no licence text. */
export function thirdPartyNotices(root, without) {
  const shipped = shippedPackages(root, without);
  const texts = new Map();
  const listed = shipped.map((one) => {
    const found = licencesIn(root, one.place);
    const other = found.length > 0 ? undefined : shipped.find(({ name }) => name === textsOfOthers[one.name]);
    if (other !== undefined) found.push(...licencesIn(root, other.place));
    if (found.length === 0 || (other !== undefined && other.licence !== one.licence))
      throw new Error(`${one.name} has no licence text. Look for one, and name the package in scripts/third-party-notices.mjs.`);
    const title = `${one.name} ${one.version}`;
    for (const text of found) texts.set(text, [...(texts.get(text) ?? []), title]);
    return `${title} (${one.licence})${other === undefined ? '' : `; it has no text of its own, and that of ${other.name} is by the same author`}`;
  });
  const sections = [...texts].map(([text, titles]) => `${rule}\n${titles.join('\n')}\n${rule}\n\n${text}\n`);
  return [
    'Croupier holds these packages of others. Their licence texts follow.',
    ...(shipped.some(({ name }) => name === 'electron')
      ? ['The libraries inside Electron, such as Chromium and Node, are in LICENSES.chromium.html, which comes with Electron.']
      : []),
    '',
    ...listed,
    '',
    ...sections,
  ].join('\n');
}

function licencesIn(root, place) {
  const folder = path.join(root, place);
  return readdirSync(folder)
    .filter((name) => isLicence.test(name))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}
