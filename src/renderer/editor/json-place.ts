/** Position of a cursor in a JSON text, also while the text is not finished. */
export interface JsonPlace {
  /** 1 inside the outermost object, 2 inside a value of it, and so on. */
  readonly depth: number;
  readonly at: 'key' | 'value';
  /** The outermost field whose value the cursor is in; null elsewhere. */
  readonly member: string | null;
  /** Range that a completion replaces: from the opening quote or the first character of a bare word, to its end. */
  readonly start: number;
  readonly end: number;
}

/** Finds the position of an offset by one walk over the text. It never fails, whatever the text. */
export function jsonPlace(text: string, offset: number): JsonPlace {
  const open: ('{' | '[')[] = [];
  let expectsKey = false;
  let lastString: string | null = null;
  let member: string | null = null;
  let at = 0;
  while (at < offset) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      if (end > offset || (end === offset && text[end - 1] !== '"')) return place(at, Math.min(end, lineEnd(text, at)));
      lastString = text.slice(at + 1, end - 1);
      at = end;
      continue;
    }
    if (char === '{' || char === '[') {
      open.push(char);
      expectsKey = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
      expectsKey = false;
    } else if (char === ':') {
      if (open.length === 1) member = lastString;
      expectsKey = false;
    } else if (char === ',') {
      if (open.length === 1) member = null;
      expectsKey = open.at(-1) === '{';
    }
    at += 1;
  }
  let start = offset;
  while (start > 0 && /[\w.+-]/.test(text[start - 1] ?? '')) start -= 1;
  let end = offset;
  while (end < text.length && /[\w.+-]/.test(text[end] ?? '')) end += 1;
  return place(start, end);

  function place(from: number, to: number): JsonPlace {
    return {
      depth: open.length,
      at: expectsKey ? 'key' : 'value',
      member,
      start: from,
      end: to,
    };
  }
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
