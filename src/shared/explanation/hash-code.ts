import { byteText } from '../model/byte-text.ts';
import { probablyKey } from '../doctor/words.ts';
import { passedHashRule } from './hand-hash.ts';
import { callNumber, masksRequest } from '../calls/pack-words.ts';
import { answerOf, serializationOf } from '../provider/wire-form.ts';
import type { Operation } from '../provider/model.ts';
import { dataWords, firstFinding, lastGoodSentence, timeWords } from '../calls/comparison-words.ts';
import { signerOf } from '../calls/key-words.ts';
import { fingerprintText } from '../signing/fingerprint.ts';
import { readData, type DataFacts } from './data-facts.ts';
import {
  compareWith,
  type Accepted,
  type Evidence,
  type Explanation,
  type ExplanationAction,
  type ExplanationStep,
} from './explanation.ts';
import { reasonOf, type ProviderReason } from './provider-reason.ts';
import { code, say, type Words } from './sentence.ts';

/** Explains code 8: the hash does not match (spec, Errors). */
export function explainHash(evidence: Evidence, operation: Operation): Explanation {
  const { call, accepted } = evidence;
  const meaning = say`According to the spec, code 8 means that the hash doesn't match.`;
  if (operation.endpoint === 'wallet') {
    return {
      tone: 'warn',
      title: say`A wallet method has no hash, so this call had none to check.`,
      facts: [meaning],
      steps: [{ text: say`Check that the wallet URL points to a wallet.`, action: { kind: 'openEnvironment' } }],
      links: [],
    };
  }
  const reason = reasonOf(call);
  const deliberate = deliberateFault(evidence);
  if (deliberate !== null) {
    return {
      tone: 'good',
      title: deliberate,
      facts: [
        ...(reason === null ? [] : [say`The built-in provider's reason: ${reason.why}`]),
        ...(reason !== null || evidence.finding === null ? [] : [say`The doctor: ${evidence.finding}`]),
      ],
      steps: [],
      links: [],
    };
  }
  const masked = masksRequest(call);
  const data = readData(masked ? null : (call.request.hashInput?.dataJson ?? null));
  if (reason === null && masked) {
    const fact = say`The support pack masks parts of this request, so Croupier can't judge its bytes.`;
    return { tone: 'bad', title: meaning, facts: [fact], steps: [], links: [] };
  }
  if (reason !== null) return explainJudged(evidence, reason, data);

  const strong = accepted === null ? null : acceptedFact(accepted, data);
  const finding = findingOf(evidence);
  const facts: Words[] = [
    ...(finding === null ? [] : [[finding]]),
    ...(data.refused === null ? [] : [say`PHP can't read ${code('data')} as JSON. ${data.refused}.`]),
    ...(data.change === null ? [] : changeFacts(data.change)),
    ...(strong === null ? [] : [strong]),
    ...handFacts(evidence),
    ...clockFacts(evidence),
    ...(data.nonAscii === null || strong !== null ? [] : [nonAsciiFact(data.nonAscii, evidence)]),
  ];
  const [title, ...rest] = facts;
  return {
    tone: 'bad',
    title: title ?? meaning,
    facts: [
      ...rest,
      ...excluded(evidence, data, operation),
      ...(accepted === null || strong !== null ? [] : [[lastGoodSentence(accepted.comparison, accepted.call)]]),
    ],
    steps: stepsOf(evidence, data),
    links: linksOf(accepted),
  };
}

/** Returns the mistake that the gateway or the doctor found, in words; null if neither has looked. */
function findingOf({ call, finding }: Evidence): string | null {
  return call.findings.find(({ rule }) => rule === passedHashRule)?.message ?? finding;
}

function linksOf(accepted: Accepted | null): ExplanationAction[] {
  return [{ kind: 'openDoctor' }, ...(accepted === null ? [] : [compareWith(accepted)])];
}

/** Explains a call from the built-in provider's reason, which needs no guessing. */
function explainJudged(evidence: Evidence, reason: ProviderReason, data: DataFacts): Explanation {
  const { call, accepted } = evidence;
  const links = linksOf(accepted);
  if (!reason.isReason || reason.byte === null) {
    const repeated = call.repeats === null ? [] : [repeatFact(call.repeats)];
    const steps = reason.mistake || call.repeats !== null ? [] : keySteps(evidence);
    return { tone: 'bad', title: [reason.why], facts: repeated, steps, links };
  }
  const at = say`${byteText(reason.byte)} of ${code('data')}`;
  const sides = sidesAt(reason.byte, data);
  return {
    tone: 'bad',
    title:
      sides !== null
        ? say`At ${at}, the provider hashed ${shown(sides.theirs)}; this call sent ${shown(sides.ours)}.`
        : say`From ${at} on, the provider hashed other bytes than this call.`,
    facts: [
      ...(sides === null ? [] : [say`${sides.reason}.`]),
      say`The built-in provider confirms it: the hash is right for ${code('data')} as sent, so the key and ${code('time')} match.`,
    ],
    steps: serializationSteps(evidence, 'php'),
    links,
  };
}

