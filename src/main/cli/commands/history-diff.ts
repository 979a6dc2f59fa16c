import { byteText } from '#shared/model/byte-text.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createClient } from '#shared/ipc/client.ts';
import { excessOf } from '#shared/json/measure.ts';
import { compareTexts, valueDifferences, type JsonDifference, type TextComparison } from '#shared/json/compare-json.ts';
import { firstDifference } from '#shared/json/first-difference.ts';
import { compareCalls, type CallComparison, type ComparedList } from '#shared/calls/compare-calls.ts';
import {
  bodyWord,
  differenceSentence,
  firstFinding,
  hashInputLines,
  sidesText,
  wayTexts,
} from '#shared/calls/comparison-words.ts';
import { originWords } from '#shared/calls/sent-words.ts';
import { identitySent, sinceCall, type KnownEnvironments } from '#shared/calls/environment-words.ts';
import { bodyTextOf } from '../body-text.ts';
import { readWhole, UsageError } from '../arguments.ts';
import { exits, type Command } from '../command.ts';
import { packOption, withCalls } from '../pack.ts';

/** Most differences to print; `--json` has more. */
const mostLines = 50;

export const historyDiffCommand: Command = {
  spec: {
    name: 'history diff',
    summary: 'Compare two calls: the hash input byte by byte, then envelope or body, headers and response.',
    positionals: ['A', 'B'],
    options: {
      ...packOption,
      own: { help: 'With --pack: take B from your own history' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'The history never contains keys, so Croupier tells by the hash inputs or the key fingerprints whether both calls used the same key. Byte positions start at 0.',
      'Exits with 0 whether or not the calls differ.',
    ],
  },
  async run(args, context) {
    const notIds = 'A and B must be call IDs, as "croupier history list" prints them.';
    const [one = 0, other = 0] = args.positionals.map((id) => readWhole(id, notIds, 1));
    if (args.has('own') && !args.has('pack')) throw new UsageError('--own needs --pack.');
    return withCalls(args, context, async ({ app, client }) => {
      const theirs = args.has('own') ? createClient(app.transport) : client;
      const [left, right] = [await client.call('calls.get', { id: one }), await theirs.call('calls.get', { id: other })];
      const comparison = compareCalls(left, right);
      const texts = [await bodyOf(client, left), await bodyOf(theirs, right)] as const;
      const answers = compareTexts(texts[0] ?? '', texts[1] ?? '');
      const first = firstFinding(comparison);
      if (args.has('json')) {
        const document = { left: one, right: other, first, ...comparison, answers };
        await context.terminal.result(JSON.stringify(document, null, 2));
      } else {
        const known = await client.call('environments.list', {});
        for (const line of report([left, right], known, comparison, answers, texts)) await context.terminal.line(line);
      }
      return exits.done;
    });
  },
};

async function bodyOf(client: Client, call: Call): Promise<string | null> {
  if (call.response === null) return null;
  const bytes = await client.body(call.id);
  const excess = excessOf(bytes, `The response of call ${call.id}`, 'The two calls are not compared.');
  if (excess !== null) throw new AppError('refused', excess);
  return bodyTextOf(bytes);
}

function report(
  [left, right]: readonly [Call, Call],
  known: KnownEnvironments,
  comparison: CallComparison,
  answers: TextComparison,
  texts: readonly [string | null, string | null],
): string[] {
  const { sentHeaders, receivedHeaders, facts } = comparison;
  return [
    differenceSentence(comparison, `Calls ${left.id} and ${right.id}`),
    ...(comparison.masked ? ['Values shown as [token] or [secret] may differ.'] : []),
    `  - ${targetOf(left, known)}`,
    `  + ${targetOf(right, known)}`,
    '',
    ...hashInputLines(comparison),
    ...bodyLines(comparison),
    ...listLines('headers sent', sentHeaders),
    ...listLines('headers received', receivedHeaders),
    ...listLines('outcome', facts),
    ...answerLines(answers, texts),
  ];
}

/** Names a call's environment and identity, because both calls often have the same URL. */
function targetOf(call: Call, known: KnownEnvironments): string {
  const identity = identitySent(call);
  const from = call.origin === undefined ? '' : ` ${originWords[call.origin]}`;
  return `call ${call.id}${from} to ${call.environmentName}${sinceCall(call, known)}${identity === null ? '' : `, ${identity}`}`;
}

function bodyLines({ hashInput, envelope }: CallComparison): string[] {
  const body = bodyWord(hashInput);
  if (envelope.count > 0 && envelope.lines.every(({ equal }) => equal) && !envelope.reordered) {
    return [
      `${body}: ${envelope.byMembers ? 'the same fields, only the white space between them differs' : 'different, and at least one is not a JSON object'}`,
    ];
  }
  return listLines(body, envelope);
}

function listLines(title: string, list: ComparedList): string[] {
  const different = list.lines.filter(({ equal }) => !equal);
  if (different.length === 0) return [`${title}: ${list.reordered ? 'the same, in another order' : 'the same'}`];
  return [
    `${title}:${list.reordered ? ' (also in another order)' : ''}`,
    ...different
      .slice(0, mostLines)
      .flatMap(({ name, left, right }) => [
        ...(left === null ? [] : [`  - ${name}: ${left}`]),
        ...(right === null ? [] : [`  + ${name}: ${right}`]),
      ]),
    ...(different.length > mostLines ? [`  and ${different.length - mostLines} more`] : []),
  ];
}

function answerLines({ equal, json }: TextComparison, [left, right]: readonly [string | null, string | null]): string[] {
  if (left === null || right === null) {
    const missing = left === null && right === null ? 'neither call got one' : 'only one of the calls got one';
    return [`response: ${missing}`];
  }
  if (equal) return ['response: the same'];
  if (json === null) {
    const first = firstDifference(left, right);
    return [
      `response: at least one is not JSON${first === null ? '' : `; first difference at ${byteText(first.byteOffset)}: ${sidesText(first)}`}`,
    ];
  }
  if (json.whiteSpaceOnly) return ['response: the same values, only whitespace differs'];
  const count = valueDifferences(json);
  return [
    `response: ${count} different ${count === 1 ? 'value' : 'values'}, ${json.counts.spelling} equal but written differently${
      json.reordered.count === 0 ? '' : '; fields in another order'
    }`,
    ...json.differences.slice(0, mostLines).flatMap(differenceLines),
    ...(count + json.counts.spelling > mostLines ? [`  and ${count + json.counts.spelling - mostLines} more`] : []),
  ];
}

function differenceLines({ kind, pointer, spelling, left, right }: JsonDifference): string[] {
  const place = pointer === '' ? 'the whole body' : pointer;
  const said = kind === 'spelling' ? ` (the same value: only ${wayTexts[spelling ?? 'escapes']} differs)` : '';
  const line = (sign: string, part: JsonDifference['left']) =>
    part === null ? [] : [`  ${sign} ${place}: ${part.text}${part.cut ? '…' : ''}${sign === '+' ? said : ''}`];
  return [...line('-', left), ...line('+', right)];
}
