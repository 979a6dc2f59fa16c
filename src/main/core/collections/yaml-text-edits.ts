import { keepsAtEnd, type TreeNode } from './yaml-tree.ts';
import type { YamlLines } from './yaml-lines.ts';
import type { Printed } from './yaml-print.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Gathers edits of a YAML text; every other character stays as it is. */
export function createYamlTextEdits(source: string, { eol, lineEnd, nextLine, behind, behindEmptyLines }: YamlLines) {
  const edits: Edit[] = [];

  /** Whole lines at the beginning of a line, or at the end of a file whose last line has no end. */
  function putLines(start: number, end: number, { lines, keeps }: Printed): void {
    const to = keeps ? behindEmptyLines(end) : end;
    const text = lines.join(eol);
    const unended = source !== '' && !source.endsWith('\n');
    if (to < source.length || !unended) edits.push({ start, end: to, text: text + eol });
    else {
      // A block's last line break is part of it, so the file must end with one.
      const last = lines.length > 1 ? eol : '';
      edits.push({ start, end: to, text: (start === source.length ? eol : '') + text + last });
    }
  }

  /** Writes another value behind a colon or a dash, and leaves a comment on that line where it is. */
  function overwrite(after: number, node: TreeNode, indent: number, print: (literalFits: boolean) => Printed): void {
    let printed = print(true);
    const ends = node.kind === 'text' ? node.end : behind(node, indent);
    // A deeper comment below would become part of a literal block.
    if (
      printed.head.includes('|') &&
      printed.lines.length > 0 &&
      node.kind === 'text' &&
      behind(node, indent) > nextLine(node.end)
    ) {
      printed = print(false);
    }
    const { head, lines, keeps } = printed;
    if (node.kind === 'text' && !node.block) {
      edits.push({ start: after, end: ends, text: head });
      if (lines.length === 0) return;
      const at = lineEnd(ends);
      const atEnd = at === source.length ? eol : '';
      edits.push({ start: at, end: at, text: eol + lines.join(eol) + atEnd });
      if (keeps) removeEmptyLines(nextLine(at));
      return;
    }
    if (node.kind !== 'text' && node.flow) {
      edits.push({ start: after, end: node.end, text: head });
      const at = lineEnd(node.end);
      if (lines.length > 0) edits.push({ start: at, end: at, text: eol + lines.join(eol) + (at === source.length ? eol : '') });
      if (keeps) removeEmptyLines(nextLine(at));
      return;
    }
    // Of a block, the end is that of its last line.
    const end = node.kind === 'text' ? lineEnd(ends) : ends;
    const comment = node.kind === 'text' ? node.headComment : '';
    const wholeLines = node.kind !== 'text' && end > 0 && source[end - 1] === '\n';
    const atEnd = end === source.length && lines.length > 0;
    edits.push({ start: after, end, text: [head + comment, ...lines].join(eol) + (wholeLines || atEnd ? eol : '') });
    if (keeps) removeEmptyLines(wholeLines ? end : nextLine(end));
  }

  function removeEmptyLines(start: number): void {
    const end = behindEmptyLines(start);
    if (end > start) edits.push({ start, end, text: '' });
  }

  /** With the empty lines that follow, where the text above would take them for its own. */
  function removeBelow(above: TreeNode | undefined, start: number, end: number): void {
    edits.push({ start, end: above !== undefined && keepsAtEnd(above) ? behindEmptyLines(end) : end, text: '' });
  }

  function done(): string {
    const ordered = edits.map((edit, at) => ({ ...edit, at })).sort((a, b) => a.start - b.start || a.end - b.end || a.at - b.at);
    let text = '';
    let from = 0;
    for (const edit of ordered) {
      text += source.slice(from, Math.max(from, edit.start)) + edit.text;
      from = Math.max(from, edit.end);
    }
    return text + source.slice(from);
  }

  return { putLines, overwrite, removeBelow, done };
}
