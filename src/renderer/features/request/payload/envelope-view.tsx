import { memo, useMemo } from 'react';
import { utf8Length } from '#shared/json/utf8.ts';
import { assembleBody, hashToSend, type PreparedRequest } from '#shared/request/envelope.ts';
import { ReadOnlyText, type TextMark } from '#renderer/editor/read-only-text.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { ShownMoment, type Held } from '../shown-moment.tsx';
import type { ShownDigest } from '../use-next-request.ts';
import styles from './envelope-view.module.css';

/** Replaces the hash until it is known: as long as a hash, and clearly none. */
const PLACEHOLDER = '·'.repeat(64);
const ZEROS = '0'.repeat(64);
const MAX_SHOWN = 200_000;

/**
 * The whole body of the next request; the hashed text and the hash are coloured. It is as long before its digest is known as after.
 */
export const EnvelopeView = memo(function EnvelopeView({
  request,
  digest,
  held,
}: {
  readonly request: PreparedRequest;
  readonly digest: ShownDigest;
  /** Shows it for this moment, if it is too long to be shown for each second; else null. */
  readonly held: Held | null;
}) {
  const right = digest.state === 'ready' ? digest.digest : null;
  const { dataJson } = request;
  // For the part that does not change with the second, which is nearly all of it.
  const data = useMemo(
    () => ({ bytes: utf8Length(dataJson ?? ''), length: dataJson?.length ?? 0, text: dataJson?.slice(0, MAX_SHOWN) ?? '' }),
    [dataJson],
  );
  const known = request.hashOverride !== null && request.hashOverride !== 'wrong' ? request.hashOverride : right;
  const hash = known === null ? null : hashToSend(request, known);
  const shown = useMemo(() => {
    const around = { ...request, dataJson: '' };
    const bytes = data.bytes + utf8Length(assembleBody(around, known === null ? ZEROS : hash));
    const length = data.length + assembleBody(around, known === null ? PLACEHOLDER : hash).length;
    const text = assembleBody({ ...request, dataJson: data.text }, known === null ? PLACEHOLDER : hash).slice(0, MAX_SHOWN);
    const marks: TextMark[] = [];
    const add = (start: number, size: number, name: string) => {
      if (start >= 0 && size > 0 && start + size <= MAX_SHOWN)
        marks.push({ start, end: start + size, className: styles[name] ?? '' });
    };
    if (request.signed) {
      const time = request.time === null ? -1 : request.before.lastIndexOf(JSON.stringify(request.time));
      if (request.time !== null && time >= 0) add(time + 1, JSON.stringify(request.time).length - 2, 'time');
      if (request.dataJson !== null) add(request.before.length, Math.min(data.length, MAX_SHOWN - request.before.length), 'data');
      const from = request.before.length + data.length + request.between.length;
      if (!request.omitHash) add(from, length - from - request.after.length, 'hash');
    }
    return { text, marks, bytes, hidden: Math.max(0, length - MAX_SHOWN) };
  }, [request, known, hash, data]);
  return (
    <div className="fill-column">
      <ReadOnlyText label="Body of the next request" text={shown.text} marks={shown.marks} breakAnywhere />
      <footer className={styles.foot}>
        <span>
          application/json, {shown.bytes.toLocaleString('en')} bytes
          {shown.hidden > 0 ? `, ${shown.hidden.toLocaleString('en')} characters not shown` : ''}
        </span>
        {request.signed && (
          <span className={styles.legend}>
            <i className={styles.time} /> time
            {request.dataJson !== null && (
              <>
                <i className={styles.data} /> data
              </>
            )}
            <i className={styles.hash} /> hash
          </span>
        )}
        {held === null || request.time === null ? null : <ShownMoment time={request.time} held={held} />}
        <span className="line at-end">
          {request.hashOverride === 'wrong' ? <span className="warn">One digit of the hash is wrong on purpose</span> : null}
          <CopyButton small text={() => assembleBody(request, known === null ? PLACEHOLDER : hash)} label="Copy the body" />
        </span>
      </footer>
    </div>
  );
});
