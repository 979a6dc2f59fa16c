import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/**
 * An import of one of Node's own modules reads every name that it exports, and behind some of these three stand others that take 5 to 30 ms
 * of a start to load: an HTTP client, web cryptography, a way to print differences.
 */
function builtinsByName(): Plugin {
  // At the start of a line: programs that are exported hold such lines, too, within texts.
  const imports = /^import \{([^}]*)\} from "(node:(?:crypto|http|util))";$/gm;
  return {
    name: 'builtins-by-name',
    renderChunk: (code) =>
      code.replace(
        imports,
        (_, names: string, module: string) =>
          `const {${names.replace(/\sas\s/g, ': ')}} = process.getBuiltinModule(${JSON.stringify(module)});`,
      ),
  };
}

/** Four programs and a thread of the main side, one preload, one page: the same page serves the desktop and the browser host. */
export default defineConfig({
  main: {
    plugins: [builtinsByName()],
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
