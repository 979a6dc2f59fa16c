import { AppError } from '#shared/errors.ts';
import { exits, type Command } from '../command.ts';
import { askHidden, askLine } from '../questions.ts';
import { readTextFile } from '../read-input.ts';
import { inHome } from '../workbench.ts';

export const proxyLoginCommand: Command = {
  spec: {
    name: 'proxy login',
    summary: "Store the user name and password of a proxy in this computer's keychain.",
    positionals: ['PROXY'],
    notes: [
      'PROXY is an address such as http://proxy.example:8080. Croupier reads USER:PASSWORD from standard input; in a terminal, it asks for both and does not show the password.',
      'The login is for every environment whose calls go through this proxy. Croupier logs in by Basic and Digest.',
    ],
  },
  run: inHome('keychain', async ({ client }, args, context) => {
    const { terminal, stop } = context;
    const { keychainMessage } = await client.call('app.info', {});
    if (keychainMessage !== null) throw notStored(keychainMessage);
    const isAsked = terminal.stdin.isTTY === true;
    const line = isAsked ? '' : (await readTextFile('input.key', '-', context)).replace(/\r?\n$/, '');
    const colon = line.indexOf(':');
    if (!isAsked && colon < 1) throw new AppError('invalid_input', 'Standard input has no USER:PASSWORD. Nothing was stored.');
    const user = isAsked ? await askLine('User name: ', terminal, stop) : line.slice(0, colon);
    const password = isAsked ? await askHidden('Password (not shown): ', terminal) : line.slice(colon + 1);
    const { proxy, kept } = await client.call('keys.setProxyLogin', { proxy: args.positionals[0] ?? '', user, password });
    if (kept !== 'keychain') throw notStored('The keychain did not accept it.');
    await terminal.line(`${proxy}: login stored`);
    return exits.done;
  }),
};

export const proxyLogoutCommand: Command = {
  spec: {
    name: 'proxy logout',
    summary: "Remove the login of a proxy from this computer's keychain.",
    positionals: ['PROXY'],
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const { proxy } = await client.call('keys.removeProxyLogin', { proxy: args.positionals[0] ?? '' });
    await terminal.line(`${proxy}: no login`);
    return exits.done;
  }),
};

/** Returns the error for a missing keychain: this process alone would hold the login, and lose it when the command ends. */
function notStored(message: string): AppError {
  return new AppError(
    'key_unavailable',
    `The login was not stored. ${message} Put it into the proxy's address in HTTPS_PROXY instead.`,
  );
}
