import { findPoint } from '#shared/provider/index.ts';
import { isSecretName, isSecretValue, secretFormsIn } from '#shared/secrets/secret-names.ts';
import type { MapNode, TreeNode } from './yaml-tree.ts';

/** A part of a file that looks like a key, a login or a token. */
interface FoundSecret {
  /** Offset in UTF-16 units of the source. */
  readonly offset: number;
  readonly message: string;
}

/** Matches a user name in a URL. */
const login = /\/\/[^\s/?#@'"]+@/;
/** Matches a password or a key that a sentence or a comment names. */
const told =
  /(?:passw(?:or)?d|passphrase|pwd|(?:secret|private|api|sign|signing|shared)[-_. ]?key|secret)["']?\s*[:=]\s*["']?[^\s"'{[]{4,}/i;
/** Separates the values of a sentence, of a query and of a file. */
const separators = /[\s"'`?&=,;<>()[\]{}|#]+/;

/**
 * Finds a key, a login or a token in the text of an environment's file: in its values as they are read, in the names of its fields and in its comments,
 * whatever the field is called. Null if there is none. A message repeats nothing of what was found.
 */
export function secretInEnvironment(source: string, root: MapNode): FoundSecret | null {
  return inFields(root, []) ?? inSource(source);
}

/** Returns what a text looks like, as the end of a sentence; null if it looks like no secret. */
export function secretWordsOf(text: string): string | null {
  if (secretFormsIn(text).length > 0) return 'like a key or a token';
  if (login.test(text)) return 'like a URL with a login';
  if (told.test(text)) return 'like a password or a key with its name';
  return text.split(separators).some((piece) => isSecretValue(piece)) ? 'like a key or a token' : null;
}

function inFields(node: TreeNode, path: readonly string[]): FoundSecret | null {
  if (node.kind === 'text') {
    const words = secretWordsOf(node.value);
    return words === null ? null : { offset: node.start, message: refusal(path.join('.'), words) };
  }
  if (node.kind === 'list') return firstOf(node.items, ({ value }) => inFields(value, path));
  return firstOf(node.entries, ({ key, keyStart, value }) => {
    // The IDs of open points name what they are about.
    const isPoint = path.length === 1 && path[0] === 'answers' && findPoint(key) !== null;
    const words = isPoint ? null : isSecretName(key) ? 'like the name of a secret' : secretWordsOf(key);
    return words === null ? inFields(value, [...path, key]) : { offset: keyStart, message: refusal('A field name', words) };
  });
}

/** Comments are in no field. */
function inSource(source: string): FoundSecret | null {
  let offset = 0;
  for (const line of source.split('\n')) {
    const words = secretWordsOf(line);
    if (words !== null) return { offset, message: refusal('This line', words) };
    offset += line.length + 1;
  }
  return null;
}

function refusal(what: string, words: string): string {
  return `${what} looks ${words}, and this file is made for git. Remove it; set keys with "croupier key set NAME".`;
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
