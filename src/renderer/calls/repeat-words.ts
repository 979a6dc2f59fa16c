import type { Call } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { operationByName } from '#shared/provider/index.ts';

/** What an exact repeat of a call means, said before it is sent. */
export interface RepeatFacts {
  /** The bytes and where they go. */
  readonly bytes: string;
  /** The recorded time and how long ago that was; what there is instead where the call has none. */
  readonly time: string;
  readonly hash: string;
  /** What else happens again where the operation changes something at the other side; null where it only reads. */
  readonly again: string | null;
}

const longestId = 60;

/** The facts of one call; `now` in milliseconds since the epoch. */
export function repeatFacts(call: Call, now: number): RepeatFacts {
  const { hashInput, hash } = call.request;
  const count = `${call.requestBytes.toLocaleString('en')} ${call.requestBytes === 1 ? 'byte' : 'bytes'}`;
  const age = ageText(now - call.sentAt);
  return {
    bytes: `The same ${count} go to the recorded address. Nothing is made or signed anew, and no key is needed.`,
    time:
      hashInput === null
        ? `The method has no time. It was sent ${age}.`
        : `time stays ${quoted(hashInput.time)}, as it was sent ${age}.`,
    hash: hashText(hashInput !== null, hash),
    again: againText(call),
  };
}

/** What the button and the answer say of a call that is an exact repeat. */
export function repeatedText(repeats: number): string {
  return `Sent exactly as call ${repeats}: old time and hash`;
}

/** `3 minutes ago`, `2 days ago`; the largest unit alone. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(Math.round(milliseconds / 1_000), 0);
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, name] = units.find(([length]) => seconds >= length) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return count === 0 ? 'just now' : `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'} ago`;
}

function hashText(signed: boolean, hash: string | null): string {
  if (!signed) return 'The method has no hash.';
  if (hash === null) return 'It goes out without a hash, as before.';
  const shown = hash.length > 20 ? `${hash.slice(0, 12)}…` : hash;
  return `The hash stays ${quoted(shown)}. A provider that looks at time or has another key since will refuse it.`;
}

function againText(call: Call): string | null {
  const operation = operationByName(call.operation);
  if (operation.effect !== 'write') return null;
  const names = new Set(
    operation.forms.flatMap(({ fields }) => fields.filter(({ unique }) => unique === true)).map(({ name }) => name),
  );
  const ids = idsIn(call, names);
  const name = operation.endpoint === 'wallet' ? operation.path : operation.name;
  const same = ids.length === 0 ? '' : ` The same ids go out again: ${ids.join(', ')}.`;
  return `${name} changes money or data at the other side.${same} It may be done twice, or be recognised as done.`;
}

/** The members of those names, as they stand in what was sent. */
function idsIn({ request }: Call, names: ReadonlySet<string>): string[] {
  const text = request.hashInput === null ? request.bodyText : (request.hashInput.dataJson ?? '');
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return [];
  return parsed.root.members
    .filter(({ key }) => names.has(key))
    .map(({ key, value }) => `${key} ${shorten(text.slice(value.start, value.end))}`);
}

function shorten(text: string): string {
  return text.length <= longestId ? text : `${text.slice(0, longestId)}…`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
