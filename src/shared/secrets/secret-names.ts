/**
 * What a secret's name looks like: the one list for imports, saves, exports and masks. It is a part of a regular expression without anchors and without
 * groups that are counted, to be read in either case.
 */
export const secretWords =
  'token|secret|passw(?:or)?d|passphrase|pwd|bearer|credential|authori[sz]ation|salt|cookie|jwt|session[-_. ]?id|' +
  '(?:api|access|app|auth|client|encryption|master|merchant|partner|private|shared|sign|signing)[-_. ]?key';

const named = new RegExp(secretWords, 'i');

/** Whether a field or a parameter is called like a secret: what a mask looks for. A bare `key` is the name of many other things. */
export function isSecretField(name: string): boolean {
  return named.test(name);
}

/** Whether a field, a variable or a parameter is called like a secret. */
export function isSecretName(name: string): boolean {
  return named.test(name) || meansKey(name);
}

/** Shorter, a value is a stand-in, and could be tried out. */
const shortest = 4;

/** A variable, or a mark of ours: `[token]`, `[removed key]`. */
const standsIn = /^\s*(?:\{\{[^{}]*\}\}|\[[a-z ]{1,20}\])\s*$/;

/** Whether a literal text under that name looks like a secret, and by what. Variables and marks are none. */
export function secretLook(name: string, value: string): 'name' | 'value' | null {
  if (value.length < shortest || standsIn.test(value)) return null;
  if (isSecretName(name)) return 'name';
  return isSecretValue(value) ? 'value' : null;
}

/** A longer text is a document, and is looked at no further. */
const longest = 8_192;

/** Forms of tokens that say what they are: JWT, PEM, an Authorization header, and the prefixes of well-known services. */
const forms =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\beyJ[\w-]{8,400}\.[\w-]{8,4000}\.[\w-]*|\b(?:sk|pk|rk)_(?:live|test)_\w{8,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bA[KS]IA[A-Z0-9]{16}\b|\b(?:Bearer|Basic)\s+[\w+/=.~-]{12,}/;

/** The text with what says by its form that it is a secret written as `[secret]`. */
export function maskSecretForms(text: string): string {
  return text.replace(new RegExp(forms, 'g'), '[secret]');
}

/** What in a text says by its form that it is a secret. */
export function secretFormsIn(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(forms, 'g')), ([found]) => found);
}

/** Whether a text looks like a secret whatever it is called: by its form, or because nobody would make up its characters. */
export function isSecretValue(value: string): boolean {
  if (forms.test(value.slice(0, longest))) return true;
  if (value.length > longest) return false;
  // Ids in the form of a UUID, also behind a word, are names of things.
  const text = value.trim().replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '');
  // So are numbers; hexadecimal is a digest or a key from 32 digits on.
  if (/^[\d.:\s-]*$/.test(text)) return false;
  if (/^[0-9a-f]{32,}$/i.test(text)) return bitsPerCharacter(text) >= 3;
  if (!/^[\w+/=.~-]{20,}$/.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  // Words put together with signs are a name; what is random is rarely 12 characters without one.
  if (text.split(/[-_./]/).every((part) => part.length < 12 || !/\d/.test(part) || !/[a-z]/i.test(part))) return false;
  return bitsPerCharacter(text) >= 3.5;
}

/** Shannon's entropy. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** A name that no scope can give a value, whatever stands in a file. */
export function isPrivateKey(name: string): boolean {
  return plainName(name) === 'privatekey';
}

/** Whether somebody looks for the key under this name. */
export function meansKey(name: string): boolean {
  return /^(?:(?:private|secret|api|sign|signing|hash)?key|secret)$/.test(plainName(name));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.-]/g, '');
}
