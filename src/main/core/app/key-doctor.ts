import type { Payload } from '#shared/ipc/index.ts';
import type { Serialization } from '#shared/model/environment.ts';
import { createDoctor } from '../doctor/doctor.ts';
import { createLocalSecrets } from '../keys/local-secrets.ts';
import { recognise } from '../formats/pasted/recognise.ts';

/** The doctor for one key, without a home and an environment: for a program that has the key anyway. */
export type KeyDoctor = Awaited<ReturnType<typeof createKeyDoctor>>;

/** `onProgress` hears of a search as the listeners of `doctor.progressed` do. */
export async function createKeyDoctor(
  key: string,
  serialization: Serialization,
  onProgress: (progress: Payload<'doctor.progressed'>) => void,
) {
  const account = 'the key';
  const secrets = createLocalSecrets();
  await secrets.set(account, key, 'session');
  const doctor = createDoctor({
    keys: {
      digest: (_id, parts) => secrets.digest(account, '', parts),
      search: (_id, _others, subject) => secrets.search([{ account, version: '', name: null }], subject),
    },
    environment: () => ({ serialization, answers: {} }),
    environments: () => [],
    now: () => performance.now(),
    emit: onProgress,
  });
  return { search: doctor.search, cancel: doctor.cancel, recognise };
}
