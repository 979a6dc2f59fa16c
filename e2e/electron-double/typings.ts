import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../node_modules/electron/electron.d.ts', import.meta.url), 'utf8');
const known = new Map<string, ReadonlySet<string>>();

/** Returns the members of a class, or the fields of an interface, of Electron's typings, inherited ones included. */
export function membersOf(name: string): ReadonlySet<string> {
  const found = known.get(name) ?? read(name);
  known.set(name, found);
  return found;
}

function read(name: string): ReadonlySet<string> {
  const [, parent, body] =
    new RegExp(`^  (?:class|interface) ${name}(?: extends ([\\w.]+))? \\{\\n([^]*?)^  \\}`, 'm').exec(text) ?? [];
  if (body === undefined) throw new Error(`Electron's typings do not have ${name}.`);
  const inherited = parent === undefined || parent.endsWith('EventEmitter') ? [] : membersOf(parent);
  return new Set([...inherited, ...Array.from(body.matchAll(/^ {4}(?:readonly )?(\w+)[?(:]/gm), ([, member = '']) => member)]);
}
