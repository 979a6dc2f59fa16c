/** One replacement that turns a text into another: UTF-16 offsets into the old text, and the new text between them. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the smallest single replacement between two texts, never inside a surrogate pair or a CR LF; null if they are equal. */
export function minimalEdit(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shared = Math.min(before.length, after.length);
  let start = 0;
  while (start < shared && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  if (splits(before, start) || splits(after, start)) start -= 1;
  let tail = 0;
  while (tail < shared - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail += 1;
  if (tail > 0 && (splits(before, before.length - tail) || splits(after, after.length - tail))) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Returns whether the offset lies between two code units that belong together. */
function splits(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const left = text.charCodeAt(offset - 1);
  const right = text.charCodeAt(offset);
  const pair = left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
  return pair || (left === 0x0d && right === 0x0a);
}
