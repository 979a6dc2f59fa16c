import type { Instead } from '#core/app/app.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Client, Environment, Finding, RequestDraft, SandboxSamples } from '#shared/ipc/index.ts';
import {
  actionPointOf,
  validatePayload,
  contextOf,
  findingText,
  fittingForm,
  formOf,
  formWith,
  routeOf,
  recordedAnswer,
  type Answers,
  type KnownGames,
  knownGames,
  memberNames,
  needsAttention,
  type Operation,
  setField,
  templateText,
  usesGames,
} from '#shared/provider/index.ts';
import { assembleBody, prepareRequest } from '#shared/request/envelope.ts';
import type { Replaced } from '#shared/calls/replaced.ts';
import { suggestion, UsageError, type Arguments } from '../arguments.ts';
import { envHelp } from '../chosen-environment.ts';
import { exits, type Command, type Context, type ExitCode } from '../command.ts';
import { nullIfRefused } from '../explain-call.ts';
import { givenKey } from '../key-variable.ts';
import { readTextFile } from '../read-input.ts';
import { keyQuestionIn } from '#shared/secrets/key-question.ts';
import {
  confirming,
  confirmingKey,
  confirmKey,
  confirmProduction,
  noteLikeness,
  productionNote,
  requireTyped,
} from '../production.ts';
import { withEnvironment } from '../sandbox-environment.ts';
import type { Workbench } from '../workbench.ts';
import { openTargets } from '../targets.ts';
import { sendAndReport } from './call-outcome.ts';
import { requireOperation } from './operations.ts';

export const callCommand: Command = {
  spec: {
    name: 'call',
    summary: 'Send one operation and print the response, with private keys masked. Exits with 0 if the provider returns code 0.',
    positionals: ['OPERATION'],
    options: {
      env: { value: 'NAME', help: envHelp },
      'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
      data: { value: 'TEXT', help: "Set the payload as JSON: the data field, or a wallet method's whole body" },
      'data-file': { value: 'FILE', help: 'Read the payload from this file (- for standard input)' },
      set: { value: 'FIELD=VALUE', multiple: true, help: 'Set a field of the template or --data, such as currency=EUR' },
      form: { value: 'ID', help: 'Use this form of the operation (default: the one with the fields you set)' },
      time: { value: 'TIME', help: "Set time to this text (default: now, in the environment's zone)" },
      'base-url': { value: 'URL', help: 'Send to this https URL instead of the base or wallet URL' },
      timeout: { value: 'TIME', help: 'Stop the call after this time, such as 1500 (milliseconds) or 90s' },
      'dry-run': { help: "Sign the request and print its body, but don't send it" },
      ...confirmProduction,
      ...confirmKey,
      out: { value: 'FILE', help: 'Write the response to this new file (default: standard output)' },
      verbose: { help: 'Also print the request, hash input and duration on standard error' },
      json: { help: 'Print request and response as one JSON document' },
    },
    notes: ["Fields that you don't set come from the environment's defaults, then from the template.", productionNote],
  },
  async run(args, context) {
    const { terminal } = context;
    const operation = requireOperation(args.positionals[0] ?? '');
    const key = givenKey(args, terminal);
    const given = await readGivenText(args, context);
    const instead = readInstead(args);
    const [out] = await openTargets(args.values('out'), { new: true });
    const output = { json: args.has('json'), out, verbose: args.has('verbose') };
    const work = async ({ app, client }: Workbench, environment: Environment) => {
      requireTyped(environment, args);
      const { withInstead } = await import('#core/app/app.ts');
      const used = withInstead(environment, { operation: operation.name }, instead);
      requireAction(operation, environment);
      const { samples } = environment.kind === 'sandbox' ? await client.call('sandbox.status', {}) : { samples: {} };
      const draft = draftOf(operation, environment, given ?? samples, args);
      const games = await newestGames(client, operation, draft);
      const around = contextOf(environment, draft.overrides, Date.now(), games);
      const found = validatePayload(operation, draft.form, draft.text, around);
      let isNoted = false;
      const noteFindings = () => {
        for (const finding of isNoted ? [] : found.filter(needsAttention))
          terminal.note(`croupier: request, ${findingText(finding)}`);
        isNoted = true;
      };
      try {
        if (args.has('dry-run')) {
          noteFindings();
          return await dryRun(draft, found, used, client, args.has('json'), context);
        }
        await noteLikeness(client, environment, context);
        return await sendAndReport(client, environment, found, output, context, (ticket) => {
          app.useInstead(ticket, instead);
          return confirmingKey(args, context, (keyConfirmed) =>
            confirming(args, context, (confirmed) =>
              notingUnlessKey(
                () => client.call('calls.send', { draft, ticket, confirmed, keyConfirmed }),
                keyConfirmed,
                noteFindings,
              ),
            ),
          );
        });
      } catch (error) {
        await explainMissingKey(error, client, context);
        throw error;
      }
    };
    return withEnvironment(args, context, work, key);
  },
};

