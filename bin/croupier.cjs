#!/usr/bin/env node
// The command line in the npm package, on the Node of whoever installed it: this file runs on an old one, too.
// Without a listener SIGUSR1 opens Node's debugger to every account of the machine.
process.on('SIGUSR1', function () {});
try {
  // A key may be in the environment (--key-env): Linux takes the memory of this process out of core dumps.
  if (process.platform === 'linux') require('fs').writeFileSync('/proc/self/coredump_filter', '0');
} catch (error) {
  // A system without /proc has no other way.
}
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    'croupier: Croupier needs Node 24 or newer; this is ' +
      process.version +
      '. Install it from https://nodejs.org, or use the single file.',
  );
  process.exitCode = 70;
} else require('../out/main/cli.cjs');
