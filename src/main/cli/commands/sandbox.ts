import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { SandboxOptions } from '#core/host/host.ts';
import { AppError } from '#shared/errors.ts';
import type { SandboxStart } from '#core/app/app.ts';
import { operations } from '#shared/provider/index.ts';
import { isTimeZone } from '#shared/signing/time.ts';
import type { Choices } from '#sandbox/choices.ts';
import { readFault } from '#shared/provider/faults-on-demand.ts';
import { exact, phpEncode } from '#sandbox/php-json.ts';
import type { RunningSandbox, SandboxOptions as ProviderOptions } from '#sandbox/server.ts';
import { walletFaults, type WalletFault } from '#sandbox/wallet-faults.ts';
import { readPort, readWhole, suggestion, UsageError, type Arguments } from '../arguments.ts';
import { exits, tonedCode, type Command, type Context } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { readTextFile } from '../read-input.ts';
import { openTargets } from '../targets.ts';
import { withWorkbench } from '../workbench.ts';

export const sandboxCommand: Command = {
  spec: {
    name: 'sandbox',
    summary: 'Run the built-in provider until you stop it. The first line shows its URL and players.',
    options: {
      port: { value: 'N', help: 'Listen on this port of localhost (default 8443, or a free one)' },
      host: { value: 'NAME', help: 'Respond to other machines, too, under this host name (for a container or a CI service)' },
      'key-env': { value: 'VAR', help: 'Read its key from this environment variable (default: a random key)' },
      platform: { value: 'N', help: 'Accept only this platform ID' },
      'partner-id': { value: 'N', help: 'Accept only this partner ID' },
      'cancel-action': { value: 'NAME', help: 'Name the action that cancels free rounds (default cancelFreeRounds)' },
      'currency-action': { value: 'NAME', help: 'Name the action that lists the currencies (default currencyList)' },
      mode: {
        value: 'MODE',
        help: 'Set how data is hashed: reencode (default: as PHP decodes and encodes it) or received (as received)',
      },
      decode: { value: 'FORM', help: 'Set how JSON objects are decoded: objects (default) or arrays (PHP associative arrays)' },
      'non-ascii': { value: 'FORM', help: 'Set how non-ASCII characters are hashed: escaped (default) or bare (unescaped)' },
      'time-order': {
        value: 'ORDER',
        help: 'Set the date order of the time field: any (default), dmy, ymd or samples (ymd only for roundReplayInfo)',
      },
      'time-tolerance': {
        value: 'SECONDS',
        help: "Reject a time this many seconds off the provider's clock (default: accept any)",
      },
      'time-zone': { value: 'ZONE', help: 'Read the time field in this zone (default UTC); needs --time-tolerance' },
      first: { value: 'CHECK', help: 'Set what is checked first: identity (platform and partnerId; default) or hash' },
      players: { value: 'FILE', help: 'Read players, balances, tokens and currencies from this YAML or JSON file' },
      state: { value: 'FILE', help: 'Load state from this file, if it exists; save it on exit' },
      fault: {
        value: 'FAULT',
        multiple: true,
        help: 'Cause faults: bet=500,2 (HTTP 500 for 2 bets), win=delay:3000, bet=code:404, all=cut (no response), bet=cut-after (processed, no response)',
      },
      'wallet-fault': {
        value: 'NAME',
        help: 'Plant this fault in its wallet, such as retry-debits-twice; an unknown name lists all',
      },
      json: { help: 'Print one JSON line for each request it judges' },
    },
    notes: [
      'The first line has controlUrl, a page where you change faults and state while it runs. Anyone who knows that URL can use it.',
      'If another built-in provider is running on this home, the sandbox environment belongs to that one, and this one needs --key-env.',
      "The spec doesn't show the action names that --cancel-action and --currency-action set. Croupier records them in the sandbox environment; if you change them there, that takes effect immediately.",
    ],
  },
  async run(args, context) {
    const { terminal, stop } = context;
    const start: SandboxStart = {
      ...(args.has('port') ? { port: readPort(args) } : {}),
      ...(args.has('platform') ? { platform: readId(args, 'platform') } : {}),
      ...(args.has('partner-id') ? { partnerId: readId(args, 'partner-id') } : {}),
      actions: readActions(args),
    };
    const choices = readChoices(args);
    const host = args.has('host') ? { host: readHost(args) } : {};
    const key = givenKey(args, terminal);
    const started: { options: SandboxOptions; running: RunningSandbox }[] = [];
    const faults = args.values('fault').map((text) => readFault(text));
    const walletFault = readWalletFault(args);
    const world = await readWorldOptions(args, context, key);
    const startSandbox = async (given: SandboxOptions) => {
      const sandbox = await import('#sandbox/server.ts');
      const running = await sandbox.startSandbox({ ...given, ...world, ...host, choices, faults, walletFault });
      started.push({ options: given, running });
      return running;
    };
    return withWorkbench(context, { keys: { given: key }, startSandbox }, async ({ app, client }) => {
      client.on('sandbox.judged', (judged) => {
        if (args.has('json')) void terminal.result(JSON.stringify(judged));
        else
          terminal.note(
            `${judged.time}  ${judged.path}  ${judged.action ?? ''}  code ${judged.verdict.code}  ${judged.verdict.why}`,
            tonedCode(judged.verdict.code),
          );
      });
      if (key === null && (await app.joinSandbox()) !== 'absent') throw otherRuns();
      const other = await app.startSandbox({ ...start, ...(key === null ? {} : { key }) });
      // It came in the meantime.
      if (key === null && other !== null) throw otherRuns();
      const status = await client.call('sandbox.status', {});
      const [first] = started;
      if (first === undefined || !status.running) {
        throw new AppError('refused', status.message ?? 'The built-in provider could not start.');
      }
      // A file that cannot be written is known now, not when there is something to lose.
      await first.running.save();
      const line = { ...firstLine(first.running, first.options), ...(walletFault === undefined ? {} : { walletFault }) };
      await terminal.result(phpEncode(line, { unescapedUnicode: true }) ?? '');
      if (walletFault !== undefined)
        terminal.note(`croupier: the wallet has the fault ${walletFault}. ${walletFaults[walletFault]}`);
      if (other !== null) {
        terminal.note(
          `croupier: another built-in provider is running on this home at ${other}, and the sandbox environment belongs to it. To reach this one, use ${first.running.baseUrl}.`,
        );
      }
      const { keychainMessage } = await client.call('app.info', {});
      if (key === null && keychainMessage !== null) {
        terminal.note(`croupier: ${keychainMessage} To call this provider from another process, start it with --key-env.`);
      }
      if (!stop.aborted) await once(stop, 'abort');
      await first.running.save();
      return exits.done;
    });
  },
};

