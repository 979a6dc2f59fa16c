/** Returns a secret in the forms in which it could leak, by the form's name; written without the code that redacts. */
export function secretForms(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const forms = new Map<string, string>([
    ['raw', secret],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['PHP JSON', phpJson(secret)],
    ['PHP JSON, slashes bare', phpJson(secret).replaceAll('\\/', '/')],
    ['percent', encodeURIComponent(secret)],
    ['percent, lowercase', encodeURIComponent(secret).replace(/%../g, (pair) => pair.toLowerCase())],
    ['form', new URLSearchParams({ k: secret }).toString().slice(2)],
    ['address', encodeURI(secret)],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['every byte in percent', hex.replace(/../g, '%$&')],
    ['single quotes of PHP', secret.replace(/[\\']/g, '\\$&')],
    ['double quotes of PHP', secret.replace(/[\\"$]/g, '\\$&')],
    ['bytes of Python', hex.replace(/../g, '\\x$&')],
    ['single quotes of a shell', secret.replaceAll("'", "'\\''")],
    ['single quotes of a shell in JSON', JSON.stringify(secret.replaceAll("'", "'\\''")).slice(1, -1)],
    ['both quotes of a shell in JSON', JSON.stringify(secret.replaceAll("'", `'"'"'`)).slice(1, -1)],
    ['printf of a shell', Array.from(bytes, (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')],
    ['HTML', htmlText(secret)],
    ['HTML in numbers', Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join('')],
  ]);
  const spaced = hex.match(/../g) ?? [];
  const [little, big] = [Buffer.from(secret, 'utf16le'), Buffer.from(secret, 'utf16le').swap16()];
  const backwards = Buffer.from(bytes).reverse();
  for (const [name, text] of [
    ['hex with spaces', spaced.join(' ')],
    ['hex with colons', spaced.join(':').toUpperCase()],
    ['hex as numbers', spaced.map((pair) => `0x${pair}`).join(', ')],
    ['hex in lines', hex.replace(/.{7}(?=.)/g, '$&\n  ')],
    ['hex in lines in JSON', hex.replace(/.{7}(?=.)/g, '$&\\r\\n')],
    ['hex spaced in a form', spaced.join('+')],
    ['hex spaced in an address', spaced.join('%20')],
    ['hex backwards by bytes', backwards.toString('hex')],
    ['hex backwards by digits', Array.from(hex).reverse().join('')],
    ['hex backwards with spaces', (backwards.toString('hex').match(/../g) ?? []).join(' ')],
    ['backwards', Array.from(secret).reverse().join('')],
    ['backwards in base64', backwards.toString('base64').slice(0, Math.floor((bytes.length * 8) / 6))],
    ['UTF-16LE in hex', little.toString('hex')],
    ['UTF-16BE in hex', big.toString('hex')],
    ['UTF-16LE in base64', little.toString('base64').slice(0, Math.floor((little.length * 8) / 6))],
    ['UTF-16BE in base64', big.toString('base64').slice(0, Math.floor((big.length * 8) / 6))],
    [
      'UTF-16 in base64url, in an address',
      encodeURIComponent(little.toString('base64url').slice(0, Math.floor((little.length * 8) / 6))),
    ],
  ] as const)
    if (text !== '') forms.set(name, text);
  for (const offset of [0, 1, 2]) {
    // The characters that depend on the secret alone, at any place in a longer text.
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((whole.length * 8) / 6);
    forms.set(`base64 at ${offset}`, whole.toString('base64').slice(from, to));
    forms.set(`base64url at ${offset}`, whole.toString('base64url').slice(from, to));
    forms.set(
      `base64 at ${offset} in lines`,
      whole
        .toString('base64')
        .slice(from, to)
        .replace(/.{5}(?=.)/g, '$&\r\n'),
    );
  }
  return forms;
}

function phpJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the names of the secret's forms in the text; a test expects none. */
export function leaksIn(text: string, secret: string): string[] {
  return [...secretForms(secret)].filter(([, form]) => text.includes(form)).map(([name]) => name);
}

/** Puts letters around a secret that no format spells in another way, so that `strangeSpellings` finds it. */
export function marked(secret: string): string {
  return `xBEGINx${secret}xENDx`;
}

/** Returns the spellings of a marked secret in a text that are none of its forms; the text itself if the secret is not in it. */
export function strangeSpellings(text: string, secret: string): string[] {
  const found = Array.from(text.matchAll(/xBEGINx(.*?)xENDx/gs), ([, spelling = '']) => spelling);
  const forms = [...secretForms(secret).values()];
  return found.length === 0 ? [text] : found.filter((spelling) => !forms.includes(spelling));
}

function htmlText(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
