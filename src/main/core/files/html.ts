import { inPieces } from '#shared/json/text-pieces.ts';
import { isSpecial, seenParts, withNames, type SeenPart } from '#shared/json/display-order.ts';

/** A row of a table; `mark` is the class that colours it. */
export interface HtmlRow {
  readonly cells: readonly string[];
  readonly mark?: string;
}

/** One self-contained HTML file: no script, nothing loaded. `body` is HTML and `style` CSS of its own, everything else text. */
export function htmlPage(title: string, body: string, style = ''): string {
  const [head, tail] = htmlPageAround(title, style);
  return `${head}${body}${tail}`;
}

/** Returns the text before and after the body of such a file. */
export function htmlPageAround(title: string, style = ''): readonly [head: string, tail: string] {
  const head = `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'">
<title>${escapeAttribute(title)}</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; } h3 { font-size: .95rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; }
td { white-space: pre-wrap; } td:first-child { white-space: nowrap; } td.long { overflow-wrap: anywhere; }
pre { overflow-wrap: anywhere; white-space: pre-wrap; padding: .5rem .75rem; background: #8881; } pre, code { font: 13px/1.5 ui-monospace, monospace; }
.error, .blocked { color: light-dark(#b3261e, #ff8a80); } .warning { color: light-dark(#7a5900, #ffcf70); } .good { color: light-dark(#0a6b47, #6ddba8); }
img { max-width: 100%; border: 1px solid #8884; }
bdi[data-control] { font-size: 0; } bdi[data-control]::before { content: "[" attr(data-control) "]"; font: 11px ui-monospace, monospace; color: light-dark(#7a5900, #ffcf70); }
${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
`;
  return [head, '\n</body>\n</html>\n'];
}

/** A table of texts; without `head`, without a row of names. */
export function htmlTable(head: readonly string[], rows: readonly HtmlRow[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const header = head.length === 0 ? '' : `<tr>${head.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}</tr>`;
  const body = rows
    .map(({ cells, mark }) => `<tr class="${escapeAttribute(mark ?? 'info')}">${cells.map(cellHtml).join('')}</tr>`)
    .join('\n');
  return `<table>${header}${body}</table>`;
}

/** A cell in which only a word that would push its column wide is broken. */
function cellHtml(text: string): string {
  return `<td${/\S{25}/.test(text) ? ' class="long"' : ''}>${escapeHtml(text)}</td>`;
}

/**
 * Escapes text for an element. Letters read from right to left are isolated, and a character that shows nothing is preceded by its
 * name, so that no text of others reorders the page or hides something in it; a copy has the characters.
 */
export function escapeHtml(text: string): string {
  return isSpecial(text) ? seenParts(text).map(drawn).join('') : escaped(text);
}

function drawn(part: SeenPart): string {
  if (part.kind === 'plain') return escaped(part.text);
  if (part.kind === 'marks') return `<bdi>${escaped(part.text)}</bdi>`;
  if (part.kind === 'rightToLeft') return `<bdi>${part.parts.map(drawn).join('')}</bdi>`;
  return `<bdi dir="ltr" data-control="${part.name}">${part.text}</bdi>`;
}

/** Text as it stands within quotes or in the title, with the name of a character that shows nothing in its place. */
export function escapeAttribute(text: string): string {
  return escaped(withNames(text));
}

function escaped(text: string): string {
  return inPieces(text, (piece) =>
    piece
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  );
}
