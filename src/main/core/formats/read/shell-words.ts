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
  readonly words: readonly Word[];
  readonly redirections: readonly string[];
  /** Text of a here-document or a here-string; null without one. */
  readonly input: Word | null;
  readonly start: number;
}

export type ShellResult = { ok: true; commands: readonly ShellCommand[] } | { ok: false; message: string; offset: number };

const mostWords = 100_000;

/**
 * Splits a text into commands and their words as bash does without running anything: quotes of all four kinds, backslashes,
 * comments, continued lines, and the operators between commands. Nothing is expanded: a variable stays a variable, and a part that
 * a shell would compute is named. A pattern of file names stays as it is, as it does in bash if no file fits.
 */
export function splitShell(text: string): ShellResult {
  const commands: (Omit<ShellCommand, 'input'> & { readonly input: { word: Word } | null })[] = [];
  let words: Word[] = [];
  let redirections: string[] = [];
  let at = 0;
  let count = 0;
  let input = null as { word: Word } | null;
  const documents: HereDocument[] = [];

  function endCommand(): void {
    const start = words[0]?.start ?? at;
    if (words.length > 0 || redirections.length > 0 || input !== null) commands.push({ words, redirections, start, input });
    input = null;
    words = [];
    redirections = [];
  }

  while (at < text.length) {
    const character = text.charAt(at);
    if (character === ' ' || character === '\t') at++;
    else if (text.startsWith('\\\n', at) || text.startsWith('\\\r\n', at)) at += text[at + 1] === '\r' ? 3 : 2;
    else if (character === '#') at = lineEnd(text, at);
    else if (
      character === '\n' ||
      isReturn(text, at) ||
      character === ';' ||
      character === '&' ||
      character === '|' ||
      character === '(' ||
      character === ')'
    ) {
      if (character === '\n' && documents.length > 0) {
        const end = readDocuments(text, at + 1, documents.splice(0));
        if (!end.ok) return end;
        endCommand();
        at = end.end;
        continue;
      }
      endCommand();
      at++;
    } else if (/^(?:\d*|&)[<>]/.test(text.slice(at, at + 12))) {
      const [operator] = /^(?:\d*|&)(?:<<<|<<-?|<&|>&|>>|>\||<>|<|>)/.exec(text.slice(at, at + 16)) as RegExpExecArray;
      at += operator.length;
      while (text[at] === ' ' || text[at] === '\t') at++;
      const target = readWord(text, at);
      if (!target.ok) return target;
      if (target.end === at) return { ok: false, message: `Nothing stands behind ${operator}.`, offset: at };
      if (operator === '<<' || operator === '<<-') {
        input = { word: { parts: [], start: at } };
        const isQuoted = /["'\\]/.test(text.slice(at, target.end));
        documents.push({ ends: shownWord(target.parts), tabs: operator === '<<', isQuoted, into: input, at });
      } else if (operator === '<<<') input = { word: { parts: [...target.parts, { kind: 'text', text: '\n' }], start: at } };
      else redirections.push(`${operator} ${shownWord(target.parts)}`);
      at = target.end;
    } else {
      const word = readWord(text, at);
      if (!word.ok) return word;
      if (++count > mostWords) {
        return { ok: false, message: `More than ${mostWords.toLocaleString('en')} words stand before this one.`, offset: at };
      }
      words.push({ parts: word.parts, start: at });
      at = word.end;
    }
  }
  const [open] = documents;
  if (open !== undefined) return unfinished(open);
  endCommand();
  return { ok: true, commands: commands.map((one) => ({ ...one, input: one.input?.word ?? null })) };
}

interface HereDocument {
  /** The line that ends it. */
  readonly ends: string;
  /** Tabs in front of its lines stay. */
  readonly tabs: boolean;
  /** Nothing in it means anything. */
  readonly isQuoted: boolean;
  readonly into: { word: Word };
  readonly at: number;
}

function unfinished({ ends, at }: HereDocument): { ok: false; message: string; offset: number } {
  return { ok: false, message: `The here-document has no line ${ends} that ends it.`, offset: at };
}

/** Reads the documents that begin on a line, one after the other; returns the offset behind the last. */
function readDocuments(
  text: string,
  from: number,
  documents: readonly HereDocument[],
): { ok: true; end: number } | (ShellResult & { ok: false }) {
  let at = from;
  for (const one of documents) {
    const start = at;
    let content = '';
    for (;;) {
      if (at >= text.length) return unfinished(one);
      const end = lineEnd(text, at);
      const raw = text.slice(at, end).replace(/\r$/, '');
      const line = one.tabs ? raw : raw.replace(/^\t+/, '');
      at = end + 1;
      if (line === one.ends) break;
      content += `${line}\n`;
    }
    if (one.isQuoted) one.into.word = { parts: content === '' ? [] : [{ kind: 'text', text: content }], start };
    else {
      // As in double quotes, only that a quote is a character like any other.
      const quoted = content.replace(/(\\*)"/g, (_, run: string) => `${run}${run.length % 2 === 0 ? '' : '\\'}\\"`);
      const word = readWord(`"${quoted}"`, 0);
      if (!word.ok) return { ...word, offset: start };
      one.into.word = { parts: word.parts, start };
    }
  }
  return { ok: true, end: Math.min(at, text.length) };
}

/** Returns a word for a message, without computed parts. */
export function shownWord(parts: readonly WordPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'variable' ? `$${part.name}` : '…')).join('');
}

/** A carriage return that ends a line; any other one is a character like all. */
function isReturn(text: string, at: number): boolean {
  return text[at] === '\r' && (at + 1 === text.length || text[at + 1] === '\n');
}

type ReadWord = { ok: true; parts: WordPart[]; end: number } | { ok: false; message: string; offset: number };

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

function readWord(text: string, from: number): ReadWord {
  const parts: WordPart[] = [];
  let plain = '';
  let at = from;
  // Braces outside of quotes make several words of one.
  let braces = '';

  function flush(): void {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
  }
  function add(part: WordPart | null): void {
    if (part === null) return;
    if (part.kind === 'text') plain += part.text;
    else {
      flush();
      parts.push(part);
    }
  }
  const fail = (message: string, offset: number): ReadWord => ({ ok: false, message, offset });

  while (at < text.length) {
    const character = text.charAt(at);
    if (/[ \t\n;&|()<>]/.test(character) || isReturn(text, at)) break;
    if (character === '\\') {
      if (text.startsWith('\\\r\n', at)) at += 3;
      else if (at + 1 >= text.length) {
        plain += '\\';
        at++;
      } else {
        const [next = ''] = text.slice(at + 1, at + 3);
        if (next !== '\n') plain += next;
        at += 1 + next.length;
      }
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) return fail('This single quote is never closed.', at);
      plain += text.slice(at + 1, end);
      // An empty word is one too.
      if (end === at + 1 && parts.length === 0) parts.push({ kind: 'text', text: '' });
      at = end + 1;
    } else if (text.startsWith("$'", at)) {
      const quoted = readAnsi(text, at + 2);
      if (!quoted.ok) return fail(quoted.message, at);
      plain += quoted.text;
      if (quoted.text === '' && parts.length === 0) parts.push({ kind: 'text', text: '' });
      at = quoted.end;
    } else if (character === '"' || text.startsWith('$"', at)) {
      const start = at;
      at += character === '"' ? 1 : 2;
      let closed = false;
      while (at < text.length) {
        const inner = text.charAt(at);
        if (inner === '"') {
          closed = true;
          at++;
          break;
        }
        if (inner === '\\' && /["$`\\\n]/.test(text.charAt(at + 1))) {
          if (text[at + 1] !== '\n') plain += text.charAt(at + 1);
          at += 2;
        } else if (inner === '$' || inner === '`') {
          const expansion = readExpansion(text, at);
          if (!expansion.ok) return fail(expansion.message, at);
          add(expansion.part);
          at = expansion.end;
        } else {
          const run = runAt(text, at, quotedRun);
          plain += run;
          at += run.length;
        }
      }
      if (!closed) return fail('This double quote is never closed.', start);
      if (plain === '' && parts.length === 0) parts.push({ kind: 'text', text: '' });
    } else if (character === '$' || character === '`') {
      const expansion = readExpansion(text, at);
      if (!expansion.ok) return fail(expansion.message, at);
      add(expansion.part);
      at = expansion.end;
    } else {
      const run = runAt(text, at, bareRun);
      plain += run;
      if (braces.length < 1_000 && /[{},.]/.test(character)) braces += character;
      at += run.length;
    }
  }
  flush();
  if (/\{[^{}]*(?:,|\.\.)[^]*\}/.test(braces))
    parts.push({ kind: 'computed', what: 'braces outside of quotes, which a shell takes for a list' });
  return { ok: true, parts, end: at };
}

