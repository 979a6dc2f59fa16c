import { operations, type Operation } from '#shared/provider/index.ts';
import { requestEnvelope } from '#shared/provider/envelope-fields.ts';

/**
 * A value that a program printed in its own notation. `word` is a text without quotes, whose type is lost; `lost` stands for a value that the
 * program did not print, such as `[Object]`.
 */
export type Tree =
  | { readonly kind: 'object'; readonly entries: readonly Entry[] }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'string' | 'number' | 'word'; readonly text: string }
  | { readonly kind: 'true' | 'false' | 'null' | 'lost' };

export interface Entry {
  readonly name: string;
  readonly value: Tree;
}

type FieldType = Operation['forms'][number]['fields'][number]['type'];

/** Names that a struct or a column may have for a field: `GameMode`, `game_mode`. */
export function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

const fieldsByName = new Map<string, { readonly name: string; readonly type: FieldType }>();
for (const { forms } of operations) {
  for (const { fields } of forms) {
    for (const { name, type } of fields) {
      if (!fieldsByName.has(plainName(name))) fieldsByName.set(plainName(name), { name, type });
    }
  }
}
const envelopeNames = new Set(requestEnvelope.map(({ name }) => plainName(name)));

/** Returns whether the spec has a field of this name, in an envelope or in a payload. */
export function isFieldName(name: string): boolean {
  return fieldsByName.has(plainName(name)) || envelopeNames.has(plainName(name));
}

/** Returns the entries of an object; none of any other value. */
export function entriesOf(tree: Tree): readonly Entry[] {
  return tree.kind === 'object' ? tree.entries : [];
}

/** Makes an object of entries; a list if their names are 0, 1, 2 and so on, as PHP prints one. */
export function asList(entries: readonly Entry[]): Tree {
  const isList = entries.length > 0 && entries.every(({ name }, index) => name === String(index));
  return isList ? { kind: 'list', items: entries.map(({ value }) => value) } : { kind: 'object', entries };
}

/** Writes a value as compact JSON. `lossy` gives fields the names and types of the spec, because the notation lost theirs. */
export function writeTree(tree: Tree, lossy: boolean, type?: FieldType): string {
  switch (tree.kind) {
    case 'object': {
      if (lossy && type === 'strings')
        return writeTree({ kind: 'list', items: tree.entries.map(({ value }) => value) }, lossy, type);
      const members = tree.entries.map(({ name, value }) => {
        const field = lossy ? fieldsByName.get(plainName(name)) : undefined;
        return `${JSON.stringify(field?.name ?? name)}:${writeTree(value, lossy, field?.type)}`;
      });
      return `{${members.join(',')}}`;
    }
    case 'list':
      return `[${tree.items.map((item) => writeTree(item, lossy, type === 'strings' ? 'string' : undefined)).join(',')}]`;
    case 'number':
      return lossy && type === 'string' ? JSON.stringify(tree.text) : numberText(tree.text);
    case 'string':
      return lossy && isNumeric(type) && isNumber(tree.text) ? tree.text : JSON.stringify(tree.text);
    case 'word':
      return writeWord(tree.text, type);
    case 'lost':
      return 'null';
    case 'true':
    case 'false':
    case 'null':
      return tree.kind;
  }
}

/** Without a type, digits are a number and `null` is null. */
function writeWord(text: string, type: FieldType | undefined): string {
  if (isNothing(text)) return 'null';
  if (type === 'string') return JSON.stringify(text);
  if (isNumber(text)) return text;
  if (isNumeric(type) && text === '') return 'null';
  if (type === 'strings' && text === '') return '[]';
  if (text === 'true' || text === 'false') return text;
  return JSON.stringify(text);
}

/** Returns whether a word without quotes stands for null in some language. */
export function isNothing(word: string): boolean {
  return /^(?:null|nil|None|<nil>|NULL|undefined)$/.test(word);
}

function isNumeric(type: FieldType | undefined): boolean {
  return type === 'integer' || type === 'bigint' || type === 'number';
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/.test(text);
}

/** A number as JSON has it: notations also write `1_000`, `10n`, `1.` and `.5`. */
function numberText(text: string): string {
  if (isNumber(text)) return text;
  const plain = text
    .replaceAll(/_|n$/g, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '.0');
  return isNumber(plain) ? plain : JSON.stringify(text);
}
