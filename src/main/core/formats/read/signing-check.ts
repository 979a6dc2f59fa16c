import { AppError } from '#shared/errors.ts';
import type { Environment, SigningCheck } from '#shared/ipc/index.ts';
import { minifyJson } from '#shared/json/format.ts';
import { parseJson } from '#shared/json/parse.ts';
import { inPieces } from '#shared/json/text-pieces.ts';
import { serializeData } from '#shared/signing/serialize.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'imports.hash': typeof readHash;
  }
}

export interface SigningCheckDeps {
  readonly environments: () => readonly Environment[];
  /** Lowercase hexadecimal SHA-256 of the environment's key and the parts. Fails with `key_missing` and `key_unavailable`. */
  readonly digest: (environmentId: string, parts: readonly Uint8Array[]) => Promise<string>;
  /** `readHash`, in a place where it may take its time. */
  readonly readHash: (body: HashedBody) => Promise<BodyHash>;
}

export interface HashedBody {
  readonly rawBody: string;
  /** `{{` in it is more than text. */
  readonly mayHoldVariables: boolean;
}

interface Form {
  readonly name: string;
  readonly words: string;
  readonly data: string;
}

type Outcome = Omit<SigningCheck, 'path'>;

/** The hash of a body: null for none, an outcome if it cannot be computed, otherwise all possible hash inputs. */
export type BodyHash = null | Outcome | { readonly hash: string; readonly time: string; readonly forms: readonly Form[] };

const here = 'When you send it, Croupier makes a new time and hash.';

/** Looks for the stored key that gives the hash of a body, over every usual way of writing `data`. Keys are asked for digests alone. */
export function createSigningCheck({
  environments,
  digest,
  readHash: read,
}: SigningCheckDeps): (body: HashedBody) => Promise<Outcome | null> {
  const missing = new Set<string>();

  return async (body) => {
    const found = await read(body);
    if (found === null || 'outcome' in found) return found;
    const { hash, time, forms } = found;
    const wanted = hash.trim().toLowerCase();
    const silent: string[] = [];
    let asked = 0;
    for (const { id, name } of environments()) {
      if (missing.has(id)) continue;
      try {
        for (const form of forms) {
          const made = await digest(id, [Buffer.from(time + form.data, 'utf8')]);
          const upper = /[A-F]/.test(hash) ? ' Its hash is in capital letters, which the provider rejects.' : '';
          const message = `It is signed with the key of ${name}, over ${form.words}.${upper} ${here}`;
          if (made === wanted) return { outcome: 'match', environmentId: id, form: form.name, message };
        }
        asked++;
      } catch (error) {
        if (!(error instanceof AppError) || (error.code !== 'key_missing' && error.code !== 'key_unavailable')) throw error;
        if (error.code === 'key_missing') missing.add(id);
        else silent.push(name);
      }
    }
    const unasked = silent.length === 0 ? '' : ` Croupier can't use the key of ${silent.join(', ')} now.`;
    if (asked === 0) return unknown(`There is no stored key to try.${unasked} ${here}`);
    const message =
      `No stored key produces its hash.${unasked} Its key may not be stored here, or its data was changed later: formatting JSON can ` +
      `change spaces, digits and escapes. ${here}`;
    return { outcome: 'none', environmentId: null, form: null, message };
  };
}

/** Reads the hash of a body and what may have been hashed. */
export function readHash({ rawBody, mayHoldVariables }: HashedBody): BodyHash {
  const parsed = parseJson(rawBody);
  const members = parsed.ok && parsed.root.kind === 'object' ? parsed.root.members : [];
  const member = (name: string) => members.findLast(({ key }) => key === name)?.value;
  const [time, hash, data] = [member('time'), member('hash'), member('data')];
  if (!parsed.ok)
    return mayHoldVariables && rawBody.includes('{{')
      ? unknown("Its body has variables outside of strings, so Croupier can't recompute its hash.")
      : null;
  if (hash === undefined) return null;
  if (hash.kind !== 'string' || time?.kind !== 'string') return unknown('Its time or hash is not a string.');
  const dataText = data === undefined ? null : rawBody.slice(data.start, data.end);
  if (mayHoldVariables && [hash.value, time.value, dataText ?? ''].some((text) => text.includes('{{'))) {
    return unknown(`Its time, data or hash contains variables, so Croupier can't recompute the hash. ${here}`);
  }
  if (!/^[0-9a-f]{64}$/i.test(hash.value.trim())) return unknown(`Its hash is not 64 hexadecimal digits. ${here}`);
  return { hash: hash.value, time: time.value, forms: formsOf(dataText) };
}

function unknown(message: string): Outcome {
  return { outcome: 'unknown', environmentId: null, form: null, message };
}

/** The texts that may have been hashed, the likeliest first, each once. */
function formsOf(data: string | null): Form[] {
  if (data === null) return [{ name: 'none', words: 'key and time only', data: '' }];
  const forms: Form[] = [{ name: 'verbatim', words: 'data as written', data }];
  const add = (name: string, words: string, text: string) => {
    if (!forms.some((form) => form.data === text)) forms.push({ name, words, data: text });
  };
  for (const serialization of ['php', 'php-unicode'] as const) {
    const made = serializeData(data, serialization);
    if (!made.ok) continue;
    const words = serialization === 'php' ? 'data as PHP writes it' : 'data as PHP writes it with unescaped non-ASCII characters';
    add(serialization, words, made.dataJson);
    add(
      `${serialization}-slashes`,
      `${words} and escaped slashes, unlike the provider`,
      inPieces(made.dataJson, (piece) => piece.replaceAll('/', '\\/')),
    );
  }
  const compact = minifyJson(data);
  add('compact', 'data without spaces', compact);
  add('spaced', 'data with a space after each comma and colon, as Python writes it', spaced(compact));
  add('none', 'key and time only, without data', '');
  return forms;
}

/** Compact JSON with a space behind every comma and colon outside of strings. A loop: a text of megabytes is too much for an expression. */
function spaced(compact: string): string {
  const parts: string[] = [];
  let from = 0;
  let inString = false;
  for (let at = 0; at < compact.length; at++) {
    const character = compact[at];
    if (character === '"') inString = !inString;
    else if (inString && character === '\\') at++;
    else if (!inString && (character === ',' || character === ':')) {
      parts.push(compact.slice(from, at + 1));
      from = at + 1;
    }
  }
  return [...parts, compact.slice(from)].join(' ');
}