type Expansion = { ok: true; part: WordPart; end: number } | { ok: false; message: string };

/** Reads an expansion that begins with `$` or a backquote: a name, or a command that a shell would run. */
function readExpansion(text: string, at: number): Expansion {
  if (text[at] === '`') {
    const end = text.indexOf('`', at + 1);
    if (end === -1) return { ok: false, message: 'This backquote is never closed.' };
    return { ok: true, part: { kind: 'computed', what: 'a command in backquotes' }, end: end + 1 };
  }
  const rest = text.slice(at, at + 300);
  const [whole, braced, bare] = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest) ?? [];
  if (whole !== undefined) return { ok: true, part: { kind: 'variable', name: braced ?? bare ?? '' }, end: at + whole.length };
  if (rest.startsWith('$(') || rest.startsWith('${') || rest.startsWith('$[')) {
    const [open, close] = [rest.charAt(1), { '(': ')', '{': '}', '[': ']' }[rest.charAt(1)] ?? ''];
    let depth = 0;
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === open) depth++;
      else if (text[end] === close && --depth === 0) {
        return { ok: true, part: { kind: 'computed', what: `what a shell computes in $${open}${close}` }, end: end + 1 };
      }
    }
    return { ok: false, message: `This $${open} is never closed.` };
  }
  if (/^\$[\d*@#?$!-]/.test(rest))
    return { ok: true, part: { kind: 'computed', what: `${rest.slice(0, 2)} of a shell` }, end: at + 2 };
  return { ok: true, part: { kind: 'text', text: '$' }, end: at + 1 };
}

const controls: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Between `$'` and its end. Bytes written one by one are read as UTF-8, and the halves of a character as that character. */
function readAnsi(text: string, from: number): { ok: true; text: string; end: number } | { ok: false; message: string } {
  let result = '';
  let bytes: number[] = [];
  let at = from;
  let cut = false;
  let broken = false;

  function flush(): void {
    if (bytes.length === 0) return;
    try {
      result += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    } catch {
      broken = true;
    }
    bytes = [];
  }
  function put(character: string): void {
    if (cut) return;
    flush();
    result += character;
  }
  /** A NUL ends the content of the quotes, as in bash. */
  function putByte(byte: number): void {
    if (byte === 0) cut = true;
    else if (!cut) bytes.push(byte);
  }

  for (;;) {
    if (at >= text.length) return { ok: false, message: "This $' is never closed." };
    const character = text.charAt(at);
    if (character === "'") break;
    if (character !== '\\') {
      put(character);
      at++;
      continue;
    }
    const rest = text.slice(at + 1, at + 11);
    const code = /^(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([^]))/.exec(rest);
    if (code !== null) {
      const [whole, hex, octal, short, long, control] = code;
      if (hex !== undefined) putByte(Number.parseInt(hex, 16));
      else if (octal !== undefined) putByte(Number.parseInt(octal, 8) & 0xff);
      else if (control !== undefined) putByte(control.charCodeAt(0) & 0x1f);
      else {
        const point = Number.parseInt(short ?? long ?? '', 16);
        if (point > 0x10ffff) return { ok: false, message: `\\U${long ?? ''} is not a character.` };
        if (point === 0) cut = true;
        else put(point <= 0xffff ? String.fromCharCode(point) : String.fromCodePoint(point));
      }
      at += 1 + whole.length;
    } else if (rest === '') return { ok: false, message: "This $' is never closed." };
    else {
      const next = rest.charAt(0);
      const known = controls[next];
      put(known ?? (/[\\'"?]/.test(next) ? next : `\\${next}`));
      at += 2;
    }
  }
  flush();
  if (broken || !result.isWellFormed()) return { ok: false, message: "What stands in this $'…' is not UTF-8 text." };
  return { ok: true, text: result, end: at + 1 };
}
