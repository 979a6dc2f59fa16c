import { registerHooks } from 'node:module';

const double = new URL('./electron.ts', import.meta.url).href;

// `import`, `require` and the inspector's `require` alike get the double in place of the package.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier === 'electron/main' || specifier === 'electron/common')
      return { url: double, format: 'module-typescript', shortCircuit: true };
    return next(specifier, context);
  },
});
