import type { Call } from '../ipc/outputs/calls.ts';
import { parseJson, type JsonMember, type JsonNode } from '../json/parse.ts';
import { subjectFields } from '../provider/subject.ts';
import { compareHashInputs, type HashInputComparison } from './compare-hash-input.ts';

/** One line of two lists side by side; a side is null where it has nothing of that name. */
export interface ComparedLine {
  readonly name: string;
  /** Position among the lines of that name, from 1; null if each side has at most one. */
  readonly occurrence: number | null;
  readonly left: string | null;
  readonly right: string | null;
  readonly equal: boolean;
}

/** Two lists side by side: those of the left in its order, then what only the right has. */
export interface ComparedList {
  readonly lines: readonly ComparedLine[];
  readonly count: number;
  /** The names that both have stand in another order. */
  readonly reordered: boolean;
}

/** The envelope's members by name with their values exactly as sent. */
interface EnvelopeComparison extends ComparedList {
  /** The bodies are the same, byte for byte. */
  readonly equal: boolean;
  /** False where one of the bodies is not a JSON object: then they are compared as texts alone. */
  readonly byMembers: boolean;
}

/** Two calls of the history side by side, without their response bodies. */
export interface CallComparison {
  readonly hashInput: HashInputComparison;
  readonly envelope: EnvelopeComparison;
  readonly sentHeaders: ComparedList;
  readonly receivedHeaders: ComparedList;
  /** URL, method, status and outcome. */
  readonly facts: ComparedList;
  /** A support pack masks something in one of the calls: what reads the same may differ. Absent otherwise. */
  readonly masked?: true;
}

/** Compares two recorded calls, from the left one to the right one. */
export function compareCalls(left: Call, right: Call): CallComparison {
  return {
    hashInput: compareHashInputs(left, right),
    envelope: compareEnvelopes(left.request.bodyText, right.request.bodyText),
    sentHeaders: compareHeaders(left.request.headers, right.request.headers),
    receivedHeaders: compareHeaders(left.response?.headers ?? [], right.response?.headers ?? []),
    facts: compareFacts(left, right),
    ...(left.maskedParts === undefined && right.maskedParts === undefined ? {} : { masked: true as const }),
  };
}

/** Headers by their names in lower case; the values of a name that comes more than once are compared in their order. */
export function compareHeaders(
  left: readonly (readonly [string, string])[],
  right: readonly (readonly [string, string])[],
): ComparedList {
  const entries = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, value]): Entry => ({ name: name.toLowerCase(), text: value }));
  return pairUp(entries(left), entries(right));
}

function compareEnvelopes(left: string, right: string): EnvelopeComparison {
  const equal = left === right;
  const [ours, theirs] = [membersOf(left), membersOf(right)];
  if (ours === null || theirs === null) {
    return { lines: [], count: equal ? 0 : 1, reordered: false, equal, byMembers: false };
  }
  const list = byMeaning(pairUp(ours, theirs));
  // White space between fields belongs to no line, so texts can differ while every line is equal.
  return { ...list, count: list.count === 0 && !equal ? 1 : list.count, equal, byMembers: true };
}

/** Fields that differ in any two calls: they stand last. */
const alwaysOther: readonly string[] = [
  'externalToken',
  'token',
  'transactionId',
  'externalReferenceId',
  'externalReferenceIds',
  'time',
  'hash',
];
const telling: readonly string[] = subjectFields.filter((name) => !alwaysOther.includes(name));

/** Puts first what means something: player, game, amount. The other fields stay in their order. */
function byMeaning(list: ComparedList): ComparedList {
  const rank = ({ name }: ComparedLine) => {
    const at = telling.indexOf(name);
    return at >= 0 ? at : telling.length + 1 + alwaysOther.indexOf(name);
  };
  return { ...list, lines: list.lines.toSorted((one, other) => rank(one) - rank(other)) };
}

function membersOf(text: string): Entry[] | null {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  return parsed.root.members.map(({ key, value }: JsonMember) => ({ name: key, text: slice(text, value) }));
}

function slice(text: string, { start, end }: JsonNode): string {
  return text.slice(start, end);
}

function compareFacts(left: Call, right: Call): ComparedList {
  return pairUp(factsOf(left), factsOf(right));
}

function factsOf(call: Call): Entry[] {
  const fact = (name: string, value: string | number | null): Entry[] => (value === null ? [] : [{ name, text: String(value) }]);
  return [
    ...fact('operation', call.operation),
    ...fact('sender', call.origin ?? null),
    ...fact('environment', call.environmentName),
    ...fact('address', call.url),
    ...fact('state', call.state),
    ...fact('HTTP status', call.status),
    ...fact('code', call.code),
    ...fact('message', call.message),
    ...fact('failure', call.failure?.message ?? null),
    ...fact('duration, ms', call.durationMs === null ? null : Math.round(call.durationMs)),
    ...fact('bytes sent', call.requestBytes),
    ...fact('bytes received', call.responseBytes),
  ];
}

interface Entry {
  readonly name: string;
  readonly text: string;
}

function pairUp(left: readonly Entry[], right: readonly Entry[]): ComparedList {
  const places = placesOf(right);
  const ours = placesOf(left);
  const repeated = (name: string) => (ours.get(name)?.length ?? 0) > 1 || (places.get(name)?.length ?? 0) > 1;
  const seen = new Map<string, number>();
  const taken = new Set<number>();
  const lines: ComparedLine[] = [];
  let last = -1;
  let reordered = false;
  const put = (name: string, one: string | null, other: string | null) => {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    lines.push({ name, occurrence: repeated(name) ? nth : null, left: one, right: other, equal: one === other });
  };
  for (const { name, text } of left) {
    const at = places.get(name)?.[seen.get(name) ?? 0];
    if (at !== undefined) {
      reordered ||= at < last;
      last = at;
      taken.add(at);
    }
    put(name, text, at === undefined ? null : (right[at]?.text ?? null));
  }
  right.forEach(({ name, text }, at) => {
    if (!taken.has(at)) put(name, null, text);
  });
  return { lines, count: lines.filter(({ equal }) => !equal).length, reordered };
}

function placesOf(entries: readonly Entry[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  entries.forEach(({ name }, at) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else known.push(at);
  });
  return places;
}
