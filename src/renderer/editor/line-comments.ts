import type { JsonNode } from '#shared/json/parse.ts';
import type { Field } from '#shared/provider/model.ts';
import { standingOf } from '#shared/provider/field-standing.ts';
import { fieldKind, type SpecHelp } from './spec-help.ts';

/** A comment from the spec at the end of a line; `offset` is where the field's key begins. */
export interface LineComment {
  readonly offset: number;
  readonly text: string;
}

/** Returns the comments for the top-level fields of a payload: one per line at most, so that a text on one line gets none. */
export function lineComments(root: JsonNode, text: string, help: SpecHelp): LineComment[] {
  if (root.kind !== 'object') return [];
  const lineOf = (offset: number) => text.lastIndexOf('\n', offset);
  const perLine = new Map<number, number>();
  for (const { keyStart } of root.members) perLine.set(lineOf(keyStart), (perLine.get(lineOf(keyStart)) ?? 0) + 1);
  const comments: LineComment[] = [];
  for (const { key, keyStart } of root.members) {
    const field = help.fields.find((one) => one.name === key);
    if (field !== undefined && perLine.get(lineOf(keyStart)) === 1)
      comments.push({ offset: keyStart, text: commentOf(field, help.notes(field)) });
  }
  return comments;
}

/** Returns one line about a field: its note, or the kind of its value, and whether it is required. */
export function commentOf(field: Field, notes: string): string {
  const first = notes.split(/(?<=\.) /, 1)[0]?.replace(/\.$/, '') ?? '';
  const parts = [first === '' ? fieldKind(field) : first];
  parts.push(standingOf(field));
  return parts.join('; ');
}

/** Returns the comment cut to the room behind its line, in characters; null if there is too little. */
export function fitComment(text: string, room: number): string | null {
  if (text.length <= room) return text;
  return room < 14 ? null : `${text.slice(0, room - 1).trimEnd()}…`;
}
