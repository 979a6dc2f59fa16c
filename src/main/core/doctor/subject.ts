import type { Subject } from '#shared/doctor/model.ts';
import type { Environment, Input } from '#shared/ipc/index.ts';
import { describeSyntaxError } from '#shared/json/parse.ts';
import { textInside } from '#shared/doctor/seen.ts';
import { phpJson } from '#shared/json/php.ts';
import { answerOf } from '#shared/provider/index.ts';

type Request = Input<'doctor.search'>['request'];

/**
 * Prepares a request for the search, by what is known of how its provider hashes: the environment's serialization, and its recorded answer to
 * `hash.reencode`. `problem` says why the rule has no text for its data.
 */
export function subjectOf(
  { time, dataText: asSent, hash, action, platform, partnerId }: Request,
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
  const problem = `data is not JSON that PHP reads, so no hash can fit it: ${describeSyntaxError(written.error)}.`;
  return { subject: { ...known, ruleText: null }, problem };
}
