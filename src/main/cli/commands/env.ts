import { AppError } from '#shared/errors.ts';
import type { Client, Environment, EnvironmentDraft } from '#shared/ipc/index.ts';
import { sharingWords } from '#shared/calls/environment-words.ts';
import { pemOfFile } from '#shared/json/file-text.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { dayOf, findPoint, recordedAnswer, allOpenPoints } from '#shared/provider/index.ts';
import { readWhole, suggestion, UsageError, type Arguments, type OptionSpec } from '../arguments.ts';
import { defaultEnvironmentId, setDefaultEnvironment } from '../chosen-environment.ts';
import { exits, printResult, type Command, type Context } from '../command.ts';
import { askYesOrNo, requireYes } from '../questions.ts';
import { certificateFacts } from './env-certificate.ts';
import { readInputFile, textOfInput } from '../read-input.ts';
import { findEnvironment, inHome } from '../workbench.ts';

const json = { json: { help: 'Print one JSON document' } };

export const envListCommand: Command = {
  spec: { name: 'env list', summary: 'Print the environments.', options: json },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const found = await client.call('environments.list', {});
    const usual = await defaultEnvironmentId(client);
    if (args.has('json')) {
      await terminal.result(JSON.stringify({ ...found, default: usual }, null, 2));
      return exits.done;
    }
    const looks = found.environments.map(({ name }) => lookOf(name));
    // A file copied by hand may repeat a name.
    const titles = found.environments.map(({ id, name }, at) =>
      looks.indexOf(looks[at] ?? '') === looks.lastIndexOf(looks[at] ?? '') ? name : `${name} (ID ${id})`,
    );
    const width = Math.max(0, ...titles.map((title) => title.length));
    for (const [at, { id, baseUrl, platform, partnerId, production }] of found.environments.entries()) {
      const mark = `${production ? '  production' : ''}${id === usual ? '  default' : ''}`;
      await terminal.line(`${(titles[at] ?? '').padEnd(width)}  ${baseUrl}  platform ${platform}, partner ${partnerId}${mark}`);
    }
    for (const { file, message } of found.broken) terminal.note(`croupier: skipped ${file}: ${message}`);
    return exits.done;
  }),
};

export const envShowCommand: Command = {
  spec: {
    name: 'env show',
    summary: 'Print one environment. The output contains no secrets.',
    positionals: ['NAME'],
    options: json,
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const environment = await findEnvironment(client, args.positionals[0]);
    if (args.has('json')) {
      await terminal.result(JSON.stringify(environment, null, 2));
      return exits.done;
    }
    const { command } = await client.call('tokens.list', { environmentId: environment.id });
    const { environments } = await client.call('environments.list', {});
    const { hosts } = await client.call('environments.privateHosts', { id: environment.id });
    const certificate = certificateFacts(await client.call('keys.clientCertificate', { environmentId: environment.id }));
    for (const line of describe(environment, environments, command, hosts, certificate)) await terminal.line(line);
    return exits.done;
  }),
};

type Settings = Omit<Environment, 'id' | 'kind'>;
type Changes = Partial<Settings>;

/** A setting on the command line: its options and their reader. `env set` has its options from here, so that none is without a reader. */
interface Setting {
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Returns undefined if the options say nothing. The contract checks each value where it enters core. */
  readonly read: (args: Arguments, current: Environment | null, context: Context) => unknown;
}

function text(option: string, value: string, help: string): Setting {
  return { options: { [option]: { value, help } }, read: (args) => args.value(option) };
}

function integer(option: string, value: string, help: string): Setting {
  return {
    options: { [option]: { value, help } },
    read(args) {
      const text = args.value(option);
      return text === undefined ? undefined : readWhole(text, `--${option} must be a whole number.`);
    },
  };
}

/** Reads the members of a setting, null for one that has no option, and keeps those as they are that no option names. */
function members<Name extends 'defaults' | 'timeouts'>(
  setting: Name,
  each: { readonly [Member in keyof Settings[Name]]: Setting | null },
): Setting {
  return {
    options: optionsOf(Object.values<Setting | null>(each)),
    read(args, current, context) {
      const given = Object.entries<Setting | null>(each)
        .map(([name, member]) => [name, member?.read(args, current, context)] as const)
        .filter(([, value]) => value !== undefined);
      return given.length === 0 ? undefined : { ...current?.[setting], ...Object.fromEntries(given) };
    },
  };
}

