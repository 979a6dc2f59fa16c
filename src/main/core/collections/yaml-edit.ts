import { isDeepStrictEqual } from 'node:util';
import { printField, printFlow, printItem, printValue } from './yaml-print.ts';
import type { Printable, Printed } from './yaml-print.ts';
import { createYamlTextEdits } from './yaml-text-edits.ts';
import { createYamlLines, type YamlLines } from './yaml-lines.ts';
import { keepsAtEnd, lineStart } from './yaml-tree.ts';
import type { Entry, ListNode, MapNode } from './yaml-tree.ts';

export type Fields = Readonly<Record<string, Printable>>;

export interface FieldEdit {
  readonly source: string;
  readonly root: MapNode;
  /** Fields of the file, without defaults. */
  readonly before: Fields;
  /** Fields that the file must have; others are removed. */
  readonly after: Fields;
  /** The order in which fields that are new are put between the others. */
  readonly order: readonly string[];
  /** Fields that are always a literal block. */
  readonly literal: ReadonlySet<string>;
  /** True if texts that end with empty lines may be blocks: the lines after them then count. */
  readonly mayKeep: boolean;
}

/** Returns the source with the changed fields rewritten and every other character as it was. */
export function editFields({ source, root, before, after, order, literal, mayKeep }: FieldEdit): string {
  const lines = createYamlLines(source);
  const edits = createYamlTextEdits(source, lines);
  createEditor(source, lines, edits, literal, mayKeep)(root, before, after, order, true);
  return edits.done();
}

