import { mostOfExample } from '#shared/collections/file-limits.ts';
import { AppError } from '#shared/errors.ts';
import { formatBeginning } from '#shared/json/format.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import type { Answers } from '#shared/provider/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createTokenMask } from '../masking/token-mask.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'example.mask': typeof maskExample;
  }
}

/** A response that is to be kept beside its request, as plain data: a thread may mask it. */
export interface ExampleSource {
  readonly requestText: string;
  readonly url: string;
  readonly body: Uint8Array;
  /** The environment's recorded answers: they name tokens. */
  readonly answers: Answers;
}

/** Masks the tokens of a response and lays it out. Fails with `invalid_input` if no file of a collection could hold it. */
export function maskExample({ requestText, url, body, answers }: ExampleSource): { body: string; masked: number } {
  const { text, firstFault } = decodeUtf8Leniently(body);
  if (firstFault !== null) throw new AppError('invalid_input', 'The response is not UTF-8, so it cannot become an example.');
  const mask = createTokenMask([requestText, text, url], (name) => isTokenName(name, answers));
  // One field to a line, so that a change of an example is a line of a diff.
  const kept = formatBeginning(mask.text(text), mostOfExample);
  if (!kept.whole) {
    const most = mostOfExample.toLocaleString('en');
    throw new AppError(
      'invalid_input',
      `The response has more than ${most} characters, too many for an example. The history keeps it.`,
    );
  }
  return { body: kept.text, masked: mask.masked() };
}
