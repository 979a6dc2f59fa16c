// The shipped source of a package is its author's, and the tests run the same: docs/decisions/0038.
import { readFileSync } from 'node:fs';
import { ownMark } from './own-zod.mjs';

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
        const file = id.replace(ownMark, '');
        if (!/[\\/]node_modules[\\/]/.test(file) || madeUp.test(file) || !/\.[cm]?js$/.test(file)) return false;
        const built = this.getModuleInfo(id)?.code ?? '';
        return built.replace(ownAddress, '') !== readFileSync(file, 'utf8').replace(ownAddress, '');
      });
      if (changed.length > 0)
        this.error(`The build changes the source of packages: ${changed.join(', ')}. Take that step out of it.`);
    },
  };
}
