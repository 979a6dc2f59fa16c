// A length that a token has is written by the token's name: `node scripts/style-tokens.mjs` lists the others, `--fix` names them.
// Only spaces, radii and sizes of text: which token a height or a width is, only a person knows.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tokensFile = 'src/renderer/styles/tokens.css';
/** Properties, and the tokens for their lengths. */
const kinds = [
  { property: /^(?:padding|margin|scroll-padding|scroll-margin)(?:-|$)|^(?:row-|column-)?gap$/, token: /^--space-/ },
  { property: /^border-(?:\w+-\w+-)?radius$/, token: /^--radius-/ },
  { property: /^font-size$/, token: /^--text-/ },
];

/** Returns the lengths of each kind, with their names. */
export function readTokens(css) {
  const lengths = [...css.matchAll(/(--[\w-]+):\s*(\d+px);/g)];
  return kinds.map(({ property, token }) => ({
    property,
    names: new Map(lengths.filter(([, name]) => token.test(name)).map(([, name, length]) => [length, name])),
  }));
}

/** Returns a style sheet with the names in place of the lengths, and a line for each replacement. */
export function nameLengths(css, tokens) {
  const found = [];
  const named = css.replaceAll(/(?<=[\s;{])([a-z-]+):([^;{}]*)(?=[;}])/g, (declaration, property, value) => {
    const names = tokens.find((kind) => kind.property.test(property))?.names;
    if (names === undefined) return declaration;
    const next = value.replaceAll(/(?<![\w.-])\d+px\b/g, (length) => {
      const name = names.get(length);
      if (name !== undefined) found.push(`${property}: ${length} is var(${name})`);
      return name === undefined ? length : `var(${name})`;
    });
    return `${property}:${next}`;
  });
  return { named, found };
}

/** Returns the lengths without their names in the style sheets below a folder, a line each. */
export function lengthFaults(root, fix = false) {
  const tokens = readTokens(readFileSync(path.join(root, tokensFile), 'utf8'));
  return globSync('src/renderer/**/*.css', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== tokensFile)
    .sort()
    .flatMap((file) => {
      const place = path.join(root, file);
      const { named, found } = nameLengths(readFileSync(place, 'utf8'), tokens);
      if (fix && found.length > 0) writeFileSync(place, named);
      return found.map((fault) => `${file}: ${fault}.`);
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const fix = process.argv.includes('--fix');
  const faults = lengthFaults(process.cwd(), fix);
  for (const line of faults) console.log(line);
  process.exitCode = faults.length > 0 && !fix ? 1 : 0;
}
