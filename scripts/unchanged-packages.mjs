// What ships of a package is what the package's author wrote, and what the tests ran: docs/decisions/0038.
import { readFileSync } from 'node:fs';

/** Vite puts the name of the built file where a package names a file beside its own. */
const ownAddress = /new URL\([^;\n]*?import\.meta\.url\)/g;
/** Modules that a bundler makes up begin so, or name how they are made. */
const madeUp = /^\0|\?/;

/**
 * Fails the build if a module of a package reaches the output with other source than its file holds. What the bundler itself does afterwards (shake,
 * join, minify) is not looked at.
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
