import { checkKinds, checkMembers, CollectionRequest, FolderSettings, RequestExample } from '#shared/collections/model.ts';
import { settingsNames } from '#shared/collections/names.ts';
import { Overrides } from '#shared/ipc/index.ts';
import { unicodeEscape } from '#shared/json/strings.ts';
import { nearestName } from '#shared/suggestion.ts';
import type { Entry, TreeNode } from './yaml-tree.ts';

/** The two kinds of files in a collection. */
export type FileKind = 'request' | 'settings';

/** A name that nobody reads: `meant` where it is near to one that somebody reads, and so a mistake. */
export interface UnknownName {
  readonly offset: number;
  readonly message: string;
  readonly meant: boolean;
}

const requestNames = Object.keys(CollectionRequest.shape);
const settingNames = Object.keys(FolderSettings.shape);
const overrideNames = Object.keys(Overrides.shape);
const namesOf: Readonly<Record<FileKind, readonly string[]>> = { request: requestNames, settings: settingNames };
const files: Readonly<Record<FileKind, string>> = {
  request: 'a request file',
  settings: `${settingsNames.collection} and ${settingsNames.folder}`,
};
const words: Readonly<Record<FileKind, string>> = { request: files.request, settings: 'a settings file' };

/** What the screen and other tools call it. */
const synonyms: Readonly<Record<FileKind, ReadonlyMap<string, string>>> = {
  request: new Map([
    ...['check', 'checks', 'expectation', 'expectations', 'assert', 'asserts', 'assertions', 'tests'].map(
      (name) => [name, 'expect'] as const,
    ),
    ['body', 'data'],
    ['payload', 'data'],
    ['capture', 'take'],
    ['captures', 'take'],
  ]),
  settings: new Map([
    ['vars', 'variables'],
    ['var', 'variables'],
  ]),
};

/** Judges the outermost names of a file that no file of its kind has, in their order. */
export function unknownNames(entries: readonly Entry[], kind: FileKind): readonly UnknownName[] {
  return entries
    .filter(({ key }) => !namesOf[kind].includes(key))
    .map(({ key, keyStart, value }): UnknownName => {
      const below = knownBelow(value, kind);
      if (below !== null) {
        const message = `${below.key} below ${shown(key)} is not read: ${shown(key)} is not a name of ${words[kind]}. Move ${below.key} to the beginning of a line of its own.`;
        return { offset: below.keyStart, message, meant: true };
      }
      const meant = meantBy(key, kind);
      const message =
        meant === null
          ? `${shown(key)} is not a name of ${words[kind]}, and nothing reads it. A newer version of Croupier may have written it.`
          : `${shown(key)} is not a name of ${words[kind]}. ${meant}`;
      return { offset: keyStart, message, meant: meant !== null };
    });
}

/** What was probably meant by a name, as a sentence; null where it is near to none. */
function meantBy(key: string, kind: FileKind): string | null {
  const names = namesOf[kind];
  const own = nearestName(key, names) ?? synonyms[kind].get(key.toLowerCase()) ?? null;
  const other = kind === 'request' ? 'settings' : 'request';
  // A name that is one as it stands counts before one that is near.
  const exact = (known: readonly string[]) => known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? null;
  const elsewhere = kind === 'request' ? inside(exact) : null;
  if (elsewhere !== null) return elsewhere;
  const ofOther = exact(namesOf[other]);
  if (ofOther !== null) return `${ofOther} belongs into ${files[other]}.`;
  if (own !== null) return `Did you mean ${own}?`;
  return kind === 'request' ? inside((known) => nearestName(key, known)) : null;
}

/** Where a name of a part of a request file belongs. */
function inside(find: (names: readonly string[]) => string | null): string | null {
  const check = find([...checkKinds, ...checkMembers]);
  if (check !== null) return `${check} belongs to a check: write it below expect, behind a dash.`;
  const override = find(overrideNames);
  return override === null ? null : `${override} belongs below overrides.`;
}

/** The first name in an unknown part of a file that would be read in another place. */
function knownBelow(node: TreeNode, kind: FileKind): Entry | null {
  if (node.kind === 'text') return null;
  const entries = node.kind === 'map' ? node.entries : [];
  const found = entries.find(({ key }) => namesOf[kind].includes(key));
  if (found !== undefined) return found;
  for (const inner of node.kind === 'map' ? entries.map(({ value }) => value) : node.items.map(({ value }) => value)) {
    const deeper = knownBelow(inner, kind);
    if (deeper !== null) return deeper;
  }
  return null;
}

/** ` Did you mean x?` for a name inside `overrides`, a check or an example, by where it stands; else nothing. */
export function meantInside(path: readonly PropertyKey[], key: string): string {
  const [top, , member] = path;
  const names =
    top === 'overrides'
      ? overrideNames
      : top === 'examples'
        ? Object.keys(RequestExample.shape)
        : member === 'balance'
          ? ['before', 'change']
          : [...checkKinds, ...checkMembers];
  if (requestNames.includes(key)) return ` ${key} belongs to the beginning of a line of its own.`;
  const near = nearestName(key, names);
  if (near === key) return ` ${key} needs path beside it.`;
  return near === null ? '' : ` Did you mean ${near}?`;
}

/** A name as a person can see it: what is invisible in it is written as an escape. */
function shown(key: string): string {
  if (key.trim() === '') return 'An empty name';
  return key.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\p{M} ]/gu, unicodeEscape);
}
