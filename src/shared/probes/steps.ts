import type { ProbeStep } from '../ipc/outputs/probes.ts';
import { readEvidence } from './evidence.ts';
import { questionOf } from './questions.ts';
import { bodyOf } from './probe.ts';
import type { SeenProbe } from './probe.ts';

/** Describes each call: its question, its answer, and what follows from it. `sent` has the text of `time` of each. */
export function stepsOf(seen: readonly SeenProbe[], sent: readonly { readonly time: string }[]): ProbeStep[] {
  const evidence = readEvidence(seen);
  return seen.map((one, index) => {
    const { probe, response } = one;
    const { question, yes, no } = questionOf(probe.id);
    const answer = evidence.reply(one);
    const data = probe.operation === 'gameList' || probe.hashed === '' ? null : (probe.hashed ?? probe.text);
    return {
      id: probe.id,
      callId: response.callId,
      operation: probe.operation,
      question,
      hashed: { time: sent[index]?.time ?? '', data },
      wrongHash: probe.wrong !== 'nothing',
      code: response.code,
      answer,
      follows: answer === 'yes' ? yes : answer === 'no' ? no : unclear(one, seen, evidence.isBeforeHash(one)),
    };
  });
}

function unclear({ probe, response }: SeenProbe, seen: readonly SeenProbe[], isBeforeHash: boolean): string {
  if (probe.id === 'bothWrong') return `Code ${response.code} says nothing about the order of the checks.`;
  const isAnswered = seen.some((other) => other.probe.id === 'control' && bodyOf(other.probe) === bodyOf(probe));
  return isAnswered || isBeforeHash
    ? "A wrong hash of this body doesn't get code 8 either, so this proves nothing."
    : `Code ${response.code}. It counts as a yes if the same body with a wrong hash gets code 8.`;
}
