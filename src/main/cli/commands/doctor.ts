import { usageError } from '../arguments.ts';
import { envHelp } from '../chosen-environment.ts';
import type { Command } from '../command.ts';
import { probe, probeOptions } from './doctor-probe.ts';
import { search, searchOptions } from './doctor-search.ts';
import { signerOptions, testSigner } from './doctor-signer.ts';

export const doctorCommand: Command = {
  spec: {
    name: 'doctor',
    summary: 'Find the mistake in a hash, or find out why a provider rejects hashes.',
    positionals: ['[FILE]'],
    options: {
      env: { value: 'NAME', help: envHelp },
      'key-env': { value: 'VAR', help: 'The environment variable that holds the key, instead of the keychain' },
      ...searchOptions,
      ...signerOptions,
      ...probeOptions,
      json: { help: 'Print the result as one JSON document' },
    },
    notes: [
      'The program of --signer reads one JSON line for each case, with privateKey, time and, unless the operation has none, data. For each it prints one line, the hash. The key is a throw-away key.',
      'FILE, or - for standard input, holds the request in any form: an envelope, a cURL command, a HAR entry, a line of a log. Options complete what it lacks.',
      'With --env the rule is that of the environment, and the keys of others that are open are tried, too. With --key-env alone it is PHP with bare slashes.',
      'It ends with 0 if the hash is right, and with 1 if it is not, whether a mistake was found or not.',
      'The plan of --probe is shown before anything is sent. It calls only gameList, getGameRound and roundReplayInfo, none of which grants, bets or changes anything, and waits a second between two calls.',
      'A production environment must be named with --env. On a terminal Croupier asks before it sends the plan; without one, --probe needs --confirm-production there.',
    ],
  },
  async run(args, context) {
    if (args.has('signer') || args.has('write-tests')) return testSigner(args, context, doctorCommand.spec);
    if (!args.has('probe')) return search(args, context, doctorCommand.spec);
    const other = Object.keys(searchOptions).find((name) => args.has(name));
    if (other !== undefined || args.positionals.length > 0)
      throw usageError(doctorCommand.spec, `--probe takes no ${other === undefined ? 'file' : `--${other}`}.`);
    return probe(args, context);
  },
};