/** Every setting, null for one that is set on screen only. */
const settings: { readonly [Name in keyof Settings]: Setting | null } = {
  name: text('name', 'NAME', 'Rename the environment'),
  baseUrl: text('base-url', 'URL', 'Set the base URL, such as https://api.example.com (Croupier adds /serviceApi.php)'),
  walletUrl: text('wallet-url', 'URL', 'Set the wallet URL (empty: the base URL)'),
  platform: integer('platform', 'N', 'Set the platform ID'),
  partnerId: integer('partner-id', 'N', 'Set the partner ID'),
  timeZone: text('time-zone', 'ZONE', 'Set the zone of the time field, such as Europe/Berlin (default UTC)'),
  serialization: text(
    'serialization',
    'FORM',
    'Serialize data as php (default), php-unicode (unescaped non-ASCII) or verbatim (unchanged)',
  ),
  ca: {
    options: { ca: { value: 'FILE', help: 'Also trust this CA certificate, PEM, DER or PKCS#7 (empty: none)' } },
    async read(args, _current, context) {
      const file = args.value('ca');
      if (file === undefined || file === '') return file;
      const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
      return textOfInput(await readInputFile('input.certificate', file, context), file, context, (bytes, name) =>
        pemOfFile(bytes, name, base64),
      );
    },
  },
  proxy: text(
    'proxy',
    'PROXY',
    'Set the proxy: system (default), none, or an address such as http://proxy.example:8080 or pac+http://wpad.example/proxy.pac',
  ),
  color: text('color', 'COLOR', 'Set the colour: green, blue, violet, amber, red or grey'),
  production: {
    options: {
      production: { help: 'Mark as production: Croupier asks before it sends there' },
      'no-production': { help: 'Mark as not production (a new environment needs this or --production)' },
    },
    read(args) {
      if (args.has('production') && args.has('no-production'))
        throw new UsageError('Use --production or --no-production, not both.');
      return args.has('production') || args.has('no-production') ? args.has('production') : undefined;
    },
  },
  defaults: members('defaults', {
    currency: text('currency', 'C', 'Set the default currency, such as EUR'),
    lang: text('lang', 'L', 'Set the default language, such as en'),
    country: text('country', 'C', 'Set the default country, such as DE'),
    ip: text('ip', 'IP', "Set the player's default IP address, such as 192.0.2.1"),
    exitURL: text('exit-url', 'URL', 'Set the default exit URL, such as https://casino.example/lobby'),
    playerId: text('player-id', 'ID', 'Set the default player ID, such as player-1'),
  }),
  timeouts: members('timeouts', {
    connect: integer('connect-timeout', 'MS', 'Limit DNS, connection and TLS to this many milliseconds (default 10000)'),
    headers: null,
    idle: null,
    total: integer('total-timeout', 'MS', 'Limit a whole call to this many milliseconds (default 60000)'),
  }),
  // Another environment, which only core can find: see `readProvider`.
  sameProviderAs: null,
  answers: {
    options: {
      answer: {
        value: 'POINT=TEXT',
        multiple: true,
        help: 'Record the answer to an open point, such as amounts.unit=minor (an empty one removes it)',
      },
    },
    read: (args, current) => (args.has('answer') ? readAnswers(args.values('answer'), current?.answers ?? {}) : undefined),
  },
  maxResponseBytes: null,
  launchRules: null,
};

function optionsOf(found: readonly (Setting | null)[]): Setting['options'] {
  return Object.fromEntries(found.flatMap((setting) => Object.entries(setting?.options ?? {})));
}

export const envSetCommand: Command = {
  spec: {
    name: 'env set',
    summary: 'Create an environment, or change settings of an existing one.',
    positionals: ['NAME'],
    options: {
      ...optionsOf(Object.values(settings)),
      'same-provider-as': {
        value: 'ENV',
        help: 'Use the recorded answers of this other environment (empty: stop, and keep a copy)',
      },
      'token-command': {
        value: 'COMMAND',
        help: 'Get session tokens from this command, such as "node /opt/token.mjs" (empty: none)',
      },
      'private-host': {
        value: 'HOST',
        multiple: true,
        help: 'Load games and pictures from this host although its address is private (empty: none)',
      },
      ...json,
    },
  },
  run: inHome('keychain', async ({ client }, args, context) => {
    const name = args.positionals[0] ?? '';
    const current = await existing(client, name);
    const changes = { ...(await readChanges(args, context, current)), ...(await readProvider(args, client)) };
    const command = args.value('token-command');
    const hosts = args.has('private-host') ? args.values('private-host').filter((host) => host !== '') : undefined;
    const setHosts = ({ id }: Environment) =>
      hosts === undefined ? undefined : client.call('environments.setPrivateHosts', { id, hosts });
    // Before the environment's file is written: whoever watches that reads these again.
    if (current !== null) await setHosts(current);
    if (command !== undefined && current !== null) await client.call('tokens.setCommand', { environmentId: current.id, command });
    const saved =
      current === null
        ? await create(client, name, changes, context)
        : await client.call('environments.save', { environment: { ...current, ...changes } });
    if (command !== undefined && current === null) await setTokenCommand(client, saved, command);
    if (current === null) await setHosts(saved);
    return printResult(args, context.terminal, saved, [`${saved.name}: ${current === null ? 'created' : 'changed'}`]);
  }),
};

