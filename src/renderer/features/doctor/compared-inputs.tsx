import { byteText } from '#shared/model/byte-text.ts';
import { useMemo, type ReactNode } from 'react';
import type { Comparison, DoctorReport, PastedRequest, ShownInput as HashInput } from '#shared/ipc/index.ts';
import type { Fidelity } from '#shared/model/fidelity.ts';
import { differenceWords, otherReadings } from '#shared/doctor/readings.ts';
import { keyPlaceholder } from '#shared/signing/hash-input.ts';
import { utf8Length } from '#shared/json/utf8.ts';
import { WirePart } from '#renderer/calls/wire-parts.tsx';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { bytesAround } from './doctor-words.ts';
import { differences } from './input-differences.ts';
import { markInput, type MarkedInput } from './input-marks.ts';
import marks from '#renderer/calls/hash-marks.module.css';
import styles from './compared-inputs.module.css';

/** Greatest height of an input, in pixels: seven lines. */
const highest = 156;

export interface ComparedInputsProps {
  readonly comparison: Comparison;
  /** The report of the search; null before it ends. */
  readonly report: DoctorReport | null;
  /** Trust in the text of data; null for data that was typed here. */
  readonly fidelity: Fidelity | null;
}

/** Shows the hash input that the rule demands, and beside it the one that was hashed, or that of data as it came, with the parts that differ. */
export function ComparedInputs({ comparison, report, fidelity }: ComparedInputsProps) {
  const { expected, problem } = report ?? comparison;
  const found = report?.hashed ?? null;
  const other = found ?? comparison.sent;
  const differsAt = found === null ? comparison.differsAt : (report?.differsAt ?? null);
  const title = found === null ? `With data as ${fidelity === 'exact' ? 'sent' : 'pasted'}` : "Your backend's hash input";
  const shown = useMemo(() => {
    const parts = other === null ? null : differences(expected.text, other.text);
    return {
      expected: markInput(expected.text, expected.time, parts?.expected ?? [], styles.right ?? ''),
      other: other === null ? null : markInput(other.text, other.time, parts?.hashed ?? [], marks.difference ?? ''),
    };
  }, [expected, other]);
  const position = differsAt === null ? null : `first differs at ${byteText(differsAt)} after the key`;
  return (
    <div className="edge-above rigid">
      <WirePart
        title="Expected hash input"
        label="Expected hash input, with sizes"
        detail={
          problem === null ? (
            <>
              {sizes(expected)}
              <CopyButton small label="Copy expected hash input" text={expected.text} />
            </>
          ) : null
        }
      >
        {problem === null ? (
          <ShownInput label="Expected hash input" input={shown.expected} />
        ) : (
          <p className="band quiet">{problem}</p>
        )}
      </WirePart>
      {other === null || shown.other === null || report?.verdict === 'rule' ? null : (
        <WirePart
          title={title}
          label={`${title}, with sizes`}
          detail={
            <>
              {position ?? sizes(other)}
              <CopyButton small label={`Copy the hash input: ${title}`} text={other.text} />
            </>
          }
        >
          <ShownInput label={title} input={shown.other} />
          {found === null && report !== null ? (
            <p className="band quiet">{unfoundWords(report, other.text === expected.text)}</p>
          ) : null}
          {differsAt === null ? null : (
            <dl className={styles.bytes} aria-label={`Bytes around ${byteText(differsAt)}`}>
              <dt>should be</dt>
              <dd>
                <Bytes input={expected.text} at={differsAt} className={styles.right} />
              </dd>
              <dt>was</dt>
              <dd>
                <Bytes input={other.text} at={differsAt} className={marks.difference} />
              </dd>
            </dl>
          )}
        </WirePart>
      )}
    </div>
  );
}

/** Says what an ended search knows of an input that it did not find to be the hashed one. */
function unfoundWords({ stages }: DoctorReport, isRule: boolean): string {
  const tried = stages.some(({ stage, state }) => stage === (isRule ? 'rule' : 'singles') && state === 'done');
  return tried ? "This doesn't give the hash either. The hashed input is unknown." : 'The hashed input is unknown.';
}

/** Compares two requests that were pasted together, such as an accepted one and a rejected one; nothing for more, fewer, or two readings of one. */
export function TwoRequests({ requests, chosen }: { readonly requests: readonly PastedRequest[]; readonly chosen: number }) {
  const at = 1 - chosen;
  const [shown, other] = [requests[chosen], requests[at]];
  const input = useMemo(() => {
    if (shown === undefined || other === undefined) return null;
    const text = inputOf(other);
    return markInput(text, other.time ?? '', differences(inputOf(shown), text).hashed, styles.differing ?? '');
  }, [shown, other]);
  if (requests.length !== 2 || shown === undefined || other === undefined || input === null) return null;
  if (otherReadings(requests, chosen).length > 0) return null;
  const title = `Request ${at + 1} and request ${chosen + 1}`;
  return (
    <div className="edge-above rigid">
      <WirePart title={title} label={`${title}, with what differs`} detail={null}>
        <p className="band quiet">{differenceWords(shown, other)}</p>
        <ShownInput label={title} input={input} />
      </WirePart>
    </div>
  );
}

/** Returns the hash input of the text of data as it came; without data or time, of what there is. */
function inputOf({ time, dataText }: PastedRequest): string {
  return keyPlaceholder + (time ?? '') + (dataText ?? '');
}

/** Shows a hash input with its marks. */
function ShownInput({ label, input }: { readonly label: string; readonly input: MarkedInput }) {
  return (
    <>
      <ReadOnlyText label={label} text={input.text} marks={input.marks} breakAnywhere sunken fit={highest} />
      {input.hidden === 0 ? null : (
        <p className="band quiet">{input.hidden.toLocaleString('en')} more characters not shown. Copy includes them.</p>
      )}
    </>
  );
}

function Bytes({
  input,
  at,
  className,
}: {
  readonly input: string;
  readonly at: number;
  readonly className: string | undefined;
}): ReactNode {
  const { before, at: byte, after } = bytesAround(input, at);
  return (
    <code>
      {before} <mark className={className}>{byte === '' ? 'end' : byte}</mark> {after}
    </code>
  );
}

function sizes({ time, data }: Pick<HashInput, 'time' | 'data'>): string {
  const bytes = (text: string) => `${utf8Length(text).toLocaleString('en')} B`;
  return `key, time ${bytes(time)}, ${data === null ? 'no data' : `data ${bytes(data)}`}`;
}
