/* Parts of undici that are loaded by themselves; the package has types for the whole only. */

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
