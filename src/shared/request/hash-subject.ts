import { describeSyntaxError } from '../json/parse.ts';
import { phpJson } from '../json/php.ts';
import type { Environment } from '../model/environment.ts';
import { answerOf } from '../provider/wire-form.ts';
import type { Subject } from '../doctor/model.ts';
import { textInside } from '../doctor/seen.ts';

/** The parts of a request that the search for the mistake in its hash needs, as they were sent. */
export type HashedRequest = Omit<Subject, 'ruleText' | 'form'>;

/**
 * Prepares a request for the search, by what is known of how its provider hashes: the environment's serialization, and its recorded answer to
 * `hash.reencode`. `problem` says why the rule has no text for its data.
 */
export function subjectOf(
  { time, dataText: asSent, hash, action, platform, partnerId }: HashedRequest,
  { serialization, answers }: Pick<Environment, 'serialization' | 'answers'>,
): { readonly subject: Subject; readonly problem: string | null } {
  // The object is meant, and the string that was sent in its place is a mistake of its own.
  const dataText = (asSent === null ? null : textInside(asSent)) ?? asSent;
  const recorded = answerOf('hash.reencode', answers);
  const unicode = serialization === 'php-unicode' ? 'bare' : 'escaped';
  const objects = recorded === 'arrays' ? 'arrays' : 'kept';
  const asReceived = recorded === 'received' || (recorded === null && serialization === 'verbatim');
  const known = { time, dataText, hash, action, platform, partnerId, form: { unicode, objects } } as const;
  if (dataText === null || asReceived) return { subject: { ...known, ruleText: dataText }, problem: null };
  const written = phpJson(dataText, { unicode: unicode === 'bare', assoc: objects === 'arrays' });
  if (written.ok) return { subject: { ...known, ruleText: written.json }, problem: null };
  const problem = `PHP can't read data as JSON, so no hash can be right: ${describeSyntaxError(written.error)}.`;
  return { subject: { ...known, ruleText: null }, problem };
}
