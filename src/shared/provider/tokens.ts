import { answerOf } from './answers.ts';
import type { Answers } from './model.ts';

/** Stands for a token wherever one would be shown or written. */
export const tokenMark = '[token]';

/**
 * Whether a field, a parameter of an address or a member of an answer holds a session or replay token. The spec calls every one of them so in its
 * name; a provider's own name for the new one is known once it was recorded (gap `generateNewToken.response`).
 */
export function isTokenName(name: string, answers: Answers = {}): boolean {
  if (/token/i.test(name)) return true;
  const recorded = answerOf('generateNewToken.response', answers);
  return recorded !== null && recorded.split('.').at(-1) === name;
}

// Also in a text around addresses. An empty value is no token.
const inQuery = /([?&;])([^=&#;\s]*token[^=&#;\s]*)=([^&#;\s"'<>]+)/gi;

/** The address with every query value masked whose name speaks of a token. */
export function maskUrlTokens(url: string): string {
  return url.replace(inQuery, `$1$2=${tokenMark}`);
}

/** The tokens in an address's query, as they stand there and decoded. */
export function urlTokens(url: string): string[] {
  return [...url.matchAll(inQuery)].flatMap(([, , , value = '']) => {
    try {
      return [value, decodeURIComponent(value.replaceAll('+', ' '))];
    } catch {
      return [value];
    }
  });
}
