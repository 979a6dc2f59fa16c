import { exits, type Command } from '../command.ts';
import { readPort } from '../arguments.ts';

export const serveCommand: Command = {
  spec: {
    name: 'serve',
    summary: 'Run the workbench for a browser on this computer.',
    options: {
      port: { value: 'N', help: 'Listen on this port of 127.0.0.1 (0: any free port; default: the one used last)' },
      'no-open': { help: 'Print the URL without opening a browser' },
      log: { help: 'Print method, route and status of each request on standard error' },
    },
    notes: ['Each printed URL works once, within 60 seconds. Press Enter for a new one.'],
  },
  async run(args, { terminal, programs, stop, takeUncaught }) {
    const port = args.has('port') ? readPort(args) : null;
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