export const envDefaultCommand: Command = {
  spec: {
    name: 'env default',
    summary: 'Print or choose the default environment, which commands without --env use.',
    positionals: ['[NAME]'],
    options: { none: { help: 'Clear the default environment' }, json: { help: 'Print one JSON document' } },
    notes: ["--env comes first, then CROUPIER_ENV, then the default environment. A production environment can't be the default."],
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const [name] = args.positionals;
    if (name !== undefined && args.has('none')) throw new UsageError('Use NAME or --none, not both.');
    if (args.has('none')) await setDefaultEnvironment(client, null);
    if (name !== undefined) await setDefaultEnvironment(client, await findEnvironment(client, name));
    const id = await defaultEnvironmentId(client);
    const environment =
      id === null ? null : ((await client.call('environments.list', {})).environments.find((one) => one.id === id) ?? null);
    if (args.has('json')) await terminal.result(JSON.stringify({ environment: environment?.name ?? null, id }));
    else if (environment !== null) await terminal.line(environment.name);
    else if (args.has('none')) await terminal.line('There is no default environment.');
    else
      throw new AppError(
        'not_found',
        `${id === null ? 'There is no default environment' : "The default environment was removed or can't be read"}. Choose one with "croupier env default NAME".`,
      );
    return exits.done;
  }),
};

export const envRemoveCommand: Command = {
  spec: {
    name: 'env remove',
    summary: 'Remove an environment. Its key is removed the next time Croupier starts.',
    positionals: ['NAME'],
    options: { yes: { help: 'Remove a production environment without asking' }, ...json },
    notes: ['In a terminal, Croupier asks before it removes a production environment; otherwise, add --yes.'],
  },
  run: inHome('keychain', async ({ client }, args, context) => {
    const { id, name, production } = await findEnvironment(client, args.positionals[0]);
    if (production && !args.has('yes'))
      await requireYes(
        `${name} is production. Its key is removed the next time Croupier starts. Remove it?`,
        {
          declined: 'Nothing was removed.',
          unasked: `Nothing was removed: ${name} is marked as production. To remove it without asking, add --yes.`,
        },
        context,
      );
    const removed = await client.call('environments.remove', { id });
    return printResult(args, context.terminal, removed, [`${removed.name}: removed`]);
  }),
};

/** Sets the command of an environment that was just created. */
async function setTokenCommand(client: Client, { id, name }: Environment, command: string): Promise<void> {
  try {
    await client.call('tokens.setCommand', { environmentId: id, command });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${name} was created without a token command. ${error.message}`, error.details);
  }
}

/** Returns the environment that `env set` changes; null if it creates one. */
async function existing(client: Client, name: string): Promise<Environment | null> {
  const { environments } = await client.call('environments.list', {});
  const taken = environments.some((environment) => environment.name === name || environment.id === name);
  return taken ? findEnvironment(client, name) : null;
}

async function create(client: Client, name: string, changes: Partial<EnvironmentDraft>, context: Context): Promise<Environment> {
  const { baseUrl, platform, partnerId } = changes;
  const missing = [
    ...(baseUrl === undefined ? ['--base-url'] : []),
    ...(platform === undefined ? ['--platform'] : []),
    ...(partnerId === undefined ? ['--partner-id'] : []),
    ...(changes.production === undefined ? ['--production or --no-production'] : []),
  ];
  if (baseUrl === undefined || platform === undefined || partnerId === undefined) {
    // Its file may be one that cannot be read.
    if ((await client.call('environments.list', {})).broken.length > 0) return findEnvironment(client, name);
    throw new UsageError(`There is no environment with that name yet. To create it, add ${missing.join(', ')}.`);
  }
  const production = changes.production ?? (await askProduction(name, context));
  return client.call('environments.create', { environment: { name, ...changes, baseUrl, platform, partnerId, production } });
}

/** Asks whether an environment is production, because its URL does not show it. */
async function askProduction(name: string, { terminal, stop }: Context): Promise<boolean> {
  const answer = terminal.interactive
    ? await askYesOrNo(`Is ${name} production, with real players and real money?`, terminal, stop)
    : null;
  if (answer !== null) return answer;
  throw new UsageError(
    `Nothing was created, because the URL doesn't show whether ${name} is production. Add --production or --no-production.`,
  );
}

