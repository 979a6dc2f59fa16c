import type { RecordedCall } from './recorded-call.ts';

/** Writes files call by call, so that none of them is ever held as a whole: each function gives a text for each file, in their order. */
export interface CallWriter {
  readonly files: readonly { readonly name: string; readonly mediaType: string }[];
  /** Returns the text before the first call; called once, before it. */
  head(): readonly string[];
  /** `index` counts from 0. */
  call(recorded: RecordedCall, index: number): readonly string[];
  /** Returns the text after the last call; called once, after it. */
  tail(): readonly string[];
}

/** Replaces the items of a list while the text around them is made. */
export const itemsMark = '@';

/** The JSON text of a document in front of and behind the items of its one list, in which `itemsMark` stands. */
export function aroundItems(document: unknown): readonly [head: string, tail: string] {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  // Alone in its line, as no text of the document is.
  const line = /^ *"@"$/m.exec(text);
  const end = (line?.index ?? 0) + (line?.[0].length ?? 0);
  return [text.slice(0, end - JSON.stringify(itemsMark).length), text.slice(end)];
}

/** Returns one item as it is in such a list, so many levels deep. */
export function jsonItem(item: unknown, levels: number, index: number): string {
  const text = JSON.stringify(item, null, 2).replaceAll('\n', `\n${'  '.repeat(levels)}`);
  return index === 0 ? text : `,\n${'  '.repeat(levels)}${text}`;
}
