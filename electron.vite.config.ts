import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { bundledPackages } from './scripts/bundled-packages.mjs';
import { earlyEditor } from './scripts/early-editor.mjs';
import { inlinedWasm } from './scripts/inlined-wasm.mjs';
import { manualPages } from './scripts/manual-pages.mjs';
import { ownZod } from './scripts/own-zod.mjs';
import { licences } from './scripts/third-party-notices.mjs';
import { unchangedPackages } from './scripts/unchanged-packages.mjs';

/** Four programs and three threads of the main side, one preload, one page: the same page serves the desktop and the browser host. */
export default defineConfig({
  main: {
    plugins: [inlinedWasm(import.meta.dirname), bundledPackages('main'), unchangedPackages(), ownZod()],
    build: {
      // Only keytar, a native module, stays outside the bundle.
      externalizeDeps: { include: ['keytar'] },
      minify: true,
      sourcemap: false,
      rolldownOptions: {
        input: {
          desktop: 'src/main/electron/main.ts',
          cli: 'src/main/cli/main.ts',
          single: 'src/main/cli/single/main.ts',
          'single-keychain': 'src/main/cli/single/keychain.ts',
          'key-agent': 'src/main/core/keys/agent.ts',
          'search-worker': 'src/main/core/history/search-worker.ts',
          'reading-worker': 'src/main/core/app/reading-worker.ts',
          'export-worker': 'src/main/core/formats/exports/export-worker.ts',
        },
        // Node loads CommonJS faster: an import reads every name of a built-in module, and some have 5 to 30 ms of others behind them.
        output: {
          format: 'cjs',
          // keytar, too, is asked for in the way that the loader of the single file serves.
          dynamicImportInCjs: false,
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          // One file in place of twenty small ones that most programs load; not what a command that hashes has no use for.
          codeSplitting: {
            groups: [
              {
                name: 'shared',
                test: /src\/shared\/(?!doctor|explanation|ipc|collections|launches|network|probes|wallet|provider\/open-points|model\/(?!formats|operations|limits|ready-signs))/,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
  },
  preload: {
    plugins: [bundledPackages('preload'), unchangedPackages()],
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
    plugins: [
      react({ jsxImportSource: '#renderer/jsx' }),
      earlyEditor(),
      manualPages(import.meta.dirname),
      bundledPackages('page'),
      licences(import.meta.dirname),
      unchangedPackages(),
    ],
    worker: { format: 'es', plugins: () => [bundledPackages('page', false), unchangedPackages()] },
    // Nothing is inlined: the page's policy takes fonts from its own origin alone, not from data addresses.
    // Monaco is one large chunk by nature.
    build: {
      minify: true,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 6_000,
      rolldownOptions: {
        // Each file of a start costs the page, its host and the network some milliseconds: one in place of ninety.
        output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } },
      },
    },
  },
});
