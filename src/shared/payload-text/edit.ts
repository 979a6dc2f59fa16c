import { withStandIns } from './placeholders.ts';
import { parseJson, type JsonMember, type JsonObject } from '../json/parse.ts';

function readObject(text: string): JsonObject | null {
  // Stand-ins of the same length replace variables outside strings, so offsets stay the same.
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

/** Returns a top-level member's value as typed (the last one of a duplicate); null if there is none or the text is not an object. */
export function memberText(text: string, name: string): string | null {
  const object = readObject(text);
  const member = object === null ? null : lastNamed(object, name);
  return member === null ? null : text.slice(member.value.start, member.value.end);
}

/**
 * Sets a top-level member to `valueJson` and keeps every other byte. A new member goes to the end, in the layout of its
 * neighbours. A blank text counts as `{}`; a text that is not a JSON object is returned unchanged.
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
  // The gap before a name, from the second member if there is one, because the first may follow the brace directly.
  const gap = before === undefined ? text.slice(object.start + 1, first.keyStart) : gapAfterComma(text, before, last);
  const colon = text.slice(last.keyEnd, last.value.start);
  return text.slice(0, last.value.end) + ',' + gap + JSON.stringify(name) + colon + valueJson + text.slice(last.value.end);
}

/** Removes every top-level member of that name, with its comma, and keeps the rest. */
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
      // Between neighbours that stay, everything is as typed; across a removed member, the layout before this one is used.
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
