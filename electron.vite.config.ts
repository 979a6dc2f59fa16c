import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/** The HTTP client asks for HTTP/2, which is never used here, and goes without where Node has none: 4 ms less of every first call. */
function withoutHttp2(): Plugin {
  return {
    name: 'without-http2',
    transform: (code, id) =>
      id.endsWith('/undici/lib/dispatcher/client-h2.js') ? code.replace("require('node:http2')", '{ constants: {} }') : null,
  };
}

/** Four programs and a thread of the main side, one preload, one page: the same page serves the desktop and the browser host. */
export default defineConfig({
  main: {
    plugins: [withoutHttp2()],
    build: {
      // Only keytar, a native module, stays outside the bundle.
      externalizeDeps: { include: ['keytar'] },
      minify: true,
      sourcemap: false,
      rolldownOptions: {
        input: {
          desktop: 'src/main/electron/main.ts',
          loopback: 'src/main/loopback/main.ts',
          cli: 'src/main/cli/main.ts',
          'key-agent': 'src/main/core/keys/agent.ts',
          'search-worker': 'src/main/core/history/search-worker.ts',
        },
        // Node loads CommonJS faster: an import reads every name of a built-in module, and some have 5 to 30 ms of others behind them.
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: 'src/main/electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react()],
    worker: { format: 'es' },
    // Nothing is inlined: the page's policy takes fonts from its own origin alone, not from data addresses.
    // Monaco is one large chunk by nature.
    build: { minify: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 6_000 },
  },
});
