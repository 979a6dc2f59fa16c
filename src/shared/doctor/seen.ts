import { amount } from '../amount.ts';
import { parseJson } from '../json/parse.ts';
import { bytesOfBase64 } from './bytes.ts';
import { algorithmOfLength } from './received-hash.ts';
import { readTime } from './time-mistakes.ts';

/** A fault that a request shows by itself, before anything is searched. */
export interface Seen {
  readonly part: 'time' | 'data' | 'hash';
  /** One sentence or two, with a full stop. */
  readonly says: string;
  /** True if what was hashed is not here, so that no search can succeed. */
  readonly hides: boolean;
}

/** The parts of a request that are read. */
interface Parts {
  readonly time: string;
  readonly dataText: string | null;
  readonly hash: string;
  /** Fields that the text masks, cuts short or has as a variable. */
  readonly missing: readonly string[];
}

const form = 'The spec wants dd-mm-yyyy hh:mm:ss.';

/** Says what is wrong with a request as it stands: parts that are hidden or have another form than the spec's. */
export function seenIn({ time, dataText, hash, missing }: Parts): Seen[] {
  const of = (part: Seen['part'], says: string | null): Seen[] => (says === null ? [] : [{ part, says, hides: false }]);
  return [
    ...missing.map(hidden),
    ...(time === '' ? [] : of('time', timeFault(time))),
    ...of('data', dataText !== null && textInside(dataText) !== null ? dataInText : null),
    ...(hash.trim() === '' ? [] : of('hash', hashFault(hash.trim()))),
  ];
}

/** Says that a field is not there; `isHidden`: its name is. */
export function notHere(field: string, isHidden: boolean): string {
  return isHidden
    ? `${field} isn't in this text: it's left out, masked, cut short or a variable.`
    : `Croupier found no ${field} in this text.`;
}

function hidden(field: string): Seen {
  const part = field === 'time' || field === 'hash' ? field : 'data';
  const says = `${notHere(field, true)} Enter the value that was ${part === 'hash' ? 'sent' : 'hashed'}.`;
  return { part, says, hides: true };
}

const dataInText = 'data is a string that holds JSON. The spec wants the object itself.';

/** Returns the JSON text in `data` that is a string with an object or a list in it; null for any other data. */
export function textInside(dataText: string): string | null {
  if (!/^\s*"\s*(?:[{[]|\\[nrt])/.test(dataText)) return null;
  const outer = parseJson(dataText);
  if (!outer.ok || outer.root.kind !== 'string') return null;
  const inner = parseJson(outer.root.value);
  return inner.ok && (inner.root.kind === 'object' || inner.root.kind === 'array') ? outer.root.value : null;
}

/** Says what is wrong with the form of a time (§ Authorization); null if it is a date in one of the spec's forms. */
export function timeFault(time: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}T/.test(time)) return `time is in ISO format. ${form}`;
  if (/^\d{10}(?:\.\d+)?$/.test(time)) return `time is in seconds since 1970. ${form}`;
  if (/^\d{13}$/.test(time)) return `time is in milliseconds since 1970. ${form}`;
  if (!/^(?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}) \d{2}:\d{2}:\d{2}$/.test(time))
    return `time isn't in the spec's format. ${form}`;
  return readTime(time) !== null ? null : "time isn't a date. In Java and C# patterns, mm means minutes and MM the month.";
}

const right = 'It should be 64 lowercase hexadecimal digits.';

function hashFault(hash: string): string | null {
  if (/^[\da-f]{64}$/.test(hash)) return null;
  if (/^[\dA-F]{64}$/.test(hash)) return 'The hash is uppercase; it should be lowercase.';
  if (/^[\da-f]{64}$/i.test(hash)) return 'The hash mixes uppercase and lowercase; it should be lowercase.';
  const digits = hash.replace(/…|\.{2,}|\*{2,}/, '');
  if (/^[\da-f]*$/i.test(digits)) {
    const algorithm = digits === hash ? algorithmOfLength(hash.length) : null;
    const like = algorithm === null ? '' : `, the length of ${algorithm}`;
    return `The hash has ${amount(digits.length, 'digit')}${like}; SHA-256 has 64.`;
  }
  if (/^[\da-f]{2}([-: ])(?:[\da-f]{2}\1)+[\da-f]{2}$/i.test(hash)) return `The hash has separators between its bytes. ${right}`;
  if (bytesOfBase64(hash)?.length === 32) return `The hash is base64. ${right}`;
  return `The hash isn't in the spec's format. ${right}`;
}