/** Sends, and prints the findings only when it is certain that the typed text, which they quote, holds no private key. */
async function notingUnlessKey(send: () => Promise<Call>, keyConfirmed: boolean, note: () => void): Promise<Call> {
  try {
    const call = await send();
    if (call.maskedKeys === undefined) note();
    return call;
  } catch (error) {
    // Core searches for keys first, so any other refusal means that there is none.
    if (!keyConfirmed && (!(error instanceof AppError) || keyQuestionIn(error) === null)) note();
    throw error;
  }
}

async function readGivenText(args: Arguments, context: Context): Promise<string | null> {
  const [data, file] = [args.value('data'), args.value('data-file')];
  if (data !== undefined && file !== undefined) throw new UsageError('Use --data or --data-file, not both.');
  return file === undefined ? (data ?? null) : await readTextFile('input.payload', file, context);
}

const longestTimeout = 600_000;

/** Reads what this call has instead of a setting of the environment. The URL is checked with the environment. */
function readInstead(args: Arguments): Instead {
  const [baseUrl, text] = [args.value('base-url'), args.value('timeout')];
  if (text === undefined) return { baseUrl };
  const [, digits = '', unit] = /^(\d{1,6})(ms|s)?$/.exec(text) ?? [];
  const timeoutMs = Number(digits) * (unit === 's' ? 1_000 : 1);
  if (timeoutMs < 1 || timeoutMs > longestTimeout)
    throw new UsageError('--timeout must be milliseconds or seconds, such as 1500 or 90s, at most 600s.');
  return { baseUrl, timeoutMs };
}

/** Returns the draft of the request: the given text, or the template with these samples, with the fields of `--set`. */
function draftOf(operation: Operation, environment: Environment, given: string | SandboxSamples, args: Arguments): RequestDraft {
  const { defaults, timeZone, answers } = environment;
  const fields = args.values('set').map(readField);
  const names = fields.map(([name]) => name);
  const asked = args.value('form');
  const named = formFor(operation, answers, names, asked);
  const payload = typeof given === 'string' && asked === undefined ? [...memberNames(given), ...names] : [];
  const form = payload.length === 0 ? named : (fittingForm(operation, payload)?.id ?? named);
  const template = (samples: SandboxSamples) =>
    templateText(operation, form, defaults, { now: Date.now(), timeZone, answers, samples });
  const start = typeof given === 'string' ? given : template(given);
  const text = fields.reduce((typed, [name, value]) => setField(operation, form, typed, name, value, answers), start);
  const time = args.value('time');
  return { environmentId: environment.id, operation: operation.name, form, text, overrides: time === undefined ? {} : { time } };
}

/** Refuses an operation whose action the spec does not show and no recorded answer names. */
function requireAction(operation: Operation, { answers, name }: Environment): void {
  const point = actionPointOf(operation);
  if (point === null || routeOf(operation, answers) !== null) return;
  const found = recordedAnswer(point, answers);
  if (found.state === 'invalid') throw new AppError('refused', `The recorded answer to ${point} is not valid. ${found.message}`);
  throw new AppError(
    'refused',
    `The spec doesn't show the action name of ${operation.name}. Ask the provider for it, then record it with "croupier env set ${name} --answer ${point}=NAME".`,
  );
}

