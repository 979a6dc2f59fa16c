import { createHash } from 'node:crypto';

/**
 * Comments in the scripts of another tool keep what its own fields cannot say of a request or a folder: such a file comes back whole.
 * Each comment names a digest of what it stands for, so that a change that somebody made there counts and the comment does not.
 */
export type KeptKind = (typeof kinds)[number];

const kinds = [
  'collection',
  'folder',
  'request',
  'comments',
  'notes',
  'variables',
  'examples',
  'expect',
  'take',
  'default',
  'helpers',
  'checks',
] as const;

const mark = '// croupier ';
const written = new RegExp(`^(.*?) ?${mark}(${kinds.join('|')}) ([0-9a-f]{16}) (.*)$`, 's');

/** Returns the comment, on one line, behind the code that it stands for if there is some. */
export function keptLine(kind: KeptKind, value: unknown, { code = '', of = code }: { code?: string; of?: string } = {}): string {
  return `${code === '' ? '' : `${code} `}${mark}${kind} ${digestOf(of)} ${inComment(JSON.stringify(value))}`;
}

/** A comment as it was read: of this kind, about this code. */
export interface KeptLine {
  readonly kind: KeptKind;
  /** Text in front of the comment. */
  readonly code: string;
  readonly digest: string;
  readonly value: unknown;
}

/** Returns null for a line without such a comment. */
export function readKept(line: string): KeptLine | null {
  const [, code = '', kind, digest = '', json = ''] = written.exec(line) ?? [];
  if (kind === undefined) return null;
  try {
    return { kind: kind as KeptKind, code, digest, value: JSON.parse(json) };
  } catch {
    return null;
  }
}

/** Returns the digest that a comment names, of the text that it stands for. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16);
}

/** Two characters end a line of JavaScript, and JSON leaves them as they are. */
function inComment(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

/** Returns the text by which a comment knows examples again. */
export function examplesText(
  examples: readonly { readonly name: string; readonly status: string; readonly body: string }[],
): string {
  return JSON.stringify(examples.map(({ name, status, body }) => [name, status, body]));
}
