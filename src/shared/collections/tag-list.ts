import { tagName } from './file-limits.ts';

const mostTags = 50;

/** Tags as one line: `smoke, wallet`. */
export function tagsLine(tags: readonly string[]): string {
  return tags.join(', ');
}

/** Reads tags that commas or spaces divide, each once. `problem` says why some are not among them; null if all are. */
export function readTags(line: string): { readonly tags: readonly string[]; readonly problem: string | null } {
  const names = [...new Set(line.split(/[\s,]+/).filter((name) => name !== ''))];
  const wrong = names.find((name) => !tagName.pattern.test(name));
  const tags = names.filter((name) => tagName.pattern.test(name));
  if (wrong !== undefined) return { tags, problem: `${wrong} is not a tag. ${tagName.problem}` };
  return { tags: tags.slice(0, mostTags), problem: tags.length > mostTags ? `A request has at most ${mostTags} tags.` : null };
}
