import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseSync } from 'vite';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { root } from '../program.ts';

const out = path.join(root, 'out');
const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(out, path.join(entry.parentPath, entry.name)));
const read = (name: string) => readFileSync(path.join(out, name), 'latin1');
const programs = files.filter((name) => /^(main|preload)\/.*\.c?js$/.test(name));

/** Returns the modules that a bundle asks for by name: imports of any kind, and calls of a function named require. */
function imports(name: string): string[] {
  const known = asked.get(name);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, source, callee, arguments: given } = node as Record<string, unknown>;
    if (typeof type === 'string' && /^(Import|Export)\w*(Declaration|Expression)$/.test(type)) add(source);
    if (type === 'CallExpression' && valueOf(callee, 'name') === 'require') add((given as unknown[])[0]);
    Object.values(node).forEach(visit);
  };
  const add = (literal: unknown) => {
    const [text] = (valueOf(literal, 'quasis') ?? []) as unknown[];
    const value = valueOf(literal, 'value') ?? valueOf(valueOf(text, 'value'), 'cooked');
    if (typeof value === 'string') found.add(value);
  };
  visit(parseSync(name, readFileSync(path.join(out, name), 'utf8')).program);
  asked.set(name, [...found]);
  return [...found];
}

const asked = new Map<string, string[]>();

function valueOf(node: unknown, member: string): unknown {
  return typeof node === 'object' && node !== null ? Reflect.get(node, member) : undefined;
}

/** Returns a bundle and all bundles of the build that it loads. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const module of imports(name)) {
    const target = path.join(path.dirname(name), module);
    if (module.startsWith('.') && programs.includes(target)) closure(target, seen);
  }
  return seen;
}

const importersOf = (module: string) => programs.filter((name) => imports(name).includes(module));

describe('what the build wrote', () => {
  it('has the programs of every host, the preload and the page', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'main/cli.cjs',
        'main/desktop.cjs',
        'main/key-agent.cjs',
        'main/search-worker.cjs',
        'main/reading-worker.cjs',
        'main/export-worker.cjs',
        'preload/preload.cjs',
        'renderer/index.html',
      ]),
    );
  });

  it('imports electron in the desktop host’s bundles alone', () => {
    expect(importersOf('electron').sort()).toEqual(['main/desktop.cjs', 'preload/preload.cjs']);
    for (const program of [
      'main/cli.cjs',
      'main/key-agent.cjs',
      'main/search-worker.cjs',
      'main/reading-worker.cjs',
      'main/export-worker.cjs',
    ]) {
      expect([...closure(program)].filter((name) => imports(name).includes('electron'))).toEqual([]);
    }
  });

  it('imports the keychain’s native module in the key agent alone', () => {
    const agent = closure('main/key-agent.cjs');
    const importers = importersOf('keytar');
    expect(importers.length).toBeGreaterThan(0);
    expect(importers.filter((name) => !agent.has(name))).toEqual([]);
    for (const program of ['main/cli.cjs', 'main/desktop.cjs']) {
      expect([...closure(program)].filter((name) => importers.includes(name))).toEqual([]);
    }
  });

  it('asks for nothing at run time but Node, Electron and keytar', () => {
    const modules = new Set(programs.flatMap(imports).filter((module) => !module.startsWith('.')));
    // Packages name Node's own modules without a prefix, too.
    expect([...modules].filter((module) => !isBuiltin(module)).sort()).toEqual(['electron', 'keytar']);
  });

  it('holds no private key and no certificate', () => {
    const pem = /-----BEGIN [A-Z ]+-----\s*[A-Za-z0-9+/]{16}/;
    expect(pem.test('-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49')).toBe(true);
    expect(files.filter((name) => pem.test(read(name)))).toEqual([]);
  });

  it('names no folder of the machine it was built on', () => {
    expect(files.filter((name) => read(name).includes(root))).toEqual([]);
  });
});

describe('what is packaged', () => {
  it('holds no private key: none of the files that are packed, and not the package', () => {
    // DER in PEM; the words alone stand in programs that read such a file.
    const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[A-Za-z0-9+/]{16}/;
    const below = (name: string): string[] => {
      const target = path.join(root, name);
      if (!statSync(target).isDirectory()) return [target];
      return readdirSync(target, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
    };
    const config = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
    const packed = Array.from(config.matchAll(/^  - ([\w/.-]+?)(?:\/\*\*|\/\$\{.*)?$/gm), ([, name = '']) => name);
    expect(packed).toEqual(expect.arrayContaining(['out', 'starter-collections', 'node_modules/keytar/prebuilds']));
    const files = packed.flatMap(below);
    expect(files.length).toBeGreaterThan(100);
    // After `npm run package`, also its output: an archive is its files one after the other.
    if (existsSync(path.join(root, 'release'))) files.push(...below('release').filter((name) => name.endsWith('.asar')));
    expect(files.filter((name) => key.test(readFileSync(name, 'latin1')))).toEqual([]);
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(key.test(String(made))).toBe(true);
  });

  it('holds what the program reads beside itself: what was built, its version and the starter collections', () => {
    const { files: packed } = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) as { files: string[] };
    const beside = ['starter-collections', 'resources/icon.png'];
    expect(packed).toEqual(expect.arrayContaining(['out/**', 'package.json', 'starter-collections/**', 'resources/icon.png']));
    // Two folders above the program, in the archive as here.
    const program = read('main/desktop.cjs').replaceAll(/["'`]/g, '"');
    for (const name of beside)
      expect(program).toContain(
        `"..","..",${name
          .split('/')
          .map((part) => `"${part}"`)
          .join()}`,
      );
    expect(readdirSync(path.join(root, 'starter-collections')).length).toBeGreaterThan(0);
  });
});

describe('the built page', () => {
  const html = read('renderer/index.html');
  /** Scripts that the page runs before it draws anything. Monaco's is only fetched beside them, at a low priority. */
  const scripts = [...html.matchAll(/ src="\.\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => `renderer/${name}`);

  it('has no script, style or handler inside it, as its policy wants', () => {
    const elements = [...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)];
    expect(elements.length).toBeGreaterThan(0);
    for (const [, attributes = '', text] of elements) {
      expect(attributes).toMatch(/\bsrc="\.\/assets\//);
      expect(text).toBe('');
    }
    expect(html).not.toMatch(/\son\w+\s*=|javascript:|<style/i);
  });

  it('takes everything from its own origin', () => {
    const addresses = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !/^\.\/[\w./-]+$/.test(address ?? ''))).toEqual([]);
    const styles = files.filter((name) => name.endsWith('.css'));
    expect(styles.length).toBeGreaterThan(0);
    // Fonts and pictures as data URLs, or from elsewhere, would be refused by the policy.
    for (const name of styles) expect(read(name)).not.toMatch(/url\(["']?(?:data:font|data:application|https?:|\/\/)/);
  });

  it('never makes code out of text, except where the policy is known to refuse it', () => {
    expect(scripts.length).toBeGreaterThan(0);
    for (const name of scripts) expect(read(name)).not.toMatch(/\beval\(|new Function\(/);
  });

  it('runs Monaco after the shell: the scripts of a start have less than 1.142 MB', () => {
    const sizes = scripts.map((name) => statSync(path.join(out, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_142_000);
    expect(html).toMatch(/<link rel="modulepreload" href="\.\/assets\/monaco-[^"]+\.js" crossorigin fetchpriority="low">/);
  });

  it('starts with few files: each costs the page and its host some milliseconds', () => {
    expect(scripts.length).toBeLessThan(5);
  });
});
