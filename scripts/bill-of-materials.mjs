// The components of what people install, as a software bill of materials (CycloneDX 1.6). `npm sbom` cannot write it: it lists the
// installed packages, of which the bundler ships only a part.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shippedPackages } from './dependencies.mjs';

/**
 * Returns the bill of the build in `out`, with the time of its commit: two builds of one commit have the same bill. `name` is that of the whole,
 * `without` the programs that it leaves out, and `more` its components that are not bundled.
 */
export function billOfMaterials(root, { name = 'croupier', without = [], more = [] } = {}) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const purlOf = (packageName, itsVersion) => `pkg:npm/${packageName.replace('@', '%40')}@${itsVersion}`;
  const own = purlOf(name, version);
  const components = shippedPackages(root, without).map((shipped) => {
    const purl = purlOf(shipped.name, shipped.version);
    const [group, short] = shipped.name.startsWith('@') ? shipped.name.split('/') : [undefined, shipped.name];
    return {
      type: 'library',
      'bom-ref': purl,
      ...(group === undefined ? {} : { group }),
      name: short,
      version: shipped.version,
      // Digest of the registry's file. Electron's is that of its npm package, which fetches the program.
      hashes: [{ alg: 'SHA-512', content: Buffer.from(shipped.integrity.replace('sha512-', ''), 'base64').toString('hex') }],
      licenses: [
        / (?:OR|AND|WITH) /.test(shipped.licence) ? { expression: shipped.licence } : { license: { id: shipped.licence } },
      ],
      purl,
      properties: [{ name: 'croupier:runs-in', value: [...shipped.programs].join(', ') }],
    };
  });
  components.push(...more);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' });
  const time = stdout?.trim() ? { timestamp: new Date(stdout.trim()).toISOString() } : {};
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      ...time,
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': own, name, version, purl: own },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}
