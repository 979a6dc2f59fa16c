import { AppError } from '#shared/errors.ts';
import type { Call, Environment, ExportedFile, Output, ParsedInput } from '#shared/ipc/index.ts';
import type { Reading } from '../reading/jobs.ts';
import type { RecordedCall } from './recorded-call.ts';
import { isProgram, languages } from './write-export.ts';

/** An export is held as a whole, more than once, by a thread whose memory is limited: it may refuse one of fewer bytes, with words of its own. */
const mostBytes = 20 * 1_048_576;
const advice = 'Export fewer calls at once.';

export interface ExportsDeps {
  /** Fails with `not_found`. */
  readonly call: (id: number) => Call;
  /** The body of the answer, empty where there is none. */
  readonly body: (id: number) => Uint8Array;
  readonly environments: () => readonly Environment[];
  /** Whether a text holds the key of an environment; fails where there is one that cannot be asked for now. */
  readonly holdsKey: (environmentId: string, text: Uint8Array) => Promise<boolean>;
  readonly version: string;
  /** What the program runs on: `Node 24.21.0, linux x64`. */
  readonly runtime: string;
  readonly reading: Pick<Reading, 'run'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

type Request = ParsedInput<'exports.create'>;

/**
 * Writes recorded calls as other programs read them. Nothing is handed out before it was searched for the key of every environment there is and of
 * those that the calls were sent to. Fails with `not_found`, `refused`, `invalid_input`, `key_missing` and `key_unavailable`.
 */
export function createExports(deps: ExportsDeps): (request: Request) => Promise<Output<'exports.create'>> {
  function read(request: Request): RecordedCall[] {
    const ids = [...new Set(request.callIds)].sort((one, other) => one - other);
    const withAnswers = !isProgram(request.format);
    let size = 0;
    return ids.map((id) => {
      const call = deps.call(id);
      if (call.maskedKeys !== undefined) {
        throw new AppError(
          'refused',
          `Call ${id} was sent with the private key of ${call.maskedKeys.join(' and ')} in it, which the history masks, so it cannot be exported as it was sent. Leave it out.`,
        );
      }
      size += call.requestBytes + (withAnswers ? (call.responseBytes ?? 0) : 0);
      if (size > mostBytes)
        throw new AppError('invalid_input', 'These calls are more than 20 MiB together. Export fewer of them at once.');
      return { call, answer: withAnswers ? deps.body(id) : new Uint8Array() };
    });
  }

  async function refuseKeys(
    files: readonly ExportedFile[],
    hidden: readonly Uint8Array[],
    calls: readonly RecordedCall[],
  ): Promise<void> {
    const ids = new Set([...deps.environments().map(({ id }) => id), ...calls.map(({ call }) => call.environmentId)]);
    for (const bytes of [...files.map(({ text }) => Buffer.from(text, 'utf8')), ...hidden]) {
      for (const environmentId of ids) {
        if (!(await deps.holdsKey(environmentId, bytes))) continue;
        throw new AppError(
          'refused',
          'Nothing was exported: the private key of an environment is in what was sent or received. Replace that key, and export other calls.',
          { environmentId },
        );
      }
    }
  }

  return async (request) => {
    if (request.form === 'resigning' && !isProgram(request.format)) {
      throw new AppError('invalid_input', `Only a program can sign anew: ${Object.keys(languages).join(', ')}.`);
    }
    const calls = read(request);
    const { version, runtime } = deps;
    const environments = [...deps.environments()];
    const source = { request, calls, environments, version, runtime, now: deps.now() };
    const bytes = calls.reduce((sum, { call, answer }) => sum + call.requestBytes + answer.length, 0);
    const { files, masked, hidden } = await deps.reading.run('export.write', source, {
      subject: 'The export',
      verb: 'written',
      advice,
      bytes,
    });
    await refuseKeys(
      files,
      hidden.flatMap((at) => calls[at]?.answer ?? []),
      calls,
    );
    return { files, masked };
  };
}
