import { UsageError } from '../arguments.ts';
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
      'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
      ...searchOptions,
      ...signerOptions,
      ...probeOptions,
      json: { help: 'Print the result as one JSON document' },
    },
    notes: [
      'The --signer program reads one JSON object per line, one for each test case, and prints one hash per line. Each object has privateKey (a test key), time and, if the operation has data, data.',
      'FILE (- for standard input) has the request in any form: an envelope, a cURL command, a HAR entry, a log line. Options add or replace parts.',
      "With --env, Croupier uses the environment's serialization and also tries the open keys of other environments. With only --key-env, it serializes data as PHP does, with unescaped slashes.",
      'Exits with 0 if the hash is right, otherwise with 1, whether or not a mistake was found.',
      '--probe shows its plan before it sends anything. It calls only gameList, getGameRound and roundReplayInfo, which change nothing, and waits a second between calls.',
      'A production environment needs --env. In a terminal, Croupier asks before it sends the calls; otherwise, production needs --confirm-production.',
    ],
  },
  async run(args, context) {
    if (args.has('signer') || args.has('write-tests')) return testSigner(args, context);
    if (!args.has('probe')) return search(args, context);
    const other = Object.keys(searchOptions).find((name) => args.has(name));
    if (other !== undefined || args.positionals.length > 0)
      throw new UsageError(`--probe can't be combined with ${other === undefined ? 'a file' : `--${other}`}.`);
    return probe(args, context);
  },
};
