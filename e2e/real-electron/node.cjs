// What Croupier's main process, workers and agents ask of Node 24 and the Node 18.15 of Electron 25 lacks.
'use strict';
require('./builtins.cjs');
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const util = require('node:util');
const threads = require('node:worker_threads');

const sqlite = require.resolve('@photostructure/sqlite');
const load = Module._load;
Module._load = function loadModule(request, ...others) {
  // A drop-in for it with binaries of Node-API.
  return load.call(this, request === 'node:sqlite' ? sqlite : request, ...others);
};
crypto.hash ??= (algorithm, data, encoding = 'hex') => {
  const wanted = typeof encoding === 'string' ? encoding : (encoding.outputEncoding ?? 'hex');
  const hash = crypto.createHash(algorithm).update(data);
  return wanted === 'buffer' ? hash.digest() : hash.digest(wanted);
};

/** Lists a folder with `recursive`, and with `parentPath` of its entries. */
function* listed(folder, options, prefix = '') {
  for (const entry of readdirSync(path.join(folder, prefix), { ...options, recursive: false, withFileTypes: true })) {
    entry.parentPath = path.join(folder, prefix);
    const name = path.join(prefix, entry.name);
    yield options.withFileTypes ? entry : name;
    if (options.recursive && entry.isDirectory()) yield* listed(folder, options, name);
  }
}
const { readdirSync } = fs;
fs.readdirSync = (folder, options) => {
  const asked = typeof options === 'object' && (options.recursive || options.withFileTypes);
  return asked ? [...listed(String(folder), options)] : readdirSync(folder, options);
};
fs.promises.readdir = async (folder, options) => fs.readdirSync(folder, options);

const added = [
  [util, 'styleText', (_format, text) => text],
  [process, 'getBuiltinModule', (name) => (Module.isBuiltin(name) ? require(name) : undefined)],
  [process, 'availableMemory', os.freemem],
  [process, 'constrainedMemory', () => 0],
  [os, 'availableParallelism', () => os.cpus().length],
  [Module, 'enableCompileCache', () => ({ status: 3 })],
  [Module, 'getCompileCacheDir', () => undefined],
  [Module, 'flushCompileCache', () => undefined],
  [threads, 'markAsUncloneable', () => undefined],
  [require('node:tls'), 'getCACertificates', () => [...require('node:tls').rootCertificates]],
  [require('node:http').Server.prototype, 'closeIdleConnections', () => undefined],
  [globalThis, 'File', require('node:buffer').File],
  [globalThis, 'crypto', crypto.webcrypto],
  [globalThis, 'navigator', { hardwareConcurrency: os.cpus().length, userAgent: 'Node.js/18' }],
];
for (const [object, name, value] of added) {
  if (object[name] === undefined) Object.defineProperty(object, name, { value, writable: true, configurable: true });
}
for (const name of ['validFrom', 'validTo']) {
  Object.defineProperty(crypto.X509Certificate.prototype, `${name}Date`, {
    configurable: true,
    get() {
      return new Date(this[name]);
    },
  });
}
threads.Worker = class extends threads.Worker {
  constructor(file, options = {}) {
    super(file, { ...options, execArgv: ['-r', __filename, ...(options.execArgv ?? [])] });
  }
};
// As a utility process: the file that was to be run.
const { CROUPIER_OLD_UTILITY: file } = process.env;
if (process.type === 'utility' && file !== undefined) {
  delete process.env.CROUPIER_OLD_UTILITY;
  require(file);
}
