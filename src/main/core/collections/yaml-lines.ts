import { lineStart, type TreeNode } from './yaml-tree.ts';

/** The lines of a YAML text. Offsets are UTF-16. */
export type YamlLines = ReturnType<typeof createYamlLines>;

/** Reads the lines of `source` when they are asked for. */
export function createYamlLines(source: string) {
  const eol = /\r?\n/.exec(source)?.[0] ?? '\n';

  const lineEnd = (offset: number): number => {
    const at = source.indexOf('\n', offset);
    if (at < 0) return source.length;
    return at > offset && source[at - 1] === '\r' ? at - 1 : at;
  };
  const nextLine = (offset: number): number => {
    const at = source.indexOf('\n', offset);
    return at < 0 ? source.length : at + 1;
  };
  const isFirstOnLine = (offset: number) => source.slice(lineStart(source, offset), offset).replace('\uFEFF', '').trim() === '';

  const ends = new Map<TreeNode, Map<number, number>>();

  /** Returns the offset at which the next entry at `indent` may begin: after the lines of `node` and deeper comments below it. */
  function behind(node: TreeNode, indent: number): number {
    // Asked again for each of many fields that are put behind the same one.
    const known = ends.get(node) ?? new Map<number, number>();
    ends.set(node, known);
    const end = known.get(indent) ?? endBehind(node, indent);
    known.set(indent, end);
    return end;
  }

  function endBehind(node: TreeNode, indent: number): number {
    let end = nextLine(node.end);
    for (let at = end; at < source.length; at = nextLine(at)) {
      const line = source.slice(at, lineEnd(at));
      if (line.trim() === '') continue;
      if (!line.trimStart().startsWith('#') || line.length - line.trimStart().length <= indent) break;
      end = nextLine(at);
    }
    return end;
  }

  function behindEmptyLines(offset: number): number {
    let end = offset;
    while (end < source.length && source.slice(end, lineEnd(end)).trim() === '') end = nextLine(end);
    return end;
  }

  return { eol, lineEnd, nextLine, isFirstOnLine, behind, behindEmptyLines };
}
