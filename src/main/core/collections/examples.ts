import type { RequestExample } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Environment, Output, ParsedInput } from '#shared/ipc/index.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { responseSubject } from '../untrusted/measure.ts';
import type { Collections } from './collections.ts';
import { namesSecret } from './save-secrets.ts';

export interface ExamplesDeps {
  readonly collections: Pick<Collections, 'inTurn'>;
  /** Fails with `not_found`. */
  readonly call: (id: number) => Call;
  /** Returns the decoded body of its response. */
  readonly body: (id: number) => Uint8Array;
  readonly environments: () => readonly Environment[];
  readonly reading: Pick<Reading, 'run'>;
  /** Returns whether the bytes hold the environment's key in any form; fails if that cannot be decided now. */
  readonly holdsKey: (environmentId: string, bytes: Uint8Array) => Promise<boolean>;
}

/** Keeps responses beside their requests, without what must not go to git. Its members are those of the inside contract. */
export interface Examples {
  preview(callId: number): Promise<Output<'collections.previewExample'>>;
  add(input: ParsedInput<'collections.addExample'>): Promise<Output<'collections.addExample'>>;
}

export function createExamples({ collections, call, body, environments, reading, holdsKey }: ExamplesDeps): Examples {
  async function refuseKeys(sent: Call, texts: readonly Uint8Array[]): Promise<void> {
    const ids = new Set([...environments().map(({ id }) => id), sent.environmentId]);
    for (const bytes of texts) {
      for (const environmentId of ids) {
        if (!(await holdsKey(environmentId, bytes))) continue;
        throw new AppError(
          'refused',
          'Not saved: the response contains the private key of an environment. Its server knows it; replace it.',
          { environmentId },
        );
      }
    }
  }

  async function exampleOf(callId: number): Promise<Output<'collections.previewExample'>> {
    const sent = call(callId);
    const { response, environmentId } = sent;
    if (response === null) throw new AppError('invalid_input', 'This call has no response to keep.');
    if (response.truncated)
      throw new AppError(
        'invalid_input',
        'The response was truncated at the limit of the environment. Raise the limit and send again.',
      );
    const bytes = body(callId);
    const answers = environments().find(({ id }) => id === environmentId)?.answers ?? {};
    const source = { requestText: sent.request.bodyText, url: sent.url, body: bytes, answers };
    const about = { subject: responseSubject, bytes: bytes.length + sent.request.bodyText.length };
    const { body: kept, masked } = await reading.run('example.mask', source, about);
    await refuseKeys(sent, [bytes, Buffer.from(kept, 'utf8')]);
    return { status: String(response.status), body: kept, masked };
  }

  return {
    preview: exampleOf,
    async add({ id, path, revision, callId, name }) {
      if (namesSecret(name))
        throw new AppError('invalid_input', 'The name holds a token or a key, and files are made for git. Choose another name.', {
          field: 'name',
        });
      const { status, body: text } = await exampleOf(callId);
      return collections.inTurn(id, async (directory) => {
        const { request } = await directory.readRequest(path);
        if (request.examples.some((one) => one.name === name)) {
          throw new AppError('invalid_input', `There is an example "${name}" already. Choose another name.`, { field: 'name' });
        }
        const example: RequestExample = { name, status, body: text };
        return directory.saveRequest(path, { ...request, examples: [...request.examples, example] }, revision);
      });
    },
  };
}
