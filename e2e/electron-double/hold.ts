const { promise, resolve } = Promise.withResolvers<void>();
if (process.env['ELECTRON_DOUBLE_HOLD'] === undefined) resolve();

/** Settles before any page is loaded: at once, or with `ELECTRON_DOUBLE_HOLD` in the environment when a test calls `letGo`. */
export const mayLoad = promise;

/** Released by a test that must be ready before the app's first page begins: `electronApp.evaluate(({ doubleHold }) => …)`. */
export const doubleHold = { letGo: () => resolve() };
