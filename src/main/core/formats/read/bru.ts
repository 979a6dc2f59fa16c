import { AppError } from '#shared/errors.ts';

/** One pair of a dictionary of a .bru file. */
export interface BruPair {
  readonly name: string;
  readonly value: string;
  /** The lines of a list, in square brackets; otherwise empty. */
  readonly items: readonly string[];
  readonly disabled: boolean;
  /** `@name`: seen by its request alone. */
  readonly local: boolean;
  /** Annotations before it, such as `@description(…)`. */
  readonly annotations: readonly string[];
  readonly line: number;
}

/** One block of a .bru file: `name {` to the `}` that stands alone at the beginning of a line. */
export interface BruBlock {
  readonly name: string;
  /** The first line of the block, from 1. */
  readonly line: number;
  /** Of a block of text: without the two spaces that each line begins with. */
  readonly text: string;
  /** Of a dictionary. */
  readonly pairs: readonly BruPair[];
  /** Of a list, in square brackets. */
  readonly items: readonly string[];
}

const textBlocks = /^(?:body|body:(?:json|text|xml|sparql|graphql|graphql:vars)|script:.*|tests|docs|example|app:.*)$/;

/** Matches what Bruno reads as an item of a list in a dictionary. */
export const bruItem = /^[\w-]+$/;

/**
 * Reads the blocks of a .bru file, known and unknown ones. It is a reader of our own: the format has three kinds of blocks, and the
 * text of a body has to keep its last space. Fails with `invalid_input` and the line.
 */
export function readBru(text: string, file: string): BruBlock[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const blocks: BruBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at++;
      continue;
    }
    const [, name, open] = /^([A-Za-z][\w:-]*)[ \t]*([{[])[ \t]*$/.exec(line) ?? [];
    if (name === undefined) throw fail(file, at, 'Expected the start of a Bruno block, such as "post {".');
    const close = open === '[' ? ']' : '}';
    const first = at + 1;
    let end = first;
    while (end < lines.length && !(lines[end] ?? '').startsWith(close)) end++;
    if (end >= lines.length) throw fail(file, at, `The block ${name} is never closed: put its ${close} at the start of a line.`);
    if ((lines[end] ?? '').trim() !== close) throw fail(file, end, `Nothing may follow ${close} on its line.`);
    const inner = lines.slice(first, end);
    const isText = textBlocks.test(name);
    blocks.push({
      name,
      line: at + 1,
      text: isText ? inner.map((one) => one.replace(/^ {1,2}/, '')).join('\n') : '',
      pairs: isText || open === '[' ? [] : readPairs(inner, first, file),
      items: open === '[' ? listItems(inner) : [],
    });
    at = end + 1;
  }
  return blocks;
}

function readPairs(lines: readonly string[], first: number, file: string): BruPair[] {
  const pairs: BruPair[] = [];
  let annotations: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    if (line === '') continue;
    if (/^@[^\s():]+(?:\(|$)/.test(line)) {
      let annotation = line;
      if (count(annotation, "'''") === 1) {
        while (++at < lines.length && !(lines[at] ?? '').includes("'''")) annotation += `\n${lines[at]}`;
      }
      annotations.push(/^@([^\s():]+)/.exec(annotation)?.[1] ?? '');
      continue;
    }
    const [, off, written = '', , value = ''] = /^(~?)("(?:[^"\\]|\\.)*"|([^:]*?))[ \t]*:[ \t]*(.*)$/.exec(line) ?? [];
    if (off === undefined) throw fail(file, first + at, 'Expected a name, a colon and a value.');
    const quoted = written.startsWith('"') ? written.slice(1, -1).replaceAll('\\"', '"') : written;
    const local = quoted.startsWith('@');
    const name = local ? quoted.slice(1) : quoted;
    const started = at;
    const open = value.startsWith("'''") && count(value, "'''") === 1 ? "'''" : value === '[' ? ']' : null;
    let whole = value;
    let items: string[] = [];
    if (open !== null) {
      const inner: string[] = [];
      while (++at < lines.length && !(lines[at] ?? '').trim().startsWith(open)) inner.push(lines[at] ?? '');
      if (at >= lines.length) throw fail(file, first + started, `This value is never closed with ${open}.`);
      if (open === ']') items = listItems(inner);
      whole = open === ']' ? items.join(', ') : inner.map((one) => one.replace(/^ {1,4}/, '')).join('\n');
    }
    pairs.push({ name, value: whole, items, disabled: off === '~', local, annotations, line: first + started + 1 });
    annotations = [];
  }
  return pairs;
}

function listItems(lines: readonly string[]): string[] {
  return lines.map((one) => one.trim().replace(/,$/, '')).filter((one) => one !== '');
}

/** Counted without a list of the parts: a line of megabytes may hold millions of them. */
function count(text: string, part: string): number {
  let times = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) times++;
  return times;
}

/** `index` counts lines from 0. */
function fail(file: string, index: number, message: string): AppError {
  return new AppError('invalid_input', `${file}, line ${index + 1}: ${message}`, { line: index + 1 });
}

/** One `example { … }` of a .bru file: a response, with its request. */
export interface BruExample {
  readonly name: string;
  /** Empty if it has none, as is the body. */
  readonly status: string;
  readonly body: string;
  /** Names of its other contents. */
  readonly others: readonly string[];
}

/**
 * Reads the text of an example as `readBru` gives it: `name: …`, `request: {`, `response: {` with `headers`, `status` and `body`. The body stands
 * either bare between its braces, or behind `content:` between three quotes.
 */
export function readBruExample(text: string): BruExample {
  const lines = text.split('\n');
  const response = sectionOf(lines, 'response');
  const status = sectionOf(response ?? [], 'status') ?? [];
  const body = sectionOf(response ?? [], 'body') ?? [];
  const others = [...namesIn(lines, ['name', 'response']), ...namesIn(response ?? [], ['status', 'body'])];
  return { name: pairOf(lines, 'name'), status: pairOf(status, 'code'), body: contentOf(body), others };
}

/** Returns the lines between `name: {` and its brace, moved to the left edge; null without such a section. */
function sectionOf(lines: readonly string[], name: string): string[] | null {
  const start = lines.findIndex((line) => new RegExp(`^${name}:[ \t]*\\{[ \t]*$`).test(line));
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && line.trimEnd() === '}');
  return lines.slice(start + 1, end < 0 ? undefined : end).map((line) => line.replace(/^ {1,2}/, ''));
}

function pairOf(lines: readonly string[], name: string): string {
  const line = lines.find((one) => one.startsWith(`${name}:`));
  return line === undefined ? '' : line.slice(name.length + 1).trim();
}

/** Returns the names at the left edge, without known ones. */
function namesIn(lines: readonly string[], known: readonly string[]): string[] {
  const names = lines.flatMap((line) => /^([A-Za-z][\w:-]*?):(?: |$)/.exec(line)?.[1] ?? []);
  return names.filter((name) => !known.includes(name));
}

function contentOf(lines: readonly string[]): string {
  const open = lines.findIndex((line) => /^content:[ \t]*'''[ \t]*$/.test(line));
  if (open < 0 || !lines.slice(0, open).every((line) => /^(?:type:.*)?$/.test(line))) return lines.join('\n');
  const close = lines.findIndex((line, at) => at > open && line.trim() === "'''");
  return lines
    .slice(open + 1, close < 0 ? undefined : close)
    .map((line) => line.replace(/^ {1,2}/, ''))
    .join('\n');
}
