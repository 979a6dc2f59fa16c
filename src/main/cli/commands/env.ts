import { AppError } from '#shared/errors.ts';
import type { Client, Environment, EnvironmentDraft } from '#shared/ipc/index.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { findPoint, recordedAnswer, allOpenPoints } from '#shared/provider/index.ts';
import { suggestion, usageError, type Arguments } from '../arguments.ts';
import type { Command, Context } from '../command.ts';
import { askYesOrNo } from '../questions.ts';
import { exits } from '../exit-codes.ts';
import { decodeText, readInputFile } from '../read-input.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';

const caLimit = 200_000;

const json = { json: { help: 'Print one JSON document' } };

export const envListCommand: Command = {
  spec: { name: 'env list', summary: 'Print the environments.', positionals: [], options: json },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { terminal } = context;
      const found = await client.call('environments.list', {});
      if (args.has('json')) {
        await terminal.result(JSON.stringify(found, null, 2));
        return exits.done;
      }
      const looks = found.environments.map(({ name }) => lookOf(name));
      // A file copied by hand may repeat a name.
      const titles = found.environments.map(({ id, name }, at) =>
        looks.indexOf(looks[at] ?? '') === looks.lastIndexOf(looks[at] ?? '') ? name : `${name} (ID ${id})`,
      );
      const width = Math.max(0, ...titles.map((title) => title.length));
      for (const [at, { baseUrl, platform, partnerId, production }] of found.environments.entries()) {
        const mark = production ? '  production' : '';
        await terminal.line(`${(titles[at] ?? '').padEnd(width)}  ${baseUrl}  platform ${platform}, partner ${partnerId}${mark}`);
      }
      for (const { file, message } of found.broken) terminal.note(`croupier: ${file} was left alone: ${message}`);
      return exits.done;
    }),
};

export const envShowCommand: Command = {
  spec: { name: 'env show', summary: 'Print one environment. It holds no secret.', positionals: ['NAME'], options: json },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const environment = await findEnvironment(client, args.positionals[0]);
      if (args.has('json')) await context.terminal.result(JSON.stringify(environment, null, 2));
      else for (const line of describe(environment)) await context.terminal.line(line);
      return exits.done;
    }),
};

export const envSetCommand: Command = {
  spec: {
    name: 'env set',
    summary: 'Create an environment, or change the named fields of one that is there.',
    positionals: ['NAME'],
    options: {
      name: { value: 'NAME', help: 'A new name' },
      'base-url': { value: 'URL', help: 'https URL, such as https://api.example.com; Croupier adds /serviceApi.php' },
      'wallet-url': { value: 'URL', help: 'https URL of the wallet methods; empty for the base URL' },
      platform: { value: 'N', help: 'Platform ID' },
      'partner-id': { value: 'N', help: 'Partner ID' },
      'time-zone': { value: 'ZONE', help: 'Zone of time (default UTC), such as Europe/Berlin' },
      serialization: { value: 'FORM', help: 'Serialization of data: php (default), php-unicode or verbatim' },
      ca: { value: 'FILE', help: 'PEM file of an extra certificate authority; empty for none' },
      color: { value: 'COLOR', help: 'green, blue, violet, amber, red or grey' },
      production: { help: 'Mark it as production: Croupier asks before it sends there' },
      'no-production': { help: 'Mark it as not production; a new environment needs one of the two' },
      currency: { value: 'C', help: 'Default currency, such as EUR' },
      lang: { value: 'L', help: 'Default language, such as en' },
      country: { value: 'C', help: 'Default country, such as DE' },
      ip: { value: 'IP', help: 'Default IP address of the player, such as 192.0.2.1' },
      'exit-url': { value: 'URL', help: 'Default exit URL, such as https://casino.example/lobby' },
      'player-id': { value: 'ID', help: 'Default player ID, such as player-1' },
      'connect-timeout': { value: 'MS', help: 'Milliseconds for DNS, connection and TLS (default 10000)' },
      'total-timeout': { value: 'MS', help: 'Milliseconds for a whole call (default 60000)' },
      answer: {
        value: 'POINT=TEXT',
        multiple: true,
        help: 'Record the answer to an open point, such as amounts.unit=minor; an empty value removes it (docs/open-points.md)',
      },
      ...json,
    },
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { terminal } = context;
      const name = args.positionals[0] ?? '';
      const current = await existing(client, name);
      const changes = await readChanges(args, context, current);
      const saved =
        current === null
          ? await create(client, name, changes, context)
          : await client.call('environments.save', { environment: { ...current, ...changes } });
      if (args.has('json')) await terminal.result(JSON.stringify(saved, null, 2));
      else await terminal.line(`${saved.name}: ${current === null ? 'created' : 'changed'}`);
      return exits.done;
    }),
};

export const envRemoveCommand: Command = {
  spec: {
    name: 'env remove',
    summary: 'Remove an environment. Its key is removed at the next start.',
    positionals: ['NAME'],
    options: json,
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { id } = await findEnvironment(client, args.positionals[0]);
      const removed = await client.call('environments.remove', { id });
      if (args.has('json')) await context.terminal.result(JSON.stringify(removed, null, 2));
      else await context.terminal.line(`${removed.name}: removed`);
      return exits.done;
    }),
};

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
    throw usageError(envSetCommand.spec, `There is no environment of that name yet. To create it, add ${missing.join(', ')}.`);
  }
  const production = changes.production ?? (await askProduction(name, context));
  return client.call('environments.create', { environment: { name, ...changes, baseUrl, platform, partnerId, production } });
}

