import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#shared/errors.ts';
import { collectionFormat, formatField, newerFormatText } from '#shared/collections/format.ts';
import { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import type { z } from '#shared/model/schema.ts';
import type { FileProblem } from '#shared/ipc/index.ts';
import { explainIssue, type Unread } from './explain-yaml-issue.ts';
import { editFields } from './yaml-edit.ts';
import type { Fields } from './yaml-edit.ts';
import { printField } from './yaml-print.ts';
import type { Printable } from './yaml-print.ts';
import { unknownNames, type UnknownName } from './unknown-names.ts';
import { faultAt, placeOf, readTree } from './yaml-tree.ts';
import type { MapNode, TreeNode } from './yaml-tree.ts';

/** The content of a file, and the outermost fields that this version does not know. */
export interface ReadFile<T> {
  readonly value: T;
  readonly unknown: readonly string[];
  /** Reasons why nobody reads them, each with its position. */
  readonly warnings: readonly FileProblem[];
  /**
   * Of `collection.yaml`: the format that a newer version wrote; null for a format that this version knows, and for other files.
   */
  readonly newerFormat: number | null;
}

/** One of the forms of files in a collection. */
export interface FileForm<T> {
  /** Fails with `invalid_input`; `details` is the Place. */
  read(source: string): ReadFile<T>;
  /**
   * Prints a whole new file: fields in the model's order, defaults left out. Fails with `invalid_input` for a value that no file
   * can hold.
   */
  print(value: T): string;
  /**
   * Returns the source with the changed fields rewritten, and everything else as it was. Fails as `read` and `print` do, and with
   * `refused` for a newer format.
   */
  edit(source: string, value: T): string;
}

/** Describes a form of files. */
export interface FormSpec<T> {
  readonly schema: z.ZodMiniType<T>;
  /** The outermost fields in the order of a new file. */
  readonly names: readonly string[];
  /** Fields that are always a literal block. */
  readonly literal?: ReadonlySet<string>;
  /** True if the file carries the collection's format. */
  readonly hasFormat?: boolean;
  /** Judges the names that no file of this form has. */
  readonly strangersOf: (root: MapNode) => readonly UnknownName[];
  /** Returns whether a bare `true` at a path means a boolean; `*` stands for an item of a list. */
  readonly isBoolean: (path: readonly string[]) => boolean;
  /** Refuses a file for more than its form, with `faultAt`: `text` before the names are judged, `value` afterwards. */
  readonly refuse?: {
    readonly text: (source: string, root: MapNode) => void;
    readonly value: (source: string, root: MapNode, value: T) => void;
  };
}

/** Creates a form by its model. */
export function createForm<T>(spec: FormSpec<T>): FileForm<T> {
  const { schema, names, literal = new Set<string>(), hasFormat = false, strangersOf, isBoolean, refuse } = spec;
  const fields = hasFormat ? [formatField, ...names] : names;
  /** Fields that Croupier writes beside the value. */
  const ours: Fields = hasFormat ? { [formatField]: String(collectionFormat) } : {};

  function open(source: string) {
    const root = readTree(source);
    const format = hasFormat ? formatOf(source, root) : null;
    const newerFormat = format !== null && format > collectionFormat ? format : null;
    refuse?.text(source, root);
    const strangers = strangersOf(root);
    const mistakes = strangers.filter(({ meant }) => meant);
    // A name that is close to one of ours may be a name of the newer format.
    if (mistakes.length > 0 && newerFormat === null) throw mistaken(source, mistakes);
    const unread: Unread = new Set(strangers.map((stranger) => stranger.unread));
    // An empty value is as good as none.
    const known = root.entries.filter((entry) => names.includes(entry.key) && !unread.has(entry) && !isNothing(entry.value));
    const parsed = schema.safeParse(
      Object.fromEntries(known.map(({ key, value }) => [key, plain(value, [key], { unread, isBoolean })])),
    );
    if (!parsed.success && newerFormat !== null)
      return { root, value: schema.parse({}), unknown: [], strangers: [], format, newerFormat };
    if (!parsed.success) {
      const { offset, message } = explainIssue(parsed.error.issues[0], root, unread);
      throw faultAt(source, offset, message);
    }
    refuse?.value(source, root, parsed.data);
    const unknown = root.entries.map(({ key }) => key).filter((key) => !fields.includes(key));
    return { root, value: parsed.data, unknown, strangers, format, newerFormat };
  }

  const compact = (value: T) => withoutDefaults(schema.parse(value) as Record<string, unknown>, names);

  function print(value: T): string {
    return Object.entries({ ...ours, ...compact(value) })
      .flatMap(([name, field]) => printField(name, field, 0, { literal: literal.has(name), mayKeep: true }).lines)
      .map((line) => `${line}\n`)
      .join('');
  }

  return {
    read(source) {
      const { value, unknown, strangers, newerFormat } = open(source);
      const warnings = strangers
        .slice(0, mostWarnings)
        .map(({ offset, message, check }): FileProblem => ({ message, ...placeOf(source, offset), ...(check && { check }) }));
      const next = strangers[mostWarnings];
      if (next !== undefined) {
        const message = `${counted(strangers.length - mostWarnings)} more unknown names from here on.`;
        const check = strangers.slice(mostWarnings).some((one) => one.check);
        warnings.push({ message, ...placeOf(source, next.offset), ...(check && { check }) });
      }
      return { value, unknown, warnings, newerFormat };
    },
    print,
    edit(source, value) {
      const { root, value: old, strangers, format, newerFormat } = open(source);
      if (newerFormat !== null) throw new AppError('refused', newerFormatText(newerFormat));
      const [before, after] = [compact(old), compact(value)];
      if (isDeepStrictEqual(before, after)) return source;
      for (const mayKeep of [true, false]) {
        const written = format === null ? {} : { [formatField]: String(format) };
        const edited = editFields({
          source,
          root,
          before: { ...written, ...before },
          after: { ...ours, ...after },
          order: fields,
          literal,
          mayKeep,
        });
        if (isSound(source, strangers, edited, after)) return edited;
      }
      throw new AppError('refused', 'Not saved: this change would alter other lines. Edit the file in a text editor.');
    },
  };

  /** Reads the written text back before it replaces the file, so that a fault of Croupier cannot destroy the user's text. */
  function isSound(source: string, strangers: readonly UnknownName[], edited: string, after: Fields): boolean {
    const ofOthers = (text: string, strangers: readonly UnknownName[]) =>
      strangers.map(({ unread }) =>
        'key' in unread ? text.slice(unread.keyStart, unread.value.end) : text.slice(unread.start, unread.end),
      );
    try {
      const again = open(edited);
      return (
        isDeepStrictEqual(compact(again.value), after) &&
        isDeepStrictEqual(ofOthers(source, strangers), ofOthers(edited, again.strangers))
      );
    } catch {
      return false;
    }
  }
}

const ofSettings = { schema: FolderSettings, names: Object.keys(FolderSettings.shape), isBoolean: () => false };

/** `collection.yaml`. */
export const collectionForm = createForm<FolderSettings>({
  ...ofSettings,
  hasFormat: true,
  strangersOf: (root) => unknownNames(root, 'collection'),
});

/** `folder.yaml`. */
export const settingsForm = createForm<FolderSettings>({
  ...ofSettings,
  strangersOf: (root) => unknownNames(root, 'settings'),
});

/** One request. */
export const requestForm = createForm<CollectionRequest>({
  schema: CollectionRequest,
  names: Object.keys(CollectionRequest.shape),
  literal: new Set(['data']),
  strangersOf: (root) => unknownNames(root, 'request'),
  isBoolean: (path) => path.length === 3 && path[0] === 'expect' && path[2] === 'present',
});

/** Number of unread names that are reported one by one, each with its line, which is counted from the file's beginning. */
const mostWarnings = 100;
const mostMistakes = 20;

/** Returns the format in `collection.yaml`; null if there is none. */
function formatOf(source: string, { entries }: MapNode): number | null {
  const entry = entries.find(({ key }) => key === formatField);
  if (entry === undefined || isNothing(entry.value)) return null;
  const { value } = entry;
  if (value.kind === 'text' && /^[1-9]\d{0,8}$/.test(value.value)) return Number(value.value);
  throw faultAt(source, value.start, `${formatField} must be a whole number, such as ${collectionFormat}.`);
}

function counted(number: number): string {
  return number.toLocaleString('en');
}

/** Returns all mistaken names of a file as one error, at the position of the first. */
function mistaken(source: string, mistakes: readonly UnknownName[]): AppError {
  const [first, ...others] = mistakes
    .slice(0, mostMistakes)
    .map(({ offset, message }) => ({ offset, message, ...placeOf(source, offset) }));
  const more = others.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`);
  if (mistakes.length > mostMistakes) more.push(`${counted(mistakes.length - mostMistakes)} more names are wrong.`);
  return faultAt(source, first?.offset ?? 0, [first?.message ?? '', ...more].join(' '));
}

function isNothing(node: TreeNode): boolean {
  return node.kind === 'text' && node.plain && node.value === '';
}

interface Meaning {
  readonly unread: Unread;
  readonly isBoolean: FormSpec<unknown>['isBoolean'];
}

/** Converts a node for the model: a bare `true` is a boolean only if the model has a boolean there; everything else is its text. */
function plain(node: TreeNode, path: readonly string[], meaning: Meaning): unknown {
  const { unread, isBoolean } = meaning;
  if (node.kind === 'list') {
    return node.items.filter(({ value }) => !unread.has(value)).map(({ value }) => plain(value, [...path, '*'], meaning));
  }
  if (node.kind === 'map') {
    const read = node.entries.filter((entry) => !unread.has(entry));
    return Object.fromEntries(read.map(({ key, value }) => [key, plain(value, [...path, key], meaning)]));
  }
  if (node.plain && /^(?:true|false)$/i.test(node.value) && isBoolean(path)) return node.value.toLowerCase() === 'true';
  return node.value;
}

function withoutDefaults(value: Record<string, unknown>, names: readonly string[]): Fields {
  const kept = names.flatMap((name): [string, Printable][] => {
    const field = withoutMissing(value[name]);
    const isDefault = field === undefined || field === '' || (typeof field === 'object' && Object.keys(field).length === 0);
    return isDefault ? [] : [[name, field]];
  });
  return Object.fromEntries(kept);
}

function withoutMissing(value: unknown): Printable | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => withoutMissing(item) ?? '');
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Printable][] => {
      const kept = withoutMissing(member);
      return kept === undefined || (Array.isArray(kept) && kept.length === 0) ? [] : [[name, kept]];
    }),
  );
}