function createEditor(
  source: string,
  lines: YamlLines,
  edits: ReturnType<typeof createYamlTextEdits>,
  literal: ReadonlySet<string>,
  mayKeep: boolean,
) {
  const { isFirstOnLine, behind } = lines;
  const { putLines, overwrite, removeBelow } = edits;
  const usual = { literal: false, mayKeep };

  function remove(map: MapNode, entry: Entry, above: Entry | undefined): void {
    const start = lineStart(source, entry.keyStart) + (source.startsWith('\uFEFF') && entry.keyStart === 1 ? 1 : 0);
    removeBelow(above?.value, start, behind(entry.value, map.indent));
  }

  /** Returns false if the map's first field shares its line with a dash and would have to go or to move. */
  function map(node: MapNode, before: Fields, after: Fields, order: readonly string[], outermost: boolean): boolean {
    const entries = new Map(node.entries.map((entry) => [entry.key, entry]));
    const first = node.entries[0];
    const inline = first !== undefined && !isFirstOnLine(first.keyStart);
    if (inline && after[first.key] === undefined && before[first.key] !== undefined) return false;
    const added = order.filter((name) => after[name] !== undefined && !entries.has(name));
    const places = placesFor(node, added, order);
    if (inline && places.some(({ at }) => at < first.value.end)) return false;

    // The nearest one above that is in the map afterwards.
    let above: Entry | undefined;
    for (const [name, entry] of entries) {
      const [old, next] = [before[name], after[name]];
      if (old !== undefined && next === undefined) remove(node, entry, above);
      else above = entry;
      if (next === undefined || isDeepStrictEqual(old, next)) continue;
      change(entry, old, next, node.indent, outermost && literal.has(name));
    }
    for (const { name, at } of places) {
      putLines(at, at, printField(name, after[name] ?? '', node.indent, { literal: outermost && literal.has(name), mayKeep }));
    }
    return true;
  }

  /** Puts each name behind the nearest field that comes earlier in the order, else before the first that comes later. */
  function placesFor(node: MapNode, names: readonly string[], order: readonly string[]): { name: string; at: number }[] {
    const entries = new Map(node.entries.map((entry) => [entry.key, entry]));
    const known = new Set(order);
    const nearest = new Map<string, Entry>();
    let earlier: Entry | undefined;
    for (const name of order) {
      if (earlier !== undefined) nearest.set(name, earlier);
      earlier = entries.get(name) ?? earlier;
    }
    // Without an earlier field, every field that the order has comes later.
    const later = node.entries.find(({ key }) => known.has(key));
    const last = node.entries.at(-1);
    return names.map((name) => {
      const above = nearest.get(name);
      if (above !== undefined) return { name, at: behind(above.value, node.indent) };
      if (later !== undefined) {
        return { name, at: Math.max(lineStart(source, later.keyStart), source.startsWith('\uFEFF') ? 1 : 0) };
      }
      return { name, at: last === undefined ? source.length : behind(last.value, node.indent) };
    });
  }

  function change(
    { afterColon, value }: Entry,
    old: Printable | undefined,
    next: Printable,
    indent: number,
    asBlock: boolean,
  ): void {
    // A map of which nothing is read is as good as none, and keeps its lines.
    const before = old ?? {};
    if (value.kind === 'map' && !value.flow && isFields(before) && isFields(next)) {
      if (map(value, before, next, Object.keys(next), false)) return;
    }
    if (value.kind === 'list' && !value.flow && isList(old) && isList(next) && list(value, old, next)) return;
    const flow = value.kind === 'list' && value.flow && isList(next) ? printFlow(next) : null;
    if (flow !== null) return overwrite(afterColon, value, indent, () => ({ head: flow, lines: [], keeps: false }));
    overwrite(afterColon, value, indent, (fits) => printValue(next, indent, { literal: fits ? asBlock : 'never', mayKeep }));
  }

  /**
   * Rewrites a list. Items that stay keep their lines, comments and quotes, also if they move. Returns false if that cannot be
   * done.
   */
  function list(node: ListNode, old: readonly Printable[], next: readonly Printable[]): boolean {
    const { items } = node;
    if (items.length !== old.length || next.length === 0) return false;
    if (items.some(({ afterDash }) => !isFirstOnLine(afterDash - 1))) return false;
    let head = 0;
    while (head < old.length && head < next.length && isDeepStrictEqual(old[head], next[head])) head += 1;
    let tail = 0;
    while (
      tail < old.length - head &&
      tail < next.length - head &&
      isDeepStrictEqual(old[old.length - 1 - tail], next[next.length - 1 - tail])
    ) {
      tail += 1;
    }
    const oldMiddle = old.slice(head, old.length - tail);
    const nextMiddle = next.slice(head, next.length - tail);
    const kept = matches(oldMiddle, nextMiddle);
    if (oldMiddle.length === nextMiddle.length && kept.every((from, at) => from === null || from === at)) {
      nextMiddle.forEach((item, at) => {
        if (kept[at] === null) changeItem(node, head + at, oldMiddle[at], item);
      });
      return true;
    }
    // A comment above an item belongs to it, unless it is indented deeper than the item's own fields.
    const chunkEnd = (at: number) => behind(items[at]!.value, at === items.length - 1 ? node.indent : node.indent + 2);
    const chunkStart = (at: number) => (at === 0 ? lineStart(source, items[0]!.afterDash - 1) : chunkEnd(at - 1));
    const start = head < items.length ? chunkStart(head) : chunkEnd(items.length - 1);
    const end = oldMiddle.length === 0 ? start : chunkEnd(head + oldMiddle.length - 1);
    const parts = nextMiddle.map((item, at): Printed => {
      const from = kept[at] ?? null;
      if (from === null) return printItem(item, node.indent, usual);
      const chunk = source.slice(chunkStart(head + from), chunkEnd(head + from)).replace(/\r?\n$/, '');
      return { head: '', lines: [chunk], keeps: keepsAtEnd(items[head + from]!.value) };
    });
    if (parts.length === 0) removeBelow(items[head - 1]?.value, start, end);
    else putLines(start, end, { head: '', lines: parts.flatMap(({ lines }) => lines), keeps: parts.at(-1)?.keeps ?? false });
    return true;
  }

  function changeItem(node: ListNode, at: number, old: Printable | undefined, next: Printable): void {
    const { afterDash, value } = node.items[at]!;
    if (value.kind === 'map' && !value.flow && isFields(old) && isFields(next)) {
      if (map(value, old, next, Object.keys(next), false)) return;
      const end = behind(value, node.indent);
      putLines(lineStart(source, afterDash - 1), end, printItem(next, node.indent, usual));
      return;
    }
    if (isFields(next) || isList(next)) {
      putLines(lineStart(source, afterDash - 1), behind(value, node.indent), printItem(next, node.indent, usual));
      return;
    }
    overwrite(afterDash, value, node.indent, (fits) =>
      printValue(next, node.indent, { literal: fits ? false : 'never', mayKeep }),
    );
  }

  return map;
}

/** Returns for each item of `next` the index of an equal one of `old` that no earlier item took, or null. */
function matches(old: readonly Printable[], next: readonly Printable[]): (number | null)[] {
  const free = new Map<string, Set<number>>();
  old.forEach((item, at) => {
    const key = JSON.stringify(item);
    const places = free.get(key);
    if (places === undefined) free.set(key, new Set([at]));
    else places.add(at);
  });
  const keys = next.map((item) => JSON.stringify(item));
  // An equal item at the same position comes first, so that a copy does not move its original.
  const kept = keys.map((key, at) => (free.get(key)?.delete(at) === true ? at : null));
  return keys.map((key, at) => {
    if (kept[at] !== null) return kept[at] ?? null;
    const places = free.get(key);
    const [first] = places ?? [];
    if (first === undefined) return null;
    places?.delete(first);
    return first;
  });
}

function isFields(value: Printable | undefined): value is Fields {
  return typeof value === 'object' && !Array.isArray(value);
}

function isList(value: Printable | undefined): value is readonly Printable[] {
  return Array.isArray(value);
}
