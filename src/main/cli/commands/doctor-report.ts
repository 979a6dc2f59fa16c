import { byteText } from '#shared/model/byte-text.ts';
import type { DoctorReport, PastedRequest } from '#shared/ipc/index.ts';
import type { Seen } from '#shared/doctor/seen.ts';
import { fidelityWords, fixText, languageNames, secondLine, stagesAfter, stageWords } from '#shared/doctor/words.ts';
import type { Terminal, Tone } from '../../process/terminal.ts';

type Recognised = Pick<PastedRequest, 'action' | 'layers' | 'fidelity'>;

/** Prints, before anything is searched, what was recognised and what is wrong with it as it stands. */
export async function printSeen(recognised: Recognised | null, seen: readonly Seen[], { line }: Terminal): Promise<void> {
  if (recognised !== null) {
    const layers = [...recognised.layers, recognised.action ?? 'a request'].join(', ');
    await line(`recognised  ${layers}: ${fidelityWords[recognised.fidelity]}`);
  }
  for (const { says } of seen) await line(says, [says, 'bad']);
}

/** The meaning of each verdict. */
const tones: Readonly<Record<DoctorReport['verdict'], Tone>> = {
  rule: 'good',
  sent: 'bad',
  other: 'bad',
  none: 'bad',
  unreadable: 'bad',
  cancelled: 'open',
};

/** Prints the report of a search for people. */
export async function printReport(report: DoctorReport, { line }: Terminal): Promise<void> {
  const { verdict, says, ways, leftOff, expected, hashed, differsAt, advice, fixes, problem, stages, digits, unseen, guesses } =
    report;
  await line(says, [says, tones[verdict]]);
  const second = secondLine(report);
  if (second !== '') await line(second);
  if (digits > 0 && digits < 63) await line(`Only ${digits} digits of the hash were compared.`);
  if (problem !== null) await line(problem);
  const [first, ...others] = ways;
  for (const { who } of first ?? []) if (who !== '') await line(`made by     ${who}`);
  for (const way of others) await line(`or          ${way.map((one) => one.says).join(' ')}`);
  if (leftOff > 0) await line(`            and ${leftOff} more that give the same bytes`);
  if (problem === null) await line(`rule        ${expected.text}`);
  if (hashed !== null && hashed.text !== expected.text) await line(`hashed      ${hashed.text}`);
  if (differsAt !== null) await line(`            first differs at ${byteText(differsAt)} after the key`);
  for (const sentence of advice) await line(`next        ${sentence}`);
  const [fix] = fixes;
  if (fix !== undefined) {
    await line(`fix         ${languageNames[fix.language]}`);
    for (const text of fixText(fix).split('\n')) await line(`          ${text}`);
  }
  for (const guess of verdict === 'none' || verdict === 'cancelled' ? guesses : [])
    await line(
      `sent        ${guess.length === 0 ? 'Data was sent as the rule serializes it.' : guess.map((one) => one.says).join(' ')}`,
    );
  for (const sentence of unseen) await line(`not shown   ${sentence}`);
  const tried = stages.map(({ stage, state, tried: count }) =>
    state === 'skipped'
      ? `${stageWords[stage]}: skipped, data is too long`
      : `${stageWords[stage]} ${count.toLocaleString('en')}`,
  );
  const left = verdict === 'none' ? stagesAfter(stages) : [];
  if (left.length > 0) await line(`not tried   ${left.map((stage) => stageWords[stage]).join('; ')}: add --deep`);
  if (tried.length > 0) await line(`tried       ${tried.join('; ')}`);
}
