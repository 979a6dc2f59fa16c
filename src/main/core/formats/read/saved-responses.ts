import { RequestExample, type CollectionRequest } from '#shared/collections/model.ts';
import { mostOfExample } from '#shared/collections/file-limits.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createTokenMask } from '../../masking/token-mask.ts';
import type { Lose, Losses, SourceRequest } from './import-source.ts';

/** Adds a saved response of another tool to the examples of its request, or reports why it is left out. */
export function addExample(
  examples: CollectionRequest['examples'],
  answer: { readonly name: string; readonly status: string; readonly body: string },
  at: string,
  lose: Lose,
): void {
  const name = answer.name.trim() === '' ? `Response ${examples.length + 1}` : answer.name.trim();
  const example = RequestExample.safeParse({ ...answer, name });
  const what = `the saved response ${name.slice(0, 200)}`;
  if (examples.length >= 100) lose(what, 'A request can have at most 100 examples.', at);
  else if (example.success) examples.push(example.data);
  else {
    const [field] = example.error.issues[0]?.path ?? [];
    const why = field === 'status' ? 'It has no HTTP status.' : field === 'name' ? 'Its name is too long.' : 'It is too long.';
    lose(what, why, at);
  }
}

/** The reason why the rest of a saved response is left out. */
export const onlyBodies = 'An example has only a name, an HTTP status and a body.';

/** Returns the examples of a request without tokens: files of a collection go to git. */
export function maskedExamples({ examples, body, where, at }: SourceRequest, losses: Losses): CollectionRequest['examples'] {
  if (examples.length === 0) return [];
  const mask = createTokenMask([...(body === null ? [] : [body]), ...examples.map((one) => one.body)], (name) =>
    isTokenName(name),
  );
  const clean = examples.map((example) => ({ ...example, body: mask.text(example.body) }));
  const count = mask.masked();
  if (count > 0) {
    const what = `${count} ${count === 1 ? 'token' : 'tokens'} in its saved responses`;
    losses.add(where, what, "Croupier masked them: a collection's files go to git.", at);
  }
  // A mark may be longer than the token.
  return clean.map((example) => ({ ...example, body: example.body.slice(0, mostOfExample) }));
}