/** Returns the text at that byte in this call and in PHP's output; null if Croupier finds the first difference elsewhere. */
function sidesAt(byte: number, { change, nonAscii }: DataFacts): { ours: string; theirs: string; reason: string } | null {
  if (change !== null && change.byte === byte) return change;
  if (nonAscii === null || nonAscii.byte !== byte || nonAscii.form !== 'php-unicode') return null;
  const { hashed, other, character } = nonAscii;
  return { ours: hashed, theirs: other, reason: `${character} is not ASCII: the provider hashes its escape` };
}

/** Quotes an excerpt of `data`. */
function shown(text: string): Words {
  return text === '' ? say`nothing more` : [code(text)];
}

/** Names the override that certainly makes the hash wrong; null if there is none. */
function deliberateFault({ call }: Evidence): Words | null {
  const { hash, omit = [] } = call.draft.overrides;
  const end = 'code 8 is expected.';
  if (omit.includes('hash')) return say`The hash was left out on purpose: ${end}`;
  if (hash === 'wrong') return say`The last digit of the hash was changed on purpose: ${end}`;
  if (hash !== undefined) return say`This request has a custom hash: ${code(shorten(hash))}. Croupier didn't compute it.`;
  if (omit.includes('time')) return say`${code('time')} was left out of the body on purpose, but the hash covers it: ${end}`;
  return null;
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79).toWellFormed()}…`;
}

function changeFacts({ byte, ours, theirs, reason, kind }: NonNullable<DataFacts['change']>): Words[] {
  const where = say`PHP changes ${code('data')} at ${byteText(byte)}`;
  const sides = ours === theirs ? [] : say`: this call sent ${shown(ours)}, PHP writes ${shown(theirs)}`;
  const condition =
    kind === 'assoc'
      ? say` That happens only if the provider decodes objects as associative arrays.`
      : say` A provider that decodes and re-encodes it hashes other bytes.`;
  return [say`${where}${sides}.`, say`${reason}.${condition}`];
}

function nonAsciiFact({ character, hashed, byte, form, other }: NonNullable<DataFacts['nonAscii']>, evidence: Evidence): Words {
  const fact = say`${code('data')} has ${code(character)} at ${byteText(byte)}, sent as ${code(hashed)}`;
  const recorded = answerOf('hash.nonAscii', evidence.environment?.answers ?? {});
  if (recorded === null) return say`${fact}. The spec doesn't show which form the provider hashes.`;
  if (recorded === form || recorded === 'received') return say`${fact}, which matches the recorded answer.`;
  return say`${fact}. According to the recorded answer, the provider hashes ${code(other)}.`;
}

/** Derives the cause from the last accepted call; null if the two differ only in values. */
function acceptedFact({ call, comparison }: Accepted, data: DataFacts): Words | null {
  const { hashInput } = comparison;
  if (hashInput.verdict !== 'signed') return null;
  const { time, data: compared } = hashInput;
  const good = say`the last accepted call, ${callNumber(call)}`;
  if (hashInput.key.verdict === 'different') {
    const proof = hashInput.key.proof === 'hash' ? 'the same time and data gave another hash' : 'their fingerprints differ';
    return say`The key differs from that of ${good}: ${proof}.`;
  }
  if (time.verdict === 'form' || time.verdict === 'moment') {
    return say`${code('time')} differs from that of ${good}: ${timeWords(time)}.`;
  }
  if (compared.verdict === 'different') {
    const { sameValues, only } = compared.difference;
    if (sameValues && only.length > 0) {
      return say`${code('data')} differs from that of ${good}${dataWords(compared.difference)}.`;
    }
    const before = readData(call.request.hashInput?.dataJson ?? null).nonAscii;
    if (data.nonAscii !== null && before === null) {
      const { word, hashed } = data.nonAscii;
      return say`${code('data')} of ${good}, is ASCII; this call has ${code(word)}, sent as ${code(hashed)}.`;
    }
  }
  return null;
}

