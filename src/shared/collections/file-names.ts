import { utf8Length } from '../json/utf8.ts';
import { secretFormsIn } from '../secrets/secret-names.ts';

/** Names that Windows takes for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;
/** Characters that a file name cannot hold on some system, or that would hide or break it. */
const forbidden = /[<>:"/\\|?*\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const ending = '.yaml';
const longestBytes = 255;

/** The folder of a collection that holds environments, each in a file `NAME.yaml`, and their certificate authorities. */
export const environmentsFolder = 'environments';

/** Files that hold settings or wallet cases, and so cannot be requests. */
export const settingsNames = { collection: 'collection.yaml', folder: 'folder.yaml', cases: 'wallet-cases.yaml' } as const;

/** Returns the file of a request of that name. */
export function fileOfRequest(name: string): string {
  return `${name}${ending}`;
}

/** Returns the name of a request's file without its ending, or null for another file. */
export function requestOfFile(file: string): string | null {
  if (!file.endsWith(ending) || file.length === ending.length || file.startsWith('.')) return null;
  if (Object.values<string>(settingsNames).includes(file)) return null;
  return file.slice(0, -ending.length);
}

/** The hidden folder of a collection with the schemas of its files, for editors. */
export const schemasFolder = '.schemas';

/** A kind of file with a schema. */
export type SchemaName = 'request' | 'collection' | 'folder' | 'environment' | 'devices';

/** Returns the file of a schema in that folder. */
export function schemaFile(name: SchemaName): string {
  return `${name}.json`;
}

const schemaComment = /^# yaml-language-server: \$schema=.*\n/;

/** Returns the line at the beginning of a file by which an editor finds its schema. `path` is the file's in the collection. */
export function schemaLine(path: string, name: Exclude<SchemaName, 'devices'>): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return `# yaml-language-server: $schema=${up}${schemasFolder}/${schemaFile(name)}\n`;
}

/** Returns a file's text without that line. */
export function withoutSchemaLine(text: string): string {
  return text.replace(schemaComment, '');
}

const otherVersion = /^(.+)\.other-version(?:-[0-9]+)?$/;

/** Names the file that keeps the version another program wrote during a save. It is neither a request nor hidden on any system. */
export function otherVersionName(file: string, number: number): string {
  return `${file}.other-version${number === 1 ? '' : `-${number}`}`;
}

/** Returns the file to which such a version belongs, or null for any other name. */
export function fileOfOtherVersion(name: string): string | null {
  return otherVersion.exec(name)?.[1] ?? null;
}

/** Explains a file that keeps another program's version, and what to do with it. */
export function otherVersionText(file: string, copy: string): string {
  return (
    `Another program changed ${file} while Croupier saved it. The other program's version is in ${copy}. Copy what you need from it, ` +
    'then delete it.'
  );
}

/** Says why a request or a folder cannot have the name; null if every system allows it. */
export function refusedName(name: string, kind: 'request' | 'folder'): string | null {
  const normal = normalName(name);
  const bad = forbidden.exec(normal)?.[0];
  if (normal === '') return 'The name is empty. Enter one.';
  if (!normal.isWellFormed()) return 'The name contains half a character. Enter it again.';
  if (bad !== undefined) {
    const shown = /[\x21-\x7e]/.test(bad) ? bad : `U+${bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return `A name can't contain ${shown}. Leave it out.`;
  }
  if (normal.startsWith('.')) return 'A name that begins with a dot is hidden on some systems. Choose another name.';
  if (/^\s/.test(normal) || /[\s.]$/.test(normal)) return 'A name cannot begin with a space, or end with a space or a dot.';
  if (secretFormsIn(normal).length > 0)
    return 'The name contains a token or a key, and files are made for git. Choose another name.';
  if (devices.test(normal)) return `${normal} is the name of a device on Windows. Choose another name.`;
  if (kind === 'folder' && normal.toLowerCase() === 'node_modules')
    return 'Croupier does not read node_modules. Choose another name.';
  const file = kind === 'request' ? fileOfRequest(normal) : normal;
  if (kind === 'request' && Object.values<string>(settingsNames).includes(file.toLowerCase())) {
    return `${file} is for settings. Choose another name for the request.`;
  }
  if (utf8Length(file) > longestBytes) return 'The name is too long for a file. Shorten it.';
  return null;
}

/** Returns one spelling for letters that have several. */
export function normalName(name: string): string {
  return name.isWellFormed() ? name.normalize('NFC') : name;
}

/** Returns the same key for two names that some system treats as one file. */
export function nameKey(name: string): string {
  return normalName(name).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Splits a path below a collection; an empty list for the collection itself, null if it leads out of it or into hidden files. */
export function partsOfPath(path: string): readonly string[] | null {
  if (path === '') return [];
  const parts = path.split('/');
  // Backslashes and colons have a meaning on Windows, and a collection may move there.
  const bad = parts.some((part) => part === '' || part.startsWith('.') || /[\\:\0]/.test(part) || !part.isWellFormed());
  return bad || parts.length > 32 ? null : parts;
}

/** Joins a folder's path and a name. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Returns the folder of a path; empty for the collection. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
