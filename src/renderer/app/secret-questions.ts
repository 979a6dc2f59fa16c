import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { secretsToSaveIn, type SecretToSave } from '#shared/secrets/secret-question.ts';

/** The question that is on the screen: values that look like secrets, about to be written into a file. */
interface SecretQuestionState {
  readonly secrets: readonly SecretToSave[] | null;
  readonly answer: (keep: boolean) => void;
}

export type SecretQuestions = StoreApi<SecretQuestionState>;

/**
 * A client that asks where core asks before it saves, and saves again with what was kept; whoever saved hears of neither. After a no, the refusal is
 * theirs as any other.
 */
export function createSecretQuestions(client: Client): { readonly store: SecretQuestions; readonly client: Client } {
  const store = createStore<SecretQuestionState>()(() => ({ secrets: null, answer: () => undefined }));

  function ask(secrets: readonly SecretToSave[]): Promise<boolean> {
    // One at a time: an older question is answered with no.
    store.getState().answer(false);
    return new Promise((resolve) => {
      const answer = (keep: boolean): void => {
        store.setState({ secrets: null, answer: () => undefined });
        resolve(keep);
      };
      store.setState({ secrets, answer });
    });
  }

  const call: Client['call'] = async (name, input) => {
    try {
      return await client.call(name, input);
    } catch (error) {
      const secrets = error instanceof AppError ? secretsToSaveIn(error) : null;
      if (secrets === null || !(await ask(secrets))) throw error;
      const kept = Object.fromEntries(secrets.map((one) => [one.name, 'keep']));
      return client.call(name, { ...input, secrets: kept });
    }
  };
  return { store, client: { ...client, call } };
}
