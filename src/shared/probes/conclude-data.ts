import type { ProbeFinding, ProbeId } from '../ipc/outputs/probes.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import { serializationOf } from '../provider/wire-form.ts';
import type { Evidence } from './evidence.ts';
import { fact, emptyPart } from './part.ts';
import type { Part, PointAnswer } from './part.ts';
import type { SeenProbe } from './probe.ts';

/** Texts of `data` that a provider may hash. `nonAscii`: the value of the open point. */
const forms: readonly { readonly id: ProbeId; readonly nonAscii: Serialization | 'received'; readonly text: string }[] = [
  { id: 'escaped', nonAscii: 'php', text: 'The provider re-encodes data: compact, with unescaped slashes and \\u escapes.' },
  {
    id: 'received',
    nonAscii: 'received',
    text: 'The provider hashes data as it arrives: send exactly the text that you hash.',
  },
  { id: 'bare', nonAscii: 'php-unicode', text: 'The provider re-encodes data: compact, with unescaped slashes and é.' },
  { id: 'slashes', nonAscii: 'php', text: 'The provider re-encodes data with escaped slashes, which the spec rules out.' },
  {
    id: 'bareSlashes',
    nonAscii: 'php-unicode',
    text: 'The provider re-encodes data with escaped slashes, which the spec rules out, and unescaped é.',
  },
];

/** Concludes which text of `data` is hashed. */
export function concludeData(evidence: Evidence, environment: Environment): Part {
  const plain = evidence.yes('data') ?? evidence.yes('dataOtherOrder');
  if (plain === null) return concludeWithoutData(evidence);
  const joined = fact('The hash covers key, time and data, with nothing between.', evidence.calls(plain));
  const found = forms.flatMap((form) => {
    const seen = evidence.yes(form.id);
    return seen === null ? [] : [{ ...form, seen }];
  })[0];
  if (found === undefined) return { findings: [joined, ...unknownForm(evidence)], answers: [] };

  const form = concludeForm(evidence, found, environment);
  if (found.id === 'received') {
    const calls = evidence.calls(found.seen);
    return { findings: [joined, form], answers: answersOf('received', 'received', calls, calls) };
  }
  const decoded = concludeDecoding(evidence);
  return {
    findings: [joined, form, ...decoded.findings, ...concludeNumbers(evidence)],
    answers: [{ point: 'hash.nonAscii', value: found.nonAscii, calls: evidence.calls(found.seen) }, ...decoded.answers],
  };
}

function answersOf(nonAscii: string, reencode: string, one: readonly number[], other: readonly number[]): PointAnswer[] {
  return [
    { point: 'hash.nonAscii', value: nonAscii, calls: one },
    { point: 'hash.reencode', value: reencode, calls: other },
  ];
}

function concludeWithoutData(evidence: Evidence): Part {
  const [asked, ignored] = [evidence.no('data') ?? evidence.seen('data'), evidence.yes('noData')];
  if (asked === null) return emptyPart;
  if (ignored !== null) {
    const text = 'The hash of getGameRound covers only key and time. According to the spec, it covers data too.';
    const fix = 'Ask the provider: Croupier and any backend that follows the spec hash data too.';
    return { findings: [{ kind: 'fault', text, fix, calls: evidence.calls(asked, ignored) }], answers: [] };
  }
  if (evidence.seen('noData') === null) return emptyPart;
  const text =
    "gameList passes, but getGameRound doesn't, not even with plain data. The provider joins key, time and data in a way that this plan doesn't know.";
  const fix = 'Ask the provider for one hash input with its hash.';
  return { findings: [{ kind: 'open', text, fix, calls: evidence.calls(asked, evidence.seen('noData')) }], answers: [] };
}

/** The plan stopped before, or no form passed. */
function unknownForm(evidence: Evidence): ProbeFinding[] {
  const asked = forms.map(({ id }) => evidence.seen(id));
  if (asked.at(-1) === null) return [];
  const text = "No known form of data passed. The provider encodes it differently, or drops fields that the spec doesn't list.";
  return [{ kind: 'open', text, fix: 'Ask the provider for one hash input with its hash.', calls: evidence.calls(...asked) }];
}

function concludeForm(
  evidence: Evidence,
  { id, nonAscii, text, seen }: (typeof forms)[number] & { readonly seen: SeenProbe },
  environment: Environment,
): ProbeFinding {
  const calls = evidence.calls(seen);
  if (id === 'slashes' || id === 'bareSlashes') {
    const fix = "Ask the provider. Croupier doesn't escape slashes, so the provider rejects data with a slash, such as exitURL.";
    return { kind: 'fault', text, fix, calls };
  }
  const used = serializationOf(environment);
  if (nonAscii === 'received' || used === nonAscii) return fact(text, calls);
  if (used === 'verbatim') {
    return {
      kind: 'fact',
      text,
      fix: `The environment sends data verbatim. Type it in this form, or choose ${nonAscii}.`,
      calls,
    };
  }
  const wrong = `${text} The environment writes it differently (${used}), so the provider rejects data with é.`;
  return { kind: 'fault', text: wrong, fix: 'Record the answer to hash.nonAscii. The environment then uses it.', calls };
}

function concludeDecoding(evidence: Evidence): Part {
  const [arrays, objects] = [evidence.yes('arrays'), evidence.yes('objects')];
  if (arrays !== null) {
    const calls = evidence.calls(arrays);
    const text = 'The provider decodes objects as associative arrays: it hashes {} as [].';
    return { findings: [fact(text, calls)], answers: [{ point: 'hash.reencode', value: 'arrays', calls }] };
  }
  if (objects !== null) {
    const calls = evidence.calls(evidence.no('arrays'), objects);
    const text = 'The provider keeps objects: it hashes {} as {}.';
    return { findings: [fact(text, calls)], answers: [{ point: 'hash.reencode', value: 'objects', calls }] };
  }
  return emptyPart;
}

function concludeNumbers(evidence: Evidence): ProbeFinding[] {
  const [short, long] = [evidence.yes('shortNumber'), evidence.yes('longNumber')];
  if (short !== null) return [fact('The provider drops trailing zeros: it hashes 1.0 as 1.', evidence.calls(short))];
  if (long !== null) return [fact('The provider keeps trailing zeros: it hashes 1.0 as 1.0.', evidence.calls(long))];
  return [];
}