function readField(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('Write --set as FIELD=VALUE.');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the requested form, or the first one that has all fields of `--set`. */
function formFor(operation: Operation, answers: Answers, names: readonly string[], asked: string | undefined): string {
  const ids = operation.forms.map(({ id }) => id);
  if (asked !== undefined && !ids.includes(asked)) {
    throw new AppError(
      'invalid_input',
      `${operation.name} has no form ${JSON.stringify(asked)}.${suggestion(asked, ids)} Available: ${ids.join(', ')}.`,
    );
  }
  const forms = operation.forms
    .filter(({ id }) => asked === undefined || id === asked)
    .map(({ id }) => formWith(operation, id, answers));
  const fitting = forms.find(
    ({ fields, open }) => open === true || names.every((name) => fields.some((field) => field.name === name)),
  );
  if (fitting !== undefined) return fitting.id;
  const known = forms.flatMap(({ fields }) => fields.map((field) => field.name));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new AppError(
      'invalid_input',
      `The spec lists no field ${JSON.stringify(unknown)} for ${operation.name}.${suggestion(unknown, known)} To send it anyway, use --data.`,
    );
  }
  throw new AppError(
    'invalid_input',
    `No form of ${operation.name} has all of these fields: ${names.join(', ')}. To list its forms, use "croupier operations ${operation.name}".`,
  );
}

/** Returns the newest game list of the environment if the request has a field that is checked against it. */
async function newestGames(client: Client, operation: Operation, draft: RequestDraft): Promise<KnownGames | null> {
  if (!usesGames(formOf(operation, draft.form))) return null;
  const read = async () => {
    const { snapshots } = await client.call('catalogue.snapshots', { environmentId: draft.environmentId });
    const [newest] = snapshots;
    if (newest === undefined) return null;
    const { games } = await client.call('catalogue.games', { snapshotId: newest.id });
    return knownGames(newest.currency, games);
  };
  // A finding must not prevent a call. If the history has a problem, sending reports it.
  return read().catch(nullIfRefused);
}

async function dryRun(
  draft: RequestDraft,
  found: readonly Finding[],
  { environment, replaced }: { readonly environment: Environment; readonly replaced: Replaced | null },
  client: Client,
  json: boolean,
  { terminal }: Context,
): Promise<ExitCode> {
  const prepared = prepareRequest(draft, environment, Date.now());
  if (!prepared.ok) throw new AppError('invalid_input', prepared.error.message, prepared.error);
  const { request } = prepared;
  const { time, dataJson } = request;
  const digest = async () =>
    (await client.call('keys.digest', { environmentId: environment.id, time: time ?? '', data: dataJson })).digest;
  const hash = request.signed ? await digest() : null;
  const bodyText = assembleBody(request, hash);
  if (!json) {
    await terminal.resultBytes(Buffer.from(bodyText));
    return exits.done;
  }
  const hashInput = request.signed ? { time, dataJson } : null;
  await terminal.result(
    JSON.stringify({
      callId: null,
      environment: environment.name,
      sentAt: null,
      operation: draft.operation,
      repeats: null,
      instead: replaced,
      maskedKeys: [],
      request: { url: request.url, bodyText, hashInput, hash },
      response: null,
      failure: null,
      requestFindings: found,
      findings: [],
    }),
  );
  return exits.done;
}

async function explainMissingKey(error: unknown, client: Client, { terminal }: Context): Promise<void> {
  if (!(error instanceof AppError) || (error.code !== 'key_missing' && error.code !== 'key_unavailable')) return;
  const { keychainMessage } = await client.call('app.info', {});
  if (keychainMessage !== null)
    terminal.note(`croupier: ${keychainMessage} Pass the key in an environment variable with --key-env.`);
}
