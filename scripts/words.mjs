// One thing has one word: `npm run lint` refuses other names of what the glossary names. Everything else is a reader's to judge.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readModule } from './imports-of.mjs';

/** Files that name the forbidden words themselves. */
const quoted = ['scripts/words.mjs', 'scripts/words.test.ts'];
/** Every kind of text: strings outside tests, which users may read; comments; and the text of the Markdown files, without their code. */
const everywhere = ['string', 'comment', 'prose'];

/** The forbidden words. `in`: the kinds of text that a rule holds for. A space stands for a line break, too. */
const rules = [
  { word: /(?<!\bgame )\blaunch (?:URL|address)/i, instead: 'launcher URL', in: everywhere },
  { word: /\b(?:base|wallet) address/i, instead: 'base URL or wallet URL', in: everywhere },
  { word: /\bspec gaps?\b/i, instead: 'open point', in: everywhere },
  { word: /\b[Ii]ds?\b/, instead: 'ID', in: ['prose'] },
  {
    word: /\b(?:[Aa]n|[Tt]he|[Ii]ts|[Tt]h(?:is|ese)|any|by|of|partner|player|round|game) ids?\b/,
    instead: 'ID',
    in: ['string'],
  },
  {
    word: /^\/\*\*[\s*]*(?:What|How|Whether|Why|When|Where|Which|Who|Whose|Whoever|Whatever)\b/,
    instead: 'a verb (of a function) or a noun (of a value) as the first word',
    in: ['comment'],
  },
].map((rule) => ({ ...rule, word: new RegExp(rule.word.source.replaceAll(' ', '[\\s*/]+'), rule.word.flags) }));

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

/** Returns the Markdown with spaces in place of code, targets of links, comments, and the `_` of emphasis. Offsets stay. */
function proseOf(markdown) {
  return markdown
    .replaceAll(/^```[^]*?^```|<!--[^]*?-->/gm, blank)
    .replaceAll(/^ {4}.*$/gm, blank)
    .replaceAll(/(`+)[^`](?:[^]*?[^`])??\1(?!`)/g, blank)
    .replaceAll(/\]\([^)]*\)|_/g, blank);
}

/** Returns the texts of a file, each with its kind and its offset. Text in backticks, inside a comment, counts as a name and is blanked. */
function textsOf(file, source, pieces) {
  if (file.endsWith('.md')) return [{ kind: 'prose', start: 0, text: proseOf(source) }];
  const { strings, comments } = pieces ?? readModule(source, file);
  const cut = ({ start, end }) => source.slice(start, end);
  return [
    ...comments.map((one) => ({ kind: 'comment', start: one.start, text: cut(one).replaceAll(/`[^`]*`/g, blank) })),
    ...(isTest(file) ? [] : strings.map((one) => ({ kind: 'string', start: one.start, text: cut(one) }))),
  ];
}

const isTest = (file) => /\.test\.tsx?$/.test(file);

/** Returns a line for each forbidden word in a source. `file` is its path below the root, with `/`; `pieces` are its strings and comments, if they were read already. */
export function wordsIn(file, source, pieces) {
  return textsOf(file, source, pieces).flatMap(({ kind, start, text }) =>
    rules.flatMap(({ word, instead, in: kinds }) => {
      const found = kinds.includes(kind) ? word.exec(text) : null;
      if (found === null) return [];
      const line = source.slice(0, start + found.index).split('\n').length;
      return [`${file}:${line}: "${found[0].replaceAll(/[\s/*]+/g, ' ').trim()}". Write ${instead}.`];
    }),
  );
}

/** Returns a line for each forbidden word in the code of a tree that `readTree` read, and in the Markdown files below its root. */
export function wordFaults({ pieces, texts }, root) {
  const pages = globSync(['*.md', '{docs,src,e2e,scripts,bench}/**/*.md'], { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  return [
    ...[...pieces].filter(([file]) => !quoted.includes(file)).flatMap(([file, one]) => wordsIn(file, texts.get(file), one)),
    ...pages.flatMap((file) => wordsIn(file, readFileSync(path.join(root, file), 'utf8'))),
  ].sort();
}
