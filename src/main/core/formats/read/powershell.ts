import { createPlaceCounter } from '#shared/json/line-and-column.ts';
import { controls } from './shell-words.ts';
import { createRequest, reasons, sourceRequest, type Losses, type Source, type SourceRequest } from './import-source.ts';
import { literal } from './variable-names.ts';

const command = /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)(?=\s)/gi;

/** Returns whether a text holds commands of PowerShell that send requests. */
export function looksLikePowerShell(text: string): boolean {
  return /(?:^|[\s=(;|{])(?:Invoke-WebRequest|Invoke-RestMethod)\s/i.test(text.slice(0, 100_000));
}

/** Reads `Invoke-WebRequest` and `Invoke-RestMethod`, as the developer tools of browsers and people write them. Nothing is run. */
export function readPowerShell(text: string, file: string, losses: Losses): Source {
  const requests: SourceRequest[] = [];
  const placeOf = createPlaceCounter(text);
  let before = 0;
  for (const { index, 0: name } of text.matchAll(command)) {
    // One that stands in a body.
    if (index < before) continue;
    const at = `line ${placeOf(index).line}`;
    const lead = text
      .slice(before, index)
      .replace(/\$\w+\s*=\s*$/, '')
      .trim();
    if (lead !== '') losses.add(`${file}, ${at}`, 'the text before the command', "Croupier doesn't run it.", at);
    const { parameters, end } = readParameters(text, index + name.length);
    before = end;
    requests.push(requestOf(parameters, { where: `${file}, ${at}`, at }));
  }
  if (text.slice(before).trim() !== '') losses.add(file, 'the text after the last command', "Croupier doesn't run it.");
  return { format: 'powershell', requests, folders: [] };
}

interface Value {
  /** The text of a string; null for anything that has to be computed. */
  readonly text: string | null;
  readonly source: string;
}

function requestOf(
  parameters: ReadonlyMap<string, Value>,
  { where, at }: { readonly where: string; readonly at: string },
): SourceRequest {
  const request = createRequest(where, at);
  for (const [name, { source }] of parameters) {
    if (['uri', 'method', 'body', 'contenttype', 'usebasicparsing'].includes(name)) continue;
    if (name === 'headers') {
      for (const [, , header = ''] of source.matchAll(/(["'])([\w-]+)\1\s*=/g))
        request.lose(`the header ${header}`, reasons.header, at);
    } else request.lose(`the parameter -${name}`, reasons.unknown, at);
  }
  const body = parameters.get('body') ?? null;
  request.method = parameters.get('method')?.text ?? 'GET';
  request.address = parameters.get('uri')?.text ?? '';
  request.rawBody = body?.text ?? null;
  if (body !== null && body.text === null)
    request.unreadBody = 'Its body contains a PowerShell variable or command. Write its value instead.';
  return sourceRequest(request, literal);
}

/** Reads `-Name value` up to the end of the command. The first value without a name is the URL. */
function readParameters(text: string, from: number): { parameters: Map<string, Value>; end: number } {
  const parameters = new Map<string, Value>();
  let name = 'uri';
  let at = from;
  while (at < text.length) {
    const space = /^(?:[ \t]|`\r?\n)+/.exec(text.slice(at, at + 10_000));
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    if (/[\r\n;|]/.test(text.charAt(at))) break;
    const named = /^-([A-Za-z]+)(?=[\s:]|$)/.exec(text.slice(at, at + 100));
    if (named !== null) {
      name = (named[1] ?? '').toLowerCase();
      if (!parameters.has(name)) parameters.set(name, { text: null, source: '' });
      at += named[0].length;
      continue;
    }
    const value = readValue(text, at);
    parameters.set(name, value);
    at = value.end;
  }
  return { parameters, end: at };
}

function readValue(text: string, from: number): Value & { readonly end: number } {
  const character = text.charAt(from);
  if (character === '"' || character === "'") return readString(text, from);
  if (/[(@{$[]/.test(character)) {
    const end = closing(text, from);
    const source = text.slice(from, end);
    // As browsers copy a body that is not ASCII.
    const bytes = /^\(\[System\.Text\.Encoding\]::UTF8\.GetBytes\((?=["'])/.exec(source);
    const inner = bytes === null ? null : readString(text, from + bytes[0].length);
    const isWhole = inner !== null && /^\s*\)\s*\)$/.test(text.slice(inner.end, end));
    return { text: isWhole ? inner.text : null, source, end };
  }
  const word = /^[^\s;|]+/.exec(text.slice(from, from + 10_000))?.[0] ?? character;
  return { text: word, source: word, end: from + word.length };
}

/** Returns the offset behind a value in brackets, strings within it taken as one. */
function closing(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") at = readString(text, at).end - 1;
    else if (/[([{]/.test(character)) open++;
    else if (/[)\]}]/.test(character) && --open === 0) return at + 1;
    else if (open === 0 && /[\s;|]/.test(character)) return at;
  }
  return text.length;
}

/** Reads a string: a doubled quote is one, and in double quotes a backtick escapes. */
function readString(text: string, from: number): Value & { readonly end: number } {
  const quote = text.charAt(from);
  let result = '';
  let isLiteral = true;
  let at = from + 1;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) {
      if (text.charAt(at + 1) !== quote) break;
      result += quote;
      at++;
    } else if (quote === '"' && character === '`') {
      const next = text.charAt(++at);
      result += controls[next] ?? next;
    } else if (quote === '"' && character === '$') {
      // Browsers write characters beyond ASCII so.
      const [whole, code = ''] = /^\$\(\[char\](\d{1,5})\)/.exec(text.slice(at, at + 20)) ?? [];
      if (whole !== undefined) {
        result += String.fromCharCode(Number(code));
        at += whole.length - 1;
      } else {
        if (/^\$[\w({]/.test(text.slice(at, at + 2))) isLiteral = false;
        result += character;
      }
    } else result += character;
  }
  return { text: isLiteral ? result : null, source: text.slice(from, at + 1), end: at + 1 };
}
