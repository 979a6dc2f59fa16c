/** Returns whether a command is written for the command prompt of Windows, as browsers copy it. */
export function isForPrompt(text: string): boolean {
  return /\^["{\\]|\^\r?\n/.test(text);
}

/** Stands for the end of a continued line, which bash has too: so lines keep their numbers. */
const continued = '\u0000';

/**
 * Writes a command of Windows's prompt for bash: carets escape the next character there, and a program splits its words by the rules of
 * Microsoft's C runtime, where a backslash escapes only a quote.
 */
export function fromPrompt(text: string): string {
  const plain = text
    .replaceAll(continued, ' ')
    .replaceAll(/\^(\r?\n|[^])/g, (_, next: string) => (next.endsWith('\n') ? continued : next));
  let words = '';
  let quoted = false;
  for (let at = 0; at < plain.length; at++) {
    const character = plain.charAt(at);
    if (character === '\\') {
      const [run] = /^\\{1,1000}/.exec(plain.slice(at, at + 1_000)) as RegExpExecArray;
      at += run.length - 1;
      const isBeforeQuote = plain.charAt(at + 1) === '"';
      words += quotedForBash('\\'.repeat(isBeforeQuote ? Math.floor(run.length / 2) : run.length));
      if (isBeforeQuote && run.length % 2 === 1) {
        words += `'"'`;
        at++;
      }
    } else if (character === continued) words += quoted ? ' ' : '\\\n';
    else if (character === '"') quoted = !quoted;
    else if (quoted || !/\s/.test(character)) words += /[\w:/.-]/.test(character) ? character : quotedForBash(character);
    else words += character;
  }
  return words;
}

function quotedForBash(text: string): string {
  return text === '' ? '' : text === "'" ? `"'"` : `'${text}'`;
}
