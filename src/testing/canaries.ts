import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { homeEntries } from '#core/app/home.ts';
import { secretForms } from './secret-forms.ts';

/** The private key that every input gets: quotes, a slash and letters beyond ASCII, so that it has many spellings. */
export const keyCanary = 'c4n4ry/"kéy"&=+<7f3c9a10>';

/** The same in letters and digits, for a shell: what looks like a key even to a program that knows none. */
export const plainKeyCanary = 'K7fq3Xc9Lm1Zt0Rb8Wd5Vn2Hs6';

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

/** The forms of all canaries in one automaton (Aho and Corasick), which reads a byte once: 256 next states for each state. */
const next: number[] = Array.from({ length: 256 }, () => 0);
/** The canary whose form ends in a state, also as the end of a longer form. */
const ends = new Map<number, 'key' | TokenCanary>();
for (const name of ['key', ...tokenCanaries] as const)
  for (const form of (name === 'key' ? [keyCanary, plainKeyCanary] : [values[name]]).flatMap((value) => [
    ...secretForms(value).values(),
  ])) {
    let state = 0;
    for (const byte of Buffer.from(form)) {
      if (next[state * 256 + byte] === 0) {
        next[state * 256 + byte] = next.length / 256;
        for (let at = 0; at < 256; at += 1) next.push(0);
      }
      state = next[state * 256 + byte] ?? 0;
    }
    ends.set(state, name);
  }
// A state without a next one goes on as the longest end of what it read that is the beginning of a form.
const shorter = new Map<number, number>();
for (const states = [0]; states.length > 0;) {
  const state = states.shift() ?? 0;
  for (let byte = 0; byte < 256; byte += 1) {
    const to = next[state * 256 + byte] ?? 0;
    const without = state === 0 ? 0 : (next[(shorter.get(state) ?? 0) * 256 + byte] ?? 0);
    if (to === 0 || (state !== 0 && to === without)) next[state * 256 + byte] = without;
    else {
      shorter.set(to, without);
      const end = ends.get(without);
      if (end !== undefined && !ends.has(to)) ends.set(to, end);
      states.push(to);
    }
  }
}
const table = Int32Array.from(next);

/** Returns the canaries in a text in whatever form, each with the number of the input that a plain one was put into. */
export function canariesIn(text: string | Buffer): string[] {
  const bytes = Buffer.from(text as string);
  const found = new Set<string>();
  let state = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    state = table[state * 256 + (bytes[at] ?? 0)] ?? 0;
    const name = ends.get(state);
    if (name === undefined) continue;
    const number = /^\d{4}/.exec(bytes.toString('latin1', at + 1, at + 5))?.[0] ?? '?';
    found.add(name === 'key' ? 'key' : `${name} ${number}`);
  }
  return [...found];
}

/** Returns the files below a directory by their paths in it, each with its name before its bytes; none of one that is gone. */
export async function filesBelow(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(path) : Buffer.alloc(0);
    files.set(path.slice(directory.length + 1).replaceAll('\\', '/'), Buffer.concat([Buffer.from(`${entry.name}\n`), bytes]));
  }
  return files;
}

/** Places in the home, by the beginning of their paths: whether they may hold session tokens as they were typed and received. None holds a key. */
const homePlaces: Readonly<Record<(typeof homeEntries)[number], boolean>> = {
  'history.sqlite': true,
  'history-index.sqlite': true,
  workspaces: true,
  'settings.json': true,
  environments: true,
  'collection-runs': false,
  'collections.json': false,
  'environment-links.json': false,
  'token-commands.json': false,
  'keys.json': false,
  'browser-host.json': false,
  'evidence-key.json': false,
  collections: false,
  evidence: false,
  cache: false,
  desktop: false,
  locks: false,
  removed: false,
  runs: false,
  sandbox: false,
};

/** Returns the canaries in files of a home that may hold none, by file, and files that no row is for. */
export async function strayInHome(home: string): Promise<[file: string, what: string][]> {
  return [...(await filesBelow(home))].flatMap(([file, bytes]) => {
    const place = homeEntries.find((one) => file.startsWith(one));
    const stray = canariesIn(bytes).filter((what) => what === 'key' || place === undefined || !homePlaces[place]);
    return [...stray, ...(place === undefined ? ['no row says what it may hold'] : [])].map((what): [string, string] => [
      file,
      what,
    ]);
  });
}
