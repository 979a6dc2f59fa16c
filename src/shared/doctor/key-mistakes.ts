import { encodeUtf8 } from '#shared/json/utf8.ts';
import type { Mistake, NamedKey, Part, Subject } from './model.ts';
import { base64, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts';
import { withEntities } from './wrap-mistakes.ts';

/** A mistake with the key that it makes. */
export interface KeyForm {
  readonly mistake: Mistake;
  readonly key: Part;
}

type Make = (key: string, subject: Subject) => Part | null;

function form(name: string, rarity: Mistake['rarity'], [says, who = '']: readonly [string, string?], make: Make) {
  return { mistake: { id: `key.${name}`, axis: 'key', rarity, says, who, languages: [] } satisfies Mistake, make };
}

const ends =
  (behind: string): Make =>
  (key) =>
    key + behind;
const instead =
  (text: string): Make =>
  () =>
    text;

const forms = [
  form(
    'line-feed',
    1,
    ["Your backend's key ends in a line break.", 'echo and editors write one at the end of a file.'],
    ends('\n'),
  ),
  form('carriage-return', 1, ["Your backend's key ends in a Windows line break."], ends('\r\n')),
  form(
    'return',
    3,
    ["Your backend's key ends in a carriage return.", 'A file with Windows line endings was split at line feeds.'],
    ends('\r'),
  ),
  form('space-behind', 1, ["Your backend's key ends in a space."], ends(' ')),
  form('space-before', 2, ["Your backend's key begins with a space."], (key) => ` ${key}`),
  form('spaces', 3, ["Your backend's key has a space at both ends."], (key) => ` ${key} `),
  form('tab-behind', 4, ["Your backend's key ends in a tab."], ends('\t')),
  form('trimmed', 2, ["Croupier's key has whitespace around it, and your backend's doesn't."], (key) => key.trim()),
  form(
    'quoted',
    1,
    ["Your backend's key has quotes around it.", 'docker --env-file and compose lists (- KEY="…") keep them.'],
    (key) => `"${key}"`,
  ),
  form(
    'single-quoted',
    2,
    ["Your backend's key has single quotes around it.", "docker --env-file and compose lists (- KEY='…') keep them."],
    (key) => `'${key}'`,
  ),
  form(
    'bytes-literal',
    4,
    ["Your backend's key has b'…' around it.", 'Python prints bytes like this.'],
    (key) => `b'${key.replaceAll('\\', '\\\\')}'`,
  ),
  form(
    'byte-order-mark',
    3,
    ["Your backend's key begins with a byte order mark.", 'Windows editors write one at the start of a file.'],
    (key) => `\ufeff${key}`,
  ),
  form('literal-line-feed', 4, ["Your backend's key ends in the two characters \\n."], ends('\\n')),
  form('upper', 3, ["Your backend's key is in uppercase."], (key) => key.toUpperCase()),
  form('lower', 3, ["Your backend's key is in lowercase."], (key) => key.toLowerCase()),
  form('from-hex', 3, ['Your backend decodes the key from hexadecimal.', 'The key is text. Use it as is.'], fromHex),
  form('from-base64', 3, ['Your backend decodes the key from base64.', 'The key is text. Use it as is.'], fromBase64),
  form('to-hex', 4, ['Your backend encodes the key in hexadecimal.'], (key) => hexOf(encodeUtf8(key))),
  form('to-base64', 4, ['Your backend encodes the key in base64.'], (key) => base64(encodeUtf8(key))),
  form(
    'cut-at-hash',
    2,
    ["Your backend's key ends at its first #.", 'dotenv reads the rest of the line as a comment. Single quotes prevent it.'],
    (key) => cutAt(key, '#'),
  ),
  form(
    'cut-at-dollar',
    2,
    ["Your backend's key ends at its first $.", 'A shell or compose replaced a variable with nothing. Single quotes prevent it.'],
    (key) => cutAt(key, '$'),
  ),
  form(
    'variable-gone',
    3,
    ["Your backend's key has lost a $ and the word after it.", 'A shell or compose replaced a variable with nothing.'],
    (key) => key.replaceAll(/\$(\{\w*\}|\w+)/g, ''),
  ),
  form('cut-at-space', 4, ["Your backend's key ends at its first space."], (key) => cutAt(key, ' ')),
  form('cut-at-equals', 4, ["Your backend's key ends at its first =."], (key) => cutAt(key, '=')),
  form('plus-to-space', 2, ["Your backend's key has a space for each +.", 'It was decoded as part of a URL.'], (key) =>
    key.replaceAll('+', ' '),
  ),
  form('url-encoded', 3, ["Your backend's key is URL-encoded."], (key) => encodeURIComponent(key)),
  form('url-decoded', 3, ["Your backend's key is URL-decoded."], urlDecoded),
  form('entities', 4, ["Your backend's key is HTML-escaped."], withEntities),
  form('equals-escaped', 4, ["Your backend's key has \\u003D for each =."], (key) => key.replaceAll('=', '\\u003D')),
  form('backslashes-gone', 4, ["Your backend's key has lost its backslashes."], (key) => key.replaceAll('\\', '')),
  form('first-lost', 4, ["Your backend's key has lost its first character."], (key) => key.slice(1)),
  form('last-lost', 4, ["Your backend's key has lost its last character."], (key) => key.slice(0, -1)),
  form(
    'prefix-cut',
    3,
    ["Your backend's key has lost its prefix.", 'The part before the first _, - or : belongs to the key.'],
    (key) => /^[^_:-]*[_:-](.+)$/s.exec(key)?.[1] ?? null,
  ),
  form('empty', 2, ["Your backend's key is empty.", 'A setting was missing. Make the backend fail at startup.'], instead('')),
  ...['undefined', 'null', 'None', 'nil', 'false'].map((text) =>
    form(
      `is:${text}`,
      3,
      [`Your backend hashes the word ${text} instead of the key.`, 'A setting was missing. Make the backend fail at startup.'],
      instead(text),
    ),
  ),
  form('partner-id', 3, ['Your backend uses the partnerId as the key.'], (_key, { partnerId }) => partnerId || null),
  form('platform', 4, ['Your backend uses the platform as the key.'], (_key, { platform }) => platform || null),
  form('placeholder', 5, ['Your backend hashes the text <PRIVATE_KEY> instead of the key.'], instead('<PRIVATE_KEY>')),
];

/** Returns the forms of the first key, which is that of the environment, and the other keys as they are. */
export function keyForms([own, ...others]: readonly [NamedKey, ...NamedKey[]], subject: Subject): KeyForm[] {
  const seen = new Set<string>([own.key]);
  const made: KeyForm[] = [];
  const add = (mistake: Mistake, key: Part | null) => {
    const mark = typeof key === 'string' ? key : key?.join();
    if (key === null || mark === undefined || seen.has(mark)) return;
    seen.add(mark);
    made.push({ mistake, key });
  };
  for (const { name, key } of others) {
    const isPair = typeof name === 'object' && name !== null;
    const says = isPair
      ? `Your backend uses this environment's ${name.pair} key, which doesn't sign now.`
      : `Your backend uses the key of another environment: ${name ?? 'unnamed'}.`;
    add(
      { id: isPair ? `key.${name.pair}` : `key.other:${name ?? ''}`, axis: 'key', rarity: 1, says, who: '', languages: [] },
      key,
    );
  }
  for (const { mistake, make } of forms) add(mistake, make(own.key, subject));
  return made;
}

function cutAt(key: string, mark: string): string | null {
  const at = key.indexOf(mark);
  return at === -1 ? null : key.slice(0, at);
}

function urlDecoded(key: string): string | null {
  try {
    return decodeURIComponent(key);
  } catch {
    return null;
  }
}

function fromHex(key: string): Uint8Array | null {
  return /^([\da-f]{2})+$/i.test(key) ? bytesOfHex(key) : null;
}

function fromBase64(key: string): Uint8Array | null {
  return /^[\w+/-]{2,}={0,2}$/.test(key) ? bytesOfBase64(key) : null;
}
