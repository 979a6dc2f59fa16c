import { memo, useMemo } from 'react';
import { utf8Length } from '#shared/json/utf8.ts';
import { assembleBody, hashToSend, type PreparedRequest } from '#shared/signing/envelope.ts';
import { ReadOnlyText, type TextMark } from '#renderer/editor/read-only-text.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import type { ShownDigest } from './use-next-request.ts';
import styles from './envelope-view.module.css';

/** Stands where the hash will be until it is known: as long as a hash, and no hash. */
const PLACEHOLDER = '·'.repeat(64);
const ZEROS = '0'.repeat(64);
const MAX_SHOWN = 200_000;

/** The whole body of the next request; the hashed text and the hash are coloured. It is as long before its digest is known as after. */
export const EnvelopeView = memo(function EnvelopeView({
  request,
  digest,
}: {
  readonly request: PreparedRequest;
  readonly digest: ShownDigest;
}) {
  const right = digest.state === 'ready' ? digest.digest : null;
  const shown = useMemo(() => {
    const known = request.hashOverride !== null && request.hashOverride !== 'wrong' ? request.hashOverride : right;
    const body = assembleBody(request, known === null ? PLACEHOLDER : hashToSend(request, known));
    const bytes = utf8Length(known === null ? assembleBody(request, ZEROS) : body);
    const marks: TextMark[] = [];
    const add = (start: number, length: number, name: string) => {
      if (start >= 0 && length > 0 && start + length <= MAX_SHOWN)
        marks.push({ start, end: start + length, className: styles[name] ?? '' });
    };
    if (request.signed) {
      const time = request.time === null ? -1 : request.before.lastIndexOf(JSON.stringify(request.time));
      if (request.time !== null && time >= 0) add(time + 1, JSON.stringify(request.time).length - 2, 'time');
      if (request.dataJson !== null) add(request.before.length, Math.min(request.dataJson.length, MAX_SHOWN), 'data');
      const from = request.before.length + (request.dataJson?.length ?? 0) + request.between.length;
      if (!request.omitHash) add(from, body.length - from - request.after.length, 'hash');
    }
    return { body, text: body.slice(0, MAX_SHOWN), marks, bytes, hidden: Math.max(0, body.length - MAX_SHOWN) };
  }, [request, right]);
  return (
    <div className={styles.view}>
      <ReadOnlyText label="Body of the next request" text={shown.text} marks={shown.marks} breakAnywhere />
      <footer className={styles.foot}>
        <span>
          Next request, application/json, {shown.bytes.toLocaleString('en')} bytes
          {shown.hidden > 0 ? `, ${shown.hidden.toLocaleString('en')} characters not shown` : ''}
        </span>
        {request.signed && (
          <span className={styles.legend}>
            <i className={styles.time} /> time
            {request.dataJson !== null && (
              <>
                <i className={styles.data} /> data, hashed as it stands
              </>
            )}
            <i className={styles.hash} /> hash
          </span>
        )}
        <span className={styles.copy}>
          {request.hashOverride === 'wrong' ? (
            <span className={styles.note}>One digit of the hash is wrong on purpose</span>
          ) : null}
          <CopyButton small text={() => shown.body} label="Copy the body" />
        </span>
      </footer>
    </div>
  );
});
