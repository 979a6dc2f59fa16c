// Called by electron-builder: before it packs for a platform, between packing and signing, and when everything is made.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { billOfMaterials } from './bill-of-materials.mjs';
import { gather, nodeComponent, writeSums } from './dist.mjs';
import { writeFuses } from './fuses.mjs';
import { makeSingleFile } from './single-file.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

const root = path.resolve(import.meta.dirname, '..');
/** Names of Croupier's licence and of the notices of other packages; on macOS they are in the resources of the bundle, else beside the program. */
const licenceName = 'LICENSE.croupier.txt';
const noticesName = 'THIRD-PARTY-NOTICES.txt';

/** Returns the name of a platform as single files have it, from electron-builder's number of its processor. */
const platformOf = ({ electronPlatformName, arch }) =>
  `${electronPlatformName.replace('win32', 'win')}-${arch === 3 ? 'arm64' : 'x64'}`;

/** Makes the command line of the package, from where electron-builder copies it into the resources. */
export function beforePack(context) {
  const platform = platformOf(context);
  const folder = path.join(root, '.cache', 'command-line', platform);
  rmSync(folder, { recursive: true, force: true });
  if (platform.startsWith('darwin') && platform !== `${process.platform}-${process.arch}`) {
    // `dir` is a folder to look at, which nobody installs.
    if (context.targets.some(({ name }) => name !== 'dir'))
      throw new Error(
        `A package for ${platform} is made on a Mac with that processor: only there can it be signed and its command line made.`,
      );
    console.log(`The folder for ${platform} has no command line and no signature, which only a Mac makes.`);
    return;
  }
  const work = path.join(folder, 'work');
  gather(root, path.join(work, 'package'));
  const target = path.join(folder, platform.startsWith('win') ? 'croupier.exe' : 'croupier');
  makeSingleFile(root, { platform, from: path.join(work, 'package'), work: path.join(work, 'file'), target });
  rmSync(work, { recursive: true });
}

/** Writes the bill of materials beside the package and the licences of what it holds into it, sets the fuses and reads them back. */
export function afterPack(context) {
  const { appOutDir, outDir, packager } = context;
  const { productFilename, version } = packager.appInfo;
  const platform = platformOf(context);
  const isMac = platform.startsWith('darwin');
  const bill = billOfMaterials(root, { more: [nodeComponent(root, platform)] });
  writeFileSync(path.join(outDir, `croupier-${version}-desktop-${platform}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  const bundle = path.join(appOutDir, `${productFilename}.app`);
  const beside = isMac ? path.join(bundle, 'Contents/Resources') : appOutDir;
  copyFileSync(path.join(root, 'LICENSE'), path.join(beside, licenceName));
  writeFileSync(path.join(beside, noticesName), thirdPartyNotices(root));
  if (isMac) {
    writeFuses(path.join(bundle, 'Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework'));
    // The changed file made Apple's signature void; a real one follows if there is a certificate.
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', '--deep', bundle]);
    return;
  }
  writeFuses(path.join(appOutDir, platform.startsWith('win') ? `${productFilename}.exe` : packager.executableName));
}

/** Writes the checksums of the packages and of their bills of materials. Returns no more files to publish. */
export function afterAllArtifactBuild({ outDir, artifactPaths }) {
  const bills = readdirSync(outDir).filter((name) => name.endsWith('.cdx.json'));
  writeSums(outDir, [...artifactPaths.map((file) => path.basename(file)), ...bills]);
  return [];
}
