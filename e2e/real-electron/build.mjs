// The build for Electron 25, in the present folder: the same program in the language of its Node and of its Chromium.
import path from 'node:path';
import { build } from 'electron-vite';

const builtins = path.join(import.meta.dirname, 'builtins.cjs');

/** Sets the language, and puts what Chromium 114 lacks before the page and before its own worker. */
const plugin = () => ({
  name: 'electron-25',
  enforce: 'pre',
  config: ({ root = '' }) => ({ build: { target: root.endsWith('renderer') ? 'chrome114' : 'node18.15' } }),
  transform(code, id) {
    const [file = ''] = id.split('?');
    return /src\/renderer\/(?:main\.tsx|.*worker\.ts)$/.test(file) ? { code: `import '${builtins}';\n${code}`, map: null } : null;
  },
});

await build({ logLevel: 'warn', plugins: [plugin()], worker: { plugins: () => [plugin()] } });
