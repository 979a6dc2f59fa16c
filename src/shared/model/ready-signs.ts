/**
 * A sign by which a team knows that its game is ready, as one line: `selector: #spin`, `text: Good luck`, `message: ready`, `console: game started`, or
 * `drawn`: loaded and drawn suffices.
 */
export const signForm = /^(?:(selector|text|message|console): *(\S.*)|drawn)$/s;

/** Returns the values of the signs of one kind: a selector, or a part of a text. */
export function signsOf(signs: readonly string[], kind: 'selector' | 'text' | 'message' | 'console'): string[] {
  return signs.flatMap((sign) => {
    const [, named, value] = signForm.exec(sign) ?? [];
    return named === kind && value !== undefined ? [value] : [];
  });
}

/** Returns whether a game that is loaded and drawn counts as ready by itself. */
export function drawnSuffices(signs: readonly string[]): boolean {
  return signs.includes('drawn');
}
