import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unchangedPackages } from './unchanged-packages.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'croupier-build-'));
  const files = {
    'main.js': "import { limit } from 'wire';\nimport own from './own.js';\nconsole.log(limit, own);\n",
    'own.js': 'export default 1;\n',
    'node_modules/wire/package.json': '{"name":"wire","main":"index.js"}',
    // CommonJS, as most packages are.
    'node_modules/wire/index.js':
      "'use strict'\nconst http = require('node:http')\nmodule.exports = { limit: http.maxHeaderSize }\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const buildWith = (plugin: Plugin) =>
  build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin, unchangedPackages()],
    build: { write: false, minify: true, ssr: path.join(root, 'main.js') },
    ssr: { noExternal: true },
  });
const transform = (place: string): Plugin => ({
  name: 'patch',
  transform: (code, id) =>
    id.includes(place) ? code.replace("require('node:http')", '{ maxHeaderSize: 1 }').replace('1;', '2;') : null,
});

describe('the build', () => {
  it('fails if it changes a line of a package', async () => {
    await expect(buildWith(transform('/node_modules/wire/'))).rejects.toThrow(
      /changes the source of packages: .*wire\/index\.js/,
    );
  });

  it('takes a package as it is, and may change what is ours', async () => {
    await expect(buildWith(transform('/own.js'))).resolves.toBeDefined();
  });
});