/** Asks whether an environment is production, because its URL does not show it. */
async function askProduction(name: string, { terminal, stop }: Context): Promise<boolean> {
  const answer = terminal.interactive
    ? await askYesOrNo(`Is ${name} production: do its calls reach real players and real money?`, terminal, stop)
    : null;
  if (answer !== null) return answer;
  throw usageError(
    envSetCommand.spec,
    `Say whether ${name} is production: add --production or --no-production. Its URL does not show it. Nothing was created.`,
  );
}

type Settings = Omit<Environment, 'id' | 'kind'>;
type Changes = Partial<Settings>;

/** Reads what the options say of one setting; undefined if they say nothing. The contract checks each value where it enters core. */
type Reader = (args: Arguments, current: Environment | null, context: Context) => unknown;

const text =
  (option: string): Reader =>
  (args) =>
    args.value(option);
const integer =
  (option: string): Reader =>
  (args) =>
    args.has(option) ? readInteger(args, option) : undefined;

/** Reads some members of a setting and keeps the others as they are; undefined if no option names one. */
function members(setting: 'defaults' | 'timeouts', readers: Readonly<Record<string, Reader>>): Reader {
  return (args, current, context) => {
    const given = Object.entries(readers)
      .map(([name, read]) => [name, read(args, current, context)] as const)
      .filter(([, value]) => value !== undefined);
    return given.length === 0 ? undefined : { ...current?.[setting], ...Object.fromEntries(given) };
  };
}

/** The options of every setting, null for one that is set on screen only. */
const readers: { readonly [Name in keyof Settings]: Reader | null } = {
  name: text('name'),
  baseUrl: text('base-url'),
  walletUrl: text('wallet-url'),
  platform: integer('platform'),
  partnerId: integer('partner-id'),
  timeZone: text('time-zone'),
  serialization: text('serialization'),
  color: text('color'),
  production(args) {
    if (args.has('production') && args.has('no-production'))
      throw usageError(envSetCommand.spec, '--production and --no-production exclude each other.');
    return args.has('production') || args.has('no-production') ? args.has('production') : undefined;
  },
  async ca(args, _current, context) {
    const file = args.value('ca');
    return file === undefined || file === '' ? file : decodeText(await readInputFile(file, context, caLimit));
  },
  defaults: members('defaults', {
    currency: text('currency'),
    lang: text('lang'),
    country: text('country'),
    ip: text('ip'),
    exitURL: text('exit-url'),
    playerId: text('player-id'),
  }),
  timeouts: members('timeouts', { connect: integer('connect-timeout'), total: integer('total-timeout') }),
  maxResponseBytes: null,
  launchRules: null,
  answers: (args, current) => (args.has('answer') ? readAnswers(args.values('answer'), current?.answers ?? {}) : undefined),
};

async function readChanges(args: Arguments, context: Context, current: Environment | null): Promise<Changes> {
  const changes: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const value = await read?.(args, current, context);
    if (value !== undefined) changes[name] = value;
  }
  return changes as Changes;
}

function readInteger(args: Arguments, option: string): number {
  const text = args.value(option) ?? '';
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw usageError(envSetCommand.spec, `--${option} must be a whole number.`);
  return value;
}

function readAnswers(given: readonly string[], current: Environment['answers']): Environment['answers'] {
  const answers = { ...current };
  for (const text of given) {
    const at = text.indexOf('=');
    const id = at === -1 ? text : text.slice(0, at);
    if (at === -1) throw usageError(envSetCommand.spec, '--answer is written as POINT=TEXT.');
    const value = text.slice(at + 1).trim();
    // An answer with an unknown ID in a file can still be removed.
    if (findPoint(id) === null && !(value === '' && Object.hasOwn(current, id))) {
      const near = suggestion(
        id,
        allOpenPoints.map((point) => point.id),
      );
      throw new AppError(
        'invalid_input',
        `The spec has no open point ${JSON.stringify(id)}.${near} "croupier operations" lists them.`,
      );
    }
    if (value === '') delete answers[id];
    else answers[id] = { value, note: current[id]?.note ?? '' };
  }
  return answers;
}

function describe(environment: Environment): string[] {
  const { id, name, baseUrl, walletUrl, platform, partnerId, timeZone, serialization, defaults, ca, production, answers } =
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
    ['extra authority', ca === '' ? 'none' : `${ca.length} characters of PEM`],
    ...Object.entries(defaults).map(([field, value]): [string, string] => [`default ${field}`, value]),
    ...Object.keys(answers).map((point): [string, string] => [`answer ${point}`, answerLine(point, answers)]),
  ];
  return rows.map(([label, value]) => `${label.padEnd(18)}  ${value}`);
}

/** Returns a recorded answer, and for an invalid one why it is not used. */
function answerLine(point: string, answers: Environment['answers']): string {
  const found = recordedAnswer(point, answers);
  const text = answers[point]?.value ?? '';
  return found.state === 'invalid' ? `${text}  (not valid, not used: ${found.message})` : text;
}
