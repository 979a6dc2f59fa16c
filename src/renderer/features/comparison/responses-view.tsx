import { callNumber } from '#shared/calls/pack-words.ts';
import type { ReactNode } from 'react';
import type { Call } from '#shared/ipc/index.ts';
import { mostDifferences, valueDifferences, type JsonComparison, type JsonDifference } from '#shared/json/compare-json.ts';
import { wayTexts } from '#shared/calls/comparison-words.ts';
import { bytesText, messageOf } from '#renderer/calls/call-words.ts';
import { ReadOnlyDiff } from '#renderer/editor/read-only-diff.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';
import type { ComparedResponses, ReadyCalls } from './comparison-store.ts';
import { Gate, NoDifference } from './hash-view.tsx';
import styles from './comparison-parts.module.css';

type ReadyResponses = Extract<ComparedResponses, { state: 'ready' }>;

/** Number of characters of both above which lines are not wrapped. */
const wrapUpTo = 1_000_000;

/** The responses: the outcomes of the two calls, the differences of their bodies by structure, and the bodies laid out. */
export function ResponsesView({
  calls,
  responses,
  onShowAnyway,
  onRetry,
}: {
  calls: ReadyCalls;
  responses: ComparedResponses;
  onShowAnyway: () => void;
  onRetry: () => Promise<void>;
}) {
  const { left, right } = calls;
  if (left.response === null && right.response === null) {
    return (
      <>
        <Outcome calls={calls} />
        <EmptyState title="Neither call got a response">{`${noResponse(left)} ${noResponse(right)}`}</EmptyState>
      </>
    );
  }
  return (
    <>
      <Outcome calls={calls} />
      <NotLoaded
        of={responses}
        rows={8}
        label="Loading the responses"
        title="The responses could not be compared"
        retry={onRetry}
      />
      {responses.state === 'gated' ? (
        <Gate title={`Long responses: ${bytesText(responses.bytes)}`} onShow={onShowAnyway}>
          Comparing them takes a moment.
        </Gate>
      ) : null}
      {responses.state === 'ready' ? <Ready calls={calls} responses={responses} /> : null}
    </>
  );
}

