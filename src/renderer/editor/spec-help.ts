import type { editor, languages as Languages } from 'monaco-editor/editor';
import { parseJson } from '#shared/json/parse.ts';
import type { Field } from '#shared/provider/model.ts';
import { standingNote, standingOf } from '#shared/provider/field-standing.ts';
import { findPlaceholders, withStandIns } from '#shared/payload-text/placeholders.ts';

import { jsonPlace } from './json-place.ts';

/** The spec's facts about the fields of the text in one model. */
export interface SpecHelp {
  readonly fields: readonly Field[];
  /** Returns what is known about a field beyond its type: the spec's note, completed by recorded answers. */
  readonly notes: (field: Field) => string;
  /** Section of the spec: `4` for "Endpoints, 4". */
  readonly section: string;
  /** The version of the API since which this form of the request exists. */
  readonly since: string;
  /** The variables that may stand between `{{` and `}}`. */
  readonly variables: VariableHelp;
}

/** The variables that a text may name. */
interface VariableHelp {
  readonly known: readonly { readonly name: string; readonly value: string; readonly source: string }[];
  /** The variables that could be inserted, with their current values. */
  readonly uses: readonly { readonly name: string; readonly value: string; readonly source: string }[];
}

const helpOf = new WeakMap<editor.ITextModel, SpecHelp>();
/** Number of characters above which a hover or a completion would read too much text at a key press. */
const MAX_LENGTH = 500_000;

/** Sets the fields of a model's text; completions and hovers use them. */
export function setSpecHelp(model: editor.ITextModel, help: SpecHelp): void {
  helpOf.set(model, help);
}

/** Makes Monaco's JSON complete fields and values from the spec, for models that `setSpecHelp` knows. */
export function registerSpecHelp(languages: typeof Languages): void {
  languages.registerCompletionItemProvider('json', {
    triggerCharacters: ['"', ':', ' ', '{', '$'],
    provideCompletionItems(model, position) {
      const help = helpOf.get(model);
      if (help === undefined || model.getValueLength() > MAX_LENGTH) return { suggestions: [] };
      const text = model.getValue();
      const offset = model.getOffsetAt(position);
      const begun = /\{\{[ \t]*([\w$.:+-]*)$/.exec(text.slice(Math.max(0, offset - 120), offset));
      if (begun !== null)
        return { suggestions: variableSuggestions(languages, help.variables, begun[1] ?? '', text, offset, model) };
      const place = jsonPlace(text, offset);
      if (place.depth !== 1) return { suggestions: [] };
      const start = model.getPositionAt(place.start);
      const end = model.getPositionAt(place.end);
      const range = {
        startLineNumber: start.lineNumber,
        startColumn: start.column,
        endLineNumber: end.lineNumber,
        endColumn: end.column,
      };
      const about = (field: Field) => ({ documentation: fieldLines(field, help).slice(1).join('\n') });
      if (place.at === 'key') {
        const present = presentKeys(text);
        const colon = /^\s*:/.test(text.slice(place.end, place.end + 40));
        return {
          suggestions: help.fields
            .filter((field) => !present.has(field.name) || text.slice(place.start, place.end) === JSON.stringify(field.name))
            .map((field, index) => ({
              label: field.name,
              kind: languages.CompletionItemKind.Field,
              insertText: JSON.stringify(field.name) + (colon ? '' : `: ${field.example}`),
              filterText: JSON.stringify(field.name),
              sortText: String(index).padStart(3, '0'),
              detail: fieldKind(field),
              range,
              ...about(field),
            })),
        };
      }
      const field = help.fields.find((one) => one.name === place.member);
      if (field === undefined) return { suggestions: [] };
      const values = field.values?.map((value) => JSON.stringify(value)) ?? [field.example];
      return {
        suggestions: values.map((value) => ({
          label: value,
          kind: languages.CompletionItemKind.Value,
          insertText: value,
          filterText: value,
          range,
          ...about(field),
        })),
      };
    },
  });
}

function variableSuggestions(
  languages: typeof Languages,
  { known }: VariableHelp,
  begun: string,
  text: string,
  offset: number,
  model: editor.ITextModel,
): Languages.CompletionItem[] {
  const rest = /^[\w.:+-]*/.exec(text.slice(offset, offset + 100))?.[0] ?? '';
  const closed = /^[ \t]*\}\}/.test(text.slice(offset + rest.length, offset + rest.length + 20));
  // The editor may have closed the first brace by itself.
  const half = !closed && /^[ \t]*\}(?!\})/.test(text.slice(offset + rest.length, offset + rest.length + 20));
  const start = model.getPositionAt(offset - begun.length);
  const end = model.getPositionAt(offset + rest.length);
  return known.map(({ name, value, source }, index) => ({
    label: { label: name, description: source },
    kind: languages.CompletionItemKind.Variable,
    insertText: closed ? name : `${name}${half ? '}' : '}}'}`,
    filterText: name,
    sortText: String(index).padStart(4, '0'),
    detail: value === '' ? source : shown(value),
    range: {
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    },
  }));
}

