import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { bundledPackages } from './scripts/bundled-packages.mjs';

/**
 * What packages load of Node for what is never used here, by a part of their paths. The HTTP client loads Node's two others for a limit, a type
 * that it recognises and a version of HTTP, and all of Node's assertions for one function: together they are a tenth of a start up to its first
 * call. Of the WebSockets there is the server's side alone: without these the other side could not connect to anything.
 */
const unused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/undici/lib/': {
    // The limit is Node's own.
    "const http = require('node:http')": 'const http = { maxHeaderSize: 16 * 1024 }',
    "const { IncomingMessage } = require('node:http')": 'class IncomingMessage {}',
    // What it has itself for a Node without HTTP/2.
    "http2 = require('node:http2')": 'http2 = { constants: {} }',
    "const assert = require('node:assert')":
      "const assert = (holds, message = 'What always holds does not.') => { if (!holds) throw new Error(message) }",
  },
  '/ws/lib/websocket.js': Object.fromEntries(
    ['https', 'http', 'net', 'tls'].map((name) => [`const ${name} = require('${name}')`, `const ${name} = {}`]),
  ),
  // A later Node has them; what takes their place is JavaScript.
  '/ws/lib/buffer-util.js': { "= require('http')": '= {}' },
  // With these it refuses a handshake that was let in and is none.
  '/ws/lib/websocket-server.js': {
    "const http = require('http')": "const http = { STATUS_CODES: { 400: 'Bad Request', 405: 'Method Not Allowed' } }",
  },
};

function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    transform(code, id) {
      const place = Object.keys(unused).find((part) => id.includes(part));
      if (place === undefined) return null;
      return Object.entries(unused[place] ?? {}).reduce((changed, [from, to]) => changed.replace(from, to), code);
    },
  };
}

/** Four programs and three threads of the main side, one preload, one page: the same page serves the desktop and the browser host. */
export default defineConfig({
  main: {
    plugins: [withoutUnused(), bundledPackages('main')],
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
