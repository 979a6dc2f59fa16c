import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { readPort } from '../read-port.ts';

export const serveCommand: Command = {
  spec: {
    name: 'serve',
    summary: 'Run the workbench for a browser on this computer.',
    positionals: [],
    options: {
      port: { value: 'N', help: 'The port on 127.0.0.1, 0 for a free one (default: the last one, if it is free)' },
      'no-open': { help: 'Print the URL only; do not open a browser' },
      log: { help: 'Print method, route and status of each request on standard error' },
    },
    notes: ['Each printed URL opens one session, once, within 60 seconds. Enter prints a new one.'],
  },
  async run(args, { terminal, programs, stop, takeUncaught }) {
    const port = args.has('port') ? readPort(serveCommand.spec, args) : null;
    const [{ serve }, { killProcess }] = await Promise.all([import('../../loopback/serve.ts'), import('../../process/end.ts')]);
    await serve({
      port,
      open: !args.has('no-open'),
      log: args.has('log'),
      terminal,
      programs,
      stop,
      takeUncaught,
      kill: killProcess,
    });
    return exits.done;
  },
};
