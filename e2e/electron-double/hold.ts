const { promise, resolve } = Promise.withResolvers<void>();
if (process.env['ELECTRON_DOUBLE_HOLD'] === undefined) resolve();

/** With `ELECTRON_DOUBLE_HOLD` in the environment, no page is loaded before this is settled. */
export const mayLoad = promise;

/** For a test that wants to be ready before the app's first page begins: `electronApp.evaluate(({ doubleHold }) => …)`. */
export const doubleHold = { letGo: () => resolve() };
