// Called by electron-builder between packing and signing.
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { billOfMaterials } from './bill-of-materials.mjs';
import { writeFuses } from './fuses.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

/** Names of Croupier's licence and of the notices of other packages; on macOS they are in the resources of the bundle, else beside the program. */
const licenceName = 'LICENSE.croupier.txt';
const noticesName = 'THIRD-PARTY-NOTICES.txt';

export function afterPack({ appOutDir, outDir, electronPlatformName, packager }) {
  const { productFilename, version } = packager.appInfo;
  const root = path.resolve(import.meta.dirname, '..');
  const bill = billOfMaterials(root);
  writeFileSync(path.join(outDir, `croupier-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  const isMac = electronPlatformName === 'darwin';
  const bundle = path.join(appOutDir, `${productFilename}.app`);
  const beside = isMac ? path.join(bundle, 'Contents/Resources') : appOutDir;
  copyFileSync(path.join(root, 'LICENSE'), path.join(beside, licenceName));
  writeFileSync(path.join(beside, noticesName), thirdPartyNotices(root));
  if (isMac) {
    writeFuses(path.join(bundle, 'Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework'));
    // The changed file made Apple's signature void; a real one follows if there is a certificate.
    execFileSync('codesign', ['--sign', '-', '--force', '--deep', bundle]);
    return;
  }
  const name = electronPlatformName === 'win32' ? `${productFilename}.exe` : packager.executableName;
  writeFuses(path.join(appOutDir, name));
}
