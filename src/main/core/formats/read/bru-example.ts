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
