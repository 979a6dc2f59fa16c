/**
 * Pattern of a secret's name, the one list for imports, saves, exports and masks: a part of a case-insensitive regular expression without
 * anchors and capturing groups.
 */
export const secretWords =
  'token|secret|passw(?:or)?d|passphrase|pwd|bearer|credential|authori[sz]ation|salt|cookie|jwt|session[-_. ]?id|' +
  '(?:api|access|app|auth|client|encryption|master|merchant|partner|private|shared|sign|signing)[-_. ]?key|' +
  // At the end of a name alone: there are authors, and insides.
  '(?:session|sid|auth)(?![\\w.$-])';

const named = new RegExp(secretWords, 'i');

/** Returns whether a field or a parameter is named like a secret, for masks. Excludes a bare `key`, which names many other things. */
export function isSecretField(name: string): boolean {
  return named.test(name);
}

/** Returns whether a field, a variable or a parameter is named like a secret. */
export function isSecretName(name: string): boolean {
  return named.test(name) || meansKey(name);
}

/** Shortest value that counts as a secret; a shorter one is a stand-in, or can be guessed. */
const shortest = 4;

/** Matches a variable, or a mark of Croupier: `[token]`, `[removed key]`. */
const standsIn = /^\s*(?:\{\{[^{}]*\}\}|\[[a-z ]{1,20}\])\s*$/;

/** Returns whether the name or the value of a literal text looks like a secret; null for neither, and for variables and marks. */
export function secretLook(name: string, value: string): 'name' | 'value' | null {
  if (value.length < shortest || standsIn.test(value)) return null;
  if (isSecretName(name)) return 'name';
  return isSecretValue(value) ? 'value' : null;
}

/** Longest text to examine; a longer one is a document. */
const longest = 8_192;

/** Recognisable forms of secrets: JWT, PEM, an Authorization header, and the prefixes of well-known services. */
const forms =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJ[\w-]{8,400}\.[\w-]{8,4000}\.[\w-]*|\b(?:sk|pk|rk)_(?:live|test)_\w{8,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bA[KS]IA[A-Z0-9]{16}\b|\b(?:Bearer|Basic)\s+[\w+/=.~-]{12,}/;

/** Replaces every secret with a recognisable form by `[secret]`. */
export function maskSecretForms(text: string): string {
  return text.replace(new RegExp(forms, 'g'), '[secret]');
}

/** Finds the secrets with a recognisable form in a text. */
export function secretFormsIn(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(forms, 'g')), ([found]) => found);
}

/** Returns whether a text looks like a secret under any name: by its form, or because its characters are random. */
export function isSecretValue(value: string): boolean {
  if (forms.test(value.slice(0, longest))) return true;
  if (value.length > longest) return false;
  // A UUID is an ID, also with a prefix, and not a secret.
  const text = value.trim().replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '');
  // Nor is a number; hexadecimal counts from 32 digits, the length of a digest or a key.
  if (/^[\d.:\s-]*$/.test(text)) return false;
  if (/^[0-9a-f]{32,}$/i.test(text)) return bitsPerCharacter(text) >= 3;
  if (!/^[\w+/=.~-]{20,}$/.test(text) || !/\d/.test(text) || !/[a-z]/i.test(text)) return false;
  // Words joined by separators are a name; random texts rarely have parts below 12 characters.
  if (text.split(/[-_./]/).every((part) => part.length < 12 || !/\d/.test(part) || !/[a-z]/i.test(part))) return false;
  return bitsPerCharacter(text) >= 3.5;
}

/** Computes Shannon's entropy. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** Returns whether a name is that of the private key, to which no scope can give a value. */
export function isPrivateKey(name: string): boolean {
  return plainName(name) === 'privatekey';
}

/** Returns whether a user who writes this name means the private key. */
export function meansKey(name: string): boolean {
  return /^(?:(?:private|secret|api|sign|signing|hash)?key|secret)$/.test(plainName(name));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.-]/g, '');
}
