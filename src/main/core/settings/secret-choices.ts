import { SecretChoices } from '#shared/ipc/imports.ts';
import type { Settings } from './settings.ts';

/** What a person said of values that look like secrets, remembered by their names; the values are remembered nowhere. */
export interface SecretChoiceStore {
  read(): SecretChoices;
  add(more: SecretChoices): Promise<void>;
}

const setting = 'secretChoices';

export function createSecretChoices(settings: Pick<Settings, 'read' | 'write'>): SecretChoiceStore {
  function read(): SecretChoices {
    try {
      return SecretChoices.safeParse(JSON.parse(settings.read()[setting] ?? '{}')).data ?? {};
    } catch {
      // Settings that cannot be read remember nothing: then all of it is asked again.
      return {};
    }
  }
  return {
    read,
    async add(more) {
      if (Object.keys(more).length > 0) await settings.write(setting, JSON.stringify({ ...read(), ...more }));
    },
  };
}
