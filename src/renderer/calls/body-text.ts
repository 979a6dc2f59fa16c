import type { BodyPart } from '#shared/calls/sent-request.ts';
import { markCharacters, shownLength, type CharacterMark } from './character-marks.ts';

/** A part of a shown body that is drawn in its own way; UTF-16 offsets into the shown text. */
export interface BodyMark extends Omit<CharacterMark, 'kind'> {
  readonly kind: BodyPart['kind'] | 'token' | CharacterMark['kind'];
}

/** Number of marks beyond which they would cost more than they show. */
const MAX_MARKS = 2_000;

/**
 * Lays a body out over several lines, every character in its place, with marks on the signed parts; `hidden` counts characters that
 * are not shown.
 */
export function bodyText(
  body: string,
  parts: readonly BodyPart[],
): { readonly text: string; readonly marks: readonly BodyMark[]; readonly hidden: number } {
  const cut = shownLength(body);
  const seen = markCharacters(cut === body.length ? body : body.slice(0, cut), 0, MAX_MARKS, 'seen');
  const shown = parts.filter(({ start, end }) => start < Math.min(end, cut));
  const marks = shown.map(({ kind, start, end }) => ({ kind, start, end: Math.min(end, cut) }));
  return { text: seen.text, marks: [...marks, ...seen.marks], hidden: body.length - cut };
}
