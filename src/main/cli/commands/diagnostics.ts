import { exits, type Command } from '../command.ts';
import { findEnvironment, inHome } from '../workbench.ts';

export const diagnosticsCommand: Command = {
  spec: {
    name: 'diagnostics',
    summary: 'Print facts for a bug report: versions, keychain, proxy and the sizes of stored data.',
    options: {
      url: { value: 'URL', help: 'Also show how calls to this URL leave: through which proxy, and why' },
      env: { value: 'NAME', help: "Also show how calls leave by this environment's settings" },
    },
    notes: [
      'The output contains no keys, paths or environment names; with --url or --env, it contains the URL and the proxy. It lists only errors of this command; for those of a workbench, use Help > Copy diagnostics there.',
    ],
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const [url, name] = [args.value('url'), args.value('env')];
    const { text } = await client.call('app.diagnostics', {
      ...(url === undefined ? {} : { url }),
      ...(name === undefined ? {} : { environmentId: (await findEnvironment(client, name)).id }),
    });
    await terminal.result(text.trimEnd());
    return exits.done;
  }),
};
