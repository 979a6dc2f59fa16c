import { utf8Length } from '../json/utf8.ts';

/** Names that Windows takes for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;
/** What a file's name cannot hold on one of the systems, or what would hide or break it. */
const forbidden = /[<>:"/\\|?*\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const ending = '.yaml';
const longestBytes = 255;

/** Files that hold settings, and so cannot be requests. */
export const settingsNames = { collection: 'collection.yaml', folder: 'folder.yaml' } as const;

/** The file of a request of that name. */
export function fileOfRequest(name: string): string {
  return `${name}${ending}`;
}

/** The name of a request's file without its ending, or null for another file. */
export function requestOfFile(file: string): string | null {
  if (!file.endsWith(ending) || file.length === ending.length || file.startsWith('.')) return null;
  if (Object.values<string>(settingsNames).includes(file)) return null;
  return file.slice(0, -ending.length);
}

const otherVersion = /^(.+)\.other-version(?:-[0-9]+)?$/;

/** The name under which a version of a file that another program wrote while it was saved is kept beside it: no request, on no system hidden. */
export function otherVersionName(file: string, number: number): string {
  return `${file}.other-version${number === 1 ? '' : `-${number}`}`;
}

/** The file that a name is such a version of, or null for another name. */
export function fileOfOtherVersion(name: string): string | null {
  return otherVersion.exec(name)?.[1] ?? null;
}

/** Says what a file beside another one is, and what to do with it. */
export function otherVersionText(file: string, copy: string): string {
  return (
    `Another program wrote ${file} while Croupier saved it. Its version is in ${copy}: compare the two, take over what you need, ` +
    'then remove that file.'
  );
}

/** A sentence that says why a request or a folder cannot have the name, or null where it can, on every system. */
export function refusedName(name: string, kind: 'request' | 'folder'): string | null {
  const normal = normalName(name);
  const bad = forbidden.exec(normal)?.[0];
  if (normal === '') return 'The name is empty. Enter one.';
  if (!normal.isWellFormed()) return 'The name holds half of a character. Enter it again.';
  if (bad !== undefined) {
    const shown = /[\x21-\x7e]/.test(bad) ? bad : `U+${bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return `A name cannot hold ${shown}. Leave it out.`;
  }
  if (normal.startsWith('.')) return 'A name that begins with a dot is hidden on some systems. Choose another one.';
  if (/^\s/.test(normal) || /[\s.]$/.test(normal)) return 'A name cannot begin with a space, or end with a space or a dot.';
  if (devices.test(normal)) return `${normal} is the name of a device on Windows. Choose another one.`;
  if (kind === 'folder' && normal.toLowerCase() === 'node_modules') return 'node_modules is not read. Choose another name.';
  const file = kind === 'request' ? fileOfRequest(normal) : normal;
  if (kind === 'request' && Object.values<string>(settingsNames).includes(file.toLowerCase())) {
    return `${file} holds settings. Choose another name for the request.`;
  }
  if (utf8Length(file) > longestBytes) return 'The name is too long for a file. Shorten it.';
  return null;
}

/** One spelling for letters that have several. */
export function normalName(name: string): string {
  return name.isWellFormed() ? name.normalize('NFC') : name;
}

/** Equal for two names that some system takes for the same file. */
export function nameKey(name: string): string {
  return normalName(name).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** The parts of a path below a collection, none for the collection itself; null for a path that leads out of it or into hidden files. */
export function partsOfPath(path: string): readonly string[] | null {
  if (path === '') return [];
  const parts = path.split('/');
  // Backslashes and colons mean something else on Windows, wherever the file was made.
  const bad = parts.some((part) => part === '' || part.startsWith('.') || /[\\:\0]/.test(part) || !part.isWellFormed());
  return bad || parts.length > 32 ? null : parts;
}

/** The path of what lies in a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folder that something lies in; empty for the collection. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
