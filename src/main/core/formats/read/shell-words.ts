import { AppError } from '#shared/errors.ts';

/** A piece of a word: text, the value of a variable of the shell, or something that a shell would compute. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** `what` says it for a person. */
  | { readonly kind: 'computed'; readonly what: string };

export interface Word {
  readonly parts: readonly WordPart[];
  /** UTF-16 offset in the text. */
  readonly start: number;
}

/** One simple command: its words, and what stands around it that is not a word (`> file`, `<<EOF`). */
interface ShellCommand {
  readonly words: Word[];
  readonly redirections: string[];
  /** Text of a here-document or a here-string; null without one. */
  input: Word | null;
  start: number;
}

const mostWords = 100_000;

function fault(message: string, offset: number): AppError {
  return new AppError('invalid_input', message, { offset });
}

/**
 * Splits a text into commands and their words as bash does without running anything: quotes of all four kinds, backslashes,
 * comments, continued lines, and the operators between commands. Nothing is expanded: a variable stays a variable, and a part that
 * a shell would compute is named. A pattern of file names stays as it is, as it does in bash if no file fits. Fails with
 * `invalid_input`, whose details have the offset.
 */
export function splitShell(text: string): readonly Readonly<ShellCommand>[] {
  const commands: ShellCommand[] = [];
  const begin = (): ShellCommand => ({ words: [], redirections: [], input: null, start: 0 });
  let command = begin();
  let documents: HereDocument[] = [];
  let at = 0;
  let count = 0;

  function endCommand(): void {
    const { words, redirections, input } = command;
    command.start = words[0]?.start ?? at;
    if (words.length + redirections.length > 0 || input !== null) commands.push(command);
    command = begin();
  }

  while (at < text.length) {
    const character = text.charAt(at);
    if (character === ' ' || character === '\t') at++;
    else if (text.startsWith('\\\n', at) || text.startsWith('\\\r\n', at)) at += text[at + 1] === '\r' ? 3 : 2;
    else if (character === '#') at = lineEnd(text, at);
    else if (/[\n;&|()]/.test(character) || isReturn(text, at)) {
      endCommand();
      at++;
      if (character !== '\n') continue;
      for (const document of documents) at = readDocument(text, at, document);
      documents = [];
    } else if (/^\d*[<>]/.test(text.slice(at, at + 12))) {
      const [operator] = /^\d*(?:<<<|<<-?|<&|>&|>>|>\||<>|<|>)/.exec(text.slice(at, at + 16)) as RegExpExecArray;
      at += operator.length;
      while (text[at] === ' ' || text[at] === '\t') at++;
      const { parts, end } = readWord(text, at);
      if (end === at) throw fault(`Nothing follows ${operator}.`, at);
      if (operator === '<<' || operator === '<<-') {
        const input = { parts: [], start: at };
        command.input = input;
        const isQuoted = /["'\\]/.test(text.slice(at, end));
        documents.push({ ends: shownWord(parts), tabs: operator === '<<', isQuoted, command, input });
      } else if (operator === '<<<') command.input = { parts: [...parts, { kind: 'text', text: '\n' }], start: at };
      else command.redirections.push(`${operator} ${shownWord(parts)}`);
      at = end;
    } else {
      const { parts, end } = readWord(text, at);
      if (++count > mostWords) throw fault(`There are more than ${mostWords.toLocaleString('en')} words before this one.`, at);
      command.words.push({ parts, start: at });
      at = end;
    }
  }
  for (const document of documents) readDocument(text, at, document);
  endCommand();
  return commands;
}

interface HereDocument {
  /** The line that ends it. */
  readonly ends: string;
  /** Tabs in front of its lines stay. */
  readonly tabs: boolean;
  /** Nothing in it means anything. */
  readonly isQuoted: boolean;
  readonly command: ShellCommand;
  /** Stands in the command for its text. */
  readonly input: Word;
}

/** Reads the document that begins at a line; returns the offset behind it. */
function readDocument(text: string, start: number, { ends, tabs, isQuoted, command, input }: HereDocument): number {
  let content = '';
  for (let at = start; at < text.length;) {
    const end = lineEnd(text, at);
    const raw = text.slice(at, end).replace(/\r$/, '');
    const line = tabs ? raw : raw.replace(/^\t+/, '');
    at = end + 1;
    if (line !== ends) {
      content += `${line}\n`;
      continue;
    }
    // As in double quotes, only that a quote is a character like any other.
    const quoted = content.replace(/(\\*)"/g, (_, run: string) => `${run}${run.length % 2 === 0 ? '' : '\\'}\\"`);
    const plain: WordPart[] = content === '' ? [] : [{ kind: 'text', text: content }];
    const parts = isQuoted ? plain : readWord(`"${quoted}"`, 0, start).parts;
    // Of several the last one counts.
    if (command.input === input) command.input = { parts, start };
    return Math.min(at, text.length);
  }
  throw fault(`The here-document has no closing line ${ends}.`, input.start);
}

/** Returns a word for a message, without computed parts. */
export function shownWord(parts: readonly WordPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'variable' ? `$${part.name}` : '…')).join('');
}

/** A carriage return that ends a line; any other one is a character like all. */
function isReturn(text: string, at: number): boolean {
  return text[at] === '\r' && (at + 1 === text.length || text[at + 1] === '\n');
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Characters that mean nothing of their own, in double quotes and outside of quotes: taken as one, for one by one they cost thirty times their size. */
const quotedRun = /[^"\\$`]+/y;
const bareRun = /[^ \t\r\n;&|()<>\\'"$`{},.]+/y;

/** Returns the run that begins at an offset, or the one character there. */
function runAt(text: string, at: number, run: RegExp): string {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? text.charAt(at);
}

/** `named` is the offset that a fault names, if the text stands elsewhere. */
function readWord(text: string, from: number, named?: number): { readonly parts: WordPart[]; readonly end: number } {
  const parts: WordPart[] = [];
  let plain = '';
  let at = from;
  // Braces outside of quotes make several words of one.
  let braces = '';

  function add(part: WordPart): void {
    if (part.kind === 'text') plain += part.text;
    else {
      if (plain !== '') parts.push({ kind: 'text', text: plain });
      plain = '';
      parts.push(part);
    }
  }
  const fail = (message: string, offset: number) => fault(message, named ?? offset);
  /** Takes an expansion: a name, or a command that a shell would run. */
  function expand(): void {
    const expansion = readExpansion(text, at);
    if (typeof expansion === 'string') throw fail(expansion, at);
    add(expansion.part);
    at = expansion.end;
  }
  /** An empty word is one too. */
  function endQuotes(end: number): void {
    if (plain === '' && parts.length === 0) parts.push({ kind: 'text', text: '' });
    at = end;
  }

  while (at < text.length) {
    const character = text.charAt(at);
    if (/[ \t\n;&|()<>]/.test(character) || isReturn(text, at)) break;
    if (character === '\\') {
      if (text.startsWith('\\\r\n', at)) at += 3;
      else {
        const [next = '\\'] = text.slice(at + 1, at + 3);
        if (next !== '\n') plain += next;
        at += 1 + next.length;
      }
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) throw fail('This single quote is never closed.', at);
      plain += text.slice(at + 1, end);
      endQuotes(end + 1);
    } else if (text.startsWith("$'", at)) {
      const quoted = readAnsi(text, at + 2);
      if (typeof quoted === 'string') throw fail(quoted, at);
      plain += quoted.text;
      endQuotes(quoted.end);
    } else if (character === '"' || text.startsWith('$"', at)) {
      const start = at;
      at += character === '"' ? 1 : 2;
      while (text.charAt(at) !== '"') {
        const inner = text.charAt(at);
        if (inner === '') throw fail('This double quote is never closed.', start);
        if (inner === '\\' && /["$`\\\n]/.test(text.charAt(at + 1))) {
          if (text[at + 1] !== '\n') plain += text.charAt(at + 1);
          at += 2;
        } else if (inner === '$' || inner === '`') expand();
        else {
          const run = runAt(text, at, quotedRun);
          plain += run;
          at += run.length;
        }
      }
      endQuotes(at + 1);
    } else if (character === '$' || character === '`') expand();
    else {
      const run = runAt(text, at, bareRun);
      plain += run;
      if (braces.length < 1_000 && /[{},.]/.test(character)) braces += character;
      at += run.length;
    }
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain });
  if (/\{[^{}]*(?:,|\.\.)[^]*\}/.test(braces)) parts.push({ kind: 'computed', what: 'a brace expansion' });
  return { parts, end: at };
}

/** Reads an expansion that begins with `$` or a backquote; a message if it never ends. */
function readExpansion(text: string, at: number): { readonly part: WordPart; readonly end: number } | string {
  const computed = (what: string, end: number) => ({ part: { kind: 'computed', what } as const, end });
  if (text[at] === '`') {
    const end = text.indexOf('`', at + 1);
    return end === -1 ? 'This backquote is never closed.' : computed('a command in backquotes', end + 1);
  }
  const rest = text.slice(at, at + 300);
  const [whole, braced, bare] = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest) ?? [];
  if (whole !== undefined) return { part: { kind: 'variable', name: braced ?? bare ?? '' }, end: at + whole.length };
  const open = rest.charAt(1);
  const close = { '(': ')', '{': '}', '[': ']' }[open];
  if (close !== undefined) {
    let depth = 0;
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === open) depth++;
      else if (text[end] === close && --depth === 0) return computed(`the expansion $${open}${close}`, end + 1);
    }
    return `This $${open} is never closed.`;
  }
  if (/^\$[\d*@#?$!-]/.test(rest)) return computed(`the parameter ${rest.slice(0, 2)}`, at + 2);
  return { part: { kind: 'text', text: '$' }, end: at + 1 };
}

/** The control characters that shells and languages write with a backslash or a backtick and a letter. */
export const controls: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
};
const ansi = /([^'\\]+)|\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([^])|([^]))/y;

/**
 * Reads what stands between `$'` and its end; a message if that is not text. Bytes written one by one are read as UTF-8, and the halves of
 * a character as that character. A NUL ends the content, as in bash.
 */
function readAnsi(text: string, from: number): { readonly text: string; readonly end: number } | string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let result = '';
  let bytes: number[] = [];
  let at = from;
  let cut = false;
  let broken = false;

  function put(characters: string): void {
    try {
      if (bytes.length > 0) result += decoder.decode(Uint8Array.from(bytes));
    } catch {
      broken = true;
    }
    bytes = [];
    result += characters;
  }

  while (text.charAt(at) !== "'") {
    ansi.lastIndex = at;
    const found = ansi.exec(text);
    if (found === null) return "This $' is never closed.";
    const [whole, run, hex, octal, short, long, control, next = ''] = found;
    const digits = hex ?? octal ?? short ?? long;
    const code = digits === undefined ? (control ?? next).charCodeAt(0) : Number.parseInt(digits, octal === undefined ? 16 : 8);
    if (code > 0x10ffff) return `\\U${long ?? ''} is not a character.`;
    at += whole.length;
    const isByte = hex !== undefined || octal !== undefined || control !== undefined;
    const byte = code & (control === undefined ? 0xff : 0x1f);
    cut ||= (isByte && byte === 0) || (digits !== undefined && code === 0);
    if (cut) continue;
    if (isByte) bytes.push(byte);
    else if (run !== undefined) put(run);
    else if (digits === undefined) put(controls[next === 'E' ? 'e' : next] ?? (/[\\'"?]/.test(next) ? next : `\\${next}`));
    else put(code <= 0xffff ? String.fromCharCode(code) : String.fromCodePoint(code));
  }
  put('');
  if (broken || !result.isWellFormed()) return "The text in this $'…' is not UTF-8.";
  return { text: result, end: at + 1 };
}
