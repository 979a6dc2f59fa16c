import { formatField } from '#shared/collections/format.ts';
import { CollectionRequest, FolderSettings, RequestExample } from '#shared/collections/model.ts';
import { callCheckKinds, checkKinds, pathDemandNames, type CallCheckKind } from '#shared/collections/check-kinds.ts';
import { settingsNames } from '#shared/collections/file-names.ts';
import { Overrides } from '#shared/model/draft.ts';
import { unicodeEscape } from '#shared/json/string-escapes.ts';
import { nearestName } from '#shared/suggestion.ts';
import type { Entry, MapNode, TreeNode } from './yaml-tree.ts';

/** The kinds of files in a collection: of a request, `collection.yaml`, and `folder.yaml`. */
export type FileKind = 'request' | 'collection' | 'settings';

/** A name that nobody reads; `meant` if it is near to one that somebody reads, and so a mistake. */
export interface UnknownName {
  readonly offset: number;
  readonly message: string;
  readonly meant: boolean;
  /** The part of the file that is not read because of it: a field, or a check whose demand is unknown. */
  readonly unread: Entry | TreeNode;
  /** True for a check that is not made. */
  readonly check?: true;
}

const requestNames = Object.keys(CollectionRequest.shape);
const settingNames = Object.keys(FolderSettings.shape);
const overrideNames = Object.keys(Overrides.shape);
const exampleNames = Object.keys(RequestExample.shape);
const kindNames: readonly string[] = checkKinds;
const checkNames: readonly string[] = [...checkKinds, ...pathDemandNames];
const namesOf: Readonly<Record<FileKind, readonly string[]>> = {
  request: requestNames,
  collection: settingNames,
  settings: settingNames,
};
const files: Readonly<Record<FileKind, string>> = {
  request: 'a request file',
  collection: settingsNames.collection,
  settings: `${settingsNames.collection} and ${settingsNames.folder}`,
};
const words: Readonly<Record<FileKind, string>> = {
  request: files.request,
  collection: 'a settings file',
  settings: 'a settings file',
};
const newer = 'A newer version of Croupier may have written it.';

const settingSynonyms: ReadonlyMap<string, string> = new Map([
  ['vars', 'variables'],
  ['var', 'variables'],
]);

/** Names of fields on screen and in other tools. */
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
  collection: settingSynonyms,
  settings: settingSynonyms,
};

/**
 * Judges the names of a file that no file of its kind has, in their order: the outermost ones, and those inside `overrides`, `expect` and
 * `examples`. Below `take` and `variables` each name is the user's own.
 */
export function unknownNames({ entries }: MapNode, kind: FileKind): readonly UnknownName[] {
  // A name that is near to this one is not a mistake: files of others had such names before it was one.
  const isFormat = (key: string) => kind === 'collection' && key === formatField;
  const outermost = entries
    .filter(({ key }) => !namesOf[kind].includes(key) && !isFormat(key))
    .map((entry) => judgeOutermost(entry, kind));
  const inside = kind === 'request' ? entries.flatMap(judgePart) : [];
  return [...outermost, ...inside].sort((one, other) => one.offset - other.offset);
}

function judgeOutermost(entry: Entry, kind: FileKind): UnknownName {
  const { key, keyStart, value } = entry;
  const below = knownBelow(value, kind);
  if (below !== null) {
    const message = `${shown(key)} is not a field of ${words[kind]}. Move ${below.key}, which is below it, to the start of a line.`;
    return { offset: below.keyStart, message, meant: true, unread: entry };
  }
  const meant = meantBy(key, kind);
  const message =
    meant === null
      ? `${shown(key)} is not a field of ${words[kind]}, so Croupier ignores it. ${newer}`
      : `${shown(key)} is not a field of ${words[kind]}. ${meant}`;
  return { offset: keyStart, message, meant: meant !== null, unread: entry };
}

/** Suggests the field that a name probably means, as a sentence; null if no field is similar. */
function meantBy(key: string, kind: FileKind): string | null {
  const names = namesOf[kind];
  const own = nearestName(key, names) ?? synonyms[kind].get(key.toLowerCase()) ?? null;
  const other = kind === 'request' ? 'settings' : 'request';
  // A name that is one as it stands counts before one that is near.
  const elsewhere = kind === 'request' ? inOtherPart(same(key)) : null;
  if (elsewhere !== null) return elsewhere;
  const ofOther = same(key)(namesOf[other]);
  if (ofOther !== null) return `${ofOther} belongs in ${files[other]}.`;
  if (own !== null) return `Did you mean ${own}?`;
  return kind === 'request' ? inOtherPart((known) => nearestName(key, known)) : null;
}

