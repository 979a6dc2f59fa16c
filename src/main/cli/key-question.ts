import { AppError } from '#shared/errors.ts';
import { keyQuestionIn, keyQuestionWords } from '#shared/secrets/key-question.ts';
import type { Arguments, OptionSpec } from './arguments.ts';
import type { Context } from './command.ts';
import { askYesNo } from './questions.ts';

/** The option of every command that sends a typed request. */
export const confirmKey: Readonly<Record<string, OptionSpec>> = {
  'confirm-key': { help: 'Send a request that holds a private key, without a question' },
};

/** Sends, and asks first if the request holds a private key. Fails with `refused` if the user says no or there is no terminal to ask on. */
export async function confirmingKey<T>(
  args: Arguments,
  { terminal, stop }: Context,
  send: (keyConfirmed: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await send(args.has('confirm-key'));
  } catch (error) {
    const question = error instanceof AppError ? keyQuestionIn(error) : null;
    if (question === null) throw error;
    const { title, consequences } = keyQuestionWords(question);
    if (!terminal.interactive) {
      throw new AppError(
        'refused',
        `${title} ${consequences.join(' ')} Nothing was sent. To send it without a question, add --confirm-key.`,
      );
    }
    for (const line of consequences) terminal.note(line);
    if (await askYesNo(title, terminal, stop)) return await send(true);
    throw new AppError('refused', 'Nothing was sent.');
  }
}
