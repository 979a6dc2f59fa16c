import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { bundledPackages } from './scripts/bundled-packages.mjs';

/**
 * The HTTP client loads Node's two others for a limit, a type that it recognises and a version of HTTP that is never used here, and all of
 * Node's assertions for one function: together they are a tenth of a start up to its first call.
 */
const parts: Readonly<Record<string, string>> = {
  // The limit is Node's own.
  "const http = require('node:http')": 'const http = { maxHeaderSize: 16 * 1024 }',
  "const { IncomingMessage } = require('node:http')": 'class IncomingMessage {}',
  // What it has itself for a Node without HTTP/2.
  "http2 = require('node:http2')": 'http2 = { constants: {} }',
  "const assert = require('node:assert')":
    "const assert = (holds, message = 'What always holds does not.') => { if (!holds) throw new Error(message) }",
};

function httpClientInParts(): Plugin {
  return {
    name: 'http-client-in-parts',
    transform(code, id) {
      if (!id.includes('/undici/lib/')) return null;
      return Object.entries(parts).reduce((changed, [from, to]) => changed.replace(from, to), code);
    },
  };
}

/** Four programs and three threads of the main side, one preload, one page: the same page serves the desktop and the browser host. */
export default defineConfig({
  main: {
    plugins: [httpClientInParts(), bundledPackages('main')],
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
          'reading-worker': 'src/main/core/reading/worker.ts',
          'export-worker': 'src/main/core/export/export-worker.ts',
        },
        // Node loads CommonJS faster: an import reads every name of a built-in module, and some have 5 to 30 ms of others behind them.
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          // One file in place of twenty small ones that most programs load.
          codeSplitting: { groups: [{ name: 'shared', test: /src\/shared\/(?!ipc|collections)/, minShareCount: 2 }] },
        },
      },
    },
  },
  preload: {
    plugins: [bundledPackages('preload')],
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
    // Texts of others cannot reorder the page: src/renderer/jsx.
    plugins: [react({ jsxImportSource: '#renderer/jsx' }), bundledPackages('page')],
    worker: { format: 'es', plugins: () => [bundledPackages('page', false)] },
    // Nothing is inlined: the page's policy takes fonts from its own origin alone, not from data addresses.
    // Monaco is one large chunk by nature.
    build: { minify: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 6_000 },
  },
});
