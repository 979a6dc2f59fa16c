import { enableCompileCache, registerHooks } from 'node:module';
import path from 'node:path';

// A third of a start of the double is Node's reading of its TypeScript, the same each time.
enableCompileCache(path.resolve(import.meta.dirname, '../../node_modules/.cache/compiled'));
const double = new URL('./electron.ts', import.meta.url).href;

// `import`, `require` and the inspector's `require` alike get the double in place of the package.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier === 'electron/main' || specifier === 'electron/common')
      return { url: double, format: 'module-typescript', shortCircuit: true };
    return next(specifier, context);
  },
});
