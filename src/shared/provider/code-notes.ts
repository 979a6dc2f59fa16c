import { answerOf, codesOf } from './wire-form.ts';
import { answerWords, valueOf } from './recorded-answers.ts';
import type { Answers, Operation } from './model.ts';

/** Returns what recorded answers say about a code of an operation, one sentence each, likeliest cause first. */
export function codeNotes(code: number, operation: Operation, answers: Answers): string[] {
  const notes: string[] = [];
  const meaning = codesOf(answers)?.get(code);
  if (meaning !== undefined && meaning !== '') notes.push(`Recorded meaning of code ${code}: ${meaning}.`.replace(/\.\.$/, '.'));
  if (operation.endpoint === 'service' && (code === 8 || code === 9)) notes.push(...envelopeNotes(code, answers));
  if (code === 404) notes.push(...tokenNotes(operation, answers));
  return notes;
}

function envelopeNotes(code: 8 | 9, answers: Answers): string[] {
  const notes: string[] = [];
  const order = answerOf('checks.order', answers);
  if (order === 'identity' && code === 8) {
    notes.push('According to the recorded answer, platform and partnerId are checked before the hash, so they were accepted.');
  }
  if (order === 'hash' && code === 9) {
    notes.push('According to the recorded answer, the hash is checked before platform and partnerId, so it was accepted.');
  }
  if (code === 9) {
    const type = answerOf('identity.type', answers);
    if (type === 'number')
      notes.push(
        'According to the recorded answer, platform and partnerId must be JSON numbers; digits in double quotes are rejected.',
      );
    if (type === 'either')
      notes.push(
        'According to the recorded answer, digits in double quotes are accepted for platform and partnerId, so they are not the cause.',
      );
  }
  return notes;
}

function tokenNotes(operation: Operation, answers: Answers): string[] {
  const notes: string[] = [];
  if (operation.name === 'getLauncherURL') {
    const checked = answerOf('launch.token', answers);
    if (checked === 'launcher') notes.push('According to the recorded answer, getLauncherURL rejects an invalid token.');
    if (checked === 'game') {
      notes.push(
        'According to the recorded answer, only the game page checks the token, so this code has another cause or the answer is wrong.',
      );
    }
  } else if (operation.endpoint === 'service') {
    return notes;
  }
  const lifetime = valueOf('quantity', 'token.lifetime', answers);
  if (lifetime !== null)
    notes.push(`According to the recorded answer, a token is valid for ${answerWords(lifetime)}. Check how old this one is.`);
  if (answerOf('token.perGame', answers) === 'game') {
    notes.push(
      "According to the recorded answer, a token is valid for one game. Check that this one was issued for this request's game.",
    );
  }
  const issue = answerOf('token.issue', answers);
  if (issue === 'operator') notes.push("According to the recorded answer, the operator's platform issues tokens. Get one there.");
  if (issue === 'provider') notes.push('According to the recorded answer, the provider issues tokens. Get one there.');
  const settles = operation.name === 'win' || operation.name === 'cancel';
  const replaced = answerOf('token.replaced', answers);
  if (settles && replaced === 'accepted') {
    notes.push(
      "According to the recorded answer, a win or cancel of an earlier bet is accepted with a replaced token, so that's not the cause.",
    );
  }
  if (replaced === 'rejected') {
    notes.push('According to the recorded answer, every call with a token that /generateNewToken replaced is rejected.');
  }
  return notes;
}