/** Returns what is known about a position of a text: the variable there, or the field; null for neither. */
export function explainPlace(model: editor.ITextModel, at: number, help: SpecHelp): Explained | null {
  if (model.getValueLength() > MAX_LENGTH) return null;
  const text = model.getValue();
  const variable = findPlaceholders(text, 'json').find(({ start, end }) => at >= start && at <= end);
  if (variable !== undefined) return { offset: variable.start, texts: variableLines(variable, help.variables) };
  const parsed = parseJson(withStandIns(text));
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  const member = parsed.root.members.find((one) => at >= one.keyStart && at <= one.value.end);
  const field = help.fields.find((one) => one.name === member?.key);
  return member === undefined || field === undefined ? null : { offset: member.keyStart, texts: fieldLines(field, help) };
}

function variableLines({ name, message }: { name: string; message: string }, { known, uses }: VariableHelp): string[] {
  if (message !== '') return [name === '' ? 'Not a variable' : name, message];
  const found = uses.find((one) => one.name === name) ?? known.find((one) => one.name === name);
  if (found === undefined) return [name, 'It has no value here.'];
  return [`${name}, ${found.source === 'generated' ? 'generated' : `from ${found.source}`}`, shown(found.value)];
}

function shown(value: string): string {
  if (value === '') return '(empty)';
  return value.length <= 200 ? value : `${value.slice(0, 200)}…`;
}

/** Describes the value of a field in a few words: `string, up to 255 characters`. */
export function fieldKind(field: Field): string {
  const kinds = {
    string: 'string',
    integer: 'integer',
    bigint: 'integer of up to 64 bits',
    number: 'number',
    strings: 'list of strings',
    boolean: 'true or false',
    json: 'any JSON',
  };
  if (field.orText === true) return `${kinds[field.type]}, or its digits as a string`;
  if (field.format === 'digits') return 'string of digits';
  if (field.values !== undefined) return `${field.values.join(' or ')}`;
  if (field.exactLength !== undefined) return `${kinds[field.type]}, ${field.exactLength} characters`;
  if (field.maxLength !== undefined) return `${kinds[field.type]}, up to ${field.maxLength} characters`;
  return kinds[field.type];
}

/** Returns everything that is known about a field, one sentence a line. */
function fieldLines(field: Field, help: SpecHelp): string[] {
  const title = `${field.name}: ${fieldKind(field)}, ${standingOf(field)}`;
  const source = `Spec, Endpoints §${help.section}, since ${help.since}`;
  return [title, help.notes(field), standingNote(field), source].filter((line) => line !== '');
}

function presentKeys(text: string): Set<string> {
  const keys = new Set<string>();
  for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)) keys.add(match[1] ?? '');
  return keys;
}

/** An explanation of a position: the offset where its subject begins, and its lines, the title first. */
export interface Explained {
  readonly offset: number;
  readonly texts: readonly string[];
}
