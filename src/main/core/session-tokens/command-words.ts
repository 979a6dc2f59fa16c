import { AppError } from '#shared/errors.ts';

const mostWords = 100;

/** Characters that a shell acts on outside quotes. */
const ofShells = /[|&;<>`$(){}*?#~!]/;

/**
 * Splits a command into the program and its arguments. Quotes of both kinds hold a word together; nothing else means anything, not
 * even a backslash, so that paths of Windows stay whole. Fails with `invalid_input` if a shell would be needed.
 */
export function commandWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const character of text.trim()) {
    if (isControl(character))
      throw wrong('The token command contains a line break or another control character. Write it on one line.');
    if (quote !== null) {
      if (character === quote) quote = null;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === ' ') {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (ofShells.test(character)) {
        throw wrong(
          `The token command runs without a shell, so ${character} would do nothing. To pass it to the program, put it in quotes, or write a script and enter its path.`,
        );
      }
      word = (word ?? '') + character;
    }
  }
  if (quote !== null) throw wrong(`A ${quote} in the token command is never closed. Close it.`);
  if (word !== null) words.push(word);
  const [program = ''] = words;
  if (program === '') throw wrong('The token command names no program. Start it with a program.');
  if (words.length > mostWords)
    throw wrong(`The token command has more than ${mostWords} words. Write a script and enter its path.`);
  if (/[/\\]/.test(program) && !isAbsolutePath(program)) {
    throw wrong(`${program} is not an absolute path. Enter the absolute path of the program, or the name of one on the PATH.`);
  }
  return words;
}

/** Returns the command as `commandWords` reads it. */
export function commandText(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"']/.test(word) && !ofShells.test(word)) return word;
  // Quotes of one kind hold those of the other.
  return word.includes('"')
    ? word
        .split("'")
        .map((part) => `'${part}'`)
        .join(`"'"`)
    : `"${word}"`;
}

/** Returns whether a path begins at a root, of any system: a home may be shared between them. */
function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || path.startsWith('\\\\') || /^[A-Za-z]:[/\\]/.test(path);
}

function isControl(character: string): boolean {
  return /\p{Cc}|\u2028|\u2029/u.test(character);
}

function wrong(message: string): AppError {
  return new AppError('invalid_input', message, { field: 'command' });
}
