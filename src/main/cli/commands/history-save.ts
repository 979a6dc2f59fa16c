import { freeRequestName, offeredName } from '#shared/calls/offered-name.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, Input, SecretChoices, StandIn } from '#shared/ipc/index.ts';
import { secretsToSaveIn, standInText } from '#shared/secrets/secret-question.ts';
import { UsageError } from '../arguments.ts';
import { withCollection } from '../collection-path.ts';
import { exits, type Command, type Context } from '../command.ts';
import { requireYes } from '../questions.ts';
import { givenChoices, keepSecret } from '../secret-question.ts';
import { withWorkbench } from '../workbench.ts';
import { readCount } from './history.ts';

export const historySaveCommand: Command = {
  spec: {
    name: 'history save',
    summary: "Save a call's request to a collection. Croupier signs it again when you send it.",
    positionals: ['ID'],
    options: {
      into: { value: 'DIR', help: 'Save into this collection or folder (created if missing)' },
      name: { value: 'NAME', help: 'Name the request (default: from its operation and fields)' },
      ...keepSecret,
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'Existing files are not changed. Session tokens become variables, and transaction IDs and references become {{$uniqueId}}. Croupier writes other values that look like secrets only if you confirm in a terminal or use --keep-secret NAME, which also keeps a session token.',
    ],
  },
  async run(args, context) {
    const id = readCount(args.positionals[0] ?? '', 'ID');
    const into = args.value('into');
    if (into === undefined) throw new UsageError('Name the collection with --into.');
    return withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { draft, maskedKeys, operation: sent } = await client.call('calls.get', { id });
      if (sent === null) throw new AppError('refused', `Not saved: call ${id} fits no operation, so it can't be a request.`);
      if (maskedKeys !== undefined)
        throw new AppError(
          'refused',
          `Not saved: call ${id} was sent with the private key of ${maskedKeys.join(' and ')} in it. The history masks the key, so the request is incomplete.`,
        );
      const { operation, form, text: data, overrides } = draft;
      const saved = await withCollection(client, into, { create: true }, async ({ id: collection, path: folder }) => {
        const { nodes } = await client.call('collections.tree', { id: collection });
        const taken = nodes.map(({ path }) => path);
        const name = args.value('name') ?? freeRequestName(taken, folder, offeredName(operation, data));
        const request = { operation, form, data, overrides };
        return create(client, { id: collection, folder, name, request, secrets: givenChoices(args) }, context);
      });
      const standIns = saved.replaced?.standIns ?? [];
      if (args.has('json')) await context.terminal.result(JSON.stringify({ path: saved.path, callId: id, standIns }));
      else await context.terminal.line(`${saved.path}: saved from call ${id}`);
      if (standIns.length > 0) context.terminal.note([standInText(standIns), ...givenText(standIns)].join(' '));
      return exits.done;
    });
  },
};

/** Says where the value of a token's variable comes from. */
function givenText(standIns: readonly StandIn[]): string[] {
  const { variable } = standIns.find((one) => !one.variable.startsWith('{{$')) ?? {};
  if (variable === undefined) return [];
  const name = variable.slice(2, -2);
  const option = `--var-env ${name}=VAR`;
  return [
    name === 'externalToken'
      ? `The built-in provider supplies ${variable}. For other providers, run the request with ${option}.`
      : `Run the request with ${option}.`,
  ];
}

/** Creates the file; asks on a terminal about values that look like secrets. */
async function create(client: Client, input: Input<'collections.create'>, context: Context) {
  try {
    return await client.call('collections.create', input);
  } catch (error) {
    const secrets = error instanceof AppError ? secretsToSaveIn(error) : null;
    if (secrets === null) throw error;
    const names = secrets.map(({ name }) => name);
    const what = `${names.join(', ')}: ${names.length === 1 ? 'this value looks like a secret' : 'these values look like secrets'}, and the file is meant for git.`;
    const unasked = `${what} Nothing was saved. To write it anyway, add ${names.map((name) => `--keep-secret ${name}`).join(' ')}.`;
    await requireYes('Write it anyway?', { lines: [what], declined: 'Nothing was saved.', unasked }, context);
    const kept: SecretChoices = Object.fromEntries(names.map((name) => [name, 'keep']));
    return client.call('collections.create', { ...input, secrets: { ...input.secrets, ...kept } });
  }
}
