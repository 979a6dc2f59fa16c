import { fileOfRequest, nameKey, normalName, pathIn, refusedName } from '#shared/collections/file-names.ts';

/** Gives names that every system can have for a file, each once in its folder. */
export interface FreeNames {
  /** The path of a new request or folder, and its name. */
  claim(folder: string, wanted: string, kind: 'request' | 'folder'): { readonly path: string; readonly name: string };
}

/** `taken` holds the names of files and folders that are there, by the folder's path. */
export function createFreeNames(taken: ReadonlyMap<string, readonly string[]>): FreeNames {
  const used = new Map([...taken].map(([folder, names]) => [folder, new Set(names.map(nameKey))]));
  /** The next number to try, by folder, kind and name. */
  const numbers = new Map<string, number>();
  return {
    claim(folder, wanted, kind) {
      const names = used.get(folder) ?? new Set<string>();
      used.set(folder, names);
      const plain = fitName(wanted, kind);
      const place = JSON.stringify([folder, kind, nameKey(plain)]);
      for (let number = numbers.get(place) ?? 1; ; number++) {
        const name = number === 1 ? plain : `${plain} ${number}`;
        const file = kind === 'request' ? fileOfRequest(name) : name;
        if (names.has(nameKey(file))) continue;
        names.add(nameKey(file));
        numbers.set(place, number + 1);
        return { path: pathIn(folder, file), name };
      }
    },
  };
}

const longest = 100;

/** Returns the name without characters that no file name can have; a plain word for the item if nothing is left. */
function fitName(wanted: string, kind: 'request' | 'folder'): string {
  if (refusedName(wanted, kind) === null) return normalName(wanted);
  let name = normalName(wanted.toWellFormed())
    .replace(/[<>:"/\\|?*]+/g, '-')
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\s]+/g, ' ');
  // A cut may not leave half of a character, and a character may take four bytes.
  name = Array.from(name).slice(0, longest).join('');
  while (Buffer.byteLength(name, 'utf8') > 230) name = Array.from(name).slice(0, -1).join('');
  name = name.replace(/^[\s.]+|[\s.]+$/g, '');
  if (refusedName(name, kind) === null) return name;
  const other = `${name}-${kind}`;
  return refusedName(other, kind) === null ? other : kind;
}