/** Lists values set by hand that may be the cause. */
function handFacts({ call }: Evidence): Words[] {
  const { time, omit = [] } = call.draft.overrides;
  return [
    ...(call.repeats === null ? [] : [repeatFact(call.repeats)]),
    ...(time === undefined ? [] : [say`${code('time')} was set by hand: ${code(shorten(time))}. The hash covers this text.`]),
    ...(omit.includes('data')
      ? [say`${code('data')} was left out on purpose: the hash covers only the key and ${code('time')}.`]
      : []),
  ];
}

function repeatFact(of: number): Words {
  return say`This call repeated the bytes of call ${String(of)}, with the old ${code('time')} and hash.`;
}

/** Returns the call's findings about clocks that differ by more than the recorded tolerance, or than the network can explain. */
function clockFacts({ call: { findings, draft } }: Evidence): Words[] {
  const clock = findings.find(({ rule }) => rule === 'answer.clock');
  return clock === undefined || draft.overrides.time !== undefined ? [] : [[clock.message]];
}

/** Lists causes that are ruled out. */
function excluded({ accepted }: Evidence, data: DataFacts, operation: Operation): Words[] {
  const facts: Words[] = [];
  if (data.state === 'none') {
    facts.push(
      operation.payload === 'envelope'
        ? say`${code(operation.name)} has no ${code('data')}: the hash input is only the key and ${code('time')}.`
        : say`This call has no ${code('data')}: the hash input is only the key and ${code('time')}.`,
    );
  } else if (data.state === 'read' && data.refused === null && data.change === null && data.nonAscii === null) {
    facts.push(say`${code('data')} is ASCII and stays the same when PHP re-encodes it.`);
  }
  // If nothing differs, the sentence about the accepted call already covers the key.
  if (accepted !== null && sameKey(accepted) && firstFinding(accepted.comparison).part !== 'nothing') {
    facts.push(say`The key is the same as in the last accepted call, ${callNumber(accepted.call)}.`);
  }
  return facts;
}

function sameKey({ comparison: { hashInput } }: Accepted): boolean {
  return hashInput.verdict === 'signed' && hashInput.key.verdict === 'same';
}

function stepsOf(evidence: Evidence, data: DataFacts): ExplanationStep[] {
  const { environment, call } = evidence;
  const steps: ExplanationStep[] = [];
  if (data.change?.kind === 'text') steps.push(...serializationSteps(evidence, 'php'));
  if (call.repeats !== null) {
    steps.push({ text: say`Edit and re-sign the call, so that it gets a new ${code('time')} and hash.`, action: null });
  }
  const recorded = answerOf('hash.nonAscii', environment?.answers ?? {});
  if (data.nonAscii !== null && recorded !== data.nonAscii.form && recorded !== 'received') {
    const other = data.nonAscii.form === 'php' ? 'php-unicode' : 'php';
    if (data.change?.kind !== 'text' || other !== 'php') steps.push(...serializationSteps(evidence, other));
    if (recorded === null) {
      steps.push({
        text: say`Record which form the provider accepts.`,
        action: { kind: 'openPoint', id: 'hash.nonAscii' },
      });
    }
  }
  return [...steps, ...keySteps(evidence)];
}

/** Suggests a serialization, unless the environment has it already or a recorded answer replaces it. */
function serializationSteps({ environment, call }: Evidence, value: 'php' | 'php-unicode'): ExplanationStep[] {
  // Another program does not serialize as the environment says.
  if (environment === null || call.origin !== undefined || serializationOf(environment) === value) return [];
  if (serializationOf({ ...environment, serialization: value }) !== value) return [];
  return [{ text: say`Set the serialization to ${code(value)}.`, action: { kind: 'setSerialization', value } }];
}

/** Suggests the other one of two keys, or setting the key again, unless it is that of an accepted call. */
function keySteps(evidence: Evidence): ExplanationStep[] {
  const { accepted, keys, call } = evidence;
  const { keyFingerprint } = call.request;
  const which = keys === null || keyFingerprint === null ? null : signerOf(keyFingerprint, keys);
  if (which !== null && keyFingerprint !== null) {
    const other = which === 'new' ? 'older' : 'new';
    const text = say`This call was signed with the ${which} key, ${code(fingerprintText(keyFingerprint))}. The ${other} key is still there and can sign instead.`;
    return [{ text, action: { kind: 'chooseKey', key: other } }];
  }
  if (call.origin !== undefined) {
    // Whoever has found another mistake needs no look at the key.
    const finding = findingOf(evidence);
    if (finding !== null && !finding.startsWith(probablyKey)) return [];
    return [{ text: say`Check the key in your backend: one trailing space or line break changes the hash.`, action: null }];
  }
  if (accepted !== null && sameKey(accepted)) return [];
  const text = say`Set the key again: one trailing space or line break changes the hash.`;
  return [{ text, action: { kind: 'setKey' } }];
}