/** The facts about the two responses that differ. */
function Outcome({ calls: { comparison } }: { calls: ReadyCalls }) {
  const lines = comparison.facts.lines.filter(({ equal }) => !equal);
  if (lines.length === 0) return null;
  return (
    <dl className={styles.facts} aria-label="Outcomes">
      {lines.map(({ name, left, right }) => (
        <div key={name} className="line">
          <dt className="faint one-line">{name}</dt>
          <dd>
            <code className="ink">{left ?? 'none'}</code> against <code className="ink">{right ?? 'none'}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Ready({ calls: { left, right }, responses }: { calls: ReadyCalls; responses: ReadyResponses }) {
  const { comparison, texts, whole, equal, asBytes, hiddenBytes } = responses;
  const { json } = comparison;
  const empty = responses.left?.bytes.length === 0 && responses.right?.bytes.length === 0;
  return (
    <>
      {left.response === null || right.response === null ? (
        <Remark>{noResponse(left.response === null ? left : right)}</Remark>
      ) : null}
      {[left, right].map((call) =>
        call.response?.truncated === true ? (
          <Remark key={call.id}>{`The response of call ${callNumber(call)} was truncated: the rest wasn't recorded.`}</Remark>
        ) : null,
      )}
      {asBytes ? (
        <Remark>
          {`Not valid UTF-8 in ${responses.left?.body.malformedAt === null ? `call ${callNumber(right)}` : responses.right?.body.malformedAt === null ? `call ${callNumber(left)}` : 'one or both'}: the bytes are compared.`}
          {hiddenBytes > 0 ? ` ${hiddenBytes.toLocaleString('en')} of them are not shown.` : ''}
        </Remark>
      ) : null}
      {json === null && !asBytes && !equal && responses.left !== null && responses.right !== null ? (
        <Remark>{notJson(responses, callNumber(left), callNumber(right))}</Remark>
      ) : null}
      {equal ? <NoDifference>{empty ? 'Neither response has a body.' : sameBodies([left, right])}</NoDifference> : null}
      {!equal && json !== null ? (
        <Differences json={json} left={`Call ${callNumber(left)}`} right={`Call ${callNumber(right)}`} />
      ) : null}
      {whole || empty ? null : (
        <Remark>
          {equal || json !== null
            ? 'Only the beginning of each text is shown below.'
            : 'Only the beginning of each text is compared below.'}
        </Remark>
      )}
      {empty ? null : (
        <div className={styles.texts}>
          <ReadOnlyDiff
            left={{ label: `Response of call ${callNumber(left)}`, text: texts.left }}
            right={{ label: `Response of call ${callNumber(right)}`, text: texts.right }}
            language={json === null ? 'plaintext' : 'json'}
            wrap={texts.left.length + texts.right.length <= wrapUpTo}
            foldSame={json !== null}
          />
        </div>
      )}
    </>
  );
}

function sameBodies(calls: readonly Call[]): string {
  const masked = calls.some(({ maskedParts = [] }) => maskedParts.includes('response body'));
  return masked ? 'The bodies are the same, except for masked parts.' : 'The bodies are the same, byte for byte.';
}

function Remark({ children }: { children: ReactNode }) {
  return <p className="band on-warn">{children}</p>;
}

function noResponse(call: Call): string {
  const why = messageOf(call);
  return call.state === 'pending'
    ? `Call ${callNumber(call)} has no response yet.`
    : `Call ${callNumber(call)} got no response${why === '' ? '' : `: ${why}`}${/[.!?]$/.test(why) ? '' : '.'}`;
}

function notJson({ left: one, right: other, comparison }: ReadyResponses, leftId: string, rightId: string): string {
  const { leftError: left, rightError: right } = comparison;
  if (one?.bytes.length === 0 || other?.bytes.length === 0) {
    return `The response of call ${one?.bytes.length === 0 ? leftId : rightId} has no body.`;
  }
  if (left !== null && right !== null) return 'Neither response is JSON, so they are compared as text.';
  return `The response of call ${left !== null ? leftId : rightId} is not JSON: ${left ?? right ?? ''}. They are compared as text.`;
}

const tones: Readonly<Record<JsonDifference['kind'], PillTone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  spelling: 'plain',
};

interface Row {
  readonly key: number;
  readonly difference: JsonDifference;
}

function Differences({ json, left, right }: { json: JsonComparison; left: string; right: string }) {
  const count = valueDifferences(json);
  const all = count + json.counts.spelling;
  const rows = json.differences.map((difference, key): Row => ({ key, difference }));
  const remarks = [
    json.whiteSpaceOnly ? 'The same values; only whitespace differs.' : count === 0 ? 'The same values.' : '',
    all > rows.length
      ? `The first ${mostDifferences.toLocaleString('en')} of ${all.toLocaleString('en')} differences are listed.`
      : '',
    json.counts.spelling > 0 ? `${json.counts.spelling.toLocaleString('en')} of the same value, spelled differently.` : '',
    json.reordered.count > 0
      ? `Members are in a different order in ${json.reordered.count.toLocaleString('en')} ${json.reordered.count === 1 ? 'object' : 'objects'}, which doesn't change the value.`
      : '',
  ].filter((text) => text !== '');
  return (
    <>
      {remarks.length === 0 ? null : <p className="band quiet">{remarks.join(' ')}</p>}
      {rows.length === 0 ? null : (
        <div className={styles.rows} style={{ ['--rows' as string]: Math.min(rows.length, 8) + 1 }}>
          <DataTable label="Differences" columns={columnsFor(left, right)} rows={rows} rowKey={({ key }) => key} />
        </div>
      )}
    </>
  );
}

function columnsFor(left: string, right: string): readonly Column<Row>[] {
  return [
    {
      id: 'kind',
      title: 'Change',
      width: '104px',
      text: ({ difference }) => kindText(difference),
      cell: ({ difference }) => (
        <Pill tone={tones[difference.kind]} size="small">
          {difference.kind === 'spelling' ? 'same value' : difference.kind}
        </Pill>
      ),
    },
    { id: 'place', title: 'Place', width: 'minmax(160px, 1fr)', code: true, text: ({ difference }) => placeText(difference) },
    { id: 'left', title: left, width: 'minmax(140px, 1fr)', code: true, text: ({ difference }) => partText(difference.left) },
    { id: 'right', title: right, width: 'minmax(140px, 1fr)', code: true, text: ({ difference }) => partText(difference.right) },
  ];
}

function kindText({ kind, spelling }: JsonDifference): string {
  return spelling === null ? kind : `the same value: only ${wayTexts[spelling]} differs`;
}

function placeText({ pointer, occurrence, name }: JsonDifference): string {
  const place = pointer === '' ? 'the whole' : pointer;
  return `${place}${occurrence === null ? '' : ` (${occurrence})`}${name ? ', its name' : ''}`;
}

function partText(part: JsonDifference['left']): string {
  return part === null ? '' : `${part.text}${part.cut ? '…' : ''}`;
}
