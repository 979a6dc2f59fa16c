// The components of a desktop package, as a software bill of materials (CycloneDX 1.6). `npm sbom` cannot write it: it lists the
// installed packages, of which the bundler ships only a part.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shippedPackages } from './dependencies.mjs';

/** Returns the bill of the build in `out`; `now` is its time. */
export function billOfMaterials(root, now = new Date()) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const own = `pkg:npm/${name}@${version}`;
  const components = shippedPackages(root).map((shipped) => {
    const purl = `pkg:npm/${shipped.name.replace('@', '%40')}@${shipped.version}`;
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
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': own, name, version, purl: own },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}
