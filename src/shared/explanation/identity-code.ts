import { callNumber } from '../calls/pack-words.ts';
import type { Operation } from '../provider/model.ts';
import { compareWith, type Evidence, type Explanation, type ExplanationStep } from './explanation.ts';
import { reasonOf } from './provider-reason.ts';
import { sentText } from './sent-body.ts';
import { code, say, type Words } from './sentence.ts';

const names = ['platform', 'partnerId'] as const;

/** Explains code 9: `platform` or `partnerId` is wrong (spec, Errors). */
export function explainIdentity(evidence: Evidence, operation: Operation): Explanation {
  const { call, environment, accepted } = evidence;
  const meaning = say`According to the spec, code 9 means that ${code('platform')} or ${code('partnerId')} is wrong.`;
  const openEnvironment = { kind: 'openEnvironment' } as const;
  if (operation.endpoint === 'wallet') {
    return {
      tone: 'warn',
      title: say`A wallet method has neither ${code('platform')} nor ${code('partnerId')}, so this call had none to check.`,
      facts: [meaning],
      steps: [{ text: say`Check that the wallet URL points to a wallet.`, action: openEnvironment }],
      links: [],
    };
  }
  const sent = names.map((name) => ({ name, text: sentText(call, [name]) }));
  const sentence = say`This call sent ${sent.flatMap(({ name, text }, at) => [at === 0 ? '' : ' and ', ...value(name, text)])}.`;

  const { overrides } = call.draft;
  const changed = names.filter((name) => overrides[name] !== undefined || overrides.omit?.includes(name) === true);
  const reason = reasonOf(call);
  const reasons = reason === null ? [] : [say`The built-in provider's reason: ${reason.why}`];
  if (changed.length > 0) {
    const what = changed.flatMap((name, at) => [at === 0 ? '' : ' and ', code(name)]);
    return {
      tone: 'good',
      title: say`Overrides changed ${what} on purpose: code 9 is expected.`,
      facts: [...reasons, sentence],
      steps: [],
      links: [],
    };
  }
  const now: Words[] = [];
  if (environment !== null && sent.some(({ name, text }) => text !== null && text !== String(environment[name]))) {
    const { platform, partnerId } = environment;
    now.push(say`The environment now has ${code('platform')} ${String(platform)} and ${code('partnerId')} ${String(partnerId)}.`);
  }
  const other = accepted === null ? null : differenceFrom(accepted);
  const steps: ExplanationStep[] = [
    {
      text: say`Compare ${code('platform')} and ${code('partnerId')} with the values from your provider.`,
      action: openEnvironment,
    },
  ];
  if (reason !== null) return { tone: 'bad', title: [reason.why], facts: [sentence, ...now], steps, links: [] };
  return {
    tone: 'bad',
    title: other ?? meaning,
    facts: [sentence, ...now],
    steps,
    links: accepted === null || other === null ? [] : [compareWith(accepted)],
  };
}

function value(name: string, text: string | null): Words {
  return text === null ? say`no ${code(name)}` : say`${code(name)} ${code(text)}`;
}

function differenceFrom({ call, comparison }: NonNullable<Evidence['accepted']>): Words | null {
  const lines = comparison.envelope.lines.filter(({ name, equal }) => !equal && names.some((one) => one === name));
  if (lines.length === 0) return null;
  const parts = lines.flatMap(({ name, left, right }, at) => [
    at === 0 ? '' : '; ',
    ...say`${value(name, left)} where this call sent ${right === null ? 'none' : code(right)}`,
  ]);
  return say`The last accepted call, ${callNumber(call)}, sent ${parts}.`;
}
