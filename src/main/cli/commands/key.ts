import { amount } from '#shared/amount.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, KeyStatus } from '#shared/ipc/index.ts';
import { fingerprintText } from '#shared/signing/fingerprint.ts';
import { inspectKey, shortKeyWarning } from '#shared/signing/key.ts';
import type { Arguments } from '../arguments.ts';
import { exits, type Command, type Context, type ExitCode } from '../command.ts';
import { askHidden } from '../questions.ts';
import { readTextFile } from '../read-input.ts';
import { findEnvironment, inHome, withWorkbench } from '../workbench.ts';

export const keySetCommand: Command = {
  spec: {
    name: 'key set',
    summary: "Store an environment's private key in this computer's keychain.",
    positionals: ['ENV'],
    options: {
      trim: { help: 'Remove the characters around the key that Croupier warns about, such as spaces' },
      json: { help: 'Print the status as one JSON document' },
    },
    notes: [
      'Croupier reads the key from standard input, without its last line break. In a terminal, it asks for the key and does not show it.',
    ],
  },
  run: inHome('keychain', async ({ client }, args, context) => {
    const { terminal } = context;
    const environment = await findEnvironment(client, args.positionals[0]);
    const { keychainMessage } = await client.call('app.info', {});
    if (keychainMessage !== null) throw noKeychain(keychainMessage);
    const typed = await readKey(context, environment.name);
    const { warnings, trimmed } = inspectKey(typed);
    if (typed.trim() === '') throw new AppError('invalid_input', 'The key on standard input is blank. Nothing was stored.');
    const key = args.has('trim') && trimmed !== null ? trimmed : typed;
    for (const warning of key === typed ? warnings : []) terminal.note(`croupier: ${warning}`);
    if (key === typed && trimmed !== null)
      terminal.note('croupier: the key was stored unchanged. To remove those characters, run this again with --trim.');
    const status = await client.call('keys.set', { environmentId: environment.id, key });
    // Gone with this process; whatever the keychain had stays.
    if (status.storage !== 'keychain') throw noKeychain(status.message ?? 'The keychain did not accept the key.');
    return printStatus(status, environment.name, args.has('json'), context);
  }),
};

const json = { json: { help: 'Print the status as one JSON document' } };

export const keyStatusCommand: Command = {
  spec: {
    name: 'key status',
    summary: 'Show whether an environment has a key, without showing it. Exits with 0 if the key is usable, otherwise with 5.',
    positionals: ['ENV'],
    options: json,
  },
  run: (args, context) => printAfter(args, context, (client, environmentId) => client.call('keys.status', { environmentId })),
};

export const keyRemoveCommand: Command = {
  spec: {
    name: 'key remove',
    summary: "Remove every key of an environment from this computer's keychain.",
    positionals: ['ENV'],
    options: json,
  },
  async run(args, context) {
    await printAfter(args, context, (client, environmentId) => client.call('keys.remove', { environmentId }));
    return exits.done;
  },
};

export const keyChooseCommand: Command = {
  spec: {
    name: 'key choose',
    summary: "Choose which of an environment's two keys signs its calls: new or older.",
    positionals: ['ENV', 'KEY'],
    options: json,
    notes: [
      'After "key set", an environment has two keys. When a call signed with the new one gets code 0, Croupier removes the older one. To remove one yourself, use "key discard".',
    ],
  },
  async run(args, context) {
    const key = whichKey(args.positionals[1]);
    return printAfter(args, context, (client, environmentId) => client.call('keys.choose', { environmentId, key }));
  },
};

export const keyDiscardCommand: Command = {
  spec: {
    name: 'key discard',
    summary: "Remove one of an environment's two keys, new or older. The other one signs.",
    positionals: ['ENV', 'KEY'],
    options: json,
  },
  async run(args, context) {
    const key = whichKey(args.positionals[1]);
    return printAfter(args, context, (client, environmentId) => client.call('keys.discard', { environmentId, key }));
  },
};

/** Prints the status of the key of ENV that some work returns. */
function printAfter(
  args: Arguments,
  context: Context,
  work: (client: Client, environmentId: string) => Promise<KeyStatus>,
): Promise<ExitCode> {
  return withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
    const { id, name } = await findEnvironment(client, args.positionals[0]);
    return printStatus(await work(client, id), name, args.has('json'), context);
  });
}

function whichKey(text: string | undefined): 'new' | 'older' {
  if (text === 'new' || text === 'older') return text;
  throw new AppError('invalid_input', `KEY must be new or older, not ${JSON.stringify(text ?? '')}.`);
}

async function readKey(context: Context, name: string): Promise<string> {
  const { terminal } = context;
  if (terminal.stdin.isTTY === true) return askHidden(`Key of ${name} (not shown): `, terminal);
  return (await readTextFile('input.key', '-', context)).replace(/\r?\n$/, '');
}

async function printStatus(status: KeyStatus, name: string, json: boolean, { terminal }: Context): Promise<ExitCode> {
  const { pair } = status;
  if (json) await terminal.result(JSON.stringify(status));
  else if (pair === null) await terminal.line(`${name}: ${keyFacts(status)}`);
  else {
    const other = pair.signs === 'new' ? 'older' : 'new';
    await terminal.line(`${name}: the ${pair.signs} key signs: ${keyFacts(status)}`);
    await terminal.line(`${name}: the ${other} key is kept: ${keyFacts(pair.other)}`);
    terminal.note(
      `croupier: the older key is removed once a call signed with the new one gets code 0. See "croupier help key choose".`,
    );
  }
  const short = shortKeyWarning(status.bytes);
  if (short !== null) terminal.note(`croupier: ${short}`);
  if (status.message !== null) terminal.note(`croupier: ${status.message}`);
  return status.state === 'present' ? exits.done : exits.key;
}

function keyFacts({ state, fingerprint, bytes }: Pick<KeyStatus, 'state' | 'fingerprint' | 'bytes'>): string {
  const facts =
    state === 'present' ? ['stored', `fingerprint ${fingerprint === null ? 'unknown' : fingerprintText(fingerprint)}`] : [state];
  return [...facts, ...(bytes === null ? [] : [amount(bytes, 'byte')])].join(', ');
}

/** Returns the error for a missing keychain: this process alone would hold the key, and lose it when the command ends. */
function noKeychain(message: string): AppError {
  return new AppError('key_unavailable', `The key was not stored. ${message} For one command, use --key-env VAR.`);
}
