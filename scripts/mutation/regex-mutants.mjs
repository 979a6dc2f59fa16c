// Mutants of a regular expression: anchors, quantifiers, classes and lookarounds, one changed at a time.

const opposite = { d: 'D', D: 'd', w: 'W', W: 'w', s: 'S', S: 's', b: 'B', B: 'b' };

/** Returns the tokens of a pattern: an escape, a whole class, the start of a group, a quantifier, or one character. */
function tokensOf(pattern) {
  const token =
    /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pPk](?:\{[^}]*\}|<[^>]*>)|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?<?[=!]|\(\?:|\(\?<\w+>|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/giu;
  return [...pattern.matchAll(token)].map((match) => ({ text: match[0], at: match.index }));
}

/** Returns the replacements of a token. */
function changesOf({ text, at }, length) {
  if (text === '^' && at === 0) return [''];
  if (text === '$' && at === length - 1) return [''];
  if (text.startsWith('[')) return [text.startsWith('[^') ? `[${text.slice(2)}` : `[^${text.slice(1)}`];
  if (/^[*+?]|^\{\d/.test(text)) return [''];
  if (text === '(?=') return ['(?!'];
  if (text === '(?!') return ['(?='];
  if (text === '(?<=') return ['(?<!'];
  if (text === '(?<!') return ['(?<='];
  if (text.length === 2 && text.startsWith('\\') && opposite[text[1]]) return [`\\${opposite[text[1]]}`];
  if (/^\\[pP]\{/.test(text)) return [(text[1] === 'p' ? '\\P' : '\\p') + text.slice(2)];
  return [];
}

/** Returns every changed pattern that is still valid. */
export function regexMutants(pattern, flags) {
  const found = [];
  for (const token of tokensOf(pattern))
    for (const change of changesOf(token, pattern.length)) {
      const changed = pattern.slice(0, token.at) + change + pattern.slice(token.at + token.text.length);
      try {
        if (changed !== '' && new RegExp(changed, flags)) found.push(changed);
      } catch {
        // Not a pattern any more.
      }
    }
  return found;
}
