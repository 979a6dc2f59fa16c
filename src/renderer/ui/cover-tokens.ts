import { tokenPlaces } from '#shared/provider/tokens.ts';
import { isSecretField } from '#shared/secrets/secret-names.ts';

let watching: MutationObserver | null = null;
let waits = false;
let onLearned: () => void = () => undefined;
/** Tokens that stood behind a name, to be hidden also where they stand without one. */
const known = new Set<string>();
const highlight = 'hidden-tokens';

/** Covers the session tokens on the screen until `stop`; `learned` is called when one more is known. */
export function start(learned: () => void): void {
  onLearned = learned;
  watching = new MutationObserver(cover);
  watching.observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: ['value'] });
  document.addEventListener('input', cover);
  cover();
}

/** Shows them again. */
export function stop(): void {
  watching?.disconnect();
  watching = null;
  document.removeEventListener('input', cover);
  CSS.highlights.delete(highlight);
  known.clear();
}

/** Returns the places of the tokens in a text, and learns them. */
export function placesIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const places = tokenPlaces(text, known);
  for (const { start, end } of places) learn(text.slice(start, end));
  return places;
}

/** Takes a token that is hidden from now on wherever it stands; before the next drawing, what was looked at before is looked at again. */
function learn(token: string): void {
  if (token.length < shortest || known.has(token)) return;
  known.add(token);
  if (waits) return;
  waits = true;
  queueMicrotask(() => {
    waits = false;
    if (watching === null) return;
    cover();
    onLearned();
  });
}

const shortest = 4;
/** Elements that hold a text of their own, in which a name and its value stand together. */
const block = 'p, pre, li, td, th, dt, dd, h1, h2, h3, label, button, option, div, section';

/** Covers the tokens in texts and marks the fields that hold one. */
function cover(): void {
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
    if (field.matches('input[data-session-token]')) learn(field.value);
    const holds = placesIn(field.value).length > 0;
    if (field.hasAttribute('data-holds-token') !== holds) field.toggleAttribute('data-holds-token', holds);
  }
  const ranges: Range[] = [];
  for (const nodes of textsOf(document.body)) {
    const text = nodes.map(({ data }) => data).join('');
    const places = isSecretCell(nodes[0]) ? [{ start: 0, end: text.length }] : placesIn(text);
    for (const { start, end } of places) ranges.push(rangeOf(nodes, start, end));
  }
  CSS.highlights.set(highlight, new Highlight(...ranges));
}

/** Yields the texts of the page outside of editors, as the nodes of each block. */
function* textsOf(element: HTMLElement): Generator<Text[], void> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('.view-lines') === null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  let [nodes, around]: [Text[], Element | null] = [[], null];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const next = node.parentElement?.closest(block) ?? null;
    if (next !== around && nodes.length > 0) {
      yield nodes;
      nodes = [];
    }
    around = next;
    nodes.push(node);
  }
  if (nodes.length > 0) yield nodes;
}

/** Returns whether the heading of its row or column names a token. */
function isSecretCell(node: Text | undefined): boolean {
  const cell = node?.parentElement?.closest('td');
  const row = cell?.parentElement;
  if (!(cell instanceof HTMLTableCellElement) || row === null || row === undefined) return false;
  const names = [row.querySelector('th[scope="row"]'), cell.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]];
  return names.some((name) => /^\S+$/.test(name?.textContent ?? '') && isSecretField(name?.textContent ?? ''));
}

function rangeOf(nodes: readonly Text[], start: number, end: number): Range {
  const range = document.createRange();
  let from = 0;
  for (const node of nodes) {
    const to = from + node.length;
    if (start >= from && start < to) range.setStart(node, start - from);
    if (end > from && end <= to) range.setEnd(node, end - from);
    from = to;
  }
  return range;
}
