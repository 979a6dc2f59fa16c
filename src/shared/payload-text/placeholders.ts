import { createStringTracker } from './string-tracker.ts';

/** `json` distinguishes the inside and outside of strings; `plain` text takes values as they are. */
export type TextKind = 'json' | 'plain';

/** One `{{…}}` of a text, between two UTF-16 offsets. */
export interface Placeholder {
  readonly kind: 'variable' | 'generated' | 'malformed';
  /** The variable's name, a generated value as it is written (`$now+7d`), or the text between the braces of a malformed one. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** True if it stands inside a JSON string. */
  readonly inString: boolean;
  /** Says what is wrong with a malformed one and what to do; empty for the others. */
  readonly message: string;
}

/** Most placeholders of one text, more than anyone writes; the rest is not searched. */
export const mostPlaceholders = 100_000;

const wellFormed = /\{\{[ \t]*(?:([A-Za-z_][\w.-]*)|(\$[\w.:+-]*))[ \t]*\}\}/y;
/** Most UTF-16 units to search for the end of a malformed one. */
const reach = 200;

/**
 * Finds every `{{…}}` in order. A run of three braces is a brace and an opening; a longer run, and any other text between braces, is
 * malformed. The text around may be broken JSON: a string ends at the end of its line at the latest.
 */
export function findPlaceholders(text: string, kind: TextKind): Placeholder[] {
  const found: Placeholder[] = [];
  let run = text.indexOf('{{');
  if (run === -1) return found;
  const tracker = kind === 'json' ? createStringTracker(text) : null;
  let valueEnd = -1;
  while (run !== -1) {
    let runEnd = run + 2;
    while (text.charCodeAt(runEnd) === 0x7b) runEnd++;
    const tooMany = runEnd - run > 3;
    const start = tooMany ? run : runEnd - 2;
    const context = tracker?.moveTo(start) ?? 'outside';
    const inString = context !== 'outside';

    let next: Placeholder;
    if (found.length === mostPlaceholders) {
      const message = `There are more than ${mostPlaceholders.toLocaleString('en')} variables in this text. Split it into several requests.`;
      return [...found, { kind: 'malformed', name: '', start, end: start + 2, inString, message }];
    } else if (tooMany) {
      const message = 'To write {{ itself, use {{$braces}}.';
      next = { kind: 'malformed', name: '', start, end: runEnd, inString, message };
    } else {
      next = readPlaceholder(text, start, inString);
    }
    if (context === 'escape' && next.kind !== 'malformed') {
      const message = 'A backslash escape ends in {{ here. Write \\\\ for a backslash, or remove it.';
      next = { ...next, kind: 'malformed', message };
    } else if (tracker !== null && !inString && next.kind !== 'malformed' && isJoined(text, next, valueEnd)) {
      const message = 'The value would merge with the text next to it. Put both in double quotes, or separate them with a comma.';
      next = { ...next, kind: 'malformed', message };
    }
    found.push(next);
    tracker?.skipTo(next.end);
    valueEnd = inString ? -1 : next.end;
    run = text.indexOf('{{', next.end);
  }
  return found;
}

/** Returns whether digits or letters touch a value outside strings; a minus sign may come before it. */
function isJoined(text: string, { start, end }: Placeholder, valueEnd: number): boolean {
  if (start === valueEnd || /[\w.+-]/.test(text.charAt(end))) return true;
  const signed = text.charAt(start - 1) === '-';
  return (signed && start - 1 === valueEnd) || /[\w.+-]/.test(text.charAt(signed ? start - 2 : start - 1));
}

function readPlaceholder(text: string, start: number, inString: boolean): Placeholder {
  wellFormed.lastIndex = start;
  const match = wellFormed.exec(text);
  if (match !== null) {
    const [whole, variable, generated = ''] = match;
    const kind = variable === undefined ? 'generated' : 'variable';
    return { kind, name: variable ?? generated, start, end: start + whole.length, inString, message: '' };
  }
  const [inner = ''] = (inString ? /^[^{}"\r\n]*/ : /^[^{}\r\n]*/).exec(text.slice(start + 2, start + 2 + reach)) ?? [];
  const end = start + 2 + inner.length;
  const name = inner.trim();
  if (!text.startsWith('}}', end)) {
    const message = 'This {{ is never closed: write }} after the name. To write {{ itself, use {{$braces}}.';
    return { kind: 'malformed', name: '', start, end: start + 2, inString, message };
  }
  return { kind: 'malformed', name, start, end: end + 2, inString, message: explainName(name) };
}

function explainName(name: string): string {
  if (name === '') return 'Write the name of a variable between the braces.';
  if (/^\$[\w:+-]+(?:[ \t]+[\w:+-]+)+$/.test(name)) return `Write it without spaces: {{${name.replaceAll(/[ \t]/g, '')}}}.`;
  return `${JSON.stringify(shortName(name))} is not a name. Use letters, digits, _, . and - and begin with a letter.`;
}

/** Shortens a name for a sentence. */
export function shortName(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 60)}…`;
}

/**
 * Replaces each `{{…}}` outside strings with a JSON value of the same length, so that the offsets of parsed nodes and errors are those of
 * the typed text.
 */
export function withStandIns(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, inString } of findPlaceholders(text, 'json')) {
    if (inString) continue;
    const isName = end - start > 2 && nextCharacter(text, end) === ':';
    parts.push(text.slice(from, start), isName ? `"${' '.repeat(end - start - 2)}"` : '1'.repeat(end - start));
    from = end;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

const space = /[ \t\r\n]*/y;

function nextCharacter(text: string, offset: number): string {
  space.lastIndex = offset;
  space.exec(text);
  return text.charAt(space.lastIndex);
}
