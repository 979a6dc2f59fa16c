import { AppError } from '#shared/errors.ts';
import type { Client, Confirmed, Environment } from '#shared/ipc/index.ts';
import { likenessWords } from '#shared/production/likeness.ts';
import { questionIn } from '#shared/production/question.ts';
import { questionWords } from '#shared/production/words.ts';
import { keyQuestionIn, keyQuestionWords } from '#shared/secrets/key-question.ts';
import type { Arguments, OptionSpec } from './arguments.ts';
import type { Context } from './command.ts';
import { requireYes } from './questions.ts';

/** The option of every command that sends. */
export const confirmProduction: Readonly<Record<string, OptionSpec>> = {
  'confirm-production': { help: "Don't ask before calls to production that grant free rounds or move money" },
};

/** The paragraph below the options of every command that sends. */
export const productionNote =
  'A production environment needs --env. In a terminal, Croupier asks before it sends there; otherwise, a call that grants or ' +
  'moves money needs --confirm-production.';

/** Checks an environment that a command will send to: as `requireTyped` does, and with a note on one that may be production. */
export async function checkTarget(client: Client, environment: Environment, args: Arguments, context: Context): Promise<void> {
  requireTyped(environment, args);
  await noteLikeness(client, environment, context);
}

/** Refuses a production environment that was not named with --env, because it must never be the default target. */
export function requireTyped({ name, production }: Environment, args: Arguments): void {
  if (!production || args.has('env')) return;
  throw new AppError('refused', `${name} is marked as production. To select it, type --env ${shellWord(name)}.`);
}

/** Sends, and asks core's question first, if there is one. Fails with `refused` if the user says no or there is no terminal to ask on. */
export function confirming<T>(args: Arguments, context: Context, send: (confirmed: Confirmed) => Promise<T>): Promise<T> {
  return askingFirst('confirm-production', args, context, send, (error) => {
    const question = questionIn(error);
    if (question === null) return null;
    const { name, platform, partnerId } = question.environment;
    const target = `${name}: production, platform ${platform}, partner ${partnerId}, ${question.url}`;
    const words = questionWords(question);
    // The gateway does not know what it will pass, and a test of the wallet always bets.
    const isAlways = question.gateway === true || question.wallet !== undefined;
    return { ...words, grants: words.grants || isAlways, more: [target] };
  });
}

/** The option of every command that sends a typed request. */
export const confirmKey: Readonly<Record<string, OptionSpec>> = {
  'confirm-key': { help: 'Send a request that contains a private key without asking' },
};

/** Sends, and asks first if the request holds a private key. Fails as `confirming` does. */
export function confirmingKey<T>(args: Arguments, context: Context, send: (keyConfirmed: boolean) => Promise<T>): Promise<T> {
  return askingFirst('confirm-key', args, context, send, (error) => {
    const question = keyQuestionIn(error);
    return question === null ? null : { ...keyQuestionWords(question), grants: true, more: [] };
  });
}

/** Sends as the option says, and once more after a yes to the question in a refusal. One that `grants` nothing needs no terminal to ask on. */
async function askingFirst<T>(
  option: string,
  args: Arguments,
  context: Context,
  send: (confirmed: boolean) => Promise<T>,
  asked: (error: AppError) => { title: string; consequences: readonly string[]; grants: boolean; more: string[] } | null,
): Promise<T> {
  try {
    return await send(args.has(option));
  } catch (error) {
    const question = error instanceof AppError ? asked(error) : null;
    if (question === null) throw error;
    const { title, consequences, grants, more } = question;
    const refusal = `${title} ${consequences.join(' ')} Nothing was sent. To send it without asking, add --${option}.`;
    const unasked = grants ? refusal : undefined;
    await requireYes(title, { lines: [...consequences, ...more], declined: 'Nothing was sent.', unasked }, context);
    return await send(true);
  }
}

/** Notes on standard error, without a question, that an environment that is not marked may be production. */
export async function noteLikeness(client: Client, { id, name }: Environment, { terminal }: Context): Promise<void> {
  const { like } = await client.call('production.status', { environmentId: id });
  if (like !== null) terminal.note(`croupier: ${name}: ${likenessWords(like)}.`);
}

/** Quotes a text for a shell, where it needs that. */
export function shellWord(text: string): string {
  return /^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