function same(key: string): (names: readonly string[]) => string | null {
  return (names) => names.find((name) => name.toLowerCase() === key.toLowerCase()) ?? null;
}

/** Returns where a name belongs that is a field of another part. */
function inOtherPart(find: (names: readonly string[]) => string | null): string | null {
  const check = find(checkNames);
  if (check !== null) return `${check} is part of a check. Write it under expect, after a dash.`;
  const override = find(overrideNames);
  return override === null ? null : `${override} belongs under overrides.`;
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

/** Judges the names inside one of the outermost fields of a request file. */
function judgePart({ key, value }: Entry): UnknownName[] {
  if (key === 'overrides') return judgeFields(value, overrideNames, 'overrides');
  if (value.kind !== 'list') return [];
  const items = value.items.map((item, at) => ({ node: item.value, place: `${key}, item ${at + 1}` }));
  if (key === 'examples') return items.flatMap(({ node, place }) => judgeFields(node, exampleNames, place));
  return key === 'expect' ? items.flatMap(({ node, place }) => judgeCheck(node, place)) : [];
}

/**
 * Judges a check. One that demands nothing without its unknown part is left out: it would pass for something else. One of no kind
 * or of two with known names is not judged here; the model refuses it.
 */
function judgeCheck(node: TreeNode, place: string): UnknownName[] {
  if (node.kind !== 'map') return [];
  const kinds = node.entries.filter(({ key }) => kindNames.includes(key));
  const [kind, second] = kinds;
  if (second !== undefined) return [];
  if (kind === undefined) {
    if (node.entries.some(({ key }) => checkNames.includes(key))) return [];
    const strangers = judgeFields(node, checkNames, place);
    const mistakes = strangers.filter(({ meant }) => meant);
    return mistakes.length > 0 ? mistakes : strangers.slice(0, 1).map((stranger) => notMade(stranger, node, place));
  }
  if (kind.key !== 'path') {
    const { form } = callCheckKinds[kind.key as CallCheckKind];
    const below = 'texts' in form ? judgeFields(kind.value, Object.keys(form.texts), `${place}, ${kind.key}`) : [];
    return [...judgeFields(node, kindNames, place), ...below];
  }
  const strangers = judgeFields(node, checkNames, place);
  const demands = node.entries.some(({ key }) => key !== 'path' && checkNames.includes(key));
  return demands ? strangers : strangers.map((stranger) => (stranger.meant ? stranger : notMade(stranger, node, place)));
}

function notMade(stranger: UnknownName, check: MapNode, place: string): UnknownName {
  const entry = check.entries.find(({ keyStart }) => keyStart === stranger.offset);
  const message = `${shown(entry?.key ?? '')} is not a field of ${place}, so Croupier skips the check. ${newer}`;
  return { ...stranger, message, unread: check, check: true };
}

function judgeFields(node: TreeNode, names: readonly string[], place: string): UnknownName[] {
  if (node.kind !== 'map') return [];
  return node.entries
    .filter(({ key }) => !names.includes(key))
    .map((entry): UnknownName => {
      const { key, keyStart } = entry;
      const meant = meantInside(key, names);
      const message = `${shown(key)} is not a field of ${place}${meant === null ? `, so Croupier ignores it. ${newer}` : `. ${meant}`}`;
      return { offset: keyStart, message, meant: meant !== null, unread: entry };
    });
}

/** Suggests the field that a name inside a part of a request file probably means; null if none is similar. */
function meantInside(key: string, names: readonly string[]): string | null {
  const isPartOfCheck = names.includes('code');
  if (requestNames.includes(key)) return `${key} belongs at the start of a line.`;
  if (isPartOfCheck && checkNames.includes(key)) return `${key} needs a path beside it.`;
  const near = nearestName(key, isPartOfCheck ? checkNames : names);
  if (near !== null) return `Did you mean ${near}?`;
  const setting = same(key)(settingNames);
  return setting === null ? inOtherPart(same(key)) : `${setting} belongs in ${files.settings}.`;
}

/** Returns a name as the user can see it: invisible characters are written as escapes. */
function shown(key: string): string {
  if (key.trim() === '') return 'An empty name';
  return key.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}\p{M} ]/gu, unicodeEscape);
}
