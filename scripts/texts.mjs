/** `npm run texts [-- FOLDER]`: prints each text that a person may read on a screen or in a terminal, as ID, text and where, to read them in one go. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';

/** Attributes and members of which one word is a text. */
const labels = /^(?:label|title|name|text|heading|words|hint|placeholder|summary|says|detail|reason|unit|button|aria-label|alt)$/;
/** Attributes that nobody reads. */
const unread = /^(?:className|class|d|id|key|data-.*|style|type|variant|tone)$/;
const isLabel = (text) => /^[A-Z][a-z]+[….]?$/.test(text);
const isSentence = (text) => /[A-Za-z]{2,}[,:;.…]? [A-Za-z{(“"'`]/.test(text) || /\} [a-z]{2,}/.test(text);
/** Returns whether a string is code: SQL, styles, paths, patterns, programs. */
const isCode = (text) =>
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|WITH|BEGIN|COMMIT|ATTACH|VACUUM|REINDEX|ANALYZE)\b/.test(text) ||
  /=>|;\s*$|^\s*[{[<(]|^[\w-]+\/[\w-]+|\bfunction\b.*\(|^\d+(px|%|fr)|var\(--/.test(text);

/** Returns the texts of a source, each with its line; a value in one is its last name in braces. */
function textsOf(source, file) {
  const found = [];
  const value = ({ start, end }) =>
    /^[\w.]+$/.test(source.slice(start, end)) ? `{${source.slice(start, end).split('.').at(-1)}}` : '{…}';
  const add = ({ start }, text, label) => {
    const plain = text.replaceAll(/\s+/g, ' ').trim();
    if (!isCode(plain) && (isSentence(plain) || (label && isLabel(plain))))
      found.push({ text: plain, line: source.slice(0, start).split('\n').length });
  };
  const partOf = (child) =>
    child.type === 'JSXText'
      ? child.value
      : child.type !== 'JSXExpressionContainer'
        ? '{…}'
        : child.expression.type === 'Literal'
          ? String(child.expression.value)
          : value(child.expression);
  const visit = (node, label) => {
    if (/^TS(?!As|Satisfies|NonNull)|^(?:Import|ExportAll)/.test(node.type)) return;
    if (node.type === 'JSXAttribute' && unread.test(String(node.name.name))) return;
    if (node.type === 'Literal' && typeof node.value === 'string') add(node, node.value, label);
    if (node.type === 'TemplateLiteral')
      add(
        node,
        node.quasis.map((one, at) => one.value.cooked + (node.expressions[at] ? value(node.expressions[at]) : '')).join(''),
        label,
      );
    if (
      /^JSX(?:Element|Fragment)$/.test(node.type) &&
      node.children.some((one) => one.type === 'JSXText' && /[A-Za-z]/.test(one.value))
    )
      add(node, node.children.map(partOf).join(''), true);
    const name =
      node.type === 'JSXAttribute' ? node.name.name : node.type === 'Property' ? (node.key.name ?? node.key.value) : '';
    for (const [key, child] of Object.entries(node)) {
      if (key === 'key' && node.type === 'Property' && !node.computed) continue;
      const isNamed = labels.test(String(name)) || (label && !/Function|Call/.test(node.type));
      for (const one of [child].flat()) if (typeof one?.type === 'string') visit(one, isNamed);
    }
  };
  visit(parseSync(file, source).program, false);
  return found;
}

const [folder = ''] = process.argv.slice(2);
const files = globSync(['src/**/*.{ts,tsx}', 'bin/*', 'scripts/{start,fetch-electron,provision}.mjs'])
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.startsWith(folder) && !/\.test\.|src\/testing\//.test(file))
  .sort();
for (const file of files) {
  for (const { text, line } of textsOf(readFileSync(file, 'utf8'), file)) {
    const id = createHash('sha256')
      .update(file + text)
      .digest('hex')
      .slice(0, 6);
    console.log([id, text, `${file}:${line}`].join('\t'));
  }
}
