import { parseJson } from '../json/parse.ts';
import { serializeData } from '../signing/serialize.ts';
import { answerOf } from './wire-form.ts';
import { shown } from './findings.ts';
import { fieldSpot, report } from './payload-findings.ts';
import type { JsonMember, JsonNode } from '../json/parse.ts';
import type { RequestContext } from './request-context.ts';
import type { FindingList } from './findings.ts';

const mayBeNonAscii = /[^\0-\x7f]|\\u/i;
const nonAscii = /[^\0-\x7f]/;

/**
 * Reports for each field with non-ASCII text how its characters are written in `data`. It reads the hashed bytes, so that it
 * cannot differ from them; `fields` are the members of the typed text by name, the last one of each.
 */
export function reportNonAscii(
  list: FindingList,
  typed: string,
  fields: ReadonlyMap<string, JsonMember>,
  context: RequestContext,
): void {
  const { serialization, answers, overrides } = context;
  if (overrides.omit?.includes('data') === true || !mayBeNonAscii.test(typed)) return;
  const written = serializeData(typed, serialization);
  if (!written.ok) return;
  const { dataJson } = written;
  const parsed = parseJson(dataJson);
  if (!parsed.ok || parsed.root.kind !== 'object') return;
  const isHashed = overrides.omit?.includes('hash') !== true && (overrides.hash ?? 'wrong') === 'wrong';
  for (const member of parsed.root.members) {
    const span = nonAscii.test(member.key) ? { start: member.keyStart, end: member.keyEnd } : firstNonAscii(member.value);
    // Verbatim bytes are the typed ones, including duplicate names.
    const field = serialization === 'verbatim' ? member : fields.get(member.key);
    if (span === null || field === undefined) continue;
    const quoted = dataJson.slice(span.start, span.end);
    const how = `${isHashed ? 'Hashed' : 'Sent'} as ${shown(quoted.slice(1, -1))} (${serialization})`;
    const recorded = answerOf('hash.nonAscii', answers);
    const differs = recorded !== null && isWrittenOtherwise(quoted, recorded);
    const basis =
      recorded === null
        ? "The spec doesn't show which form to hash."
        : `This ${differs ? 'differs from' : 'agrees with'} the recorded answer.`;
    // The provider would hash other bytes and reject the call.
    const severity = differs && isHashed ? 'warning' : 'note';
    report(list, severity, 'non-ascii', fieldSpot(member.key, field.value), `${how}. ${basis}`);
  }
}

/** Returns whether the recorded serialization writes a JSON string in other bytes. */
function isWrittenOtherwise(quoted: string, recorded: string): boolean {
  if (recorded !== 'php' && recorded !== 'php-unicode') return false;
  const wanted = serializeData(quoted, recorded);
  return !wanted.ok || wanted.dataJson !== quoted;
}

/** Returns the first string or name with a character beyond ASCII, escaped or not. */
function firstNonAscii(node: JsonNode): { readonly start: number; readonly end: number } | null {
  switch (node.kind) {
    case 'string':
      return nonAscii.test(node.value) ? node : null;
    case 'array':
      return firstOf(node.items);
    case 'object':
      for (const member of node.members) {
        if (nonAscii.test(member.key)) return { start: member.keyStart, end: member.keyEnd };
        const found = firstNonAscii(member.value);
        if (found !== null) return found;
      }
      return null;
    case 'number':
    case 'true':
    case 'false':
    case 'null':
      return null;
  }
}

function firstOf(nodes: readonly JsonNode[]): { readonly start: number; readonly end: number } | null {
  for (const node of nodes) {
    const found = firstNonAscii(node);
    if (found !== null) return found;
  }
  return null;
}