async function readChanges(args: Arguments, context: Context, current: Environment | null): Promise<Changes> {
  const changes: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const value = await setting?.read(args, current, context);
    if (value !== undefined) changes[name] = value;
  }
  return changes as Changes;
}

async function readProvider(args: Arguments, client: Client): Promise<Pick<Changes, 'sameProviderAs'>> {
  const name = args.value('same-provider-as');
  if (name === undefined) return {};
  return { sameProviderAs: name === '' ? undefined : (await findEnvironment(client, name)).id };
}

function readAnswers(given: readonly string[], current: Environment['answers']): Environment['answers'] {
  const answers = { ...current };
  for (const text of given) {
    const at = text.indexOf('=');
    const id = at === -1 ? text : text.slice(0, at);
    if (at === -1) throw new UsageError('Write --answer as POINT=TEXT.');
    const value = text.slice(at + 1).trim();
    // An answer with an unknown ID in a file can still be removed.
    if (findPoint(id) === null && !(value === '' && Object.hasOwn(current, id))) {
      const near = suggestion(
        id,
        allOpenPoints.map((point) => point.id),
      );
      throw new AppError(
        'invalid_input',
        `The spec has no open point ${JSON.stringify(id)}.${near} "croupier operations --verbose" lists them.`,
      );
    }
    if (value === '') delete answers[id];
    else if (current[id]?.value !== value) answers[id] = { value, note: current[id]?.note ?? '', date: dayOf(Date.now()) };
  }
  return answers;
}

function describe(
  environment: Environment,
  all: readonly Environment[],
  tokenCommand: string,
  hosts: readonly string[],
  certificate: string | null,
): string[] {
  const { id, name, baseUrl, walletUrl, platform, partnerId, timeZone, serialization, defaults, ca, proxy, production, answers } =
    environment;
  const rows: [string, string][] = [
    ['name', name],
    ['id', id],
    ['base URL', baseUrl],
    ['wallet URL', walletUrl === '' ? `${baseUrl} (the base URL)` : walletUrl],
    ['platform', String(platform)],
    ['partner ID', String(partnerId)],
    ['time zone', timeZone],
    ['serialization', serialization],
    ['production', production ? 'yes: Croupier asks before it sends' : 'no'],
    ['CA certificate', ca === '' ? 'none' : `${ca.length} characters of PEM`],
    ['proxy', proxy ?? 'from the system'],
    ...Object.entries(defaults).map(([field, value]): [string, string] => [`default ${field}`, value]),
    ['same provider as', sharing(environment, all)],
    ['token command', tokenCommand === '' ? 'none' : `${tokenCommand} (on this machine)`],
    ['client certificate', certificate === null ? 'none' : `${certificate} (on this machine)`],
    ['private hosts', hosts.length === 0 ? 'none' : `${hosts.join(', ')} (on this machine)`],
    ...Object.keys(answers).map((point): [string, string] => [`answer ${point}`, answerLine(point, answers)]),
  ];
  return rows.map(([label, value]) => `${label.padEnd(18)}  ${value}`);
}

function sharing(environment: Environment, all: readonly Environment[]): string {
  if (environment.sameProviderAs === undefined) return 'none: it has its own answers';
  const { words, possible } = sharingWords(environment, all);
  return possible ? `${words}, whose answers it shares` : `${words}: choose another one with --same-provider-as`;
}

/** Returns a recorded answer, and for an invalid one why it is not used. */
function answerLine(point: string, answers: Environment['answers']): string {
  const found = recordedAnswer(point, answers);
  const text = answers[point]?.value ?? '';
  return found.state === 'invalid' ? `${text}  (invalid, not used: ${found.message})` : text;
}
