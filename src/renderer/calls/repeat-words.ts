import type { Call, CallSummary } from '#shared/ipc/index.ts';
import { outcomeOf } from './call-words.ts';
import { parseJson } from '#shared/json/parse.ts';
import { operationByName, operationTitle } from '#shared/provider/index.ts';
import { departureOf } from '#shared/calls/sent-request.ts';

/** The meaning of an exact repeat of a call, shown before it is sent. */
export interface RepeatFacts {
  /** Number of bytes, as a text. */
  readonly bytes: string;
  /** The recorded time with its age, and the hash; if the call has none, what it has instead. */
  readonly old: readonly string[];
  /** Effects that happen again if the operation changes something at the other side; null if it only reads. */
  readonly again: string | null;
  /** A sentence that says when to use _Edit and re-sign_ instead. */
  readonly otherwise: string;
}

const longestId = 60;

/** Returns the facts of one call; `now` in milliseconds since the epoch. */
export function repeatFacts(call: Call, now: number): RepeatFacts {
  const { hashInput, hash } = call.request;
  const count = `${call.requestBytes.toLocaleString('en')} ${call.requestBytes === 1 ? 'byte' : 'bytes'}`;
  const age = ageText(now - call.sentAt);
  return {
    bytes: `Sends the same ${count}${leftBefore(call) ? ' again' : ''}. Nothing is re-signed, and no key is needed.`,
    old:
      hashInput === null
        ? [`The body was created ${age}. The method has no time or hash.`]
        : [`time stays ${quoted(hashInput.time)}, created ${age}.`, hashText(hash)],
    again: againText(call),
    otherwise:
      hashInput === null
        ? 'To change anything, use Edit and re-sign.'
        : 'For a new time and hash, or any change, use Edit and re-sign.',
  };
}

/** Returns the line above an exact repeat: whether the old bytes left. */
export function repeatedText(call: Pick<Call, 'repeats' | 'request' | 'state' | 'failure' | 'response'>): string {
  const old = call.request.hashInput === null ? 'the same bytes' : 'the same bytes, with the old time and hash';
  switch (departureOf(call)) {
    case 'answered':
      return `Exact repeat of call ${call.repeats}: ${old}.`;
    case 'nothing':
      return `Exact repeat of call ${call.repeats}. Nothing was sent.`;
    case 'begun':
    case 'unknown':
    case 'pending':
      return `Exact repeat of call ${call.repeats}: ${old}. Croupier doesn't know whether they arrived.`;
  }
}

/** Returns the outcome of a repeat, in a sentence. */
export function outcomeText(repeated: number, call: Call): string {
  return `Call ${call.id} repeats call ${repeated} exactly: ${outcomeOf(call).text}.`;
}

/** Returns whether a call can be sent again byte for byte, as far as a row of the list tells. */
export function isRepeatable({ operation, state, maskedKeys }: CallSummary): boolean {
  return operation !== null && state !== 'pending' && maskedKeys === undefined;
}

/** Returns `3 minutes ago`, `2 days ago`; the largest unit alone. */
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

function hashText(hash: string | null): string {
  if (hash === null) return 'No hash is sent.';
  const shown = hash.length > 20 ? `${hash.slice(0, 12)}…` : hash;
  return `The hash stays ${quoted(shown)}. The provider may reject the call if it checks time or has a new key.`;
}

/** Returns whether any byte of the recorded call may have left before. */
function leftBefore(call: Call): boolean {
  return departureOf(call) !== 'nothing';
}

function againText(call: Call): string | null {
  if (call.operation === null) return null;
  const operation = operationByName(call.operation);
  if (operation.effect === 'reads') return null;
  const names = new Set(
    operation.forms.flatMap(({ fields }) => fields.filter(({ unique }) => unique === true)).map(({ name }) => name),
  );
  const ids = idsIn(call, names);
  const name = operationTitle(call.operation);
  const left = leftBefore(call);
  const same = ids.length === 0 ? '' : ` It sends ${left ? 'the same' : 'these'} IDs${left ? ' again' : ''}: ${ids.join(', ')}.`;
  if (!left) return `${name} changes money or data on the other side.${same}`;
  return `${name} changes money or data on the other side.${same} The other side may do it twice, or recognise the repeat.`;
}

/** Returns the fields of those names with their values in what was sent, texts without escapes. */
function idsIn({ request }: Call, names: ReadonlySet<string>): string[] {
  const text = request.hashInput === null ? request.bodyText : (request.hashInput.dataJson ?? '');
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return [];
  return parsed.root.members
    .filter(({ key }) => names.has(key))
    .map(({ key, value }) => {
      const shown = value.kind === 'string' ? quoted(value.value) : text.slice(value.start, value.end);
      return `${key} ${shorten(shown)}`;
    });
}

function shorten(text: string): string {
  return text.length <= longestId ? text : `${text.slice(0, longestId)}…`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
