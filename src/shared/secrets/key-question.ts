import type { AppError } from '../errors.ts';
import type { OperationName } from '../model/operations.ts';

/** Core's question before it sends a request that holds a private key: `details.question` of a refusal with the reason `key_unconfirmed`. */
export interface KeyQuestion {
  /** The target of the request: its environment's name and its URL. */
  readonly environment: string;
  readonly url: string;
  readonly operation: OperationName;
  /** Names of the environments whose keys it holds. */
  readonly keys: readonly string[];
  /** The parts of the request that hold them. */
  readonly where: readonly string[];
}

/** Returns core's question from a refusal; null for any other error. */
export function keyQuestionIn({ details }: AppError): KeyQuestion | null {
  if (typeof details !== 'object' || details === null || !('reason' in details) || !('question' in details)) return null;
  // Core makes this value itself, as every output, and tests check it against its schema.
  return details.reason === 'key_unconfirmed' ? (details.question as KeyQuestion) : null;
}

/** Texts of the question: title, consequences, and the verb of the button. */
export interface KeyQuestionWords {
  readonly title: string;
  readonly consequences: readonly string[];
  readonly action: string;
}

/** Words the question, in a dialog and on a terminal. */
export function keyQuestionWords({ keys, where, operation, environment }: KeyQuestion): KeyQuestionWords {
  const whose = keys.join(' and ');
  return {
    title: `Send the private key of ${whose}?`,
    consequences: [
      `This request contains the private key of ${whose} in ${where.join(' and ')}. No call needs the key itself: anyone who reads ${operation} at ${environment} could then sign as you.`,
      "The history masks the key, so this call can't be repeated exactly.",
    ],
    action: 'Send the key',
  };
}
