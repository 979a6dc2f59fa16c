// One thing has one word: `node scripts/words.mjs` names each forbidden word and what to write instead; `npm run lint` refuses them.
// The table holds only words and phrases that are wrong wherever their rule looks. Everything else is a reader's to judge.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';

const code = ['src', 'e2e', 'scripts', 'bench'];
/** Folders whose docstrings begin as they should. Add a folder here as soon as it is clean. */
const cleanDocstrings = ['src/shared', 'src/main/cli', 'src/main/sandbox', 'src/main/loopback', 'src/main/electron'];
/** Files that quote other programs, or that name the forbidden words themselves. */
const quoted = ['scripts/words.mjs', 'scripts/words.test.ts', 'e2e/electron-double/screen.ts', 'e2e/desktop-rules-ready.e2e.ts'];

/**
 * The forbidden words. `in`: the kinds of text that a rule holds for: `string` is every string outside tests, which users may read; `comment`
 * is every comment. `under`: the folders that it holds for.
 */
export const rules = [
  { word: /\banew\b/i, instead: 'again', in: ['string', 'comment'], under: code },
  { word: /\blets? go\b/i, instead: 'release or drop', in: ['string', 'comment'], under: code },
  { word: /\bput(?:s|ting)? aside\b/i, instead: 'set aside', in: ['string', 'comment'], under: code },
  { word: /(?<!\bgame )\blaunch (?:URL|address)/i, instead: 'launcher URL', in: ['string', 'comment'], under: code },
  { word: /(?<!\bthere )\bis no (?!longer\b|more\b)/i, instead: 'is not', in: ['string', 'comment'], under: code },
  { word: /\bcan(?: not|['’]t)\b/i, instead: 'cannot', in: ['string', 'comment'], under: code },
  { word: /\b(?:do|does|is|are)n['’]t\b/i, instead: 'do not, does not, is not, are not', in: ['string', 'comment'], under: code },
  { word: /\bspec gaps?\b/i, instead: 'open point', in: ['string', 'comment'], under: code },
  { word: /\bthis program\b/i, instead: 'Croupier', in: ['string'], under: ['src'] },
  { word: /\bthe app\b/i, instead: 'Croupier', in: ['string'], under: ['src'] },
  { word: /\bon record\b/i, instead: 'recorded', in: ['string', 'comment'], under: code },
  { word: /\bwhole path\b/i, instead: 'absolute path', in: ['string', 'comment'], under: code },
  { word: /\btold apart\b/i, instead: 'distinguished', in: ['string', 'comment'], under: code },
  { word: /\bfor ever\b/i, instead: 'forever', in: ['string', 'comment'], under: code },
  { word: /\bin so many words\b/i, instead: 'explicitly', in: ['string', 'comment'], under: code },
  { word: /\b(?:bring|brought) back\b/i, instead: 'restore', in: ['string', 'comment'], under: code },
  { word: /\p{L}[‘’“”]|[‘’“”]\p{L}/u, instead: 'straight quotes', in: ['comment'], under: code },
  {
    word: /^\/\*\*[\s*]*(?:What|How|Where|Who|Whose|Whoever|Whatever)\b/,
    instead: 'a verb (of a function) or a noun (of a value) as the first word',
    in: ['comment'],
    under: cleanDocstrings,
  },
];

/** Returns the strings and comments of a source, each with its offset. Text in backticks, inside a comment, counts as a name and is blanked. */
function textsOf(file, source) {
  const { program, comments } = parseSync(file, source);
  const texts = comments.map(({ start, end }) => ({
    kind: 'comment',
    start,
    text: source.slice(start, end).replaceAll(/`[^`]*`/g, (name) => ' '.repeat(name.length)),
  }));
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object' || node.type === 'ImportDeclaration') return;
    const isText =
      node.type === 'TemplateElement' || node.type === 'JSXText' || (node.type === 'Literal' && typeof node.value === 'string');
    if (isText) texts.push({ kind: 'string', start: node.start, text: source.slice(node.start, node.end) });
    else Object.values(node).forEach(visit);
  };
  visit(program);
  return texts;
}

/** Returns a line for each forbidden word in a source; `file` is its path below the root, with `/`. */
export function wordsIn(file, source) {
  const here = rules.filter(({ under }) => under.some((folder) => file.startsWith(`${folder}/`)));
  // Most files hold none of the words, and need no parser.
  if (!here.some(({ word }) => new RegExp(word.source.replace(/^\^/, ''), word.flags).test(source))) return [];
  const isTest = /\.test\.tsx?$/.test(file);
  return textsOf(file, source).flatMap(({ kind, start, text }) =>
    here.flatMap(({ word, instead, in: kinds }) => {
      const found = kinds.includes(kind) && !(isTest && kind === 'string') ? word.exec(text) : null;
      if (found === null) return [];
      const line = source.slice(0, start + found.index).split('\n').length;
      return [`${file}:${line}: "${found[0].replaceAll(/[\s/*]+/g, ' ').trim()}". Write ${instead}.`];
    }),
  );
}

/** Returns a line for each forbidden word below a folder. */
export function wordFaults(root) {
  return globSync(`{${code.join(',')}}/**/*.{ts,tsx,mjs}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !quoted.includes(file))
    .sort()
    .flatMap((file) => wordsIn(file, readFileSync(path.join(root, file), 'utf8')));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = wordFaults(process.cwd());
  for (const line of faults) console.log(line);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
