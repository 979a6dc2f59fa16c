import { withStandIns } from './placeholders.ts';
import { parseJson, type JsonMember, type JsonObject } from '../json/parse.ts';

function readObject(text: string): JsonObject | null {
  // Variables outside of strings stay where they are: what stands in for them is as long.
  const result = parseJson(withStandIns(text));
  return result.ok && result.root.kind === 'object' ? result.root : null;
}

function lastNamed(object: JsonObject, name: string): JsonMember | null {
  for (let i = object.members.length - 1; i >= 0; i--) {
    const member = object.members[i] as JsonMember;
    if (member.key === name) return member;
  }
  return null;
}

/** The value of a top-level member as it was typed (of a duplicate, the last); null where there is none or the text is no object. */
export function memberText(text: string, name: string): string | null {
  const object = readObject(text);
  const member = object === null ? null : lastNamed(object, name);
  return member === null ? null : text.slice(member.value.start, member.value.end);
}

/**
 * Puts `valueJson` as the value of a top-level member and leaves every other byte alone. A new member goes to the end in the
 * layout of its neighbours. A blank text counts as `{}`; a text that is not a JSON object is given back as it is.
 */
export function setMember(text: string, name: string, valueJson: string): string {
  if (text.trim() === '') return `{\n  ${JSON.stringify(name)}: ${valueJson}\n}`;
  const object = readObject(text);
  if (object === null) return text;
  const member = lastNamed(object, name);
  if (member !== null) return text.slice(0, member.value.start) + valueJson + text.slice(member.value.end);
  const last = object.members.at(-1);
  if (last === undefined) {
    return `${text.slice(0, object.start)}{\n  ${JSON.stringify(name)}: ${valueJson}\n}${text.slice(object.end)}`;
  }
  const first = object.members[0] as JsonMember;
  const before = object.members.at(-2);
  // The gap before a name: of the second member where there is one, as the first may follow the brace directly.
  const gap = before === undefined ? text.slice(object.start + 1, first.keyStart) : gapAfterComma(text, before, last);
  const colon = text.slice(last.keyEnd, last.value.start);
  return text.slice(0, last.value.end) + ',' + gap + JSON.stringify(name) + colon + valueJson + text.slice(last.value.end);
}

/** Takes every top-level member of that name out, with its comma, and leaves the rest alone. */
export function removeMember(text: string, name: string): string {
  const object = readObject(text);
  if (object === null) return text;
  const kept = object.members.filter((member) => member.key !== name);
  if (kept.length === object.members.length) return text;
  if (kept.length === 0) return `${text.slice(0, object.start)}{}${text.slice(object.end)}`;
  let result = text.slice(0, object.start + 1);
  let previous: JsonMember | null = null;
  for (const [index, member] of object.members.entries()) {
    if (member.key === name) continue;
    if (previous === null) {
      result += text.slice(object.start + 1, (object.members[0] as JsonMember).keyStart);
    } else {
      const neighbour = object.members[index - 1] as JsonMember;
      // Between neighbours that stay, everything is as typed; over a gap, the layout before this member is used.
      result +=
        neighbour === previous ? text.slice(previous.value.end, member.keyStart) : `,${gapAfterComma(text, neighbour, member)}`;
    }
    result += text.slice(member.keyStart, member.value.end);
    previous = member;
  }
  const tail = text.slice((object.members.at(-1) as JsonMember).value.end);
  return result + tail;
}

function gapAfterComma(text: string, before: JsonMember, after: JsonMember): string {
  const between = text.slice(before.value.end, after.keyStart);
  return between.slice(between.indexOf(',') + 1);
}
