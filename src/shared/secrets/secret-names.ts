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
export function secretPart(name: string, value: string): 'name' | 'value' | null {
  if (value.length < shortest || standsIn.test(value)) return null;
  if (isSecretName(name)) return 'name';
  return isSecretValue(value) ? 'value' : null;
}

/** Longest text to examine; a longer one is a document. */
const longest = 8_192;

/** Recognisable forms of secrets: PEM, an Authorization header, and the prefixes of well-known services. */
const forms =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:sk|pk|rk)_(?:live|test)_\w{8,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bA[KS]IA[A-Z0-9]{16}\b|\b(?:Bearer|Basic)\s+[\w+/=.~-]{12,}/g;

/** Lengths of the first two parts of a JWT; the first one without the `eyJ` that it begins with. */
const [shortestPart, longestHead, longestClaims] = [8, 400, 4_000];

interface FormPlace {
  readonly start: number;
  readonly end: number;
}

/** Finds the first JWT from an offset on. It goes from dot to dot: in a long part, each `eyJ` would be another beginning. */
function jwtFrom(text: string, from: number): FormPlace | null {
  const endOfPart = (from: number): number => {
    let at = from;
    while (isOfPart(text.charCodeAt(at))) at++;
    return at;
  };
  for (let dot = text.indexOf('.', from); dot !== -1; dot = text.indexOf('.', dot + 1)) {
    const claims = endOfPart(dot + 1) - dot - 1;
    if (claims < shortestPart || claims > longestClaims || text.charAt(dot + 1 + claims) !== '.') continue;
    let start = dot;
    const first = Math.max(from, dot - longestHead - 3);
    while (start > first && isOfPart(text.charCodeAt(start - 1))) start--;
    const begin = text.slice(start, Math.max(start, dot - shortestPart)).indexOf('eyJ');
    if (begin !== -1) return { start: start + begin, end: endOfPart(dot + claims + 2) };
  }
  return null;
}

function isOfPart(unit: number): boolean {
  const letter = unit | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2d || unit === 0x5f;
}

/** Yields the places of secrets with a recognisable form, one after the other. */
function* formPlaces(text: string): Generator<FormPlace, void> {
  const formFrom = (from: number): FormPlace | null => {
    forms.lastIndex = from;
    const found = forms.exec(text);
    return found === null ? null : { start: found.index, end: forms.lastIndex };
  };
  let [jwt, form] = [jwtFrom(text, 0), formFrom(0)];
  for (;;) {
    const first = jwt === null || (form !== null && form.start < jwt.start) ? form : jwt;
    if (first === null) return;
    yield first;
    if (jwt !== null && jwt.start < first.end) jwt = jwtFrom(text, first.end);
    if (form !== null && form.start < first.end) form = formFrom(first.end);
  }
}

/** Replaces every secret with a recognisable form by `[secret]`. */
export function maskSecretForms(text: string): string {
  let [masked, at] = ['', 0];
  for (const { start, end } of formPlaces(text)) {
    masked += `${text.slice(at, start)}[secret]`;
    at = end;
  }
  return masked + text.slice(at);
}

/** Finds the secrets with a recognisable form in a text. */
export function secretFormsIn(text: string): string[] {
  return Array.from(formPlaces(text), ({ start, end }) => text.slice(start, end));
}

/** Returns whether a text looks like a secret under any name: by its form, or because its characters are random. */
export function isSecretValue(value: string): boolean {
  if (formPlaces(value.slice(0, longest)).next().done !== true) return true;
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
