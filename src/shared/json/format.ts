/** Deepest nesting that is indented: beyond it, a layout would be mostly indentation. */
const deepest = 1_000;

/** Indents JSON with two spaces per level and keeps every digit and escape; returns other texts unchanged. */
export function formatJson(text: string): string {
  return isJson(text) ? (layOut(text, true) ?? text) : text;
}

/** The beginning of an indented text, and whether it is complete. */
export interface LaidOut {
  readonly text: string;
  readonly whole: boolean;
}

/** Indents a text as `formatJson` does, up to `most` characters, because indentation can make a short text very long. */
export function formatBeginning(text: string, most: number): LaidOut {
  const laid = (isJson(text) ? layOut(text, true, most) : null) ?? text;
  if (laid.length <= most) return { text: laid, whole: true };
  const half = (laid.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return { text: laid.slice(0, half ? most - 1 : most), whole: false };
}

/** Removes the white space between values and keeps every digit and escape; returns other texts unchanged. */
export function minifyJson(text: string): string {
  return isJson(text) ? (layOut(text, false) ?? text) : text;
}

/** Returns whether `JSON.parse` accepts the text. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Stops soon after `most` characters. */
function layOut(text: string, pretty: boolean, most = Number.POSITIVE_INFINITY): string | null {
  const breaks = ['\n'];
  let depth = 0;
  let result = '';
  /** Start of the part that is not copied yet. */
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (result.length > most) return result;
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      i = closingQuote(text, i);
    } else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      result += text.slice(from, i);
      from = i + 1;
    } else if (!pretty) {
      continue;
    } else if (code === 0x3a) {
      result += text.slice(from, i) + ': ';
      from = i + 1;
    } else if (code === 0x2c) {
      result += text.slice(from, i + 1) + (breaks[depth] as string);
      from = i + 1;
    } else if (code === 0x7b || code === 0x5b) {
      const next = nextToken(text, i + 1);
      result += text.slice(from, i + 1);
      if (text.charCodeAt(next) === code + 2) {
        result += text[next] as string;
        i = next;
      } else {
        if (++depth > deepest) return null;
        breaks[depth] ??= `${breaks[depth - 1]}  `;
        result += breaks[depth] as string;
      }
      from = i + 1;
    } else if (code === 0x7d || code === 0x5d) {
      result += text.slice(from, i) + (breaks[--depth] as string) + text[i];
      from = i + 1;
    }
  }
  return result + text.slice(from);
}

function nextToken(text: string, at: number): number {
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
  return at;
}

/** Returns the offset of the quote that closes the string begun at `at`. */
function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
}
