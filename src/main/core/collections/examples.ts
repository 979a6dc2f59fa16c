import type { RequestExample } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Environment, Output, ParsedInput } from '#shared/ipc/index.ts';
import type { Pass } from '../files/passed.ts';
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
  readonly pass: Pass;
}

/** Keeps responses beside their requests, without what must not go to git. Its members are those of the inside contract. */
export function createExamples({ collections, call, body, environments, reading, pass }: ExamplesDeps) {
  async function exampleOf(callId: number): Promise<Output<'collections.previewExample'>> {
    const sent = call(callId);
    const { response, environmentId } = sent;
    if (response === null) throw new AppError('invalid_input', 'This call has no response to save.');
    if (response.truncated)
      throw new AppError(
        'invalid_input',
        "Only the beginning of the response was recorded. If the environment's limit cut it, raise the limit and send again.",
      );
    const bytes = body(callId);
    const answers = environments().find(({ id }) => id === environmentId)?.answers ?? {};
    const source = { requestText: sent.request.bodyText, url: sent.url, body: bytes, answers };
    const about = { subject: responseSubject, bytes: bytes.length + sent.request.bodyText.length };
    const { body: kept, masked } = await reading.run('example.mask', source, about);
    // As what is sent out: its key need not be readable when the file is saved.
    const passed = await pass('export', [bytes, kept], {
      of: [environmentId],
      keyFound: () => "Not saved: the response contains an environment's private key. The server has it, so replace it.",
    });
    return { status: String(response.status), body: passed(kept), masked };
  }

  return {
    preview: exampleOf,
    async add({
      id,
      path,
      revision,
      callId,
      name,
    }: ParsedInput<'collections.addExample'>): Promise<Output<'collections.addExample'>> {
      if (namesSecret(name))
        throw new AppError(
          'invalid_input',
          'The name contains a token or a key, and files are made for git. Choose another name.',
          {
            field: 'name',
          },
        );
      const { status, body: text } = await exampleOf(callId);
      return collections.inTurn(id, async (directory) => {
        const { request } = await directory.readRequest(path);
        if (request.examples.some((one) => one.name === name)) {
          throw new AppError('invalid_input', `An example named "${name}" already exists. Choose another name.`, {
            field: 'name',
          });
        }
        const example: RequestExample = { name, status, body: text };
        return directory.saveRequest(path, { ...request, examples: [...request.examples, example] }, revision);
      });
    },
  };
}
