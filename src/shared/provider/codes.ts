import { codesOf } from './answers.ts';
import { codeNotes } from './code-notes.ts';
import type { Answers, Operation, ProviderCode } from './model.ts';

/** The codes that the spec lists (Errors), with what to do about each. */
export const providerCodes: readonly ProviderCode[] = [
  {
    code: 0,
    message: 'ok',
    meaning: 'The request was accepted.',
    next: [],
  },
  {
    code: 8,
    message: 'hash not valid',
    meaning: 'The hash that was sent is not the one the provider computed. data is null.',
    next: [
      'Compare the fingerprint of the key with the one of a key that works, or set the key again: a space or line break at its end is enough.',
      'See that time in the body is the time in the hash input, character by character.',
      'Read the hash input: a stability warning shows where the provider may read another text than the one that was hashed.',
      'With characters outside ASCII in data, try the other serialization of the environment, and record which one is accepted under open points.',
    ],
  },
  {
    code: 9,
    message: 'platform not valid (partnerid or platform values are wrong',
    meaning: 'platform or partnerId is not one the provider knows, or the two do not belong together. data is null.',
    next: [
      'Compare platform and partnerId of the environment with what the provider gave you.',
      'See that no override of platform or partnerId is left from an earlier test.',
      'See that the base address is the one these values were given for.',
    ],
  },
  {
    code: 404,
    message: 'Invalid Token',
    meaning: 'The session token of the player is not valid. The spec shows this on a wallet answer with code and message alone.',
    next: [
      'Take a token of a session that is running.',
      'After /generateNewToken only the new token works: see that the old one is not in use.',
      'How long a token lives is not shown in the spec; ask the provider and record the answer under open points.',
    ],
  },
];

/** A code with its explanation; `known` is false where the spec does not list it, and `message` is then empty. */
export interface CodeExplanation extends ProviderCode {
  readonly known: boolean;
}

/** What a code means and what to do next; with an operation, in view of that operation. A code that the spec does not list is said to be so. */
export function explainCode(code: number, operation?: Operation, answers: Answers = {}): CodeExplanation {
  const notes = operation === undefined ? [] : codeNotes(code, operation, answers);
  const recorded = codesOf(answers)?.get(code);
  if (recorded !== undefined && !providerCodes.some((candidate) => candidate.code === code)) {
    const meaning = recorded === '' ? `Code ${code} is recorded without a meaning.` : (notes[0] ?? `${recorded}.`);
    return { code, message: '', known: true, meaning, next: notes.slice(1) };
  }
  const listed = providerCodes.find((candidate) => candidate.code === code);
  if (listed === undefined) {
    return {
      code,
      message: '',
      known: false,
      meaning: `The spec lists no code ${code}; its list of codes is not complete.`,
      next: [
        'Read the message of the answer, ask the provider what the code means, and record it under open points (codes.complete).',
      ],
    };
  }
  return { ...listed, known: true, next: [...notes, ...first(code, operation), ...listed.next] };
}

function first(code: number, operation: Operation | undefined): string[] {
  if (operation === undefined) return [];
  if (operation.endpoint === 'wallet' && (code === 8 || code === 9)) {
    return ['Wallet methods carry no hash, platform or partnerId: see that the wallet address leads to a wallet.'];
  }
  if (code === 8 && operation.payload === 'envelope') {
    return [`${operation.name} has no data: its hash covers the private key and time alone.`];
  }
  if (code === 404 && operation.endpoint === 'service' && operation.name !== 'getLauncherURL') {
    return ['This operation takes no session token: the code may mean something else here.'];
  }
  if (code === 404 && operation.name === 'getLauncherURL') {
    return ['Real mode needs a valid externalToken; in fun mode it may be empty.'];
  }
  return [];
}
