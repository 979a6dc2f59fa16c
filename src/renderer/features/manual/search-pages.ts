import { plainText, type Block, type ManualPage } from './page-tree.ts';

/** The text below one heading of a page. */
export interface Section {
  readonly page: string;
  readonly pageTitle: string;
  /** Null for the text before the second heading. */
  readonly heading: string | null;
  readonly title: string;
  readonly text: string;
}

/** A section that holds every word of a search. */
export interface Found extends Section {
  /** A line of its text around the first word, in parts: every second one is a word that was searched. */
  readonly context: readonly string[];
}

/** Divides pages at their headings. */
export function sectionsOf(pages: readonly ManualPage[]): readonly Section[] {
  return pages.flatMap(({ name, title, blocks }) => {
    const found: { heading: string | null; title: string; texts: string[] }[] = [{ heading: null, title, texts: [] }];
    for (const block of blocks) {
      if (block.kind !== 'heading') found.at(-1)?.texts.push(textOf(block));
      else if (block.level > 1) found.push({ heading: block.id, title: plainText(block.text), texts: [] });
    }
    return found.map(({ texts, ...section }) => ({ page: name, pageTitle: title, ...section, text: texts.join(' ') }));
  });
}

/** Returns the sections that hold all words of `text`, in any case: those with the words in their headings first. */
export function searchSections(sections: readonly Section[], text: string): readonly Found[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ section }) => ({ ...section, context: contextOf(section.text, words) }));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Returns 0 if a word is missing. */
function scoreOf({ title, pageTitle, text }: Section, words: readonly string[]): number {
  const [heading, page, body] = [title.toLowerCase(), pageTitle.toLowerCase(), text.toLowerCase()];
  const scores = words.map((word) => (heading.includes(word) ? 8 : page.includes(word) ? 4 : body.includes(word) ? 1 : 0));
  return scores.includes(0) ? 0 : scores.reduce((sum: number, score) => sum + score, 0);
}

/** Characters of a context before its first word, and in all. */
const before = 40;
const longest = 140;

function contextOf(text: string, words: readonly string[]): readonly string[] {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = at <= before ? 0 : text.indexOf(' ', at - before) + 1 || at;
  const end = text.length - start <= longest ? text.length : Math.max(text.lastIndexOf(' ', start + longest), at);
  const line = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return line.split(new RegExp(`(${any})`, 'gi'));
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.text);
    case 'code':
      return block.text.replace(/\s+/g, ' ');
    case 'quote':
      return block.blocks.map(textOf).join(' ');
    case 'list':
      return block.items.flatMap((item) => item.map(textOf)).join(' ');
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.map(plainText)).join(' ');
  }
}
