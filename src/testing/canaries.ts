import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretForms } from './secret-forms.ts';

/** The private key that every input gets: quotes, a slash and letters beyond ASCII, so that it has many spellings. */
export const keyCanary = 'c4n4ry/"kéy"&=+<7f3c9a10>';

/** The values of the session tokens, each in a form of its own. What follows a value in a text names the input that it was put into. */
const values = {
  uuid: '7f3c9a10-c4a1-4e5d-9b02-5eed0000',
  hex: '9d41c7e2b8f0563a1c4e8aa0',
  JWT: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.Zk3q',
  'other case': '7F3C9A10-C4A1-4E5D-9B02-CA5E0000',
  URL: 'u7Rq2Lx9Vb4Tn8Kc1Wm6',
  header: 'h3Gd8Yp5Jz0Sf2Qa7Xe4',
  'JSON in JSON': 'j6Nv1Bt8Ck3Mr9Hw4Lf0',
  sid: 's2Zx7Dq4Py9Gk1Ub6Jn8',
  auth: 'a5Wc0Rf3Te8Vl2Ho7Im9',
  password: 'p8Kj4Xs1Nd6Zg3Yu9Qb5',
} as const;
export type TokenCanary = keyof typeof values;
export const tokenCanaries = Object.keys(values) as TokenCanary[];

/** JSON with a token in each form. */
const places: Readonly<Record<TokenCanary, (value: string) => object>> = {
  uuid: (externalToken) => ({ externalToken }),
  hex: (sessionId) => ({ sessionId }),
  JWT: (value) => ({ note: `before ${value} after` }),
  'other case': (value) => ({ EXTERNALTOKEN: value }),
  URL: (value) => ({ exitURL: `https://casino.example/lobby?a=1&token=${value}` }),
  header: (value) => ({ headers: { 'x-casino-session': value } }),
  'JSON in JSON': (token) => ({ inner: JSON.stringify({ token }) }),
  sid: (sid) => ({ player: { sid } }),
  auth: (auth) => ({ auth }),
  password: (password) => ({ password }),
};

/** Returns the token of one input, numbered so that it can be found again. */
export function tokenOf(form: TokenCanary, input: number): string {
  return `${values[form]}${String(input).padStart(4, '0')}`;
}

/** Returns JSON with tokens of one input. */
export function jsonWith(forms: readonly TokenCanary[], input: number): string {
  return JSON.stringify(Object.assign({}, ...forms.map((form) => places[form](tokenOf(form, input)))));
}

const needles = new Map<'key' | TokenCanary, string[]>(
  (['key', ...tokenCanaries] as const).map((name) => [
    name,
    [...new Set(secretForms(name === 'key' ? keyCanary : values[name]).values())],
  ]),
);

/** Returns the canaries in a text in whatever form, each with the number of the input that a plain one was put into. */
export function canariesIn(text: string): string[] {
  const found = new Set<string>();
  for (const [name, forms] of needles) {
    for (const form of forms) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
        found.add(name === 'key' ? 'key' : `${name} ${/^\d{4}/.exec(text.slice(at + form.length))?.[0] ?? '?'}`);
    }
  }
  return [...found];
}

/** Returns the files below a directory by their paths in it, each as text whose characters are its bytes, and as UTF-8. */
export async function textsBelow(directory: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(path) : Buffer.alloc(0);
    texts.set(
      path.slice(directory.length + 1).replaceAll('\\', '/'),
      `${entry.name}\n${bytes.toString('utf8')}\n${bytes.toString('latin1')}`,
    );
  }
  return texts;
}
