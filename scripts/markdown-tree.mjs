// Turns a page of Markdown into the tree that the help draws. The page of the workbench neither parses text nor takes HTML, so that its policy
// holds: what this file does not know fails the build.
import { Marked } from 'marked';

const markdown = new Marked();

/**
 * Returns the blocks of a page, as `page-tree.ts` of the manual has them; throws on Markdown that the help cannot show. `resolve` returns what a
 * link's address or a picture's file is, and throws if it is nothing.
 * @param {string} text
 * @param {{ link: (address: string) => object | null, image: (address: string) => { light: object, dark: object | null } }} resolve
 */
export function markdownTree(text, resolve) {
  const ids = new Map();

  const inlines = (tokens) => joined((tokens ?? []).flatMap(inline));

  function inline(token) {
    switch (token.type) {
      case 'text':
        return token.tokens === undefined ? [plain(token.raw)] : inlines(token.tokens);
      case 'escape':
        return [token.raw.slice(1)];
      case 'br':
        return [' '];
      case 'codespan':
        return [{ kind: 'code', text: codeOf(token.raw) }];
      case 'strong':
      case 'em':
        return [{ kind: token.type, text: inlines(token.tokens) }];
      case 'image':
        return [{ kind: 'image', alt: plain(/^!\[([^]*?)\]\(/.exec(token.raw)?.[1] ?? ''), ...resolve.image(token.href) }];
      case 'link': {
        const to = resolve.link(token.href);
        return to === null ? inlines(token.tokens) : [{ kind: 'link', to, text: inlines(token.tokens) }];
      }
      default:
        throw new Error(`The help cannot show this ${token.type}: ${token.raw}`);
    }
  }

  const blocks = (tokens) => tokens.flatMap(block);

  function block(token) {
    switch (token.type) {
      case 'space':
        return [];
      case 'heading': {
        const content = inlines(token.tokens);
        return [{ kind: 'heading', level: token.depth, id: ownId(plainText(content), ids), text: content }];
      }
      case 'paragraph':
      case 'text':
        return [{ kind: 'paragraph', text: inlines(token.tokens ?? [token]) }];
      case 'code':
        return [{ kind: 'code', text: token.text }];
      case 'blockquote':
        return [{ kind: 'quote', blocks: blocks(token.tokens) }];
      case 'list':
        if (token.items.some(({ task }) => task)) throw new Error(`The help cannot show tasks: ${token.raw}`);
        return [
          {
            kind: 'list',
            start: token.ordered ? Number(token.start) : null,
            items: token.items.map(({ tokens }) => blocks(tokens)),
          },
        ];
      case 'table':
        return [
          {
            kind: 'table',
            head: token.header.map(({ tokens }) => inlines(tokens)),
            rows: token.rows.map((row) => row.map(({ tokens }) => inlines(tokens))),
          },
        ];
      case 'html':
        if (/^<!--[^]*-->\s*$/.test(token.raw)) return [];
      // Falls through: HTML is not shown.
      default:
        throw new Error(`The help cannot show this ${token.type}: ${token.raw}`);
    }
  }

  return blocks(markdown.lexer(text));
}

/** Returns the text of inline nodes without their form. */
export function plainText(nodes) {
  return nodes
    .map((node) => (typeof node === 'string' ? node : typeof node.text === 'string' ? node.text : plainText(node.text ?? [])))
    .join('');
}

/** Returns a heading's ID as GitHub gives it, so that links between pages lead to the same place there and in the help. */
function ownId(heading, ids) {
  const id = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

/** A text runs over lines in the file; the lines of the help are others. */
function plain(raw) {
  if (/&(?:\w+|#\d+);/.test(raw)) throw new Error(`The help cannot show entities: ${raw}`);
  return raw.replace(/\s*\n\s*/g, ' ');
}

function codeOf(raw) {
  const [, , inner = ''] = /^(`+)([^]*?)\1$/.exec(raw) ?? [];
  const text = inner.replaceAll('\n', ' ');
  return /^ .*\S.* $/.test(text) ? text.slice(1, -1) : text;
}

/** Joins neighbouring strings. */
function joined(nodes) {
  const found = [];
  for (const node of nodes) {
    if (typeof node === 'string' && typeof found.at(-1) === 'string') found[found.length - 1] += node;
    else found.push(node);
  }
  return found;
}
