import type { ProbedAnswer, ProbeFinding } from '../ipc/outputs/probes.ts';
import type { Environment } from '../model/environment.ts';
import type { Answers } from '../provider/model.ts';
import { answerWords, recordedAnswer } from '../provider/recorded-answers.ts';
import { concludeData } from './conclude-data.ts';
import { concludeTime } from './conclude-time.ts';
import { passedTime, readEvidence } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { fact, emptyPart } from './part.ts';
import type { Part, PointAnswer, Probed } from './part.ts';
import { wrongHashCode, wrongIdentityCode } from './probe.ts';
import type { SeenProbe } from './probe.ts';

/** The conclusions from the calls: sentences, and answers to open points. */
export interface Conclusions {
  readonly findings: ProbeFinding[];
  readonly answers: ProbedAnswer[];
}

/** Concludes from the calls alone; a plan that stopped early gives what it had shown until then. */
export function conclude(steps: readonly SeenProbe[], probed: Probed): Conclusions {
  const evidence = readEvidence(steps);
  const changed = changedMeanwhile(evidence);
  const parts =
    changed === null
      ? [concludeGround(evidence, probed.environment), concludeTime(evidence, probed), concludeData(evidence, probed.environment)]
      : [{ findings: [changed], answers: [] }];
  return {
    findings: parts.flatMap(({ findings }) => findings),
    answers: parts.flatMap(({ answers }) => answers.map((answer) => asAnswer(answer, probed))),
  };
}

function changedMeanwhile(evidence: Evidence): ProbeFinding | null {
  const [again, before] = [evidence.seen('again'), passedTime(evidence)];
  if (again === null || before === null || again.response.code === before.response.code) return null;
  const text = `The same call got code ${before.response.code} at the start and code ${again.response.code} at the end. Something changed, so the calls in between prove nothing.`;
  return { kind: 'open', text, fix: 'Start the plan again.', calls: evidence.calls(before, again) };
}

/** Concludes if the hash is checked, and platform and partnerId before or after it. */
function concludeGround(evidence: Evidence, { platform, partnerId, name }: Environment): Part {
  const [first, both] = [evidence.seen('wrongHash'), evidence.seen('bothWrong')];
  if (first === null) return emptyPart;
  const identity = `platform ${platform} or partnerId ${partnerId}`;
  const compare = `Compare both numbers of ${name} with the ones the provider sent you.`;
  if (first.response.code === wrongIdentityCode) {
    const calls = evidence.calls(first);
    const text = `The provider rejects ${identity} with code 9 before it checks the hash. Code 9 doesn't say which one.`;
    const answers = [{ point: 'checks.order', value: 'identity', calls } as const];
    return { findings: [{ kind: 'fault', text, fix: compare, calls }], answers };
  }
  if (first.response.code !== wrongHashCode) {
    const text = `A wrong hash got code ${first.response.code}, not 8: the provider doesn't check the hash, or checks something else first. The plan can't learn more about the hash.`;
    return { findings: [{ kind: 'open', text, fix: null, calls: evidence.calls(first) }], answers: [] };
  }
  if (both === null) return emptyPart;
  const passed = passedTime(evidence);
  const calls = evidence.calls(first, both);
  const order = evidence.reply(both);
  if (order === 'no') {
    const answers = [{ point: 'checks.order', value: 'identity', calls } as const];
    const text = "The provider checks platform and partnerId before the hash, and this environment's pass.";
    if (passed?.response.code !== wrongIdentityCode) return { findings: [fact(text, calls)], answers };
    const open = `A wrong platform got code 9 before the hash was checked. The right hash with ${identity} then got code 9 too, so code 9 has another reason there.`;
    return { findings: [{ kind: 'open', text: open, fix: compare, calls: evidence.calls(first, both, passed) }], answers };
  }
  // Code 8 may have come for a time that is rejected itself.
  if (order !== 'yes' || passed === null) return emptyPart;
  const text = 'The provider checks the hash before platform and partnerId.';
  const answers = [{ point: 'checks.order', value: 'hash', calls } as const];
  if (passed.response.code !== wrongIdentityCode) return { findings: [fact(text, calls)], answers };
  const wrong = `${text} The right hash got code 9, so by the spec ${identity} is wrong.`;
  return { findings: [{ kind: 'fault', text: wrong, fix: compare, calls: evidence.calls(first, both, passed) }], answers };
}

function asAnswer({ point, value, calls, remark }: PointAnswer, { environment, now }: Probed): ProbedAnswer {
  const recorded = recordedAnswer(point, environment.answers);
  const day = new Date(now).toISOString().slice(0, 10);
  const proof = `Probed on ${day}, ${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')}.`;
  const note = remark === undefined ? proof : `${proof} ${remark}`;
  const texts: Answers = { [point]: { value } };
  const made = recordedAnswer(point, texts);
  const label = made.state === 'valid' ? answerWords(made.value) : value;
  return { point, value, label, note, before: recorded.state === 'none' ? null : recorded.text };
}
