import { AppError } from '#shared/errors.ts';
import type { Output } from '#shared/ipc/index.ts';
import { UsageError } from '../arguments.ts';
import { printResult, type Command } from '../command.ts';
import { askHidden } from '../questions.ts';
import { readInputFile } from '../read-input.ts';
import { findEnvironment, inHome } from '../workbench.ts';

export const envCertificateCommand: Command = {
  spec: {
    name: 'env certificate',
    summary: 'Print, set or remove the client certificate that an environment shows to its provider.',
    positionals: ['NAME', '[FILE]', '[KEYFILE]'],
    options: {
      'passphrase-env': { value: 'VAR', help: 'Read the passphrase of the file or key from this environment variable' },
      remove: { help: 'Remove the certificate and its key' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'FILE is a PKCS#12 file or a certificate in PEM; KEYFILE is its key, if FILE has none.',
      'In a terminal, Croupier asks for the passphrase and does not show it. The key goes to the keychain.',
    ],
  },
  run: inHome('keychain', async ({ client }, args, context) => {
    const { terminal } = context;
    const [name, ...paths] = args.positionals;
    if (args.has('remove') && paths.length > 0) throw new UsageError('Use FILE or --remove, not both.');
    const { id: environmentId, name: shown } = await findEnvironment(client, name);
    if (paths.length > 0) {
      const { keychainMessage } = await client.call('app.info', {});
      if (keychainMessage !== null) throw new AppError('key_unavailable', `The certificate was not stored. ${keychainMessage}`);
    }
    async function change(): Promise<Output<'keys.clientCertificate'>> {
      if (args.has('remove')) return client.call('keys.removeClientCertificate', { environmentId });
      if (paths.length === 0) return client.call('keys.clientCertificate', { environmentId });
      const files: string[] = [];
      for (const path of paths) files.push((await readInputFile('input.clientCertificate', path, context)).toString('base64'));
      const variable = args.value('passphrase-env');
      const asks = variable === undefined && terminal.interactive && terminal.stdin.isTTY === true;
      const typed = asks ? await askHidden('Passphrase (empty for none, not shown): ', terminal) : '';
      const passphrase = variable === undefined ? typed : terminal.env[variable];
      if (passphrase === undefined) throw new AppError('invalid_input', `The environment variable ${variable} is not set.`);
      return client.call('keys.setClientCertificate', { environmentId, files, passphrase });
    }
    const status = await change();
    return printResult(args, terminal, status, [`${shown}: ${certificateFacts(status) ?? 'no client certificate'}`], 0);
  }),
};

/** Returns a client certificate in words; null without one. */
export function certificateFacts({ certificate }: Output<'keys.clientCertificate'>): string | null {
  if (certificate === null) return null;
  return `${certificate.name}, issued by ${certificate.issuer}, valid until ${new Date(certificate.expiresAt).toISOString().slice(0, 10)}`;
}