function firstLine(running: RunningSandbox, { platform, partnerId, actions }: SandboxOptions) {
  const { baseUrl, caFile, controlUrl } = running;
  const balances = running.balances();
  const players = running.players().map(({ playerId, externalToken, currency }, at) => {
    return { playerId, externalToken, currency, balance: exact(balances[at] ?? '') };
  });
  return { baseUrl, walletUrl: baseUrl, caFile, platform, partnerId, actions: actions(), players, controlUrl };
}

/** Refuses a random key if another provider has the environment: nobody could sign for this one. */
function otherRuns(): AppError {
  return new AppError(
    'refused',
    'Another built-in provider is running on this home, and the sandbox environment belongs to it. Stop that one, or start this one with --key-env VAR.',
  );
}

/** Reads the files that decide about players and state; refuses one that holds the key, and saves no state that does. */
async function readWorldOptions(args: Arguments, context: Context, key: string | null): Promise<Partial<ProviderOptions>> {
  const [players, state] = [args.value('players'), args.value('state')];
  if (players === undefined && state === undefined) return {};
  const core = await import('#core/app/app.ts');
  const redaction = core.createRedaction();
  if (key !== null) redaction.protect(key);
  const find = async (text: Uint8Array) => (redaction.holds(Buffer.from(text).toString()) ? [{ environmentId: '' }] : []);
  const pass = core.createPass({ contains: async () => false, find }, () => []);
  const read = async (kind: 'input.players' | 'input.world', path: string) => {
    const text = await readTextFile(kind, path, context);
    const keyFound = () =>
      `${basename(path)} contains the private key of --key-env. Remove it: the provider doesn't need it there.`;
    return (await pass('provider', [text], { keyFound }))(text);
  };
  const options =
    players === undefined
      ? {}
      : { start: (await import('#sandbox/start-file.ts')).readStart(await read('input.players', players), basename(players)) };
  if (state === undefined) return options;
  const { printWorld, readWorld, restoreWorld } = await import('#sandbox/saved-world.ts');
  // At its end it would be too late to say that the state cannot be written.
  for (const file of await openTargets([state], { new: false })) await file.discard();
  const saved = existsSync(state) ? readWorld(await read('input.world', state), basename(state)) : null;
  return {
    ...options,
    ...(saved === null ? {} : { restore: (deps) => restoreWorld(saved, deps) }),
    async save(world) {
      const text = printWorld(world);
      await core.writeFileDurably(state, (await pass('provider', [text], {}))(text));
    },
  };
}

