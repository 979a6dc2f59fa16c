// The first code of the single file and of each of its threads: loads the programs, which are its assets, as Node loads files.
// `scripts/single-file.mjs` puts it in as text. Its value is a function that loads a program by its name.
(() => {
  const { getAsset } = process.getBuiltinModule('node:sea');
  const { Script } = process.getBuiltinModule('node:vm');
  const { posix: path } = process.getBuiltinModule('node:path');
  const modules = new Map();

  return function load(name) {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const ask = (asked) => {
      if (asked.startsWith('.')) return load(path.join(path.dirname(name), asked));
      // Native code has to be a file of its own.
      return asked === 'keytar' ? load('out/main/single-keychain.cjs') : process.getBuiltinModule(asked);
    };
    try {
      const script = new Script(getAsset(name, 'utf8'), { filename: name });
      script.runInThisContext()(module.exports, ask, module, name);
    } catch (error) {
      // The next one to ask tries again.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
})();
