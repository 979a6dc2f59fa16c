import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { secretsToSaveIn, type SecretToSave } from '#shared/secrets/secret-question.ts';

/** The question on the screen: values that look like secrets are about to be written into a file. */
interface SecretQuestionState {
  readonly secrets: readonly SecretToSave[] | null;
  readonly choose: (keep: boolean) => void;
}

export type SecretQuestions = StoreApi<SecretQuestionState>;

/**
 * Creates a client that asks the user where core asks before it saves, and saves again with the user's choice; the caller notices
 * neither. After a no, the caller gets the refusal.
 */
export function createSecretQuestions(client: Client): { readonly store: SecretQuestions; readonly client: Client } {
  const store = createStore<SecretQuestionState>()(() => ({ secrets: null, choose: () => undefined }));

  function ask(secrets: readonly SecretToSave[]): Promise<boolean> {
    // One at a time: an older question is answered with no.
    store.getState().choose(false);
    return new Promise((resolve) => {
      const choose = (keep: boolean): void => {
        store.setState({ secrets: null, choose: () => undefined });
        resolve(keep);
      };
      store.setState({ secrets, choose });
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
