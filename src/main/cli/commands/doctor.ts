import { usageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { probe, probeOptions } from './doctor-probe.ts';

export const doctorCommand: Command = {
  spec: {
    name: 'doctor',
    summary: 'Find out why a provider rejects hashes.',
    positionals: [],
    options: {
      env: { value: 'NAME', help: 'The environment; optional if there is only one' },
      'key-env': { value: 'VAR', help: 'The environment variable that holds the key, instead of the keychain' },
      ...probeOptions,
      json: { help: 'Print the result as one JSON document' },
    },
    notes: [
      'The plan of --probe is shown before anything is sent. It calls only gameList, getGameRound and roundReplayInfo, none of which grants, bets or changes anything, and waits a second between two calls.',
      'A production environment must be named with --env. On a terminal Croupier asks before it sends the plan; without one, --probe needs --confirm-production there.',
    ],
  },
  async run(args, context) {
    if (!args.has('probe')) throw usageError(doctorCommand.spec, 'Say what to examine: --probe.');
    return probe(args, context);
  },
};
