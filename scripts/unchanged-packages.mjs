// The shipped source of a package is its author's, and the tests run the same: docs/decisions/0038.
import { readFileSync } from 'node:fs';

/** Matches a package's reference to a file beside its own; Vite puts the built file's name there. */
const ownAddress = /new URL\([^;\n]*?import\.meta\.url\)/g;
/** Matches the IDs of modules that a bundler makes up. */
const madeUp = /^\0|\?/;

/**
 * Fails the build if a module of a package reaches the output with other source than its file holds. The bundler's own later steps
 * (shake, join, minify) are not checked.
 * @returns {import('vite').Plugin}
 */
export function unchangedPackages() {
  return {
    name: 'unchanged-packages',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []));
      const changed = modules.filter((id) => {
        if (!/[\\/]node_modules[\\/]/.test(id) || madeUp.test(id) || !/\.[cm]?js$/.test(id)) return false;
        const built = this.getModuleInfo(id)?.code ?? '';
        return built.replace(ownAddress, '') !== readFileSync(id, 'utf8').replace(ownAddress, '');
      });
      if (changed.length > 0)
        this.error(`The build changes the source of packages: ${changed.join(', ')}. Take that step out of it.`);
    },
  };
}
