import { isLowSurrogate } from './string-escapes.ts';

const pieceUnits = 65_536;

/**
 * Changes a text in pieces, for a change of single characters. The regular expression engine keeps all matches of a text, up to fifty
 * bytes for each character, and no memory limit stops it. Does not split surrogate pairs.
 */
export function inPieces(text: string, change: (piece: string) => string): string {
  if (text.length <= pieceUnits) return change(text);
  const parts: string[] = [];
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = Math.min(from + pieceUnits, text.length);
    if (isLowSurrogate(text.charCodeAt(end))) end++;
    parts.push(change(text.slice(from, end)));
  }
  return parts.join('');
}

/** Units at a time: a call takes only so many arguments. */
const most = 4_096;

/** Reads UTF-16 units as a text; bytes are read as Latin-1. */
export function textOfUnits(units: Uint8Array | Uint16Array): string {
  let text = '';
  // Spread into a call, they take seven times as long.
  for (let at = 0; at < units.length; at += most) text += Reflect.apply(String.fromCharCode, null, units.subarray(at, at + most));
  return text;
}