/** Reads the action names that the spec does not show, each for one operation. */
function readActions(args: Arguments): NonNullable<SandboxStart['actions']> {
  const given = (['cancel-action', 'currency-action'] as const).map((option) => {
    const name = args.value(option);
    if (name === undefined) return undefined;
    if (!/^[\w.-]{1,100}$/.test(name)) {
      throw new UsageError(`--${option} can contain only letters, digits, _, . and -, at most 100 characters.`);
    }
    const taken = operations.find(({ action }) => action === name);
    if (taken !== undefined) throw new UsageError(`--${option} can't be ${name}: the spec uses it for another operation.`);
    return name;
  });
  const [cancelFreeRounds, currencyList] = given;
  if (cancelFreeRounds !== undefined && cancelFreeRounds === currencyList) {
    throw new UsageError('--cancel-action and --currency-action must differ.');
  }
  return {
    ...(cancelFreeRounds === undefined ? {} : { cancelFreeRounds }),
    ...(currencyList === undefined ? {} : { currencyList }),
  };
}

/** Reads a host name: Croupier puts it into the certificate. */
function readHost(args: Arguments): string {
  const name = (args.value('host') ?? '').toLowerCase();
  if (/^(?!.{254})(?=.*[a-z])[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(name)) return name;
  throw new UsageError('--host must be a host name such as croupier, without a port.');
}

const longestId = 999_999_999_999_999;

function readId(args: Arguments, option: string): number {
  const message = `--${option} must be a whole number.`;
  return readWhole(args.value(option) ?? '', message, -longestId, longestId);
}

const values = {
  mode: ['reencode', 'received'],
  decode: ['objects', 'arrays'],
  'non-ascii': ['escaped', 'bare'],
  'time-order': ['any', 'dmy', 'ymd', 'samples'],
  first: ['identity', 'hash'],
} as const;

/** Reads the choices about signing; refuses those that would change nothing. */
function readChoices(args: Arguments): Partial<Choices> {
  const received = args.value('mode') === 'received';
  for (const option of ['decode', 'non-ascii'] as const) {
    if (received && args.has(option)) {
      throw new UsageError(`--${option} needs --mode reencode: text hashed as received is not decoded.`);
    }
  }
  const tolerance = args.value('time-tolerance');
  const notSeconds = '--time-tolerance must be a whole number of seconds.';
  const timeTolerance = tolerance === undefined ? null : readWhole(tolerance, notSeconds, 0, 999_999_999);
  const timeZone = args.value('time-zone') ?? 'UTC';
  if (args.has('time-zone') && timeTolerance === null) {
    throw new UsageError('--time-zone needs --time-tolerance: without it, any time is accepted.');
  }
  if (!isTimeZone(timeZone)) {
    throw new UsageError('--time-zone must be a time zone such as Europe/Berlin or UTC.');
  }
  return {
    mode: readValue(args, 'mode'),
    decode: readValue(args, 'decode'),
    nonAscii: readValue(args, 'non-ascii'),
    timeOrder: readValue(args, 'time-order'),
    first: readValue(args, 'first'),
    timeZone,
    timeTolerance,
  };
}

function readValue<K extends keyof typeof values>(args: Arguments, option: K): (typeof values)[K][number] {
  const known: readonly (typeof values)[K][number][] = values[option];
  const text = args.value(option) ?? known[0];
  const found = known.find((value) => value === text);
  if (found === undefined) throw new UsageError(`--${option} must be ${known.join(' or ')}.`);
  return found;
}

function readWalletFault(args: Arguments): WalletFault | undefined {
  const text = args.value('wallet-fault');
  const names = Object.keys(walletFaults) as WalletFault[];
  const found = names.find((name) => name === text);
  if (found !== undefined || text === undefined) return found;
  const unknown = `There is no wallet fault ${JSON.stringify(text)}.${suggestion(text, names)}`;
  throw new UsageError(`${unknown} Use one of ${names.join(', ')}.`);
}
