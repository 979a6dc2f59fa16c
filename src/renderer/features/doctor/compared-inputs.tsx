import { useMemo, type ReactNode } from 'react';
import type { DoctorReport } from '#shared/ipc/index.ts';
import { utf8Length } from '#shared/json/utf8.ts';
import { WirePart } from '#renderer/calls/wire-parts.tsx';
import { ReadOnlyText } from '#renderer/editor/read-only-text.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { bytesAround } from './doctor-words.ts';
import { differences } from './input-differences.ts';
import { markInput, type MarkedInput } from './input-marks.ts';
import styles from './compared-inputs.module.css';

/** Greatest height of an input, in pixels: seven lines. */
const highest = 156;

/** Shows the hash input that the rule demands and the one that was hashed, with the parts that differ. */
export function ComparedInputs({ report }: { readonly report: DoctorReport }) {
  const { expected, hashed, differsAt, problem, verdict } = report;
  const shown = useMemo(() => {
    const parts = hashed === null ? null : differences(expected.text, hashed.text);
    return {
      expected: markInput(expected.text, expected.time, parts?.expected ?? [], styles.right ?? ''),
      hashed: hashed === null ? null : markInput(hashed.text, hashed.time, parts?.hashed ?? [], styles.wrong ?? ''),
    };
  }, [expected, hashed]);
  const position = differsAt === null ? null : `first differs at byte ${differsAt.toLocaleString('en')} after the key`;
  return (
    <div className={styles.inputs}>
      <WirePart
        title="What should have been hashed"
        label="What should have been hashed, with its sizes"
        detail={
          problem === null ? (
            <>
              {sizes(expected)}
              <CopyButton small label="Copy the hash input that is right" text={expected.text} />
            </>
          ) : null
        }
      >
        {problem === null ? (
          <Shown label="What should have been hashed" input={shown.expected} />
        ) : (
          <p className={styles.remark}>{problem}</p>
        )}
      </WirePart>
      {verdict === 'rule' ? null : (
        <WirePart
          title="What your backend hashed"
          label="What your backend hashed, with its sizes"
          detail={
            hashed === null ? null : (
              <>
                {position ?? sizes(hashed)}
                <CopyButton small label="Copy the hash input that was hashed" text={hashed.text} />
              </>
            )
          }
        >
          {shown.hashed === null ? (
            <p className={styles.remark}>Not found.</p>
          ) : (
            <Shown label="What your backend hashed" input={shown.hashed} />
          )}
          {hashed === null || differsAt === null ? null : (
            <dl className={styles.bytes} aria-label={`Bytes around byte ${differsAt}`}>
              <dt>should be</dt>
              <dd>
                <Bytes input={expected.text} at={differsAt} className={styles.right} />
              </dd>
              <dt>was</dt>
              <dd>
                <Bytes input={hashed.text} at={differsAt} className={styles.wrong} />
              </dd>
            </dl>
          )}
        </WirePart>
      )}
    </div>
  );
}

function Shown({ label, input }: { readonly label: string; readonly input: MarkedInput }) {
  return (
    <>
      <ReadOnlyText label={label} text={input.text} marks={input.marks} breakAnywhere sunken fit={highest} />
      {input.hidden === 0 ? null : (
        <p className={styles.remark}>
          {input.hidden.toLocaleString('en')} more characters are hashed and not shown. Copy gives all.
        </p>
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

function sizes({ time, data }: DoctorReport['expected'] | NonNullable<DoctorReport['hashed']>): string {
  const bytes = (text: string) => `${utf8Length(text).toLocaleString('en')} B`;
  return `key, time ${bytes(time)}, ${data === null ? 'no data' : `data ${bytes(data)}`}`;
}
